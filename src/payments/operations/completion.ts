import type { Reason } from '#payments/transactions/reasons.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { closeRefund, setRefundBookedAt } from '#payments/refunds/store.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { ProviderEventRecord } from '#payments/provider-events/provider-event.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { nextOperation, type ProviderOperation } from './provider-operation.ts';
import { insertOperation, recordOperationResult } from './store.ts';

/** The final result of an operation. */
export type OperationOutcome =
  | { readonly kind: 'done'; readonly reference: string | null }
  | { readonly kind: 'refused'; readonly reason: Reason };

/**
 * Completes an operation and applies its outcome to the transaction, exactly once. Returns false if
 * the operation was already completed.
 */
export async function completeOperation(
  deps: ProviderOperationDeps,
  operation: ProviderOperation,
  outcome: OperationOutcome,
): Promise<boolean> {
  const { db, clock, transactions } = deps;
  const key = { sellerId: operation.sellerId, id: operation.transactionId };
  const terms = await transactions.termsOf(operation.sellerId);
  const at = clock.now();
  const completed = await db.transaction().execute(async (trx) => {
    await transactions.lock(trx, key);
    if (!(await recordOperationResult(trx, operation, toOperationResult(outcome, at)))) return false;
    const event = await eventFor(trx, operation, outcome);
    if (event === undefined) return true;
    const paymentEvent = event.kind === 'CAPTURE' ? toCaptureEvent(operation, at) : undefined;
    const applied = await transactions.applyEventInTransaction(trx, key, {
      event,
      terms,
      actor: 'PROVIDER',
      providerEvent: paymentEvent,
    });
    if (applied.kind === 'applied') {
      await recordConsequences(trx, operation, outcome, applied.transaction.updatedAt);
    } else if (operation.kind !== 'CAPTURE') {
      throw new Error(`a completed ${operation.kind} does not fit its transaction: ${applied.kind}`);
    } else if (paymentEvent !== undefined) {
      await reverseLateCapture(deps, trx, operation, paymentEvent);
    }
    return true;
  });
  if (completed) {
    failPoint('provider-operations.completed');
    transactions.notifyWorker();
  }
  return completed;
}

function toOperationResult(outcome: OperationOutcome, at: Date) {
  return outcome.kind === 'done'
    ? ({ state: 'DONE', reference: outcome.reference, detail: null, at } as const)
    : ({ state: 'REFUSED', reference: null, detail: outcome.reason, at } as const);
}

/** The event that an outcome causes, if any. Closes the refund of a REFUND operation. */
async function eventFor(
  trx: DatabaseTransaction,
  operation: ProviderOperation,
  outcome: OperationOutcome,
): Promise<TransactionEvent | undefined> {
  const { amount } = operation;
  const done = outcome.kind === 'done';
  switch (operation.kind) {
    case 'CAPTURE':
      // It was requested in time, whenever the provider responds.
      if (done) return { kind: 'CAPTURE', amount, paidAt: operation.createdAt };
      return { kind: 'FAILURE', reason: `capture refused: ${outcome.reason}` };
    case 'REFUND': {
      const retained = await closeRefund(trx, operation, { from: 'PENDING', to: done ? 'DONE' : 'FAILED' });
      if (retained === undefined) return undefined;
      return done ? { kind: 'REFUND_COMPLETION', amount } : { kind: 'REFUND_FAILURE', amount, retained };
    }
    case 'CREATE':
    case 'CANCEL':
    case 'VOID':
      return undefined;
  }
}

/** The payment event of a capture, identified by the provider's id of the payment. */
function toCaptureEvent(
  { provider, paymentReference, id, amount }: ProviderOperation,
  occurredAt: Date,
): ProviderEventRecord {
  return { provider, eventId: paymentReference ?? id, kind: 'CAPTURE', amount, occurredAt };
}

async function recordConsequences(
  trx: DatabaseTransaction,
  operation: ProviderOperation,
  outcome: OperationOutcome,
  appliedAt: Date,
): Promise<void> {
  if (operation.kind === 'REFUND' && outcome.kind === 'done')
    await setRefundBookedAt(trx, operation, appliedAt);
  if (operation.kind !== 'CAPTURE' || outcome.kind === 'done') return;
  // The authorization may still be valid at the provider.
  const { paymentReference } = operation;
  const next = { kind: 'VOID', paymentReference, createdAt: appliedAt } as const;
  await insertOperation(trx, nextOperation(operation, next));
}

/** Reverses the payment of a transaction that ended before its capture was completed. */
async function reverseLateCapture(
  { transactions, providerEvents }: ProviderOperationDeps,
  trx: DatabaseTransaction,
  { sellerId, transactionId: id }: ProviderOperation,
  captureEvent: ProviderEventRecord,
): Promise<void> {
  const current = await transactions.findInTransaction(trx, { sellerId, id });
  if (current === undefined) throw new Error(`a provider operation refers to no transaction: ${id}`);
  await providerEvents.reversePayment(trx, current, { ...captureEvent, kind: 'PAYMENT' });
}
