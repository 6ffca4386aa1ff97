import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { MAX_ID, MIN_ID, minIdAt } from '#platform/kit/ids.ts';
import { addToDeliveryCounts } from './store-delivery-counts.ts';

/** The last row processed. Sellers are processed in id order, from the first if undefined. */
export type RetentionCursor = { readonly sellerId: string; readonly id: string } | undefined;

export interface RetentionChunk {
  readonly deleted: number;
  /** Where the next chunk begins. Undefined if there are no more sellers. */
  readonly next: RetentionCursor;
}

/**
 * Deletes up to `limit` deliveries of the next sellers that were created before a time and are no
 * longer PENDING, with their attempts. Ids start with the time, so old rows are at the start of
 * each seller's range of the primary key, and no index by age is needed.
 */
export async function deleteOldDeliveries(
  db: Db,
  cursor: RetentionCursor,
  before: Date,
  limit: number,
): Promise<RetentionChunk> {
  const old = sql`
    SELECT d.seller_id, d.id FROM deliveries d
    WHERE d.seller_id = s.id AND d.id < ${minIdAt(before.getTime())} AND d.status <> 'PENDING'
    ORDER BY d.id LIMIT ${limit}`;
  const { rows } = await sql<ChunkRow>`
    WITH ${nextSellersSql(sql`id > ${cursor?.sellerId ?? MIN_ID}`)}, deleted_rows AS (
      DELETE FROM deliveries WHERE (seller_id, id) IN (
        SELECT o.seller_id, o.id FROM next_sellers s CROSS JOIN LATERAL (${old}) o LIMIT ${limit})
      RETURNING seller_id, id, webhook_id, created_at, status
    ), counted AS (${sql.raw(addToDeliveryCounts('deleted_rows', -1))}
    ), deleted_attempts AS (
      DELETE FROM delivery_attempts a USING deleted_rows d
      WHERE a.seller_id = d.seller_id AND a.delivery_id = d.id
    )
    ${selectChunk}`.execute(db);
  return toChunk(rows[0]);
}

/**
 * Deletes those of the next `limit` events that were created before a time and have no deliveries,
 * and the counts of days whose deliveries are deleted. Each event looks for its deliveries by
 * itself: as an anti-join, with the statistics of smaller tables, PostgreSQL compares every event
 * of a seller with every delivery.
 */
export async function deleteOldEvents(
  db: Db,
  cursor: RetentionCursor,
  before: Date,
  limit: number,
): Promise<RetentionChunk> {
  const { sellerId, id } = cursor ?? { sellerId: MIN_ID, id: MIN_ID };
  const old = sql`
    SELECT e.seller_id, e.id, e.record_id FROM events e
    WHERE e.seller_id = s.id AND e.id < ${minIdAt(before.getTime())}
      AND (e.seller_id, e.id) > (${sellerId}::uuid, ${id}::uuid)
    ORDER BY e.id LIMIT ${limit}`;
  const { rows } = await sql<ExaminedRow>`
    WITH ${nextSellersSql(sql`id >= ${sellerId}`)}, examined AS MATERIALIZED (
      SELECT o.* FROM next_sellers s CROSS JOIN LATERAL (${old}) o LIMIT ${limit}
    ), last_examined AS (SELECT * FROM examined ORDER BY seller_id DESC, id DESC LIMIT 1
    ), deleted_rows AS (
      DELETE FROM events WHERE (seller_id, id) IN (
        SELECT x.seller_id, x.id FROM examined x WHERE (
          SELECT d.id FROM deliveries d
          WHERE d.seller_id = x.seller_id AND d.record_id = x.record_id AND d.event_id = x.id
            LIMIT 1) IS NULL)
      RETURNING seller_id, id
    ), deleted_counts AS (
      DELETE FROM delivery_counts c USING next_sellers s
      WHERE c.seller_id = s.id AND c.day < (${before}::timestamptz AT TIME ZONE 'America/Sao_Paulo')::date
        AND c.count = 0
    )
    SELECT chunk.*, (SELECT count(*) FROM examined) AS examined,
      (SELECT seller_id FROM last_examined) AS "lastSeller", (SELECT id FROM last_examined) AS "lastId"
    FROM (${selectChunk}) AS chunk`.execute(db);
  const [row] = rows;
  if (row?.examined !== limit || row.lastSeller === null || row.lastId === null) return toChunk(row);
  return { deleted: row.deleted, next: { sellerId: row.lastSeller, id: row.lastId } };
}

interface ChunkRow {
  readonly deleted: number;
  readonly sellers: number;
  readonly last: string | null;
}

interface ExaminedRow extends ChunkRow {
  readonly examined: number;
  readonly lastSeller: string | null;
  readonly lastId: string | null;
}

/** Sellers of one statement. Each costs an index lookup. */
const MAX_SELLERS = 500;

const nextSellersSql = (condition: RawBuilder<unknown>) => sql`next_sellers AS MATERIALIZED (
  SELECT id FROM sellers WHERE ${condition} ORDER BY id LIMIT ${MAX_SELLERS})`;

const selectChunk = sql`SELECT (SELECT count(*) FROM deleted_rows) AS deleted,
  (SELECT count(*) FROM next_sellers) AS sellers,
  (SELECT id FROM next_sellers ORDER BY id DESC LIMIT 1) AS last`;

function toChunk(row: ChunkRow | undefined): RetentionChunk {
  const { deleted = 0, sellers = 0, last = null } = row ?? {};
  return {
    deleted,
    next: sellers < MAX_SELLERS || last === null ? undefined : { sellerId: last, id: MAX_ID },
  };
}
