import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { onReachableShards } from '#platform/database/shards/each-shard.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { WAITING } from './leased-table.ts';
import { addToDeliveryCounts } from './store-delivery-counts.ts';

/** A due delivery, leased to this process. */
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
  /** The `traceparent` of the span in which the event was written. Null if it was not sampled. */
  readonly traceParent: string | null;
  /**
   * The secrets that sign it, newest first. Empty if its webhook has been deleted, or if the seller
   * has no postback secret yet.
   */
  readonly encryptedSecrets: readonly string[];
}

export interface ClaimLimits {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The id of the process that holds the leases. */
  readonly leasedBy: string;
  /** The endpoint to continue after. Empty for the first. */
  readonly after: string;
  readonly maxEndpoints: number;
  readonly maxDeliveries: number;
  /** Deliveries in flight to one endpoint, and to all endpoints of one seller. */
  readonly maxPerEndpoint: number;
  readonly maxPerSeller: number;
  /** Deliveries in flight now. */
  readonly activePerEndpoint: ReadonlyMap<string, number>;
  readonly activePerSeller: ReadonlyMap<string, number>;
  /**
   * Whether deliveries that others have locked are left out. Otherwise the claim waits for them.
   */
  readonly skipLocked?: boolean;
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The last endpoint visited. Null if there are no more endpoints. */
  readonly lastEndpoint: string | null;
}

/**
 * The CTEs hold endpoints with ready deliveries, the due deliveries of each up to its limit, their
 * rank within their seller, and the leased rows.
 *
 * `claimed` finds its rows by `ctid`. The repeated condition skips rows that have changed since. It
 * is wrapped in `coalesce` because the planner would otherwise scan the index of all ready rows.
 */
const claimSql = (selectRows: string) => `
    WITH RECURSIVE endpoints (endpoint, number) AS (
      (SELECT endpoint, 1 FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > $1::text
        ORDER BY endpoint LIMIT 1)
      UNION ALL
      SELECT next.endpoint, e.number + 1
      FROM endpoints e CROSS JOIN LATERAL (
        SELECT endpoint FROM deliveries WHERE status = 'PENDING' AND ready AND endpoint > e.endpoint
        ORDER BY endpoint LIMIT 1) next
      WHERE e.number < $2::integer
    ), due_deliveries AS MATERIALIZED (
      SELECT d.row_id, d.seller_id, d.due_at
      FROM endpoints e
      LEFT JOIN unnest($3::text[], $4::integer[]) AS active (endpoint, calls)
        ON active.endpoint = e.endpoint
      CROSS JOIN LATERAL (
        SELECT ctid AS row_id, seller_id, due_at FROM deliveries
        WHERE status = 'PENDING' AND ready AND endpoint = e.endpoint AND due_at <= $5::timestamptz
          AND (lease_until IS NULL OR lease_until < $5::timestamptz)
        ORDER BY due_at LIMIT greatest(0, least($6::integer - coalesce(active.calls, 0),
          1 + $7::integer / (SELECT count(*)::integer FROM endpoints)))
      ) d
    ), ranked_deliveries AS (
      SELECT d.row_id, d.due_at,
        row_number() OVER (PARTITION BY d.seller_id ORDER BY d.due_at)
          + coalesce(active.calls, 0) AS seller_rank
      FROM due_deliveries d
      LEFT JOIN unnest($8::uuid[], $9::integer[]) AS active (seller_id, calls)
        ON active.seller_id = d.seller_id
    ), claimed AS (
      UPDATE deliveries d SET lease_until = $10::timestamptz, leased_by = $12::uuid
      WHERE d.ctid = ANY (ARRAY(${selectRows}))
        AND coalesce(d.status = 'PENDING' AND d.ready, false)
        AND (d.lease_until IS NULL OR d.lease_until < $5::timestamptz)
      RETURNING d.seller_id, d.id, d.event_id, d.webhook_id, d.endpoint, d.url, d.attempts
    )
    SELECT visited.count AS "visitedEndpoints", visited.last AS "lastEndpoint", delivery.* FROM (
      SELECT count(*)::integer AS count, max(endpoint) AS last FROM endpoints
    ) visited LEFT JOIN (
      SELECT c.seller_id AS "sellerId", c.id, c.event_id AS "eventId", c.webhook_id AS "webhookId",
        c.endpoint, c.url, c.attempts,
        e.payload, e.trace_parent AS "traceParent",
        CASE WHEN c.webhook_id IS NULL
          THEN (SELECT p.encrypted_secret FROM postback_secrets p WHERE p.seller_id = c.seller_id)
          ELSE (SELECT w.encrypted_secret FROM webhooks w
            WHERE w.seller_id = c.seller_id AND w.id = c.webhook_id)
        END AS "encryptedSecret",
        nullif(ARRAY(
          (SELECT r.encrypted_secret FROM retired_webhook_secrets r
          WHERE r.seller_id = c.seller_id AND r.webhook_id = c.webhook_id AND r.signs_until > $5::timestamptz
          ORDER BY r.id DESC)
          UNION ALL
          SELECT p.encrypted_previous_secret FROM postback_secrets p
          WHERE c.webhook_id IS NULL AND p.seller_id = c.seller_id
            AND p.previous_signs_until > $5::timestamptz), '{}') AS "retiredSecrets"
      FROM claimed c LEFT JOIN LATERAL (
        SELECT payload, trace_parent FROM events
        WHERE seller_id = c.seller_id AND id = c.event_id LIMIT 1
      ) e ON true
    ) delivery ON true`;

