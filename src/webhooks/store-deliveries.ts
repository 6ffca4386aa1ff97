import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { retryOnDeadlock, type NamedStatement, type RunStatement } from '#platform/database/statements.ts';

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
  readonly encryptedSecrets: readonly string[];
}

export interface ClaimLimits {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The endpoint after which to look on; empty to begin with the first. */
  readonly after: string;
  readonly maxEndpoints: number;
  readonly maxDeliveries: number;
  /** Calls under way at once to one endpoint, and to all endpoints of one seller, at most. */
  readonly maxPerEndpoint: number;
  readonly maxPerSeller: number;
  /** Calls under way now. */
  readonly activePerEndpoint: ReadonlyMap<string, number>;
  readonly activePerSeller: ReadonlyMap<string, number>;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The endpoint that was looked at last; null where there are no more. */
  readonly lastEndpoint: string | null;
}

/** Each CTE goes by what the one before it found: endpoints, what is due there, whose place is within the limits. */
const CLAIM: NamedStatement = {
  name: 'deliveries-claim',
  text: `
    WITH RECURSIVE walk (endpoint, nth) AS (
      (SELECT endpoint, 1 FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > $1::text
        ORDER BY endpoint LIMIT 1)
      UNION ALL
      SELECT next.endpoint, w.nth + 1
      FROM walk w CROSS JOIN LATERAL (
        SELECT endpoint FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > w.endpoint
        ORDER BY endpoint LIMIT 1) next
      WHERE w.nth < $2::integer
    ), due AS MATERIALIZED (
      SELECT d.place_at, d.seller_id, d.due_at
      FROM walk w
      LEFT JOIN unnest($3::text[], $4::integer[]) AS busy (endpoint, calls) ON busy.endpoint = w.endpoint
      CROSS JOIN LATERAL (
        SELECT ctid AS place_at, seller_id, due_at FROM deliveries
        WHERE status = 'PENDING' AND ready AND endpoint = w.endpoint AND due_at <= $5::timestamptz
          AND (lease_until IS NULL OR lease_until < $5::timestamptz)
        ORDER BY due_at LIMIT greatest(0, least($6::integer - coalesce(busy.calls, 0),
          1 + $7::integer / (SELECT count(*)::integer FROM walk)))
      ) d
    ), placed AS (
      SELECT d.place_at, d.due_at,
        row_number() OVER (PARTITION BY d.seller_id ORDER BY d.due_at) + coalesce(busy.calls, 0) AS place
      FROM due d
      LEFT JOIN unnest($8::uuid[], $9::integer[]) AS busy (seller_id, calls) ON busy.seller_id = d.seller_id
    ), claimed AS (
      UPDATE deliveries d SET lease_until = $10::timestamptz
      WHERE d.ctid = ANY (ARRAY(
        SELECT place_at FROM placed WHERE place <= $11::integer ORDER BY due_at LIMIT $7::integer
      ))
        -- Still so, though changed meanwhile. Said plainly it would be read from the index of all that is ready.
        AND coalesce(d.status = 'PENDING' AND d.ready, false) AND (d.lease_until IS NULL OR d.lease_until < $5::timestamptz)
      RETURNING d.seller_id, d.id, d.event_id, d.webhook_id, d.endpoint, d.url, d.attempts
    )
    SELECT walked.visited, walked.last, told.* FROM (
      SELECT count(*)::integer AS visited, max(endpoint) AS last FROM walk
    ) walked LEFT JOIN (
      SELECT c.seller_id AS "sellerId", c.id, c.event_id AS "eventId", c.webhook_id AS "webhookId", c.endpoint, c.url,
        c.attempts, (SELECT e.payload FROM events e WHERE e.seller_id = c.seller_id AND e.id = c.event_id),
        CASE WHEN c.webhook_id IS NULL
          THEN (SELECT p.encrypted_secret FROM postback_secrets p WHERE p.seller_id = c.seller_id)
          ELSE (SELECT w.encrypted_secret FROM webhooks w WHERE w.seller_id = c.seller_id AND w.id = c.webhook_id)
        END AS "sealedSecret",
        nullif(ARRAY(
          SELECT r.encrypted_secret FROM retired_webhook_secrets r
          WHERE r.seller_id = c.seller_id AND r.webhook_id = c.webhook_id AND r.signs_until > $5::timestamptz
          ORDER BY r.id DESC), '{}') AS "retiredSecrets"
      FROM claimed c
    ) told ON true`,
};

