import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { CountedList } from '#platform/database/daily-counts.ts';
import type { MethodStatus } from './summary.ts';

/** Transactions of all sellers by day of creation. */
export const TRANSACTION_COUNTS: CountedList = {
  name: 'transactions',
  rows: (from, before) => sql`
    SELECT id, '' AS kind FROM transactions WHERE id >= ${from} AND id < ${before}`,
};

const SELLER_TRANSACTIONS = 'seller_transactions';

/** The same by seller. */
export const SELLER_TRANSACTION_COUNTS: CountedList = {
  name: SELLER_TRANSACTIONS,
  rows: (from, before) => sql`
    SELECT id, seller_id::text AS kind FROM transactions WHERE id >= ${from} AND id < ${before}`,
};

/** `SELLER_TRANSACTION_COUNTS` as it is read: for one seller. */
export const sellerTransactionCounts = (sellerId: string): CountedList => ({
  name: SELLER_TRANSACTIONS,
  rows: (from, before) => sql`
    SELECT id, seller_id::text AS kind FROM transactions
    WHERE seller_id = ${sellerId} AND id >= ${from} AND id < ${before}`,
});

/**
 * Part of the statements that create or change transactions: adds the deltas of `source` to the
 * counts. `source` is a FROM item with the columns `seller_id`, `method`, `status` and `delta`.
 * Each connection updates rows of its own, so that the update waits for no other connection and
 * needs no order.
 */
export const updateCountsSql = (source: string): string => `
      INSERT INTO transaction_counts AS c (seller_id, method, status, writer, count)
      SELECT seller_id, method, status, pg_backend_pid(), sum(delta) FROM ${source}
      GROUP BY seller_id, method, status
      ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = c.count + excluded.count`;

/**
 * Counts a seller's transactions. Exact, since each change updates the counts in its own
 * transaction.
 */
export async function countByMethodAndStatus(
  db: Db,
  sellerId: string,
  kinds: readonly MethodStatus[],
): Promise<number> {
  const row = await db
    .selectFrom('transaction_counts')
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    .where('seller_id', '=', sellerId)
    .where('method', 'in', [...new Set(kinds.map(({ method }) => method))])
    .where('status', 'in', [...new Set(kinds.map(({ status }) => status))])
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * A count may have this many rows. Connections that live write to theirs again, so merging fewer
 * would cost more than it saves: a delete, and an insert by the next change, for each seller.
 */
const MAX_WRITERS = 16;

/** Finds sellers who have a count that is spread over more rows than `MAX_WRITERS`. */
export async function findSellersToCompact(db: Db, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ sellerId: string }>`
    SELECT DISTINCT seller_id AS "sellerId" FROM transaction_counts WHERE writer <> 0
    GROUP BY seller_id, method, status HAVING count(*) > ${MAX_WRITERS} LIMIT ${limit}`.execute(db);
  return rows.map(({ sellerId }) => sellerId);
}

/**
 * Merges a seller's counts into one row for each method and status. One statement, so that no
 * reader sees another sum. Rows that a writer has locked are skipped until the next run: this is
 * the only statement that locks rows of several writers, so waiting could deadlock.
 */
export async function compactSellerCounts(db: Db, sellerId: string): Promise<void> {
  await sql`
    WITH unlocked AS MATERIALIZED (
      SELECT seller_id, method, status, writer FROM transaction_counts
      WHERE seller_id = ${sellerId} AND writer <> 0 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM transaction_counts c USING unlocked u
      WHERE c.seller_id = u.seller_id AND c.method = u.method AND c.status = u.status AND c.writer = u.writer
      RETURNING c.seller_id, c.method, c.status, c.count
    ), sums AS MATERIALIZED (
      SELECT seller_id, method, status, sum(count) AS count FROM deleted
      GROUP BY seller_id, method, status ORDER BY method, status
    )
    INSERT INTO transaction_counts AS c (seller_id, method, status, writer, count)
    SELECT seller_id, method, status, 0, count FROM sums
    ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = c.count + excluded.count`.execute(
    db,
  );
}
