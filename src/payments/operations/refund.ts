import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { closeRefund } from '#payments/refunds/store.ts';
import { findTransactions } from '#payments/transactions/store.ts';
import type { TransactionKey } from '#payments/transactions/transaction.ts';
import type { ProviderOperationDeps } from './deps.ts';
import type { ProviderOperation } from './provider-operation.ts';
import {
  findCardAuthorization,
  findOperationsByTransaction,
  findPaymentEvent,
  insertOperation,
  recordOperationResult,
} from './store.ts';

/** The external provider that holds a payment, and its id of the payment. */
export interface RefundSource {
  readonly provider: string;
  readonly paymentReference: string;
  /** Whether the provider, the sandbox, needs no call and reports the outcome by itself. */
  readonly isAccepted?: boolean;
}

/**
 * The provider that must refund a transaction; undefined for the sandbox. It is also returned when
 * it is no longer configured: its operation then waits until it is again.
 */
export async function findRefundSource(
  { pix }: ProviderOperationDeps,
  db: Db,
  key: TransactionKey,
): Promise<RefundSource | undefined> {
  if (!isUuid(key.id)) return undefined;
  const paymentEvent = await findPaymentEvent(db, key);
  const operations = paymentEvent === undefined ? [] : await findOperationsByTransaction(db, key);
  const authorization = await findCardAuthorization(db, key);
  if (authorization === undefined) {
    const isExternal =
      pix.some(({ name }) => name === paymentEvent?.provider) ||
      operations.some(({ kind, provider }) => kind === 'CREATE' && provider === paymentEvent?.provider);
    if (paymentEvent === undefined || !isExternal) return undefined;
    return { provider: paymentEvent.provider, paymentReference: paymentEvent.eventId };
  }
  if (authorization.reference !== null)
    return { provider: authorization.provider, paymentReference: authorization.reference };
  // The sandbox can simulate the payment before the provider reports it, or without a report.
  const isSimulated = paymentEvent !== undefined && paymentEvent.provider !== authorization.provider;
  const [current] = await findTransactions(runStatementIn(db), [key]);
  if (isSimulated || (current?.paidAt ?? null) === null) return undefined;
  throw new Error(`card transaction ${key.id} is paid but its provider returned no id`);
}

/** Creates the operation of a refund in the transaction that decided it. */
export async function createRefundOperation(
  trx: DatabaseTransaction,
  { sellerId, id: transactionId }: TransactionKey,
  refund: { readonly id: string; readonly amount: number; readonly createdAt: Date },
  { provider, paymentReference, isAccepted = false }: RefundSource,
): Promise<void> {
  const operation = {
    sellerId,
    transactionId,
    kind: 'REFUND',
    ...refund,
    provider,
    paymentReference,
  } as const;
  await insertOperation(trx, operation);
  if (!isAccepted) return;
  const result = { state: 'ACCEPTED', reference: null, detail: null, at: refund.createdAt } as const;
  await recordOperationResult(trx, operation, result);
}

/**
 * Reverses a completed refund that the payer's bank has returned. Returns false if the refund is
 * not completed.
 */
export async function reverseRefund(
  { db, transactions }: ProviderOperationDeps,
  operation: ProviderOperation,
): Promise<boolean> {
  const { sellerId, transactionId: id, amount } = operation;
  const terms = await transactions.termsOf(sellerId);
  const reversed = await db.transaction().execute(async (trx) => {
    await transactions.lock(trx, { sellerId, id });
    const retained = await closeRefund(trx, operation, { from: 'DONE', to: 'FAILED' });
    if (retained === undefined) return false;
    const event = { kind: 'REFUND_REVERSAL', amount, retained } as const;
    const key = { sellerId, id };
    const applied = await transactions.applyEventInTransaction(trx, key, { event, terms, actor: 'PROVIDER' });
    if (applied.kind !== 'applied')
      throw new Error(`a reversed refund does not fit its transaction: ${applied.kind}`);
    return true;
  });
  if (reversed) transactions.notifyWorker();
  return reversed;
}
