import { sql, type Selectable } from 'kysely';

import { toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Deliveries, Events } from '#platform/database/types.gen.ts';
import type { Page } from '#platform/http/pagination.ts';
import { minIdAt, newId } from '#platform/kit/ids.ts';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryFilter,
  type DeliveryWithAttempts,
  type EventSnapshot,
} from './delivery.ts';
import { INSERT_DELIVERIES } from './outbox.ts';
import type { EventType, WebhookKey } from './webhook.ts';

const COLUMNS = [
  'deliveries.id',
  'deliveries.event_id',
  'events.type',
  'deliveries.record_id',
  'deliveries.webhook_id',
  'deliveries.url',
  'deliveries.status',
  'deliveries.attempts',
  'deliveries.due_at',
  'deliveries.created_at',
  'deliveries.updated_at',
] as const;

/**
 * Newest first, which is the order of the primary key, with one extra row if there is a next page.
 */
export async function findDeliveries(
  db: Db,
  sellerId: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<readonly Delivery[]> {
  const rows = await matching(db, sellerId, filter)
    .innerJoin('events', (join) =>
      join
        .onRef('events.seller_id', '=', 'deliveries.seller_id')
        .onRef('events.id', '=', 'deliveries.event_id'),
    )
    .select(COLUMNS)
    .$call(paginateNewestFirst(page, 'deliveries.id'))
    .execute();
  return rows.map(toDelivery);
}

export function countDeliveries(db: Db, sellerId: string, filter: DeliveryFilter): Promise<number> {
  return countRows(matching(db, sellerId, filter));
}

function matching(db: Db, sellerId: string, filter: DeliveryFilter) {
  let query = db.selectFrom('deliveries').where('deliveries.seller_id', '=', sellerId);
  if (filter.status !== undefined) query = query.where('deliveries.status', '=', filter.status);
  if (filter.webhookId !== undefined) query = query.where('deliveries.webhook_id', '=', filter.webhookId);
  if (filter.recordId !== undefined) query = query.where('deliveries.record_id', '=', filter.recordId);
  // Ids start with the time, so a period is a range of the primary key.
  if (filter.from !== undefined) query = query.where('deliveries.id', '>=', minIdAt(filter.from.getTime()));
  if (filter.before !== undefined)
    query = query.where('deliveries.id', '<', minIdAt(filter.before.getTime()));
  const { event } = filter;
  if (event !== undefined) {
    query = query.where((expression) =>
      expression.exists(
        expression
          .selectFrom('events')
          .select('events.id')
          .whereRef('events.seller_id', '=', 'deliveries.seller_id')
          .whereRef('events.id', '=', 'deliveries.event_id')
          .where('events.type', '=', event),
      ),
    );
  }
  return query;
}

export async function findDelivery(
  db: Db,
  sellerId: string,
  id: string,
): Promise<DeliveryWithAttempts | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.seller_id', '=', 'deliveries.seller_id')
        .onRef('events.id', '=', 'deliveries.event_id'),
    )
    .select([...COLUMNS, 'events.payload'])
    .where((eb) => eb.and({ 'deliveries.seller_id': sellerId, 'deliveries.id': id }))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const attempts = await db
    .selectFrom('delivery_attempts')
    .select(['number', 'at', 'latency_ms', 'status_code', 'response_body', 'error'])
    .where((eb) => eb.and({ seller_id: sellerId, delivery_id: id }))
    .orderBy('number')
    .execute();
  return { ...toDelivery(row), payload: row.payload, log: attempts.map(toFields) };
}

/**
 * Creates another delivery of the same event to the same receiver, at the receiver's current URL.
 * Returns its id, or undefined if the webhook has been deleted or is disabled.
 */
