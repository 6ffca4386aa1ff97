import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { INSERT_DELIVERIES } from './outbox.ts';

/** Delivering again what did not arrive: what failed, and what was kept for a registration that was disabled. */

export interface MissedFilter {
  readonly sellerId: string;
  /** Of one registration; undefined: of all receivers of the seller. */
  readonly webhookId: string | undefined;
  /** Deliveries made since then, which their ids tell. */
  readonly since: Date;
  /** How many at most, the oldest first. */
  readonly limit: number;
}

/** Two calls at once must not make the same deliveries twice, so they take turns by the seller's row. */
export async function lockSeller(trx: Db, sellerId: string): Promise<void> {
  await sql`SELECT 1 FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE`.execute(trx);
}

/**
 * What failed and has not been delivered again since: another delivery of the same event to the same receiver counts, whatever
 * became of it, since it tells for itself. Receivers that were deleted or disabled cannot be called.
 */
const failedDeliveries = ({ sellerId, webhookId, since, limit }: MissedFilter): RawBuilder<unknown> => sql`
  SELECT d.seller_id, d.event_id, d.record_id, d.webhook_id, d.endpoint, coalesce(w.url, d.url) AS url
  FROM deliveries d LEFT JOIN webhooks w ON w.seller_id = d.seller_id AND w.id = d.webhook_id
  WHERE d.seller_id = ${sellerId} AND d.id >= ${minIdAt(since.getTime())} AND d.status = 'FAILED'
    AND (${webhookId ?? null}::uuid IS NULL OR d.webhook_id = ${webhookId ?? null})
    AND (d.webhook_id IS NULL OR (w.id IS NOT NULL AND ${enabledCondition(webhookId)}))
    AND NOT EXISTS (
      SELECT 1 FROM deliveries later
      WHERE later.seller_id = d.seller_id AND later.record_id = d.record_id AND later.event_id = d.event_id
        AND later.endpoint = d.endpoint AND later.id > d.id)
  ORDER BY d.id LIMIT ${limit}`;

/** Who names a registration is told by others that it is disabled; it still may be asked how much there is. */
const enabledCondition = (webhookId: string | undefined): RawBuilder<unknown> =>
  webhookId === undefined ? sql`w.disabled_at IS NULL` : sql`true`;

const heldDeliveries = ({ sellerId, webhookId, since, limit }: MissedFilter): RawBuilder<unknown> => sql`
  SELECT seller_id, id FROM deliveries
  WHERE seller_id = ${sellerId} AND id >= ${minIdAt(since.getTime())} AND status = 'HELD'
    AND webhook_id = ${webhookId ?? null}
  ORDER BY id LIMIT ${limit}`;

export const countFailed = (db: Db, missed: MissedFilter): Promise<number> =>
  count(db, failedDeliveries(missed));
export const countHeld = (db: Db, missed: MissedFilter): Promise<number> => count(db, heldDeliveries(missed));

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ found: number }>`SELECT count(*) AS found FROM (${query}) q`.execute(db);
  return rows[0]?.found ?? 0;
}

/** Makes new deliveries of what failed, with attempts of their own; answers how many. Their ids begin as `newId` does. */
export async function resendFailedDeliveries(
  trx: Db,
  missed: MissedFilter,
  newId: string,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    ${sql.raw(INSERT_DELIVERIES)} (
      SELECT q.*, ${newId}::uuid AS time_id, 'PENDING' AS status, ${at}::timestamptz AS at
      FROM (${failedDeliveries(missed)}) q
    ) d`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Sends what was kept on its way, to the address the registration has now; answers how many deliveries. */
export async function releaseHeldDeliveries(trx: Db, missed: MissedFilter, at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE deliveries d SET status = 'PENDING', ready = true, due_at = ${at}, updated_at = ${at}, url = w.url
    FROM webhooks w
    WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NULL AND d.status = 'HELD'
      AND (d.seller_id, d.id) IN (${heldDeliveries(missed)})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
