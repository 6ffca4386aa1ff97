import { sql, type Selectable, type SqlBool } from 'kysely';

import { toFields } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows, countUpToCap, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Deliveries } from '#platform/database/types.gen.ts';
import { wholeDays } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt, newId } from '#platform/kit/ids.ts';
import { activeTraceParent } from '#platform/telemetry/trace-parent.ts';
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryFilter,
  type DeliveryWithAttempts,
  type EventSnapshot,
} from './delivery.ts';
import { isOpen } from './open-deliveries.ts';
import { INSERT_DELIVERIES } from './outbox.ts';
import { countEndedDeliveries, ENDED_STATUSES } from './store-delivery-counts.ts';
import type { EventType, WebhookKey } from './webhook.ts';

const COLUMNS = [
  'deliveries.id',
  'deliveries.event_id',
  'deliveries.event',
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
 * Newest first, with one extra row if there is a next page. Only ids are skipped, which an index
 * holds.
 */
export async function findDeliveries(
  db: Db,
  sellerId: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<readonly Delivery[]> {
  const ids = matching(db, sellerId, filter)
    .select('deliveries.id')
    .$call(paginateNewestFirst(page, 'deliveries.id'));
  const rows = await db
    .selectFrom(ids.as('page'))
    .innerJoin('deliveries', (join) =>
      join.on('deliveries.seller_id', '=', sellerId).onRef('deliveries.id', '=', 'page.id'),
    )
    .select(COLUMNS)
    .orderBy('deliveries.id', 'desc')
    .execute();
  return rows.map(toDelivery);
}

/** Counts exactly by status, webhook and whole days, and up to a limit by the other filters. */
export async function countDeliveries(db: Db, sellerId: string, filter: DeliveryFilter): Promise<ListCount> {
  const days = wholeDays(filter);
  const isCounted = filter.recordId === undefined && filter.event === undefined;
  if (!isCounted || days === undefined) {
    return countUpToCap(db, matching(db, sellerId, filter).select('deliveries.id'));
  }
  const [ended, open] = await Promise.all([
    countEndedDeliveries(db, sellerId, { ...filter, ...days }),
    ENDED_STATUSES.some((status) => status === filter.status)
      ? 0
      : countRows(matching(db, sellerId, filter).where(isOpen('deliveries'))),
  ]);
  return { count: ended + open };
}

function matching(db: Db, sellerId: string, filter: DeliveryFilter) {
  const { status, webhookId, recordId, event } = filter;
  let query = db.selectFrom('deliveries').where('deliveries.seller_id', '=', sellerId);
  if (status !== undefined) query = query.where('deliveries.status', '=', sql.lit(status));
  if (status === 'PENDING' || status === 'HELD') query = query.where(isOpen('deliveries'));
  if (webhookId !== undefined) query = query.where('deliveries.webhook_id', '=', webhookId);
  if (recordId !== undefined)
    query = query.where(sql<SqlBool>`deliveries.id = ANY (ARRAY(${idsOfRecord(db, sellerId, recordId)}))`);
  // Ids start with the time, so a period is a range of the primary key.
  if (filter.from !== undefined) query = query.where('deliveries.id', '>=', minIdAt(filter.from.getTime()));
  if (filter.before !== undefined)
    query = query.where('deliveries.id', '<', minIdAt(filter.before.getTime()));
  if (event !== undefined) query = query.where('deliveries.event', '=', event);
  // The condition of the index deliveries_by_event.
  if (event !== undefined && event !== FREQUENT_EVENT)
    query = query.where('deliveries.event', '<>', sql.lit(FREQUENT_EVENT));
  return query;
}

/** The type of most events. */
const FREQUENT_EVENT = 'TRANSACTION_UPDATED';

/**
 * Not a condition of the list, because PostgreSQL would search for the newest deliveries of the
 * record along the primary key if it expects many.
 */
const idsOfRecord = (db: Db, sellerId: string, recordId: string) =>
  db
    .selectFrom('deliveries as of_record')
    .select('of_record.id')
    .where('of_record.seller_id', '=', sellerId)
    .where('of_record.record_id', '=', recordId);

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
      SELECT d.seller_id, ${newId(at.getTime())}::uuid AS time_id, d.event_id, d.event, d.record_id,
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
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at, trace_parent)
      SELECT seller_id, ${event.id}::uuid, ${event.type}::text, id, ${event.payload}::text,
        ${event.at}::timestamptz, ${activeTraceParent()}::text FROM webhook
    ), inserted_delivery AS (${sql.raw(INSERT_DELIVERIES)} (
      SELECT seller_id, ${event.id}::uuid AS time_id, ${event.id}::uuid AS event_id,
        ${event.type}::text AS event, id AS record_id,
        id AS webhook_id, id::text AS endpoint, url, 'PENDING' AS status, ${event.at}::timestamptz AS at
      FROM webhook
    ) d
    RETURNING id)
    SELECT id FROM inserted_delivery`.execute(db);
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
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at, trace_parent)
      SELECT ${sellerId}, event_id, type, record_id, payload, ${at}, ${activeTraceParent()}
      FROM input WHERE existing_id IS NULL
    ), receivers AS (
      SELECT i.event_id, i.type, i.record_id, i.new_id, w.id AS webhook_id, w.id::text AS endpoint, w.url
      FROM input i CROSS JOIN webhooks w
      WHERE w.seller_id = ${sellerId} AND w.event_type IN (${eventType}, 'ALL') AND w.disabled_at IS NULL
      UNION ALL
      SELECT event_id, type, record_id, new_id, NULL, postback_endpoint, postback_url FROM input
      WHERE postback_url IS NOT NULL
    ), inserted_deliveries AS (${sql.raw(INSERT_DELIVERIES)} (
        SELECT ${sellerId}::uuid AS seller_id, new_id AS time_id, event_id, type AS event, record_id,
          webhook_id,
          endpoint, url, 'PENDING' AS status, ${at}::timestamptz AS at
        FROM receivers
      ) d
      RETURNING id
    )
    SELECT count(*) AS deliveries FROM inserted_deliveries`.execute(trx);
  return rows[0]?.deliveries ?? 0;
}

type DeliveryRow = Omit<
  Selectable<Deliveries>,
  'endpoint' | 'lease_until' | 'leased_by' | 'ready' | 'seller_id'
>;

const toDelivery = (row: DeliveryRow): Delivery => ({
  ...toFields(row),
  status: DELIVERY_STATUSES.find((status) => status === row.status) ?? 'PENDING',
});