/**
 * Takes deliveries by writing a lease on them; no transaction stays open while they are called. It walks from one endpoint that has
 * any to the next, and takes of each as many as it has room for, the oldest first; where there are many endpoints, a few of each. So an endpoint that hangs, or for which a million
 * wait, costs one step, and nobody waits behind it. A lease that has run out (its worker died) is taken again.
 */
export async function claimDeliveries(query: RunStatement, limits: ClaimLimits): Promise<Claim> {
  const { activePerEndpoint, activePerSeller } = limits;
  const rows = await query<{ visited: number; last: string | null } & ClaimedRow>(CLAIM, [
    limits.after,
    limits.maxEndpoints,
    [...activePerEndpoint.keys()],
    [...activePerEndpoint.values()],
    limits.now,
    limits.maxPerEndpoint,
    limits.maxDeliveries,
    [...activePerSeller.keys()],
    [...activePerSeller.values()],
    limits.leaseUntil,
    limits.maxPerSeller,
  ]);
  const [first] = rows;
  const lastEndpoint = first !== undefined && first.visited >= limits.maxEndpoints ? first.last : null;
  // Where nothing was taken there is one row, of what was walked alone.
  return { deliveries: first?.id === null ? [] : rows.map(toClaimedDelivery), lastEndpoint };
}

interface ClaimedRow extends Omit<ClaimedDelivery, 'encryptedSecrets'> {
  readonly sealedSecret: string | null;
  readonly retiredSecrets: readonly string[] | null;
}

function toClaimedDelivery(row: ClaimedRow): ClaimedDelivery {
  const { sellerId, id, eventId, webhookId, endpoint, url, attempts, payload, sealedSecret, retiredSecrets } =
    row;
  const encryptedSecrets =
    sealedSecret === null ? [] : retiredSecrets === null ? [sealedSecret] : [sealedSecret, ...retiredSecrets];
  return { sellerId, id, eventId, webhookId, endpoint, url, attempts, payload, encryptedSecrets };
}

/** Makes deliveries ready whose next attempt is due; answers how many. */
export async function markDeliveriesReady(db: Db, now: Date, limit: number): Promise<number> {
  const ready = sql`
    UPDATE deliveries SET ready = true
    WHERE (seller_id, id) IN (
      SELECT seller_id, id FROM deliveries WHERE status = 'PENDING' AND NOT ready AND due_at <= ${now}
      ORDER BY due_at LIMIT ${limit}
    ) AND status = 'PENDING' AND NOT ready`;
  const result = await retryOnDeadlock(() => ready.execute(db));
  return Number(result.numAffectedRows ?? 0);
}

export interface QueueStats {
  /** Deliveries that could be attempted now or are being attempted. */
  readonly depth: number;
  /** Deliveries that wait for their next attempt. */
  readonly waiting: number;
  /** Since when the first of the former has been due. */
  readonly oldest: Date | null;
}

/** What waits, over all sellers; each part is read from an index that holds nothing else. */
export async function findQueueStats(db: Db): Promise<QueueStats> {
  const { rows } = await sql<QueueStats>`
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

const RECORD: NamedStatement = {
  name: 'deliveries-record',
  text: `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
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
    SELECT seller_id, delivery_id, attempts + 1, at, latency_ms, status_code, response_body, error FROM counted`,
};

/**
 * Records attempts and what follows from them, all in one statement. An attempt whose delivery was claimed by another
 * worker meanwhile (its lease ran out) or ended (its webhook was deleted) changes nothing. What is to be tried again at a
 * registration that was disabled meanwhile is kept instead.
 */
export async function recordAttempts(query: RunStatement, records: readonly AttemptRecord[]): Promise<void> {
  const input = records.map((record) => ({
    seller_id: record.delivery.sellerId,
    delivery_id: record.delivery.id,
    attempts: record.delivery.attempts,
    at: record.at.toISOString(),
    latency_ms: record.latencyMs,
    status_code: record.statusCode,
    response_body: record.responseBody,
    error: record.error,
    status: record.status,
    due_at: record.dueAt.toISOString(),
  }));
  await query(RECORD, [JSON.stringify(input)]);
}

/** Gives leases back, for calls that a shutdown cut off before they were made or answered. */
export async function releaseLeases(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await sql`
    UPDATE deliveries d SET lease_until = NULL
    FROM unnest(${deliveries.map((d) => d.sellerId)}::uuid[], ${deliveries.map((d) => d.id)}::uuid[]) AS w (seller_id, id)
    WHERE d.seller_id = w.seller_id AND d.id = w.id AND d.status = 'PENDING'`.execute(db);
}
