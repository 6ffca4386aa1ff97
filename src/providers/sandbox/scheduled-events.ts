import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { ProviderEventHandler } from '#payments/provider-events/handler.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import {
  deleteScheduledEvent,
  findDueScheduledEvents,
  type ScheduledEvent,
} from './store-scheduled-events.ts';

const BATCH_SIZE = 100;

interface ScheduledEventDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly handleEvent: ProviderEventHandler;
}

/**
 * Reports what the sandbox's card numbers promised for later. The plan is deleted after its report, whose id is the
 * plan's own: a crash between the two repeats the report, which then changes nothing.
 */
export function createScheduledEventJob({
  db,
  clock,
  transactions,
  handleEvent,
}: ScheduledEventDeps): () => Promise<boolean> {
  async function applyScheduledEvent(scheduled: ScheduledEvent): Promise<void> {
    const { sellerId, transactionId, kind, dueAt } = scheduled;
    const transaction = await transactions.find({ sellerId, id: transactionId });
    if (transaction !== undefined) {
      const event =
        kind === 'PAYMENT'
          ? ({ kind, amount: transaction.amount, paidAt: dueAt } as const)
          : ({ kind: 'CHARGEBACK' } as const);
      const eventId = `plan ${transactionId} ${kind}`;
      await handleEvent({ provider: 'sandbox', eventId, sellerId, transactionId, event, occurredAt: dueAt });
    }
    failPoint('sandbox-events.applied');
    await deleteScheduledEvent(db, scheduled);
  }

  return async () => {
    const due = await findDueScheduledEvents(db, clock.now(), BATCH_SIZE);
    for (const scheduled of due) await applyScheduledEvent(scheduled);
    return due.length === BATCH_SIZE;
  };
}
