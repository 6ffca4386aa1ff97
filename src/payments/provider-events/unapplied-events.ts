import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import type { ProviderEventRecord } from './provider-event.ts';
import type { CreateReversal, ReversalReason } from './reversal-port.ts';
import { insertProviderEvent, type ProcessedEvent } from './store.ts';

/** Why an event was not applied. Every outcome but REJECTED is a payment to reverse. */
export type UnappliedOutcome = ReversalReason | 'REJECTED';

export const TO_BE_REVERSED = 'to be returned to the payer';

/**
 * Stores the event of a payment for a transaction that has ended or was already paid, and creates
 * its reversal. The caller's database transaction has locked the transaction.
 */
export async function reversePayment(
  { clock, createReversal }: { readonly clock: Clock; readonly createReversal: CreateReversal },
  trx: DatabaseTransaction,
  transaction: Transaction,
  event: ProviderEventRecord,
): Promise<void> {
  const hasEnded = transaction.status === 'FAILED' || transaction.status === 'REFUSED';
  const processed: ProcessedEvent & { readonly outcome: UnappliedOutcome } = {
    outcome: hasEnded ? 'LATE' : 'DUPLICATE',
    detail: hasEnded ? TO_BE_REVERSED : `${transaction.status} to PAID`,
    receivedAt: clock.now(),
  };
  await saveUnappliedEvent(trx, createReversal, { transaction, event, processed });
}

/**
 * Stores an event that changed nothing and creates the reversal of its payment. Returns false if
 * the event is known.
 */
export async function saveUnappliedEvent(
  trx: DatabaseTransaction,
  createReversal: CreateReversal,
  {
    transaction: { sellerId, id: transactionId, method },
    event,
    processed,
  }: {
    readonly transaction: Transaction;
    readonly event: ProviderEventRecord;
    readonly processed: ProcessedEvent & { readonly outcome: UnappliedOutcome };
  },
): Promise<boolean> {
  const isNew = await insertProviderEvent(trx, { sellerId, id: transactionId }, event, processed);
  const { provider, eventId, amount } = event;
  const { outcome: reason, receivedAt: createdAt } = processed;
  if (isNew && reason !== 'REJECTED' && amount !== null && amount > 0) {
    const id = newId(createdAt.getTime());
    await createReversal(trx, {
      sellerId,
      id,
      transactionId,
      method,
      provider,
      eventId,
      amount,
      reason,
      createdAt,
    });
  }
  return isNew;
}
