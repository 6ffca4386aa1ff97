import type { EventDetail } from '#payments/provider-events/details.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import {
  debitsOf,
  eventWriter,
  findDisputeOf,
  findKnown,
  medEventOf,
  recordLoss,
  releaseHeldAmount,
  resolveDispute,
  saveUnmatchedUnlessProcessed,
  sumOf,
  type MedDeps,
} from './med-booking.ts';
import { centsOf, type Devolucao } from './messages.ts';
import { findMedEvents } from './store-med.ts';

/** The id under which a debit is stored. */
export const debitIdOf = ({ rtrId, id }: Devolucao): string => rtrId ?? id;

/** Books money that the PSP has debited by MED, unless the outcome of a notice has booked it. */
export async function applyDebit(
  deps: MedDeps,
  transaction: Transaction,
  devolucao: Devolucao,
): Promise<void> {
  const events = await findMedEvents(deps.db, transaction);
  const amount = centsOf(devolucao.valor);
  const eventId = debitIdOf(devolucao);
  const event = medEventOf(deps, transaction, { kind: 'RETURN', eventId, amount });
  if (findKnown(events, event) !== undefined) return;
  const writeEvent = eventWriter(deps, event);
  const unresolvedDispute = await deps.disputes.findUnresolved(transaction);
  if (unresolvedDispute?.amount === amount) {
    return resolveDispute(deps, unresolvedDispute, 'REJECTED', writeEvent);
  }
  const debits = debitsOf(deps, events);
  for (const notice of events.filter(({ kind }) => kind === 'NOTICE')) {
    const dispute = await findDisputeOf(deps, notice);
    if (dispute?.status !== 'REJECTED') continue;
    const debited = sumOf(debits.filter(({ disputeId }) => disputeId === dispute.id));
    // The outcome of the notice has booked this debit.
    if (debited + amount <= dispute.amount) return writeEvent(deps.db, dispute);
  }
  // The debit differs from the held amount, or nothing is held.
  if (unresolvedDispute !== undefined) await releaseHeldAmount(deps, unresolvedDispute);
  const loss = { amount, reason: `MED: ${devolucao.natureza ?? ''}`, reference: eventId };
  if (await recordLoss(deps, transaction, loss, writeEvent)) return;
  const detail: EventDetail = `debited, but the transaction is ${transaction.status}`;
  await saveUnmatchedUnlessProcessed(deps, transaction, { event, detail });
}
