import { bindDeps } from '#platform/kit/bind.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import { cancel, expire, voidTransaction } from './cancel.ts';
import { capture } from './capture.ts';
import { completeOperation } from './completion.ts';
import type { ProviderOperationDeps } from './deps.ts';
import { recordCard } from './outcome.ts';
import { findRefundSource, reverseRefund } from './refund.ts';
import { findOperationById, findOperationsByTransaction } from './store.ts';
import { submitCard, submitPix } from './submission.ts';

export { review, type ReviewDecision, type ReviewResult } from './review.ts';
export { countDueOperations } from './store.ts';

export type ProviderOperations = ReturnType<typeof createProviderOperations>;

/**
 * Transactions at external providers. The transaction and its CREATE operation are committed first,
 * then the provider is called with our own id, then the outcome is committed. Cancellations,
 * captures and refunds follow the same steps. A crash in between leaves an open operation, which
 * the sweep (`sweep.ts`) completes: no payment is taken twice.
 */
export const createProviderOperations = (deps: ProviderOperationDeps) =>
  bindDeps(deps, {
    submitPix,
    submitCard,
    recordCard,
    cancel,
    void: voidTransaction,
    expire,
    capture,
    findRefundSource,
    complete: completeOperation,
    reverseRefund,
    /** Finds an operation by its id alone, which is all that a provider knows. */
    find: ({ db }, id: string) => findOperationById(db, id),
    /** All operations of a transaction, oldest first. */
    listByTransaction: ({ db }, key: TransactionKey) => findOperationsByTransaction(db, key),
  });
