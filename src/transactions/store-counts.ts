import { sql } from 'kysely';

import type { Db } from '#database/connect.ts';
import type { Method, Status } from './transaction.ts';

/** What charges are counted by. */
export interface Kind {
  readonly method: Method;
  readonly status: Status;
}

/**
 * How many charges of these kinds the seller has: the kept counts and the changes that are not yet in them, of one
 * snapshot, so the sum is exact whether the worker is at work, behind or not there at all.
 */
export async function countOfKinds(db: Db, sellerId: string, kinds: readonly Kind[]): Promise<number> {
  const methods = kinds.map(({ method }) => method);
  const statuses = kinds.map(({ status }) => status);
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(number), 0)::bigint AS count FROM (
      SELECT count AS number FROM transaction_counts
      WHERE seller_id = ${sellerId} AND method = ANY (${methods}) AND status = ANY (${statuses})
      UNION ALL
      SELECT number * ((to_status = ANY (${statuses}))::integer - coalesce((from_status = ANY (${statuses}))::integer, 0))
      FROM transaction_count_changes WHERE seller_id = ${sellerId} AND method = ANY (${methods})
    ) AS numbers`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Adds changes to the kept counts and deletes them, in one statement; answers how many changes were there. Several workers
 * may do so at once: each locks changes first and counts after them, both in the order of their keys, so that none waits
 * for one that waits for it. Who comes second finds the changes of the first gone and goes on to the next.
 */
export async function foldCountChanges(db: Db, portion: number): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    WITH due AS MATERIALIZED (
      SELECT seller_id, id FROM transaction_count_changes ORDER BY seller_id, id LIMIT ${portion} FOR UPDATE
    ), taken AS (
      DELETE FROM transaction_count_changes c USING due WHERE c.seller_id = due.seller_id AND c.id = due.id
      RETURNING c.seller_id, c.method, c.from_status, c.to_status, c.number
    ), sums AS MATERIALIZED (
      SELECT t.seller_id, t.method, s.status, sum(s.number)::bigint AS number
      FROM taken t CROSS JOIN LATERAL (VALUES (t.to_status, t.number), (t.from_status, -t.number)) AS s (status, number)
      WHERE s.status IS NOT NULL
      GROUP BY t.seller_id, t.method, s.status ORDER BY t.seller_id, t.method, s.status
    ), kept AS (
      INSERT INTO transaction_counts AS k (seller_id, method, status, count)
      SELECT seller_id, method, status, number FROM sums
      ON CONFLICT (seller_id, method, status) DO UPDATE SET count = k.count + excluded.count
    )
    SELECT count(*) AS changes FROM taken`.execute(db);
  return rows[0]?.changes ?? 0;
}
