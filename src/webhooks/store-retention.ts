import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';

/** The last seller processed. Sellers are processed in id order, from the first if undefined. */
export type SellerCursor = string | undefined;

export interface RetentionChunk {
  readonly deleted: number;
  /** The last seller of this chunk. Undefined if there are no more sellers. */
  readonly next: SellerCursor;
}

/**
 * Deletes up to `limit` deliveries of the next sellers that were created before a time and are no
 * longer PENDING, with their attempts. Ids start with the time, so old rows are at the start of
 * each seller's range of the primary key, and no index by age is needed.
 */
export async function deleteOldDeliveries(
  db: Db,
  cursor: SellerCursor,
  before: Date,
  limit: number,
): Promise<RetentionChunk> {
  const old = sql`
    SELECT d.seller_id, d.id FROM deliveries d
    WHERE d.seller_id = s.id AND d.id < ${minIdAt(before.getTime())} AND d.status <> 'PENDING'
    ORDER BY d.id LIMIT ${limit}`;
  const { rows } = await sql<ChunkRow>`
    WITH ${nextSellersSql(cursor)}, deleted_rows AS (
      DELETE FROM deliveries WHERE (seller_id, id) IN (
        SELECT o.seller_id, o.id FROM next_sellers s CROSS JOIN LATERAL (${old}) o LIMIT ${limit})
      RETURNING seller_id, id
    ), deleted_attempts AS (
      DELETE FROM delivery_attempts a USING deleted_rows d
      WHERE a.seller_id = d.seller_id AND a.delivery_id = d.id
    )
    ${selectChunk}`.execute(db);
  return toChunk(rows[0]);
}

/** Deletes events created before a time that have no deliveries, in the same way. */
export async function deleteOldEvents(
  db: Db,
  cursor: SellerCursor,
  before: Date,
  limit: number,
): Promise<RetentionChunk> {
  const old = sql`
    SELECT e.seller_id, e.id FROM events e
    WHERE e.seller_id = s.id AND e.id < ${minIdAt(before.getTime())} AND NOT EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d.seller_id = e.seller_id AND d.record_id = e.record_id AND d.event_id = e.id)
    ORDER BY e.id LIMIT ${limit}`;
  const { rows } = await sql<ChunkRow>`
    WITH ${nextSellersSql(cursor)}, deleted_rows AS (
      DELETE FROM events WHERE (seller_id, id) IN (
        SELECT o.seller_id, o.id FROM next_sellers s CROSS JOIN LATERAL (${old}) o LIMIT ${limit})
      RETURNING seller_id, id
    )
    ${selectChunk}`.execute(db);
  return toChunk(rows[0]);
}

interface ChunkRow {
  readonly deleted: number;
  readonly sellers: number;
  readonly last: string | null;
}

/** Sellers of one statement. Each costs an index lookup. */
const MAX_SELLERS = 500;

const nextSellersSql = (cursor: SellerCursor) => sql`next_sellers AS MATERIALIZED (
  SELECT id FROM sellers WHERE ${cursor ?? null}::uuid IS NULL OR id > ${cursor ?? null}
  ORDER BY id LIMIT ${MAX_SELLERS})`;

const selectChunk = sql`SELECT (SELECT count(*) FROM deleted_rows) AS deleted,
  (SELECT count(*) FROM next_sellers) AS sellers,
  (SELECT id FROM next_sellers ORDER BY id DESC LIMIT 1) AS last`;

function toChunk(row: ChunkRow | undefined): RetentionChunk {
  const { deleted = 0, sellers = 0, last = null } = row ?? {};
  return {
    deleted,
    next: sellers < MAX_SELLERS ? undefined : (last ?? undefined),
  };
}
