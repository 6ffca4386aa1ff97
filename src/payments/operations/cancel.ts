import type { Action } from '#audit/actions.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { ApplyResult, Transaction, TransactionKey } from '#payments/transactions/service.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { recordAction } from './audit.ts';
import { isActive, nextOperation } from './provider-operation.ts';
import { findOperationsByTransaction, insertOperation } from './store.ts';

/** Cancels an unpaid transaction, and its code at the provider. */
export function cancel(
  deps: ProviderOperationDeps,
  key: TransactionKey,
  author: AuditActor,
): Promise<ApplyResult> {
  const by = { actor: 'SELLER', author, action: 'transaction.canceled' } as const;
  return endWithOperation(deps, key, { event: { kind: 'CANCELLATION' }, ...by, operation: 'CANCEL' });
}

/** Voids an authorization. The transaction fails at once; the provider is called afterwards. */
export function voidTransaction(
  deps: ProviderOperationDeps,
  key: TransactionKey,
  author: AuditActor,
): Promise<ApplyResult> {
  const by = { actor: 'SELLER', author, action: 'transaction.voided' } as const;
  return endWithOperation(deps, key, { event: { kind: 'VOID' }, ...by, operation: 'VOID' });
}

/** Expires an authorization, and voids it at the provider. */
export function expire(deps: ProviderOperationDeps, key: TransactionKey): Promise<ApplyResult> {
  const { pix, card, transactions } = deps;
  const event = { kind: 'EXPIRY' } as const;
  return pix.length > 0 || card.length > 0
    ? endWithOperation(deps, key, { event, actor: 'WORKER', operation: 'VOID' })
    : transactions.applyEvent(key, event, { actor: 'WORKER' });
}

/** Ends a transaction that a review refused, and its authorization at the provider. */
export function endReviewed(
  deps: ProviderOperationDeps,
  { sellerId, id, method }: Pick<Transaction, 'sellerId' | 'id' | 'method'>,
  before: (trx: DatabaseTransaction) => Promise<void>,
): Promise<ApplyResult> {
  const end =
    method === 'CREDIT_CARD'
      ? ({ event: { kind: 'VOID' }, operation: 'VOID' } as const)
      : ({ event: { kind: 'REFUSAL', reason: 'refused in a review' }, operation: 'CANCEL' } as const);
  return endWithOperation(deps, { sellerId, id }, { ...end, actor: 'OPERATOR', before });
}

type End = {
  readonly event: TransactionEvent;
  /** The operation that ends the payment at its external provider. */
  readonly operation: 'CANCEL' | 'VOID';
} & (
  | { readonly actor: 'SELLER'; readonly author: AuditActor; readonly action: Action }
  | { readonly actor: 'WORKER' }
  /** Changes something else first. */
  | { readonly actor: 'OPERATOR'; readonly before: (trx: DatabaseTransaction) => Promise<void> }
);

/** Applies the event and inserts the operation in one database transaction. */
async function endWithOperation(
  { db, clock, transactions }: ProviderOperationDeps,
  key: TransactionKey,
  end: End,
): Promise<ApplyResult> {
  const { event, actor, operation: kind } = end;
  const terms = await transactions.termsOf(key.sellerId);
  const result = await transactionWithRollback<ApplyResult>(db, async (trx) => {
    if (end.actor === 'OPERATOR') await end.before(trx);
    const applied = await transactions.applyEventInTransaction(trx, key, { event, terms, actor });
    if (applied.kind !== 'applied') return rollback(applied);
    const operations = await findOperationsByTransaction(trx, key);
    // A capture that was requested before the expiry is decided by the provider.
    if (actor === 'WORKER' && operations.some(isActive('CAPTURE')))
      return rollback({ kind: 'nothing', transaction: applied.transaction });
    const creation = operations.find(isActive('CREATE'));
    if (creation !== undefined && !operations.some(isActive(kind))) {
      const next = { kind, paymentReference: creation.reference, createdAt: clock.now() };
      await insertOperation(trx, nextOperation(creation, next));
    }
    if (end.actor === 'SELLER')
      await recordAction(trx, end, { transaction: applied.transaction, at: clock.now() });
    return applied;
  });
  if (result.kind === 'applied') {
    failPoint('cancellations.created');
    transactions.notifyWorker();
  }
  return result;
}
