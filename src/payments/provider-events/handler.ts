import type { ProviderEventResult, TransactionsService } from '#payments/transactions/service.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';

/** What a provider tells of a charge. */
export interface ProviderEvent {
  readonly provider: string;
  /** The provider's own id of the event: for a PIX payment its end-to-end id. The same id counts once. */
  readonly eventId: string;
  readonly sellerId: string;
  readonly transactionId: string;
  readonly event: TransactionEvent;
  readonly occurredAt: Date;
  /** The charge, where it was read just now: it is decided on first and not read again. */
  readonly transaction?: Transaction;
}

export type ProviderEventHandler = (event: ProviderEvent) => Promise<ProviderEventResult>;

/**
 * The one door for what providers report, whichever they are and however they tell it. A report is stored once by
 * the provider's own id, and money changes at most once.
 */
export function createProviderEventHandler(transactions: TransactionsService): ProviderEventHandler {
  return (event) =>
    transactions.applyProviderEvent(
      { sellerId: event.sellerId, id: event.transactionId },
      event.event,
      {
        provider: event.provider,
        eventId: event.eventId,
        kind: event.event.kind,
        amount: event.event.kind === 'PAYMENT' ? event.event.amount : null,
        occurredAt: event.occurredAt,
      },
      event.transaction,
    );
}
