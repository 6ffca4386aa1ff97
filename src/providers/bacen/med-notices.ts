import { Type, type Static } from 'typebox';

import type { EventDetail } from '#payments/provider-events/details.ts';
import { ValidationError } from '#platform/http/errors.ts';
import { remainingAmount } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import {
  debitsOf,
  eventWriter,
  findDisputeOf,
  findKnown,
  findLost,
  medEventOf,
  outcomeWriter,
  ConcurrentChangeError,
  recordLoss,
  releaseHeldAmount,
  resolveDispute,
  saveUnmatched,
  saveUnmatchedUnlessProcessed,
  type EventWriter,
  type MedDeps,
  type NewMedEvent,
} from './med-booking.ts';
import { MED_STATUSES, MED_TYPES, type MedStatus, type NewMed } from '#payments/disputes/med.ts';
import { sumAmounts } from '#platform/kit/money.ts';
import { centsOf } from './messages.ts';
import { findMedEvents, insertMedEvent, type MedEvent, type MedOutcome } from './store-med.ts';

/** Members of the DICT's infraction reports and refund requests; see docs/provider-pix.md. */
export const Notice = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  endToEndId: Type.String({ pattern: '^[a-zA-Z0-9]{32}$' }),
  reason: Type.String({ minLength: 1, maxLength: 200 }),
  amount: Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' }),
  deadline: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Enum(['OPEN', 'ACKNOWLEDGED', 'CLOSED', 'CANCELLED']),
  analysisResult: Type.Optional(
    Type.Enum(['AGREED', 'DISAGREED', 'TOTALLY_ACCEPTED', 'PARTIALLY_ACCEPTED', 'REJECTED']),
  ),
  refundedAmount: Type.Optional(Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' })),
  // Members of the DICT's recovery of values (MED 2.0).
  recoveryId: Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' })),
  situationType: Type.Optional(Type.Enum([...MED_TYPES])),
  recoveryStatus: Type.Optional(Type.Enum([...MED_STATUSES])),
  monitorAccount: Type.Optional(Type.Boolean()),
});
export type Notice = Static<typeof Notice>;

/** A notice and what is stored about its transaction. */
interface NoticeContext {
  readonly transaction: Transaction;
  readonly notice: Notice;
  readonly event: NewMedEvent;
  /** The stored event of this notice. */
  readonly known: MedEvent | undefined;
  /** Money that the PSP has debited already. */
  readonly debits: readonly MedEvent[];
}

/** Applies a notice: opens a dispute, or ends it with the notice's outcome. */
export async function applyNotice(deps: MedDeps, transaction: Transaction, notice: Notice): Promise<void> {
  const events = await findMedEvents(deps.db, transaction);
  const amount = centsOf(notice.amount);
  const event = medEventOf(deps, transaction, { kind: 'NOTICE', eventId: notice.id, amount });
  const known = findKnown(events, event);
  const outcome = outcomeOf(notice);
  if (known !== undefined && known.outcome !== null) {
    if (notice.recoveryStatus === 'COMPLETED') await deps.disputes.completeRecovery(transaction);
    if (outcome === undefined || outcome === known.outcome) return;
    await saveUnmatched(deps, transaction, event, `already reported as ${known.outcome}`);
    return;
  }
  const context = { transaction, notice, event, known, debits: debitsOf(deps, events) };
  if (outcome === 'ACCEPTED') {
    await acceptNotice(deps, context);
    if (notice.recoveryStatus === 'COMPLETED') await deps.disputes.completeRecovery(transaction);
  } else if (outcome === 'DENIED') await denyNotice(deps, context);
  else if (known === undefined) await openDispute(deps, context);
  else await trackRecovery(deps, context);
}

/** The states in which the money of a claim is still held. */
const HELD: readonly (MedStatus | undefined)[] = ['TRACKED', 'AWAITING_ANALYSIS', 'ANALYSED'];

const isDenial = (result: Notice['analysisResult']): boolean =>
  result === 'DISAGREED' || result === 'REJECTED';

