import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { isOpen } from './open-deliveries.ts';
import { INSERT_DELIVERIES } from './outbox.ts';

export interface MissedFilter {
  readonly sellerId: string;
  /** Undefined for all receivers of the seller. */
  readonly webhookId: string | undefined;
  /** Deliveries created since then. */
  readonly since: Date;
  /** Maximum number of deliveries, oldest first. */
  readonly limit: number;
}

/**
 * Failed deliveries whose event has not been sent to the same receiver again since, with any
 * result: the later delivery has a status of its own. Excludes receivers that were deleted or are
 * disabled.
 */
const failedDeliveries = ({ sellerId, webhookId, since, limit }: MissedFilter): RawBuilder<unknown> => sql`
  SELECT d.seller_id, d.event_id, d.event, d.record_id, d.webhook_id, d.endpoint, coalesce(w.url,
    d.url) AS url
  FROM deliveries d LEFT JOIN webhooks w ON w.seller_id = d.seller_id AND w.id = d.webhook_id
  WHERE d.seller_id = ${sellerId} AND d.id >= ${minIdAt(since.getTime())} AND d.status = 'FAILED'
    AND (${webhookId ?? null}::uuid IS NULL OR d.webhook_id = ${webhookId ?? null})
    AND (d.webhook_id IS NULL OR (w.id IS NOT NULL AND ${enabledCondition(webhookId)}))
    AND NOT EXISTS (
      SELECT 1 FROM deliveries later
      WHERE later.seller_id = d.seller_id AND later.record_id = d.record_id AND later.event_id = d.event_id
        AND later.endpoint = d.endpoint AND later.id > d.id)
  ORDER BY d.id LIMIT ${limit}`;

/**
 * A dry run may count the deliveries of one disabled webhook. Other callers reject such a webhook
 * before.
 */
const enabledCondition = (webhookId: string | undefined): RawBuilder<unknown> =>
  webhookId === undefined ? sql`w.disabled_at IS NULL` : sql`true`;

const heldDeliveries = ({ sellerId, webhookId, since, limit }: MissedFilter): RawBuilder<unknown> => sql`
  SELECT seller_id, id FROM deliveries
  WHERE seller_id = ${sellerId} AND id >= ${minIdAt(since.getTime())} AND status = 'HELD'
    AND ${isOpen('deliveries')} AND webhook_id = ${webhookId ?? null}
  ORDER BY id LIMIT ${limit}`;

export const countFailed = (db: Db, missed: MissedFilter): Promise<number> =>
  count(db, failedDeliveries(missed));
export const countHeld = (db: Db, missed: MissedFilter): Promise<number> => count(db, heldDeliveries(missed));

async function count(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) FROM (${query}) missed`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Creates new deliveries for failed ones. Their ids have the time of `newId`. Returns their number.
 */
export async function resendFailedDeliveries(
  trx: DatabaseTransaction,
  missed: MissedFilter,
  newId: string,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    ${sql.raw(INSERT_DELIVERIES)} (
      SELECT failed.*, ${newId}::uuid AS time_id, 'PENDING' AS status, ${at}::timestamptz AS at
      FROM (${failedDeliveries(missed)}) failed
    ) d`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Makes held deliveries pending, with the current URL of their webhook. Returns their number. */
export async function releaseHeldDeliveries(
  trx: DatabaseTransaction,
  missed: MissedFilter,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE deliveries d SET status = 'PENDING', ready = true, due_at = ${at}, updated_at = ${at}, url = w.url
    FROM webhooks w
    WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NULL AND d.status = 'HELD'
      AND ${isOpen('d')} AND (d.seller_id, d.id) IN (${heldDeliveries(missed)})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
