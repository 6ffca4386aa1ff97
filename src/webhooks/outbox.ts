import { sql } from 'kysely';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { activeTraceParent } from '#platform/telemetry/trace-parent.ts';

import type { EventType } from './webhook.ts';

/**
 * The transactional outbox. Events and their deliveries are written in the transaction of the
 * change that caused them, so that neither exists without the other.
 */

export interface NewEvent {
  readonly sellerId: string;
  readonly id: string;
  readonly type: string;
  readonly recordId: string;
  /** The request body of every delivery, byte for byte. */
  readonly payload: string;
  /** The webhooks that receive it, in addition to those for ALL. */
  readonly eventType: Exclude<EventType, 'ALL'>;
  readonly at: Date;
}

/**
 * SQL: inserts a delivery for each row of the FROM item that follows. Its alias is `d`, and its
 * columns are `seller_id`, `event_id`, `event` (its type), `record_id`, `webhook_id`, `endpoint`,
 * `url`, `status`, `at` and `time_id`, an id whose time becomes the time of the delivery's id.
 */
export const INSERT_DELIVERIES = `
      INSERT INTO deliveries (seller_id, id, event_id, event, record_id, webhook_id, endpoint, url, status,
        attempts, due_at, created_at, updated_at)
      SELECT d.seller_id, (left(d.time_id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid,
        d.event_id, d.event, d.record_id, d.webhook_id, d.endpoint, d.url, d.status, 0, d.at, d.at, d.at
      FROM`;

/**
 * SQL: the CTEs `inserted_events` and `endpoint_deliveries`. For each row of `events` they insert
 * an event and its deliveries to webhooks. `events` is a FROM item with the columns `seller_id`,
 * `event_id`, `type`, `record_id`, `payload`, `trace_parent` and `at`. Deliveries to a disabled
 * webhook are held until a replay sends them.
 */
export const publishEventsSql = (events: string, eventType: NewEvent['eventType']): string => `
    inserted_events AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at, trace_parent)
      SELECT e.seller_id, e.event_id, e.type, e.record_id, e.payload, e.at, e.trace_parent FROM ${events} e
    ), endpoint_deliveries AS (${INSERT_DELIVERIES} (
        SELECT e.seller_id, e.event_id AS time_id, e.event_id, e.type AS event, e.record_id,
          w.id AS webhook_id,
          w.id::text AS endpoint, w.url,
          CASE WHEN w.disabled_at IS NULL THEN 'PENDING' ELSE 'HELD' END AS status, e.at
        FROM ${events} e
        JOIN webhooks w ON w.seller_id = e.seller_id AND w.event_type IN ('${eventType}', 'ALL')
      ) d
      RETURNING id
    )`;

/**
 * Writes an event and its deliveries in the caller's transaction. Returns the number of deliveries.
 */
export async function publishEvent(trx: DatabaseTransaction, event: NewEvent): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    WITH new_event AS MATERIALIZED (
      SELECT ${event.sellerId}::uuid AS seller_id, ${event.id}::uuid AS event_id, ${event.type} AS type,
        ${event.recordId}::uuid AS record_id, ${event.payload} AS payload, ${event.at}::timestamptz AS at,
        ${activeTraceParent()}::text AS trace_parent
    ), ${sql.raw(publishEventsSql('new_event', event.eventType))}
    SELECT count(*) AS deliveries FROM endpoint_deliveries`.execute(trx);
  return rows[0]?.deliveries ?? 0;
}
