import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { retryOnDeadlock } from '#platform/database/statements.ts';
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
 * flight keep their lease, so that a replay does not overtake them.
 */
export async function holdPendingDeliveries(
  db: Db,
  { sellerId, id }: WebhookKey,
  now: Date,
  limit: number,
): Promise<number> {
  const hold = sql`
    UPDATE deliveries d SET status = 'HELD', updated_at = ${now}
    WHERE (d.seller_id, d.id) IN (
      SELECT seller_id, id FROM (
        SELECT seller_id, id, webhook_id FROM deliveries
        WHERE status = 'PENDING' AND ready AND endpoint = ${id}
        UNION ALL
        SELECT seller_id, id, webhook_id FROM deliveries
        WHERE status = 'PENDING' AND NOT ready AND endpoint = ${id}
      ) pending WHERE seller_id = ${sellerId} AND webhook_id = ${id} LIMIT ${limit}
    ) AND d.status = 'PENDING' AND EXISTS (
      SELECT 1 FROM webhooks w
      WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NOT NULL)`;
  const { numAffectedRows } = await retryOnDeadlock(() => hold.execute(db));
  return Number(numAffectedRows ?? 0);
}

/** Webhooks disabled after `since` that still have pending deliveries. */
export async function findDisabledWithPending(db: Db, since: Date): Promise<readonly WebhookKey[]> {
  const { rows } = await sql<WebhookKey>`
    SELECT w.seller_id AS "sellerId", w.id FROM webhooks w
    WHERE w.disabled_at >= ${since} AND (
      EXISTS (SELECT 1 FROM deliveries d
        WHERE d.status = 'PENDING' AND d.ready AND d.endpoint = w.id::text)
      OR EXISTS (SELECT 1 FROM deliveries d
        WHERE d.status = 'PENDING' AND NOT d.ready AND d.endpoint = w.id::text))
    ORDER BY w.seller_id, w.id LIMIT 100`.execute(db);
  return rows;
}
