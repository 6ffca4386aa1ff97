import { sql } from 'kysely';

import type { Db } from '#database/connect.ts';
import { retryingDeadlocks } from '#database/lanes.ts';
import type { EventType } from './store.ts';

/** What happened to a record, as its seller is told. */
export interface NewEvent {
  readonly sellerId: string;
  readonly id: string;
  readonly type: string;
  readonly recordId: string;
  /** The body sent, byte for byte. */
  readonly payload: string;
  /** Which registrations are told, beside those for ALL. */
  readonly eventType: Exclude<EventType, 'ALL'>;
  readonly at: Date;
}

/** SQL: how a delivery to a registration begins. One that is disabled is not called; what happens is kept for it. */
export const initialStatus = (webhook: string): string =>
  `CASE WHEN ${webhook}.disabled_at IS NULL THEN 'PENDING' ELSE 'HELD' END`;
const statusFor = (webhook: string) => sql.raw(initialStatus(webhook));

/**
 * Writes an event and its deliveries, in the transaction of the change that it tells of; answers how many deliveries
 * there are. Their ids begin with the time of the event's, as all ids do.
 */
export async function insertEvent(db: Db, event: NewEvent): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    WITH told AS (
      INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
      VALUES (${event.sellerId}, ${event.id}, ${event.type}, ${event.recordId}, ${event.payload}, ${event.at})
      RETURNING seller_id, id, record_id, created_at
    ), registered AS (
      INSERT INTO deliveries (seller_id, id, event_id, record_id, webhook_id, endpoint, url, status, attempts, due_at,
        created_at, updated_at)
      SELECT t.seller_id, (left(t.id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, t.id, t.record_id,
        w.id, w.id::text, w.url, ${statusFor('w')}, 0, t.created_at, t.created_at, t.created_at
      FROM told t JOIN webhooks w ON w.seller_id = t.seller_id AND w.event_type IN (${event.eventType}, 'ALL')
      RETURNING id
    )
    SELECT count(*) AS deliveries FROM registered`.execute(db);
  return rows[0]?.deliveries ?? 0;
}

/** A delivery whose time has come, held by a lease. */
export interface ClaimedDelivery {
  readonly sellerId: string;
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string | null;
  readonly endpoint: string;
  readonly url: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly payload: string;
  /** What signs it now, the newest secret first. None where its registration was deleted, or where no postback has been signed yet. */
  readonly sealedSecrets: readonly string[];
}

export interface ClaimLimits {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The endpoint after which to look on; empty to begin with the first. */
  readonly after: string;
  readonly mostEndpoints: number;
  readonly most: number;
  /** Calls under way at once to one endpoint, and to all endpoints of one seller, at most. */
  readonly mostPerEndpoint: number;
  readonly mostPerSeller: number;
  /** Calls under way now. */
  readonly perEndpoint: ReadonlyMap<string, number>;
  readonly perSeller: ReadonlyMap<string, number>;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The endpoint that was looked at last; null where there are no more. */
  readonly reached: string | null;
}

/**
 * Takes deliveries by writing a lease on them; no transaction stays open while they are called. It walks from one endpoint that has
 * any to the next, and takes of each as many as it has room for, the oldest first; where there are many endpoints, a few of each. So an endpoint that hangs, or for which a million
 * wait, costs one step, and nobody waits behind it. A lease that has run out (its worker died) is taken again.
 */
export async function claimDeliveries(db: Db, limits: ClaimLimits): Promise<Claim> {
  const { now, perEndpoint, perSeller } = limits;
  const claim = sql<{ visited: number; last: string | null } & ClaimedDelivery>`
    WITH RECURSIVE walk (endpoint, nth) AS (
      (SELECT endpoint, 1 FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > ${limits.after}
        ORDER BY endpoint LIMIT 1)
      UNION ALL
      SELECT next.endpoint, w.nth + 1
      FROM walk w CROSS JOIN LATERAL (
        SELECT endpoint FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > w.endpoint
        ORDER BY endpoint LIMIT 1) next
      WHERE w.nth < ${limits.mostEndpoints}
    ), due AS MATERIALIZED (
      SELECT d.seller_id, d.id, d.due_at
      FROM walk w
      LEFT JOIN unnest(${[...perEndpoint.keys()]}::text[], ${[...perEndpoint.values()]}::integer[])
        AS busy (endpoint, calls) ON busy.endpoint = w.endpoint
      CROSS JOIN LATERAL (
        SELECT seller_id, id, due_at FROM deliveries
        WHERE status = 'PENDING' AND ready AND endpoint = w.endpoint AND due_at <= ${now}
          AND (lease_until IS NULL OR lease_until < ${now})
        ORDER BY due_at LIMIT greatest(0, least(${limits.mostPerEndpoint}::integer - coalesce(busy.calls, 0),
          1 + ${limits.most}::integer / (SELECT count(*)::integer FROM walk)))
      ) d
    ), placed AS (
      SELECT d.seller_id, d.id, d.due_at,
        row_number() OVER (PARTITION BY d.seller_id ORDER BY d.due_at) + coalesce(busy.calls, 0) AS place
      FROM due d
      LEFT JOIN unnest(${[...perSeller.keys()]}::uuid[], ${[...perSeller.values()]}::integer[])
        AS busy (seller_id, calls) ON busy.seller_id = d.seller_id
    ), claimed AS (
      UPDATE deliveries d SET lease_until = ${limits.leaseUntil}
      WHERE (d.seller_id, d.id) IN (
        SELECT seller_id, id FROM placed WHERE place <= ${limits.mostPerSeller} ORDER BY due_at LIMIT ${limits.most}
      ) AND d.status = 'PENDING' AND d.ready AND (d.lease_until IS NULL OR d.lease_until < ${now})
      RETURNING d.seller_id, d.id, d.event_id, d.webhook_id, d.endpoint, d.url, d.attempts
    )
    SELECT walked.visited, walked.last, told.* FROM (
      SELECT count(*) AS visited, max(endpoint) AS last FROM walk
    ) walked LEFT JOIN (
      SELECT c.seller_id AS "sellerId", c.id, c.event_id AS "eventId", c.webhook_id AS "webhookId", c.endpoint, c.url,
        c.attempts, e.payload, coalesce(CASE
          WHEN c.webhook_id IS NULL
          THEN (SELECT ARRAY[p.sealed_secret] FROM postback_secrets p WHERE p.seller_id = c.seller_id)
          ELSE (
            SELECT w.sealed_secret || ARRAY(
              SELECT r.sealed_secret FROM retired_webhook_secrets r
              WHERE r.seller_id = w.seller_id AND r.webhook_id = w.id AND r.signs_until > ${now} ORDER BY r.id DESC)
            FROM webhooks w WHERE w.seller_id = c.seller_id AND w.id = c.webhook_id)
        END, '{}') AS "sealedSecrets"
      FROM claimed c JOIN events e ON e.seller_id = c.seller_id AND e.id = c.event_id
    ) told ON true`;
  // Claimers lock the same rows, and each in the order of its own plan.
  const { rows } = await retryingDeadlocks(() => claim.execute(db));
  const [first] = rows;
  const reached = first !== undefined && first.visited >= limits.mostEndpoints ? first.last : null;
  // Where nothing was taken there is one row, of what was walked alone.
  return { deliveries: first?.id === null ? [] : rows, reached };
}

/** Makes deliveries ready whose next attempt is due; answers how many. */
export async function readyDeliveries(db: Db, now: Date, most: number): Promise<number> {
  const ready = sql`
    UPDATE deliveries SET ready = true
    WHERE (seller_id, id) IN (
      SELECT seller_id, id FROM deliveries WHERE status = 'PENDING' AND NOT ready AND due_at <= ${now}
      ORDER BY due_at LIMIT ${most}
    ) AND status = 'PENDING' AND NOT ready`;
  const result = await retryingDeadlocks(() => ready.execute(db));
  return Number(result.numAffectedRows ?? 0);
}

export interface Queue {
  /** Deliveries that could be attempted now or are being attempted. */
  readonly depth: number;
  /** Deliveries that wait for their next attempt. */
  readonly waiting: number;
  /** Since when the first of the former has been due. */
  readonly oldest: Date | null;
}

/** What waits, over all sellers; each part is read from an index that holds nothing else. */
export async function findQueue(db: Db): Promise<Queue> {
  const { rows } = await sql<Queue>`
    SELECT r.depth, w.waiting, r.oldest
    FROM (SELECT count(*) AS depth, min(due_at) AS oldest FROM deliveries WHERE status = 'PENDING' AND ready) r,
      (SELECT count(*) AS waiting FROM deliveries WHERE status = 'PENDING' AND NOT ready) w`.execute(db);
  return rows[0] ?? { depth: 0, waiting: 0, oldest: null };
}

export interface AttemptRecord {
  readonly delivery: ClaimedDelivery;
  readonly at: Date;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly dueAt: Date;
}

/**
 * Records attempts and what follows from them, all in one statement. An attempt whose delivery was claimed by another
 * worker meanwhile (its lease ran out) or ended (its webhook was deleted) changes nothing. What is to be tried again at a
 * registration that was disabled meanwhile is kept instead.
 */
export async function recordAttempts(db: Db, records: readonly AttemptRecord[]): Promise<void> {
  const input = records.map((record) => ({
    seller_id: record.delivery.sellerId,
    delivery_id: record.delivery.id,
    attempts: record.delivery.attempts,
    at: record.at,
    latency_ms: record.latencyMs,
    status_code: record.statusCode,
    response_body: record.responseBody,
    error: record.error,
    status: record.status,
    due_at: record.dueAt,
  }));
  await sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(input)}::json) AS i (
        seller_id uuid, delivery_id uuid, attempts smallint, at timestamptz, latency_ms integer, status_code integer,
        response_body text, error text, status text, due_at timestamptz)
    ), counted AS (
      UPDATE deliveries d
      SET attempts = d.attempts + 1, status = CASE
          WHEN i.status = 'PENDING' AND (d.status = 'HELD' OR EXISTS (
            SELECT 1 FROM webhooks w
            WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NOT NULL))
          THEN 'HELD' ELSE i.status END, due_at = i.due_at, ready = false, lease_until = NULL, updated_at = i.at
      FROM input i
      WHERE d.seller_id = i.seller_id AND d.id = i.delivery_id AND d.attempts = i.attempts
        AND d.status IN ('PENDING', 'HELD')
      RETURNING i.*
    )
    INSERT INTO delivery_attempts (seller_id, delivery_id, number, at, latency_ms, status_code, response_body, error)
    SELECT seller_id, delivery_id, attempts + 1, at, latency_ms, status_code, response_body, error FROM counted`.execute(
    db,
  );
}

/** Gives leases back, for calls that a shutdown cut off before they were made or answered. */
export async function releaseLeases(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    UPDATE deliveries d SET lease_until = NULL
    FROM unnest(${deliveries.map((d) => d.sellerId)}::uuid[], ${deliveries.map((d) => d.id)}::uuid[]) AS w (seller_id, id)
    WHERE d.seller_id = w.seller_id AND d.id = w.id AND d.status = 'PENDING'`.execute(db);
}