/** What an analysis without the outcome accepts of a claimed amount; undefined if the notice states none. */
function analyzedAmount(
  { recoveryStatus, analysisResult, refundedAmount }: Notice,
  claimed: number,
): number | undefined {
  if (recoveryStatus !== 'ANALYSED' || analysisResult === undefined) return undefined;
  if (isDenial(analysisResult)) return 0;
  return refundedAmount === undefined ? undefined : Math.min(centsOf(refundedAmount), claimed);
}

const medOf = ({ id, recoveryId, situationType, recoveryStatus, monitorAccount }: Notice): NewMed => ({
  recoveryId: recoveryId ?? id,
  type: situationType ?? 'UNKNOWN',
  status: HELD.includes(recoveryStatus) ? recoveryStatus : undefined,
  monitorAccount: monitorAccount ?? false,
});

/** Follows the states before the outcome. One that was reported late changes nothing. */
async function trackRecovery(deps: MedDeps, { notice, known }: NoticeContext): Promise<void> {
  const { disputes } = deps;
  const { recoveryStatus: to, situationType: type, monitorAccount } = notice;
  const dispute = await findDisputeOf(deps, known);
  if (dispute === undefined) return;
  const described = {
    ...(type === undefined ? {} : { type }),
    ...(monitorAccount === undefined ? {} : { monitorAccount }),
  };
  if (Object.keys(described).length > 0) await disputes.describeClaim(dispute, described);
  if (to !== undefined && HELD.includes(to)) {
    const acceptedAmount = analyzedAmount(notice, dispute.amount);
    await disputes.moveRecovery(dispute, { to, acceptedAmount });
  }
}

const isCanceled = ({ status, recoveryStatus }: Notice): boolean =>
  status === 'CANCELLED' || recoveryStatus === 'CANCELLED';

/** The outcome by the status of the notice, or by that of the recovery. */
function outcomeOf(notice: Notice): MedOutcome | undefined {
  const { status, analysisResult, recoveryStatus } = notice;
  if (isCanceled(notice)) return 'DENIED';
  const isComplete = recoveryStatus === 'COMPLETED';
  if (status !== 'CLOSED' && !isComplete) return recoveryStatus === 'REFUNDING' ? 'ACCEPTED' : undefined;
  if (analysisResult === undefined) {
    const rule =
      status === 'CLOSED'
        ? 'should not be empty when status is CLOSED'
        : 'should not be empty when recoveryStatus is COMPLETED';
    throw new ValidationError([{ path: ['analysisResult'], rule, code: 'required' }]);
  }
  return isDenial(analysisResult) ? 'DENIED' : 'ACCEPTED';
}

async function openDispute(
  deps: MedDeps,
  { transaction, notice, event, debits }: NoticeContext,
): Promise<void> {
  const writeEvent = eventWriter(deps, event);
  const bookedDispute = await findDisputeOf(deps, debits[0]);
  // The debit arrived before its notice and is booked.
  if (bookedDispute !== undefined) return writeEvent(deps.db, bookedDispute);
  const deadline = new Date(notice.deadline ?? '');
  const amount = Math.min(event.amount, remainingAmount(transaction));
  const opened = await deps.disputes.open(transaction, {
    reason: `MED: ${notice.reason}`,
    amount,
    by: {
      provider: deps.name,
      reference: notice.id,
      appealUntil: Number.isNaN(deadline.getTime()) ? null : deadline,
    },
    med: { ...medOf(notice), acceptedAmount: analyzedAmount(notice, amount) },
    hook: writeEvent,
  });
  if (opened.kind === 'opened') return;
  const detail: EventDetail = `dispute requested, but the transaction is ${transaction.status}`;
  await saveUnmatchedUnlessProcessed(deps, transaction, { event, detail });
}

