import type { EventDetail } from '#payments/provider-events/details.ts';
import type { Dispute } from '#payments/disputes/dispute.ts';
import type { InTransactionHook } from '#payments/disputes/service.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import { sumAmounts } from '#platform/kit/money.ts';
import {
  debitsOf,
  eventWriter,
  findDisputeOf,
  findKnown,
  findLost,
  medEventOf,
  recordLoss,
  releaseHeldAmount,
  resolveDispute,
  saveUnmatchedUnlessProcessed,
  type MedDeps,
} from './med-booking.ts';
import { centsOf, type Devolucao } from './messages.ts';
import { findMedEvents, type MedEvent } from './store-med.ts';

/** The id under which a debit is stored. */
export const debitIdOf = ({ rtrId, id }: Devolucao): string => rtrId ?? id;

/** Books money that the PSP has debited by MED, unless the outcome of a notice has booked it. */
export async function applyDebit(
  deps: MedDeps,
  transaction: Transaction,
  devolucao: Devolucao,
): Promise<void> {
  if (await bookDebit(deps, transaction, devolucao)) await deps.disputes.completeRecovery(transaction);
}

/** Returns whether all that was accepted is debited now. */
async function bookDebit(deps: MedDeps, transaction: Transaction, devolucao: Devolucao): Promise<boolean> {
  const events = await findMedEvents(deps.db, transaction);
  const amount = centsOf(devolucao.valor);
  const eventId = debitIdOf(devolucao);
  const event = medEventOf(deps, transaction, { kind: 'RETURN', eventId, amount });
  const known = findKnown(events, event);
  if (known !== undefined) return isWhollyDebited(deps, events, known);
  const writeEvent = eventWriter(deps, event);
  const unresolvedDispute = await deps.disputes.findUnresolved(transaction);
  if (unresolvedDispute?.amount === amount) {
    await resolveDispute(deps, unresolvedDispute, 'REJECTED', { hook: writeEvent });
    return true;
  }
  if (unresolvedDispute !== undefined && amount < unresolvedDispute.amount) {
    const move = { to: 'REFUNDING', acceptedAmount: amount, hook: writeEvent } as const;
    const moved = await deps.disputes.moveRecovery(unresolvedDispute, move);
    if (moved.kind === 'moved') return true;
  }
  const booked = await findBookedByOutcome(deps, events, amount);
  if (booked !== undefined && amount <= booked.undebited) {
    await writeEvent(deps.db, booked.dispute);
    return amount === booked.undebited;
  }
  // The debit differs from the held amount, or nothing is held.
  if (unresolvedDispute !== undefined) await releaseHeldAmount(deps, unresolvedDispute);
  const notice = events.find(({ kind, disputeId }) => kind === 'NOTICE' && disputeId !== null);
  const claim = (await findDisputeOf(deps, notice))?.med;
  const { recoveryId = eventId, type = 'UNKNOWN', monitorAccount = false } = claim ?? {};
  const med = { recoveryId, type, monitorAccount };
  const loss = {
    amount: amount - (booked?.undebited ?? 0),
    reason: `MED: ${devolucao.natureza ?? ''}`,
    reference: eventId,
    med,
  };
  const hook: InTransactionHook = (trx, lost) => writeEvent(trx, booked?.dispute ?? lost);
  if (await recordLoss(deps, transaction, loss, hook)) return true;
  const detail: EventDetail = `debited, but the transaction is ${transaction.status}`;
  await saveUnmatchedUnlessProcessed(deps, transaction, { event, detail });
  return false;
}

interface BookedByOutcome {
  readonly dispute: Dispute;
  /** Cents that are not debited yet. */
  readonly undebited: number;
}

/**
 * The dispute that the outcome of a notice has booked before all of its debits: one that covers an
 * amount, or else the first.
 */
async function findBookedByOutcome(
  deps: MedDeps,
  events: readonly MedEvent[],
  amount: number,
): Promise<BookedByOutcome | undefined> {
  let first: BookedByOutcome | undefined;
  for (const notice of events.filter(({ kind }) => kind === 'NOTICE')) {
    const dispute = await findLost(deps, await findDisputeOf(deps, notice));
    if (dispute === undefined) continue;
    const debits = debitsOf(deps, events).filter(({ disputeId }) => disputeId === dispute.id);
    const undebited = dispute.amount - sumAmounts(debits);
    if (undebited >= amount) return { dispute, undebited };
    if (undebited > 0) first ??= { dispute, undebited };
  }
  return first;
}

/** Whether a known debit and those before it are all that its dispute has lost. */
async function isWhollyDebited(
  deps: MedDeps,
  events: readonly MedEvent[],
  known: MedEvent,
): Promise<boolean> {
  const dispute = await findDisputeOf(deps, known);
  const debits = debitsOf(deps, events).filter(({ disputeId }) => disputeId === known.disputeId);
  return dispute?.status === 'REJECTED' && sumAmounts(debits) === dispute.amount;
}