const SELECT_ROWS = `
        SELECT row_id FROM ranked_deliveries WHERE seller_rank <= $11::integer
        ORDER BY due_at LIMIT $7::integer`;

/** SQL: returns a row if there is a delivery to claim. */
export const ANY_READY = `SELECT FROM deliveries WHERE status = 'PENDING' AND ready`;

const CLAIM: NamedStatement = { name: 'deliveries-claim', text: claimSql(SELECT_ROWS) };

/** Locking each row before its update is expensive, so it is done only while rows are locked. */
const CLAIM_SKIP_LOCKED: NamedStatement = {
  name: 'deliveries-claim-skip-locked',
  text: claimSql(`
        SELECT ctid FROM deliveries WHERE ctid = ANY (ARRAY(${SELECT_ROWS})) FOR NO KEY UPDATE SKIP LOCKED`),
};

interface VisitedRow {
  readonly visitedEndpoints: number;
  readonly lastEndpoint: string | null;
}

interface ClaimedRow extends VisitedRow, Omit<ClaimedDelivery, 'encryptedSecrets'> {
  readonly encryptedSecret: string | null;
  readonly retiredSecrets: readonly string[] | null;
}

/**
 * Claims due deliveries by writing a lease on them, so that no transaction stays open during the
 * calls. Visits the endpoints that have ready deliveries in order, and takes from each as many as
 * its limit allows, oldest first; with many endpoints, a few from each. So an endpoint that hangs,
 * or has a million deliveries, costs one step and delays no other. A lease that has expired (its
 * worker died) is claimed again.
 */
export async function claimDeliveries(query: RunStatement, limits: ClaimLimits): Promise<Claim> {
  const { activePerEndpoint, activePerSeller } = limits;
  const rows = await query<ClaimedRow>(limits.skipLocked === true ? CLAIM_SKIP_LOCKED : CLAIM, [
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
    limits.leasedBy,
  ]);
  const [first] = rows;
  const moreEndpoints = first !== undefined && first.visitedEndpoints >= limits.maxEndpoints;
  // Without deliveries there is a single row, of the visited endpoints alone.
  const deliveries = first?.id === null ? [] : rows.map(toClaimedDelivery);
  return { deliveries, lastEndpoint: moreEndpoints ? first.lastEndpoint : null };
}

function toClaimedDelivery(row: ClaimedRow): ClaimedDelivery {
  const { sellerId, id, eventId, webhookId, endpoint, url, attempts, payload, traceParent } = row;
  const { encryptedSecret, retiredSecrets } = row;
  const encryptedSecrets =
    encryptedSecret === null
      ? []
      : retiredSecrets === null
        ? [encryptedSecret]
        : [encryptedSecret, ...retiredSecrets];
  const event = { eventId, payload, traceParent };
  return { sellerId, id, webhookId, endpoint, url, attempts, ...event, encryptedSecrets };
}

/**
 * Makes deliveries ready whose next attempt is due, except locked ones, at most `limit` of a shard.
 * Returns the largest number of a shard.
 */
export async function markDeliveriesReady(db: Db, now: Date, limit: number): Promise<number> {
  const ready = sql`
    WITH due AS MATERIALIZED (
      SELECT seller_id, id FROM deliveries WHERE ${WAITING} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE deliveries SET ready = true
    WHERE (seller_id, id) IN (SELECT seller_id, id FROM due) AND ${WAITING}`;
  const marked = await onReachableShards(db, (shard) => ready.execute(shard));
  return Math.max(...marked.map(({ numAffectedRows }) => Number(numAffectedRows ?? 0)));
}

