import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import type { EventType } from './store.ts';

/** What a seller sees of its deliveries, and how they are made once more. */

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'HELD'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly event: string;
  readonly recordId: string;
  /** Null for a delivery to a charge's postbackUrl. */
  readonly webhookId: string | null;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** Attempts made. */
  readonly attempts: number;
  /** When the next attempt is due; meaningful while PENDING. */
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Attempt {
  readonly number: number;
  readonly at: Date;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly webhookId: string | undefined;
  readonly recordId: string | undefined;
  readonly event: string | undefined;
  /** Made since then, and before then. */
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

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

/** Newest first, which is the order of the primary key; one more than asked for where there is a next page. */
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
  // Ids begin with the time, so a span of time is a range of the primary key.
  if (filter.from !== undefined) query = query.where('deliveries.id', '>=', minIdAt(filter.from.getTime()));
  if (filter.before !== undefined)
    query = query.where('deliveries.id', '<', minIdAt(filter.before.getTime()));
  const { event } = filter;
  if (event !== undefined) {
    query = query.where((expression) =>
      expression.exists(
        expression
          .selectFrom('events as named')
          .select('named.id')
          .whereRef('named.seller_id', '=', 'deliveries.seller_id')
          .whereRef('named.id', '=', 'deliveries.event_id')
          .where('named.type', '=', event),
      ),
    );
  }
  return query;
}

