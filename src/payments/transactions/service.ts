import { bindDeps } from '#platform/kit/bind.ts';
import { applyEvent, applyEventInTransaction, checkTransition } from './apply-event.ts';
import { create, createCard, findReplay } from './creation.ts';
import { openTransactionDeps, type TransactionsServiceOptions } from './deps.ts';
import { compactCounts, expireDue, lockedSellers, releaseDue } from './due-transactions.ts';
import {
  find,
  findById,
  findInTransaction,
  list,
  listAll,
  lookUpText,
  search,
  snapshotsOf,
} from './queries.ts';
import { lockTransaction } from './store.ts';

export type { ApplyResult } from './apply-event.ts';
export type { CreateResult } from './creation.ts';
export type { Transaction, TransactionKey } from './transaction.ts';
export { findPaymentRates, type PaymentRate } from './store-payment-rates.ts';
export { findUpcomingReleases, sumReleasesFrom } from './store-releases.ts';

export type TransactionsService = ReturnType<typeof createTransactionsService>;

export function createTransactionsService(options: TransactionsServiceOptions) {
  const deps = openTransactionDeps(options);
  return {
    ...bindDeps(deps, {
      create,
      createCard,
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
      snapshotsOf,
      expireDue,
      releaseDue,
      compactCounts,
      lockedSellers,
    }),
    lock: lockTransaction,
    findInTransaction,
    termsOf: options.termsOf,
    notifyWorker: options.notifyWorker,
  };
}
