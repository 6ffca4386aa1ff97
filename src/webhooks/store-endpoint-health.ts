import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { retryOnDeadlock } from '#platform/database/statements.ts';

/** What is known of how registrations answer, and what becomes of the deliveries of disabled ones. */

export interface WebhookKey {
  readonly sellerId: string;
  readonly webhookId: string;
}

export interface EndpointHealth extends WebhookKey {
  /** When the attempt was made that failed; null where it arrived. */
  readonly failedAt: Date | null;
}

/** Writes down which registrations have begun to fail or to answer again; one whose state is the same is not written. */
export async function updateEndpointHealth(db: Db, states: readonly EndpointHealth[]): Promise<void> {
  const input = JSON.stringify(
    states.map(({ sellerId, webhookId, failedAt }) => ({
      seller_id: sellerId,
      id: webhookId,
      failing_since: failedAt,
    })),
  );
  const update = sql`
    UPDATE webhooks w SET failing_since = i.failing_since
    FROM json_to_recordset(${input}::json) AS i (seller_id uuid, id uuid, failing_since timestamptz)
    WHERE w.seller_id = i.seller_id AND w.id = i.id
      AND (w.failing_since IS NULL) <> (i.failing_since IS NULL)`;
  // Two workers may note the same registrations in different orders.
  await retryOnDeadlock(() => update.execute(db));
}

/** Of these registrations, those that are enabled and have failed without a break since `before` or longer. */
export async function findFailingEndpoints(
  db: Db,
  keys: readonly WebhookKey[],
  before: Date,
): Promise<readonly (WebhookKey & { readonly failingSince: Date })[]> {
  const { rows } = await sql<WebhookKey & { failingSince: Date }>`
    SELECT w.seller_id AS "sellerId", w.id AS "webhookId", w.failing_since AS "failingSince"
    FROM webhooks w
    JOIN unnest(${keys.map((key) => key.sellerId)}::uuid[], ${keys.map((key) => key.webhookId)}::uuid[])
      AS k (seller_id, id) ON k.seller_id = w.seller_id AND k.id = w.id
    WHERE w.disabled_at IS NULL AND w.failing_since <= ${before}`.execute(db);
  return rows;
}

/**
 * Keeps a portion of what is on its way to a disabled registration; answers how many deliveries. Calls that are being made
 * keep their leases, so that a replay does not overtake them.
 */
export async function holdPendingDeliveries(
  db: Db,
  { sellerId, webhookId }: WebhookKey,
  now: Date,
  limit: number,
): Promise<number> {
  const hold = sql`
    UPDATE deliveries d SET status = 'HELD', updated_at = ${now}
    WHERE (d.seller_id, d.id) IN (
      SELECT seller_id, id FROM (
        SELECT seller_id, id, webhook_id FROM deliveries
        WHERE status = 'PENDING' AND ready AND endpoint = ${webhookId}
        UNION ALL
        SELECT seller_id, id, webhook_id FROM deliveries
        WHERE status = 'PENDING' AND NOT ready AND endpoint = ${webhookId}
      ) p WHERE seller_id = ${sellerId} AND webhook_id = ${webhookId} LIMIT ${limit}
    ) AND d.status = 'PENDING' AND EXISTS (
      SELECT 1 FROM webhooks w WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NOT NULL)`;
  const { numAffectedRows } = await retryOnDeadlock(() => hold.execute(db));
  return Number(numAffectedRows ?? 0);
}

/** Registrations disabled since then that something is still on its way to. */
export async function findDisabledWithPending(db: Db, since: Date): Promise<readonly WebhookKey[]> {
  const { rows } = await sql<WebhookKey>`
    SELECT w.seller_id AS "sellerId", w.id AS "webhookId" FROM webhooks w
    WHERE w.disabled_at >= ${since} AND (
      EXISTS (SELECT 1 FROM deliveries d WHERE d.status = 'PENDING' AND d.ready AND d.endpoint = w.id::text)
      OR EXISTS (SELECT 1 FROM deliveries d WHERE d.status = 'PENDING' AND NOT d.ready AND d.endpoint = w.id::text))
    ORDER BY w.seller_id, w.id LIMIT 100`.execute(db);
  return rows;
}
