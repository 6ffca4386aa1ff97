import type { EventDetail } from '#payments/provider-events/details.ts';
import type { Dispute } from '#payments/disputes/dispute.ts';
import type { NewMed } from '#payments/disputes/med.ts';
import type { InTransactionHook } from '#payments/disputes/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import type { ProviderContext } from '#providers/adapter.ts';
import {
  findMedEvents,
  insertMedEvent,
  saveNoticeOutcome,
  type MedEvent,
  type MedOutcome,
} from './store-med.ts';

export interface MedDeps extends Pick<
  ProviderContext,
  'db' | 'clock' | 'log' | 'disputes' | 'transactions' | 'operations' | 'providerEvents'
> {
  /** Name of the provider. */
  readonly name: string;
}

/** A MED event before it has an effect. */
export type NewMedEvent = Omit<MedEvent, 'disputeId' | 'outcome'>;

/** Stores a MED event of the dispute, in the transaction of its effect if it has one. */
export type EventWriter = (db: Db, dispute: Pick<Dispute, 'id'>) => Promise<void>;

/** The event was processed before or by a concurrent process. */
export class AlreadyProcessedError extends Error {}

/** A dispute changed after it was read. The event must be applied again. */
export class ConcurrentChangeError extends Error {}

export const medEventOf = (
  { name }: MedDeps,
  transaction: Transaction,
  { kind, eventId, amount }: Pick<MedEvent, 'kind' | 'eventId' | 'amount'>,
): NewMedEvent => ({
  kind,
  eventId,
  amount,
  sellerId: transaction.sellerId,
  provider: name,
  transactionId: transaction.id,
});

/** Returns a writer that inserts an event, or throws `AlreadyProcessedError` if it exists. */
export const eventWriter =
  ({ clock }: MedDeps, event: NewMedEvent, outcome: MedOutcome | null = null): EventWriter =>
  async (db, { id: disputeId }) => {
    const inserted = await insertMedEvent(db, { ...event, disputeId, outcome }, clock.now());
    if (!inserted) throw new AlreadyProcessedError();
  };

/** Returns a writer that sets the outcome, or throws `AlreadyProcessedError` if there is one. */
export const outcomeWriter =
  ({ clock }: MedDeps, notice: MedEvent, outcome: MedOutcome): EventWriter =>
  async (db, { id: disputeId }) => {
    const saved = await saveNoticeOutcome(db, notice, { outcome, disputeId, now: clock.now() });
    if (!saved) throw new AlreadyProcessedError();
  };

export async function findDisputeOf(
  { disputes }: MedDeps,
  event: MedEvent | undefined,
): Promise<Dispute | undefined> {
  if (event === undefined || event.disputeId === null) return undefined;
  return disputes.find({ sellerId: event.sellerId, id: event.disputeId });
}

/**
 * The dispute by which a claim is lost: its own, or the one that books the accepted part. A
 * deadline may have ended it before its outcome or its debit arrives.
 */
export async function findLost(
  { name, disputes }: MedDeps,
  dispute: Dispute | undefined,
): Promise<Dispute | undefined> {
  if (dispute === undefined || dispute.status === 'REJECTED') return dispute;
  const reference = `${dispute.providerReference}/lost`;
  const part = await disputes.findByProviderReference(dispute.sellerId, name, reference);
  return part?.status === 'REJECTED' ? part : undefined;
}

/** @throws ConcurrentChangeError if the dispute has been resolved meanwhile. */
export async function resolveDispute(
  { disputes }: MedDeps,
  dispute: Dispute,
  outcome: 'RESOLVED' | 'REJECTED',
  options: { readonly hook?: InTransactionHook; readonly isCancelled?: boolean } = {},
): Promise<void> {
  const result = await disputes.resolveByProvider(dispute, outcome, options);
  if (result.kind !== 'resolved') throw new ConcurrentChangeError('the dispute changed concurrently');
}

/** Releases what a dispute holds, before another amount is booked as lost. */
export async function releaseHeldAmount(deps: MedDeps, dispute: Dispute): Promise<void> {
  await resolveDispute(deps, dispute, 'RESOLVED');
  failPoint('med.released');
}

/**
 * Books a loss as a dispute that cannot be appealed, also if a part of the payment was lost before.
 * If the process stops before the dispute is rejected, its deadline, which is now, rejects it.
 * Returns false if the transaction does not allow a dispute, or if nothing is lost.
 */
export async function recordLoss(
  { name, clock, disputes }: MedDeps,
  transaction: Transaction,
  loss: {
    readonly amount: number;
    readonly reason: string;
    readonly reference: string;
    readonly med: NewMed;
  },
  hook: InTransactionHook,
): Promise<boolean> {
  const { amount, reason, reference, med } = loss;
  // Nothing remains of the payment, or the bank returns nothing of it.
  if (amount === 0) return false;
  const by = { provider: name, reference, appealUntil: clock.now() };
  const opened = await disputes.open(transaction, { reason, amount, by, med, hook });
  if (opened.kind !== 'opened')
    return disputes.recordFurtherLoss(transaction, { amount, reason, by, med, hook });
  failPoint('med.opened');
  // If this resolves nothing, the deadline has rejected the dispute already.
  await disputes.resolveByProvider(opened.dispute, 'REJECTED');
  return true;
}

/** Stores an event that cannot be booked, for the operator. */
export async function saveUnmatched(
  { name, clock, log, providerEvents }: MedDeps,
  transaction: Transaction | undefined,
  { kind, eventId, amount }: Pick<MedEvent, 'kind' | 'eventId' | 'amount'>,
  detail: EventDetail,
): Promise<void> {
  const claimed = { sellerId: transaction?.sellerId ?? '', id: transaction?.id ?? '' };
  const event = {
    provider: name,
    eventId,
    kind: kind === 'NOTICE' ? 'MED' : 'MED_RETURN',
    amount,
    occurredAt: clock.now(),
  };
  const isNew = await providerEvents.saveUnmatched(claimed, event, detail);
  if (isNew) log.error({ provider: name }, 'MED event does not match its transaction');
}

/**
 * Stores an event that cannot be booked, unless a concurrent process has just booked it.
 *
 * @throws AlreadyProcessedError if a stored event with the same id satisfies `isProcessed`.
 */
export async function saveUnmatchedUnlessProcessed(
  deps: MedDeps,
  transaction: Transaction,
  { event, detail }: { readonly event: NewMedEvent; readonly detail: EventDetail },
  isProcessed: (event: MedEvent) => boolean = () => true,
): Promise<void> {
  const events = await findMedEvents(deps.db, transaction);
  const known = findKnown(events, event);
  if (known !== undefined && isProcessed(known)) throw new AlreadyProcessedError();
  await saveUnmatched(deps, transaction, event, detail);
}

/** Finds the stored event with the provider, kind and id of the given one. */
export const findKnown = (
  events: readonly MedEvent[],
  { provider, kind, eventId }: Pick<MedEvent, 'provider' | 'kind' | 'eventId'>,
): MedEvent | undefined =>
  events.find((event) => event.provider === provider && event.kind === kind && event.eventId === eventId);

/** The stored debits of this provider. */
export const debitsOf = ({ name }: MedDeps, events: readonly MedEvent[]): readonly MedEvent[] =>
  events.filter(({ kind, provider }) => kind === 'RETURN' && provider === name);
