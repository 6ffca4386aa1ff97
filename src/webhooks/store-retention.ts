import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';

/** Where the next statement goes on: sellers in the order of their ids. Undefined after the last. */
export type SellerCursor = string | undefined;

export interface Sweep {
  readonly deleted: number;
  /** The last seller looked at; undefined where there is none after it. */
  readonly next: SellerCursor;
}

/**
 * Deletes deliveries that were made before a time and have ended, with their attempts: a portion of what the next few sellers have.
 * Ids begin with the time, so what is old stands at the front of each seller's part of the primary key: there is no index of
 * age that every delivery would have to be written into. What is PENDING is never deleted.
 */
export async function deleteOldDeliveries(
  db: Db,
  cursor: SellerCursor,
  before: Date,
  limit: number,
): Promise<Sweep> {
  const old = sql`
    SELECT d.seller_id, d.id FROM deliveries d
    WHERE d.seller_id = s.id AND d.id < ${minIdAt(before.getTime())} AND d.status <> 'PENDING'
    ORDER BY d.id LIMIT ${limit}`;
  const { rows } = await sql<SweepRow>`
    WITH ${nextSellers(cursor)}, gone AS (
      DELETE FROM deliveries WHERE (seller_id, id) IN (
        SELECT o.seller_id, o.id FROM few s CROSS JOIN LATERAL (${old}) o LIMIT ${limit})
      RETURNING seller_id, id
    ), attempts AS (
      DELETE FROM delivery_attempts a USING gone g WHERE a.seller_id = g.seller_id AND a.delivery_id = g.id
    )
    ${selectSweep}`.execute(db);
  return toSweep(rows[0]);
}

/** Deletes events that were made before a time and that no delivery is left of, in the same way. */
export async function deleteOldEvents(
  db: Db,
  cursor: SellerCursor,
  before: Date,
  limit: number,
): Promise<Sweep> {
  const old = sql`
    SELECT e.seller_id, e.id FROM events e
    WHERE e.seller_id = s.id AND e.id < ${minIdAt(before.getTime())} AND NOT EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d.seller_id = e.seller_id AND d.record_id = e.record_id AND d.event_id = e.id)
    ORDER BY e.id LIMIT ${limit}`;
  const { rows } = await sql<SweepRow>`
    WITH ${nextSellers(cursor)}, gone AS (
      DELETE FROM events WHERE (seller_id, id) IN (
        SELECT o.seller_id, o.id FROM few s CROSS JOIN LATERAL (${old}) o LIMIT ${limit})
      RETURNING seller_id, id
    )
    ${selectSweep}`.execute(db);
  return toSweep(rows[0]);
}

interface SweepRow {
  readonly deleted: number;
  readonly sellers: number;
  readonly last: string | null;
}

/** Sellers of one statement: each costs a look at the front of its part of the key. */
const MAX_SELLERS = 500;

const nextSellers = (cursor: SellerCursor) => sql`few AS MATERIALIZED (
  SELECT id FROM sellers WHERE ${cursor ?? null}::uuid IS NULL OR id > ${cursor ?? null} ORDER BY id LIMIT ${MAX_SELLERS})`;

const selectSweep = sql`SELECT (SELECT count(*) FROM gone) AS deleted, (SELECT count(*) FROM few) AS sellers,
  (SELECT id FROM few ORDER BY id DESC LIMIT 1) AS last`;

function toSweep(row: SweepRow | undefined): Sweep {
  const { deleted = 0, sellers = 0, last = null } = row ?? {};
  return {
    deleted,
    next: sellers < MAX_SELLERS ? undefined : (last ?? undefined),
  };
}
