import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Method, Status } from './transaction.ts';

/** What charges are counted by. */
export interface MethodStatus {
  readonly method: Method;
  readonly status: Status;
}

/**
 * The end of a statement that makes or changes charges: adds what `source`, rows of seller_id, method, status and number, did to
 * the counts. Each connection has rows of its own, so this waits for nobody, and the order of the rows does not matter.
 */
export const upsertCountsSql = (source: string): string => `
      INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
      SELECT seller_id, method, status, pg_backend_pid(), sum(number) FROM ${source} GROUP BY seller_id, method, status
      ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count`;

/** How many charges of these kinds the seller has: exact, since every writer counts in the transaction of its change. */
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

/** Sellers whose counts stand in rows of several writers. */
export async function findSellersToCompact(db: Db, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ sellerId: string }>`
    SELECT DISTINCT seller_id AS "sellerId" FROM transaction_counts WHERE writer <> 0 LIMIT ${limit}`.execute(
    db,
  );
  return rows.map(({ sellerId }) => sellerId);
}

/**
 * Gathers a seller's counts of all writers in one row for each kind, in one statement, so that their sum is the same before
 * and after it. A row that its writer is just changing is left for the next time: to wait for it while others are held
 * could close a circle of waiters, as this is the one place where somebody touches rows of several writers.
 */
export async function compactSellerCounts(db: Db, sellerId: string): Promise<void> {
  await sql`
    WITH idle AS MATERIALIZED (
      SELECT seller_id, method, status, writer FROM transaction_counts
      WHERE seller_id = ${sellerId} AND writer <> 0 FOR UPDATE SKIP LOCKED
    ), taken AS (
      DELETE FROM transaction_counts c USING idle i
      WHERE c.seller_id = i.seller_id AND c.method = i.method AND c.status = i.status AND c.writer = i.writer
      RETURNING c.seller_id, c.method, c.status, c.count
    ), sums AS MATERIALIZED (
      SELECT seller_id, method, status, sum(count) AS count FROM taken
      GROUP BY seller_id, method, status ORDER BY method, status
    )
    INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
    SELECT seller_id, method, status, 0, count FROM sums
    ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count`.execute(
    db,
  );
}