export interface QueueStats {
  /** Deliveries that are ready or in flight. */
  readonly depth: number;
  /** Deliveries whose next attempt is not due yet. */
  readonly waiting: number;
  /** The earliest due time of the former. */
  readonly oldest: Date | null;
}

/** The queue of all sellers. Each part is read from a partial index. */
export async function findQueueStats(db: Db): Promise<QueueStats> {
  const { rows } = await sql<QueueStats>`
    SELECT ready.depth, waiting.waiting, ready.oldest
    FROM (
        SELECT count(*) AS depth, min(due_at) AS oldest FROM deliveries WHERE status = 'PENDING' AND ready
      ) ready,
      (SELECT count(*) AS waiting FROM deliveries WHERE status = 'PENDING' AND NOT ready) waiting`.execute(
    db,
  );
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

const RECORD_ATTEMPTS: NamedStatement = {
  name: 'deliveries-record',
  text: `
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS i (
        seller_id uuid, delivery_id uuid, attempts smallint, at timestamptz, latency_ms integer,
        status_code integer, response_body text, error text, status text, due_at timestamptz)
    ), updated AS (
      UPDATE deliveries d
      SET attempts = d.attempts + 1, status = CASE
          WHEN i.status = 'PENDING' AND (d.status = 'HELD' OR EXISTS (
            SELECT 1 FROM webhooks w
            WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id AND w.disabled_at IS NOT NULL))
          THEN 'HELD' ELSE i.status END,
        url = CASE WHEN i.status = 'PENDING' THEN coalesce((
            SELECT w.url FROM webhooks w WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id), d.url)
          ELSE d.url END,
        due_at = i.due_at, ready = false, lease_until = NULL, updated_at = i.at
      FROM input i
      WHERE d.seller_id = i.seller_id AND d.id = i.delivery_id AND d.attempts = i.attempts
        AND d.status IN ('PENDING', 'HELD')
      RETURNING i.*, d.webhook_id, d.created_at, d.status AS new_status
    ), ended AS (
      SELECT seller_id, webhook_id, created_at, new_status AS status FROM updated
    ), counted AS (${addToDeliveryCounts('ended')}
    )
    INSERT INTO delivery_attempts (seller_id, delivery_id, number, at, latency_ms, status_code,
      response_body, error)
    SELECT seller_id, delivery_id, attempts + 1, at, latency_ms, status_code, response_body, error
    FROM updated`,
};

/**
 * Records attempts and the new states of their deliveries in one statement. An attempt changes
 * nothing if another worker has claimed its delivery (its lease expired) or the delivery has ended
 * (its webhook was deleted). A delivery that needs another attempt is held if its webhook has been
 * disabled. It is sent to the current URL: the delivery may have been committed after a change.
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
  await query(RECORD_ATTEMPTS, [JSON.stringify(input)]);
}

/**
 * Ends a delivery without a webhook: the change of a record that created it was committed after the
 * deletion of its webhook.
 */
export async function failOrphanedDelivery(
  db: Db,
  { sellerId, id }: Pick<ClaimedDelivery, 'sellerId' | 'id'>,
  now: Date,
): Promise<void> {
  await sql`
    WITH failed AS (
      UPDATE deliveries d SET status = 'FAILED', ready = false, lease_until = NULL, updated_at = ${now}
      WHERE d.seller_id = ${sellerId} AND d.id = ${id} AND d.status = 'PENDING' AND NOT EXISTS (
        SELECT FROM webhooks w WHERE w.seller_id = d.seller_id AND w.id = d.webhook_id)
      RETURNING d.seller_id, d.webhook_id, d.created_at, d.status
    )
    ${sql.raw(addToDeliveryCounts('failed'))}`.execute(db);
}

/** Releases the leases of deliveries that a shutdown interrupted. */
export async function releaseLeases(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const sellerIds = deliveries.map(({ sellerId }) => sellerId);
  const ids = deliveries.map(({ id }) => id);
  await sql`
    UPDATE deliveries d SET lease_until = NULL
    FROM unnest(${sellerIds}::uuid[], ${ids}::uuid[]) AS leased (seller_id, id)
    WHERE d.seller_id = leased.seller_id AND d.id = leased.id AND d.status = 'PENDING'`.execute(db);
}
