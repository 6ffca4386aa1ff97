import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import type { ApplyResult, TransactionKey } from '#payments/transactions/service.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { isActive, nextOperation } from './provider-operation.ts';
import { findOperationsByTransaction, insertOperation } from './store.ts';

/** Cancels an unpaid transaction, and its code at the provider. */
export function cancel(deps: ProviderOperationDeps, key: TransactionKey): Promise<ApplyResult> {
  return endTransaction(deps, key, { event: { kind: 'CANCELLATION' }, actor: 'SELLER', operation: 'CANCEL' });
}

/** Voids an authorization. The transaction fails at once; the provider is called afterwards. */
export function voidTransaction(deps: ProviderOperationDeps, key: TransactionKey): Promise<ApplyResult> {
  return endTransaction(deps, key, { event: { kind: 'VOID' }, actor: 'SELLER', operation: 'VOID' });
}

/** Expires an authorization, and voids it at the provider. */
export function expire(deps: ProviderOperationDeps, key: TransactionKey): Promise<ApplyResult> {
  return endTransaction(deps, key, { event: { kind: 'EXPIRY' }, actor: 'WORKER', operation: 'VOID' });
}

interface End {
  readonly event: TransactionEvent;
  readonly actor: 'SELLER' | 'WORKER';
  /** The operation that ends the payment at its external provider. */
  readonly operation: 'CANCEL' | 'VOID';
}

async function endTransaction(
  deps: ProviderOperationDeps,
  key: TransactionKey,
  end: End,
): Promise<ApplyResult> {
  const { pix, card, transactions } = deps;
  const hasExternalProviders = pix.length > 0 || card.length > 0;
  return hasExternalProviders
    ? endWithOperation(deps, key, end)
    : transactions.applyEvent(key, end.event, { actor: end.actor });
}

/** Applies the event and inserts the operation in one database transaction. */
async function endWithOperation(
  { db, clock, transactions }: ProviderOperationDeps,
  key: TransactionKey,
  { event, actor, operation: kind }: End,
): Promise<ApplyResult> {
  const terms = await transactions.termsOf(key.sellerId);
  const result = await transactionWithRollback<ApplyResult>(db, async (trx) => {
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
    return applied;
  });
  if (result.kind === 'applied') {
    failPoint('cancellations.created');
    transactions.notifyWorker();
  }
  return result;
}