/** Ends the notice's dispute and books the refunded part of its amount as lost. */
async function acceptNotice(deps: MedDeps, context: NoticeContext): Promise<void> {
  const { transaction, notice, event, known, debits } = context;
  const writeEvent =
    known === undefined ? eventWriter(deps, event, 'ACCEPTED') : outcomeWriter(deps, known, 'ACCEPTED');
  const refundedAmount = notice.refundedAmount === undefined ? undefined : centsOf(notice.refundedAmount);
  const bookedDispute = await findDisputeOf(deps, debits[0]);
  if (bookedDispute !== undefined) {
    const debited = sumAmounts(debits);
    if (refundedAmount !== undefined && refundedAmount > debited) {
      const rest = { amount: refundedAmount - debited, reference: `${notice.id}/rest` };
      return bookAcceptedLoss(deps, context, rest, writeEvent);
    }
    await writeEvent(deps.db, bookedDispute);
    if (refundedAmount === undefined || refundedAmount === debited) return;
    const mismatch = { ...event, amount: refundedAmount };
    await saveUnmatched(deps, transaction, mismatch, `accepted, but ${debited} cents were debited`);
    return;
  }
  const dispute = await findDisputeOf(deps, known);
  if (dispute === undefined) {
    const amount = Math.min(refundedAmount ?? event.amount, remainingAmount(transaction));
    return bookAcceptedLoss(deps, context, { amount, reference: notice.id }, writeEvent);
  }
  const amount = Math.min(refundedAmount ?? dispute.amount, dispute.amount);
  if (dispute.resolvedAt === null) {
    if (amount === 0) return resolveDispute(deps, dispute, 'RESOLVED', { hook: writeEvent });
    if (amount <= (dispute.med?.acceptedAmount ?? amount)) {
      const move = { to: 'REFUNDING', acceptedAmount: amount, hook: writeEvent } as const;
      const moved = await deps.disputes.moveRecovery(dispute, move);
      if (moved.kind !== 'moved') throw new ConcurrentChangeError('the dispute changed concurrently');
      return;
    }
    // The outcome accepts more than the analysis did.
    await releaseHeldAmount(deps, dispute);
    return bookAcceptedLoss(deps, context, { amount, reference: `${notice.id}/lost` }, writeEvent);
  }
  const lost = await findLost(deps, dispute);
  if (lost !== undefined) {
    // Rejected by its deadline, wholly or in part, before the outcome arrived.
    await writeEvent(deps.db, lost);
    if (amount === lost.amount) return;
    return saveUnmatched(
      deps,
      transaction,
      { ...event, amount },
      `accepted in part, but ${lost.amount} cents were already lost: settle it manually`,
    );
  }
  // The operator resolved the dispute: books the loss anew.
  await bookAcceptedLoss(deps, context, { amount, reference: `${notice.id}/lost` }, writeEvent);
}

async function bookAcceptedLoss(
  deps: MedDeps,
  { transaction, notice, event }: NoticeContext,
  loss: { readonly amount: number; readonly reference: string },
  writeEvent: EventWriter,
): Promise<void> {
  const isRecorded = await recordLoss(
    deps,
    transaction,
    { ...loss, reason: `MED: ${notice.reason}`, med: medOf(notice) },
    writeEvent,
  );
  if (isRecorded) return;
  const detail: EventDetail = `accepted, but the transaction is ${transaction.status}`;
  await saveUnmatchedUnlessProcessed(deps, transaction, { event, detail }, hasOutcome);
}

async function denyNotice(
  deps: MedDeps,
  { transaction, notice, event, known }: NoticeContext,
): Promise<void> {
  const { db, clock } = deps;
  if (known === undefined) {
    // Stored without a dispute, so that a notice that arrives after its outcome opens none.
    await insertMedEvent(db, { ...event, disputeId: null, outcome: 'DENIED' }, clock.now());
    return;
  }
  const dispute = await findDisputeOf(deps, known);
  if (dispute === undefined) return;
  const writeOutcome = outcomeWriter(deps, known, 'DENIED');
  if (dispute.resolvedAt === null) {
    return resolveDispute(deps, dispute, 'RESOLVED', {
      hook: writeOutcome,
      isCancelled: isCanceled(notice),
    });
  }
  await writeOutcome(db, dispute);
  if (dispute.status !== 'REJECTED') return;
  const detail: EventDetail = 'denied, but the dispute was already lost: settle it manually';
  await saveUnmatched(deps, transaction, { ...event, amount: dispute.amount }, detail);
}

const hasOutcome = ({ outcome }: MedEvent): boolean => outcome !== null;
