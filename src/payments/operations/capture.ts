import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { ApplyResult, TransactionKey } from '#payments/transactions/service.ts';
import type { Transaction } from '#payments/transactions/transaction.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { recordAction } from './audit.ts';
import { isActive, nextOperation } from './provider-operation.ts';
import { findCardAuthorization, findOperationsByTransaction, insertOperation } from './store.ts';

export type CaptureResult =
  | ApplyResult
  /** The capture is requested from an external provider, which reports the outcome later. */
  | { readonly kind: 'pending'; readonly transaction: Transaction }
  /** A capture of another amount is pending. */
  | { readonly kind: 'other-amount' };

/** Captures an authorization, in full if `amount` (in cents) is null. */
export const capture = (
  deps: ProviderOperationDeps,
  key: TransactionKey,
  amount: number | null,
  author: AuditActor,
): Promise<CaptureResult> => captureWith(deps, key, amount, { author, before: () => Promise.resolve() });

export interface CaptureOrigin {
  readonly author: AuditActor;
  /** Runs first in the transaction of the capture, which locks the payment. */
  readonly before: (trx: DatabaseTransaction) => Promise<void>;
}

/** A capture that changes something else in the same transaction. */
export async function captureWith(
  deps: ProviderOperationDeps,
  key: TransactionKey,
  amount: number | null,
  { author, before }: CaptureOrigin,
): Promise<CaptureResult> {
  const { db, clock, transactions } = deps;
  const transaction = await transactions.find(key);
  if (transaction === undefined) return { kind: 'unknown' };
  const captureAmount = amount ?? transaction.amount;
  const event = { kind: 'CAPTURE', amount: captureAmount, paidAt: clock.now() } as const;
  const authorization = await findCardAuthorization(db, key);
  const terms = await transactions.termsOf(key.sellerId);
  const by = { author, action: 'transaction.captured' } as const;
  if (authorization === undefined) {
    const applied = await transactionWithRollback<ApplyResult>(db, async (trx) => {
      await before(trx);
      const change = await transactions.applyEventInTransaction(trx, key, { event, terms, actor: 'SELLER' });
      if (change.kind !== 'applied') return rollback(change);
      await recordAction(trx, by, { transaction: change.transaction, at: clock.now() });
      return change;
    });
    if (applied.kind === 'applied') transactions.notifyWorker();
    return applied;
  }
  const result = await transactionWithRollback<CaptureResult>(db, async (trx) => {
    await transactions.lock(trx, key);
    await before(trx);
    const current = await transactions.findInTransaction(trx, key);
    if (current === undefined) return rollback({ kind: 'unknown' });
    const rejection = transactions.checkTransition(current, event, terms);
    if (rejection !== undefined) return rollback(rejection);
    const operations = await findOperationsByTransaction(trx, key);
    const pending = operations.find(isActive('CAPTURE'));
    if (pending !== undefined && pending.amount !== captureAmount) return rollback({ kind: 'other-amount' });
    if (pending === undefined) {
      const operation = nextOperation(authorization, {
        kind: 'CAPTURE',
        amount: captureAmount,
        paymentReference: authorization.reference,
        createdAt: clock.now(),
      });
      await insertOperation(trx, operation);
      await recordAction(trx, by, { transaction: current, amount: captureAmount, at: clock.now() });
    }
    return { kind: 'pending', transaction: current };
  });
  if (result.kind === 'pending') failPoint('captures.created');
  return result;
}
