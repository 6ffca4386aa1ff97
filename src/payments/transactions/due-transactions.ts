import type { DueQuery } from '#platform/jobs/due-query.ts';
import { runAll } from '#platform/jobs/provider-calls.ts';
import { applyEvent } from './apply-event.ts';
import type { TransactionDeps } from './deps.ts';
import { compactSellerCounts, findSellersToCompact } from './store-counts.ts';
import { findExpiredBoletos, findExpiredTransactions, findTransactionsWithDueReleases } from './store.ts';
import type { TransactionKey } from './transaction.ts';

/**
 * Ends up to `limit` expired transactions by Pix and card. `expireAuthorization` ends an
 * authorization, which an external provider may have to void. Returns how many were found, so that
 * the caller knows whether there may be more.
 */
export async function expireDue(
  deps: TransactionDeps,
  limit: number,
  expireAuthorization: (key: TransactionKey) => Promise<unknown>,
): Promise<number> {
  const expired = await findExpiredTransactions(deps.db, dueQuery(deps, limit));
  await runAll(expired, ({ status, ...key }) =>
    status === 'AUTHORIZED' ? expireAuthorization(key) : expire(deps, key),
  );
  return expired.length;
}

/** Ends up to `limit` expired boletos. Returns how many were found. */
export async function expireDueBoletos(deps: TransactionDeps, limit: number): Promise<number> {
  const expired = await findExpiredBoletos(deps.db, dueQuery(deps, limit));
  await runAll(expired, (key) => expire(deps, key));
  return expired.length;
}

/**
 * Makes retained money available whose release is due, for up to `limit` transactions. Returns how
 * many were found.
 */
export async function releaseDue(deps: TransactionDeps, limit: number): Promise<number> {
  const keys = await findTransactionsWithDueReleases(deps.db, dueQuery(deps, limit));
  await runAll(keys, (key) => applyEvent(deps, key, { kind: 'RELEASE' }, { actor: 'WORKER' }));
  return keys.length;
}

const expire = (deps: TransactionDeps, { sellerId, id }: TransactionKey) =>
  applyEvent(deps, { sellerId, id }, { kind: 'EXPIRY' }, { actor: 'WORKER' });

const dueQuery = (deps: TransactionDeps, limit: number): DueQuery => ({
  now: deps.clock.now(),
  limit,
  exceptSellers: lockedSellers(deps),
});

/** Sellers whose rows others had locked within the last seconds. */
export const lockedSellers = ({ changes }: TransactionDeps): readonly string[] => changes.blockedGroups;

/**
 * Merges the transaction counts of up to `limit` sellers into one row for each kind. Returns how
 * many were found.
 */
export async function compactCounts({ db }: TransactionDeps, limit: number): Promise<number> {
  const sellerIds = await findSellersToCompact(db, limit);
  for (const sellerId of sellerIds) await compactSellerCounts(db, sellerId);
  return sellerIds.length;
}
