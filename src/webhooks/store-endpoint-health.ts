import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { retryOnDeadlock } from '#platform/database/statements.ts';
import { isOpen } from './open-deliveries.ts';
import type { WebhookKey } from './webhook.ts';

export interface EndpointHealth extends WebhookKey {
  /** The time of the last attempt if it failed. Null if it was delivered. */
  readonly failedAt: Date | null;
}

/**
 * Records which webhooks have started to fail or have recovered. Unchanged webhooks are not
 * written.
 */
export async function updateEndpointHealth(db: Db, states: readonly EndpointHealth[]): Promise<void> {
  const input = JSON.stringify(
    states.map(({ sellerId, id, failedAt }) => ({ seller_id: sellerId, id, failing_since: failedAt })),
  );
  const update = sql`
    UPDATE webhooks w SET failing_since = i.failing_since
    FROM json_to_recordset(${input}::json) AS i (seller_id uuid, id uuid, failing_since timestamptz)
    WHERE w.seller_id = i.seller_id AND w.id = i.id
      AND (w.failing_since IS NULL) <> (i.failing_since IS NULL)`;
  // Two workers may update the same webhooks in different orders.
  await retryOnDeadlock(() => update.execute(db));
}

/** Returns which of the webhooks are enabled and have been failing since `before` or earlier. */
export async function findFailingEndpoints(
  db: Db,
  keys: readonly WebhookKey[],
  before: Date,
): Promise<readonly (WebhookKey & { readonly failingSince: Date })[]> {
  const { rows } = await sql<WebhookKey & { failingSince: Date }>`
    SELECT w.seller_id AS "sellerId", w.id, w.failing_since AS "failingSince"
    FROM webhooks w
    JOIN unnest(${keys.map((key) => key.sellerId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
      AS k (seller_id, id) ON k.seller_id = w.seller_id AND k.id = w.id
    WHERE w.disabled_at IS NULL AND w.failing_since <= ${before}`.execute(db);
  return rows;
}

/**
 * Holds up to `limit` pending deliveries of a disabled webhook. Returns their number. Deliveries in
 * flight keep their lease, so that a replay does not overtake them. OFFSET 0 makes PostgreSQL read
 * the index of open deliveries in order: it would read all deliveries of the webhook, or sort.
 */
export async function holdPendingDeliveries(
  db: Db,
  { sellerId, id }: WebhookKey,
  now: Date,
  limit: number,
): Promise<number> {
  const hold = sql`
    UPDATE deliveries SET status = 'HELD', updated_at = ${now}
    WHERE seller_id = ${sellerId} AND status = 'PENDING' AND id = ANY (ARRAY(
      SELECT id FROM (
        SELECT id, webhook_id FROM deliveries
        WHERE seller_id = ${sellerId} AND status = 'PENDING' AND ${isOpen('deliveries')} ORDER BY id OFFSET 0
      ) pending WHERE webhook_id = ${id} LIMIT ${limit}
    )) AND EXISTS (
      SELECT FROM webhooks WHERE seller_id = ${sellerId} AND id = ${id} AND disabled_at IS NOT NULL)`;
  const { numAffectedRows } = await retryOnDeadlock(() => hold.execute(db));
  return Number(numAffectedRows ?? 0);
}

/**
 * Webhooks disabled after `since` that still have pending deliveries. It reads the open deliveries
 * of their sellers, as holdPendingDeliveries does.
 */
export async function findDisabledWithPending(db: Db, since: Date): Promise<readonly WebhookKey[]> {
  const { rows } = await sql<WebhookKey>`
    SELECT w.seller_id AS "sellerId", w.id FROM webhooks w
    WHERE w.disabled_at >= ${since} AND EXISTS (
      SELECT FROM (
        SELECT d.webhook_id FROM deliveries d
        WHERE d.seller_id = w.seller_id AND d.status = 'PENDING' AND ${isOpen('d')} ORDER BY d.id OFFSET 0
      ) pending WHERE pending.webhook_id = w.id)
    ORDER BY w.seller_id, w.id LIMIT 100`.execute(db);
  return rows;
}
