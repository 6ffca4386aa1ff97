import { bindDeps } from '#platform/kit/bind.ts';
import { applyEvent, applyEventInTransaction, checkTransition } from './apply-event.ts';
import { create, createCard, createDecided, findReplay } from './creation.ts';
import { openTransactionDeps, type TransactionsServiceOptions } from './deps.ts';
import { compactCounts, expireDue, expireDueBoletos, lockedSellers, releaseDue } from './due-transactions.ts';
import {
  find,
  findById,
  findInTransaction,
  list,
  listAll,
  lookUpText,
  lookUpTextOfAll,
  search,
  snapshotsOf,
  versionsOf,
} from './queries.ts';
import { findSaleNames } from './store-lists.ts';
import { lockTransaction } from './store.ts';

export type { ApplyResult } from './apply-event.ts';
export { ORIGIN_OF } from './money-movements.ts';
export type { CreateResult } from './creation.ts';
export type { FoundOfSeller } from './store-lookup.ts';
export type { Transaction, TransactionKey } from './transaction.ts';
export { SELLER_TRANSACTION_COUNTS, TRANSACTION_COUNTS } from './store-counts.ts';
export { createTransactionSource } from './store-search.ts';
export { ALL_TRANSACTIONS } from './store-filters.ts';
export {
  findReleasedSales,
  findUpcomingReleases,
  sumReleasesFrom,
  totalReleases,
  type ReleaseDays,
  type ReleasedSale,
} from './store-releases.ts';
export { countUnpaid, type UnpaidCount } from './store-unpaid.ts';
export {
  acknowledgeChange,
  findChangedOfSubscriptions,
  OUTCOMES_DUE,
  postponeChange,
  type ChangedTransaction,
} from './store-outcomes.ts';
export { BOLETO_EXPIRY_DUE, EXPIRY_DUE, RELEASES_DUE } from './store.ts';

export type TransactionsService = ReturnType<typeof createTransactionsService>;

export function createTransactionsService(options: TransactionsServiceOptions) {
  const deps = openTransactionDeps(options);
  return {
    ...bindDeps(deps, {
      create,
      createCard,
      createDecided,
      findReplay,
      applyEvent,
      applyEventInTransaction,
      checkTransition,
      find,
      findById,
      list,
      listAll,
      search,
      lookUp: lookUpText,
      lookUpOfAll: lookUpTextOfAll,
      snapshotsOf,
      versionsOf,
      expireDue,
      expireDueBoletos,
      releaseDue,
      compactCounts,
      lockedSellers,
      findSaleNames: ({ db }, sellerId: string, ids: readonly string[]) => findSaleNames(db, sellerId, ids),
    }),
    lock: lockTransaction,
    findInTransaction,
    termsOf: options.termsOf,
    notifyWorker: options.notifyWorker,
  };
}