export interface DeliveryWithAttempts extends Delivery {
  /** The body sent, byte for byte. */
  readonly payload: string;
  readonly log: readonly Attempt[];
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
    .where('deliveries.seller_id', '=', sellerId)
    .where('deliveries.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const attempts = await db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
  const log = attempts.map((attempt) => ({
    number: attempt.number,
    at: attempt.at,
    latencyMs: attempt.latency_ms,
    statusCode: attempt.status_code,
    responseBody: attempt.response_body,
    error: attempt.error,
  }));
  return { ...toDelivery(row), payload: row.payload, log };
}

/** Makes a delivery of the same event to the same receiver, at the address it has now; false where it was deleted or is disabled. */
export async function resendDelivery(
  db: Db,
  sellerId: string,
  id: string,
  newDelivery: { readonly id: string; readonly at: Date },
): Promise<boolean> {
  const result = await sql`
    INSERT INTO deliveries (seller_id, id, event_id, record_id, webhook_id, endpoint, url, status, attempts, due_at,
      created_at, updated_at)
    SELECT d.seller_id, ${newDelivery.id}, d.event_id, d.record_id, d.webhook_id, d.endpoint, coalesce(w.url, d.url),
      'PENDING', 0, ${newDelivery.at}, ${newDelivery.at}, ${newDelivery.at}
    FROM deliveries d LEFT JOIN webhooks w ON w.seller_id = d.seller_id AND w.id = d.webhook_id
    WHERE d.seller_id = ${sellerId} AND d.id = ${id} AND (d.webhook_id IS NULL OR (w.id IS NOT NULL AND w.disabled_at IS NULL))`.execute(
    db,
  );
  return result.numAffectedRows === 1n;
}

/** An event for one registration alone, to try it; false where there is no such registration that is enabled. */
export async function insertTestDelivery(
  db: Db,
  sellerId: string,
  webhookId: string,
  test: {
    readonly eventId: string;
    readonly deliveryId: string;
    readonly type: string;
    readonly payload: string;
    readonly at: Date;
  },
): Promise<boolean> {
  const { rows } = await sql`
    WITH receiver AS MATERIALIZED (
      SELECT seller_id, id, url FROM webhooks WHERE seller_id = ${sellerId} AND id = ${webhookId}
        AND disabled_at IS NULL
    ), told AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      SELECT seller_id, ${test.eventId}, ${test.type}, id, ${test.payload}, ${test.at} FROM receiver
    )
    INSERT INTO deliveries (seller_id, id, event_id, record_id, webhook_id, endpoint, url, status, attempts, due_at,
      created_at, updated_at)
    SELECT seller_id, ${test.deliveryId}, ${test.eventId}, id, id, id::text, url, 'PENDING', 0, ${test.at},
      ${test.at}, ${test.at}
    FROM receiver RETURNING id`.execute(db);
  return rows.length === 1;
}

/** What is true of a record now, as its seller is told. */
export interface EventSnapshot {
  readonly recordId: string;
  readonly type: string;
  readonly payload: string;
  /** The record's own receiver, and how calls to it are rationed. */
  readonly postback: { readonly url: string; readonly endpoint: string } | null;
}

/** News with the id of their event, should it have to be written. */
export interface SnapshotToResend extends EventSnapshot {
  readonly newId: string;
}

/**
 * Delivers what is true of records now to everyone who is registered for it and not disabled. Where just that was told before, it is the
 * same event again, with the same id, so that a receiver which has it can tell. Answers how many deliveries were made.
 */
export async function resendSnapshots(
  db: Db,
  sellerId: string,
  eventType: Exclude<EventType, 'ALL'>,
  snapshots: readonly SnapshotToResend[],
  at: Date,
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
  return db.transaction().execute(async (trx) => {
    const { rows: existingEvents } = await sql<{ recordId: string; eventId: string }>`
      SELECT i.record_id AS "recordId", t.event_id AS "eventId"
      FROM json_to_recordset(${input}::json) AS i (record_id uuid, payload text)
      CROSS JOIN LATERAL (
        SELECT d.event_id FROM deliveries d JOIN events e ON e.seller_id = d.seller_id AND e.id = d.event_id
        WHERE d.seller_id = ${sellerId} AND d.record_id = i.record_id AND e.payload = i.payload
        ORDER BY d.id DESC LIMIT 1
      ) t`.execute(trx);
    const { rows } = await sql<{ deliveries: number }>`
      WITH input AS MATERIALIZED (
        SELECT i.*, t.event_id AS told_id, coalesce(t.event_id, i.new_id) AS event_id
        FROM json_to_recordset(${input}::json) AS i (record_id uuid, type text, payload text, postback_url text,
          postback_endpoint text, new_id uuid)
        LEFT JOIN unnest(${existingEvents.map((one) => one.recordId)}::uuid[], ${existingEvents.map((one) => one.eventId)}::uuid[])
          AS t (record_id, event_id) ON t.record_id = i.record_id
      ), news AS (
        INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
        SELECT ${sellerId}, event_id, type, record_id, payload, ${at} FROM input WHERE told_id IS NULL
      ), receivers AS (
        SELECT i.event_id, i.record_id, i.new_id, w.id AS webhook_id, w.id::text AS endpoint, w.url
        FROM input i CROSS JOIN webhooks w
        WHERE w.seller_id = ${sellerId} AND w.event_type IN (${eventType}, 'ALL') AND w.disabled_at IS NULL
        UNION ALL
        SELECT event_id, record_id, new_id, NULL, postback_endpoint, postback_url FROM input
        WHERE postback_url IS NOT NULL
      ), made AS (
        INSERT INTO deliveries (seller_id, id, event_id, record_id, webhook_id, endpoint, url, status, attempts, due_at,
          created_at, updated_at)
        SELECT ${sellerId}, (left(new_id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, event_id, record_id,
          webhook_id, endpoint, url, 'PENDING', 0, ${at}, ${at}, ${at}
        FROM receivers RETURNING id
      )
      SELECT count(*) AS deliveries FROM made`.execute(trx);
    return rows[0]?.deliveries ?? 0;
  });
}

function toDelivery(row: {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly record_id: string;
  readonly webhook_id: string | null;
  readonly url: string;
  readonly status: string;
  readonly attempts: number;
  readonly due_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
}): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    event: row.type,
    recordId: row.record_id,
    webhookId: row.webhook_id,
    url: row.url,
    status: DELIVERY_STATUSES.find((status) => status === row.status) ?? 'PENDING',
    attempts: row.attempts,
    dueAt: row.due_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
