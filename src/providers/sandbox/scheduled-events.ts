import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { ProviderEventHandler } from '#payments/provider-events/handler.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { Transaction, TransactionsService } from '#payments/transactions/service.ts';
import type { SubscriptionsService } from '#subscriptions/service.ts';
import { AUTHORIZATION_VALIDITY_MS } from './card-authorizer.ts';
import {
  deleteScheduledEvent,
  findDueScheduledEvents,
  type ScheduledEvent,
} from './store-scheduled-events.ts';

export { SCHEDULED_EVENTS_DUE } from './store-scheduled-events.ts';

const BATCH_SIZE = 100;

export interface ScheduledEventDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly handleEvent: ProviderEventHandler;
  readonly subscriptions: Pick<SubscriptionsService, 'findDebit' | 'recordFailedDebit'>;
}

/** Returns a job that applies due scheduled events; true if more may be due. */
export function createScheduledEventJob(deps: ScheduledEventDeps): () => Promise<boolean> {
  return async () => {
    const { db, clock, transactions } = deps;
    const due = await findDueScheduledEvents(db, {
      now: clock.now(),
      limit: BATCH_SIZE,
      exceptSellers: transactions.lockedSellers(),
    });
    await runBySeller(due, (scheduled) => applyScheduledEvent(deps, scheduled));
    return due.length === BATCH_SIZE;
  };
}

/**
 * Reports an event, then deletes its schedule. A crash in between reports it again under the same
 * event id, which changes nothing.
 */
async function applyScheduledEvent(deps: ScheduledEventDeps, scheduled: ScheduledEvent): Promise<void> {
  if (scheduled.kind === 'DEBIT') await applyDebit(deps, scheduled);
  else await reportEvent(deps, scheduled, scheduled.kind);
  failPoint('sandbox-events.applied');
  await deleteScheduledEvent(deps.db, scheduled);
}

/** The bank debits the payer unless another outcome is simulated. */
async function applyDebit(deps: ScheduledEventDeps, scheduled: ScheduledEvent): Promise<void> {
  const { sellerId, transactionId } = scheduled;
  const debit = await deps.subscriptions.findDebit(sellerId, transactionId);
  if (debit === undefined) return;
  const { ordinal, outcome } = debit;
  if (outcome === null || outcome === 'PAID') return reportEvent(deps, scheduled, 'PAYMENT');
  const isFinal = outcome === 'CARD_EXPIRED';
  const reason = isFinal ? 'refused by the provider' : 'insufficient funds';
  const failed = { sellerId, transactionId, ordinal, reason, isFinal } as const;
  await deps.subscriptions.recordFailedDebit({ ...failed, consumesOutcome: true });
}

type ReportedKind = Exclude<ScheduledEvent['kind'], 'DEBIT'>;

async function reportEvent(
  { transactions, handleEvent }: ScheduledEventDeps,
  { sellerId, transactionId, dueAt }: ScheduledEvent,
  kind: ReportedKind,
): Promise<void> {
  const transaction = await transactions.find({ sellerId, id: transactionId });
  if (transaction !== undefined) {
    const event = toEvent(kind, transaction, dueAt);
    const eventId = `plan ${transactionId} ${kind}`;
    await handleEvent({ provider: 'sandbox', eventId, sellerId, transactionId, event, occurredAt: dueAt });
  }
}

function toEvent(kind: ReportedKind, { amount }: Transaction, at: Date): TransactionEvent {
  switch (kind) {
    case 'PAYMENT':
      return { kind, amount, paidAt: at };
    case 'AUTHORIZATION':
      return { kind, lapsesAt: new Date(at.getTime() + AUTHORIZATION_VALIDITY_MS) };
    case 'CHARGEBACK':
      return { kind };
  }
}