export async function resendDelivery(
  db: Db,
  sellerId: string,
  id: string,
  at: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    ${sql.raw(INSERT_DELIVERIES)} (
      SELECT d.seller_id, ${newId(at.getTime())}::uuid AS time_id, d.event_id, d.record_id,
        d.webhook_id, d.endpoint, coalesce(w.url, d.url) AS url, 'PENDING' AS status, ${at}::timestamptz AS at
      FROM deliveries d LEFT JOIN webhooks w ON w.seller_id = d.seller_id AND w.id = d.webhook_id
      WHERE d.seller_id = ${sellerId} AND d.id = ${id}
        AND (d.webhook_id IS NULL OR (w.id IS NOT NULL AND w.disabled_at IS NULL))
    ) d
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

/**
 * Creates an event and its delivery to one webhook. Returns the id of the delivery, or undefined if
 * the webhook does not exist or is disabled.
 */
export async function insertTestDelivery(
  db: Db,
  { sellerId, id }: WebhookKey,
  event: { readonly id: string; readonly type: string; readonly payload: string; readonly at: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    WITH webhook AS MATERIALIZED (
      SELECT seller_id, id, url FROM webhooks WHERE seller_id = ${sellerId} AND id = ${id}
        AND disabled_at IS NULL
    ), inserted_event AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      SELECT seller_id, ${event.id}, ${event.type}, id, ${event.payload}, ${event.at} FROM webhook
    )
    ${sql.raw(INSERT_DELIVERIES)} (
      SELECT seller_id, ${event.id}::uuid AS time_id, ${event.id}::uuid AS event_id, id AS record_id,
        id AS webhook_id, id::text AS endpoint, url, 'PENDING' AS status, ${event.at}::timestamptz AS at
      FROM webhook
    ) d
    RETURNING id`.execute(db);
  return rows[0]?.id;
}

export interface ResendRequest {
  readonly sellerId: string;
  readonly eventType: Exclude<EventType, 'ALL'>;
  /** With the id that the event gets if it does not exist yet. */
  readonly snapshots: readonly (EventSnapshot & { readonly newId: string })[];
  readonly at: Date;
}

/**
 * Delivers the current state of records to all enabled webhooks for the event type, and to the
 * records' postback URLs. If an event with the same payload has been delivered before, that event
 * is sent again with its id, so that receivers can drop the duplicate. Returns the number of
 * deliveries.
 */
export async function resendSnapshots(
  trx: DatabaseTransaction,
  { sellerId, eventType, snapshots, at }: ResendRequest,
): Promise<number> {
  const input = JSON.stringify(
    snapshots.map(({ recordId, type, payload, postback, newId }) => ({
      record_id: recordId,
      type,
      payload,
      postback_url: postback?.url,
      postback_endpoint: postback?.endpoint,
      new_id: newId,
    })),
  );
  const { rows: existing } = await sql<{ recordId: string; eventId: string }>`
    SELECT i.record_id AS "recordId", latest.event_id AS "eventId"
    FROM json_to_recordset(${input}::json) AS i (record_id uuid, payload text)
    CROSS JOIN LATERAL (
      SELECT d.event_id FROM deliveries d JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id
      WHERE d.seller_id = ${sellerId} AND d.record_id = i.record_id AND e.payload = i.payload
      ORDER BY d.id DESC LIMIT 1
    ) latest`.execute(trx);
  const recordIds = existing.map(({ recordId }) => recordId);
  const eventIds = existing.map(({ eventId }) => eventId);
  const { rows } = await sql<{ deliveries: number }>`
    WITH input AS MATERIALIZED (
      SELECT i.*, existing.event_id AS existing_id, coalesce(existing.event_id, i.new_id) AS event_id
      FROM json_to_recordset(${input}::json) AS i (record_id uuid, type text, payload text, postback_url text,
        postback_endpoint text, new_id uuid)
      LEFT JOIN unnest(${recordIds}::uuid[], ${eventIds}::uuid[]) AS existing (record_id, event_id)
        ON existing.record_id = i.record_id
    ), inserted_events AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      SELECT ${sellerId}, event_id, type, record_id, payload, ${at} FROM input WHERE existing_id IS NULL
    ), receivers AS (
      SELECT i.event_id, i.record_id, i.new_id, w.id AS webhook_id, w.id::text AS endpoint, w.url
      FROM input i CROSS JOIN webhooks w
      WHERE w.seller_id = ${sellerId} AND w.event_type IN (${eventType}, 'ALL') AND w.disabled_at IS NULL
      UNION ALL
      SELECT event_id, record_id, new_id, NULL, postback_endpoint, postback_url FROM input
      WHERE postback_url IS NOT NULL
    ), inserted_deliveries AS (${sql.raw(INSERT_DELIVERIES)} (
        SELECT ${sellerId}::uuid AS seller_id, new_id AS time_id, event_id, record_id, webhook_id,
          endpoint, url, 'PENDING' AS status, ${at}::timestamptz AS at
        FROM receivers
      ) d
      RETURNING id
    )
    SELECT count(*) AS deliveries FROM inserted_deliveries`.execute(trx);
  return rows[0]?.deliveries ?? 0;
}

type DeliveryRow = Pick<Selectable<Events>, 'type'> &
  Omit<Selectable<Deliveries>, 'endpoint' | 'lease_until' | 'leased_by' | 'ready' | 'seller_id'>;

const toDelivery = ({ type: event, ...row }: DeliveryRow): Delivery => ({
  ...toFields(row),
  event,
  status: DELIVERY_STATUSES.find((status) => status === row.status) ?? 'PENDING',
});
