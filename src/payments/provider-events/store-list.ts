import { sql, type RawBuilder } from 'kysely';

import { findBacklog, type Backlog } from '#platform/database/backlog.ts';
import type { Db } from '#platform/database/connect.ts';
import { countRowsOfDays, type CountedList } from '#platform/database/daily-counts.ts';
import { onEachShard } from '#platform/database/shards/each-shard.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import type { ProviderEventOutcome } from './provider-event.ts';

export interface StoredProviderEvent {
  readonly id: string;
  readonly outcome: ProviderEventOutcome;
  readonly provider: string;
  /** The provider's id of the event. */
  readonly reportId: string;
  readonly kind: string;
  /** The seller of the record; for an UNMATCHED event, as the provider claimed it. */
  readonly sellerId: string;
  readonly recordId: string;
  /** In cents; null if the event reports no money. */
  readonly amount: number | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly detail: string | null;
}

export interface ProviderEventFilter {
  readonly outcome: ProviderEventOutcome | undefined;
  readonly provider: string | undefined;
  readonly sellerId: string | undefined;
  readonly recordId: string | undefined;
  readonly period: Period;
}

/** The provider of each stored event, found along the index by provider. */
const PROVIDERS = sql`
  WITH RECURSIVE providers (provider) AS (
    (SELECT provider FROM provider_events ORDER BY provider LIMIT 1)
    UNION ALL
    SELECT (SELECT e.provider FROM provider_events e WHERE e.provider > p.provider ORDER BY e.provider
      LIMIT 1)
    FROM providers p WHERE p.provider IS NOT NULL
  )
  SELECT provider FROM providers WHERE provider IS NOT NULL`;

/** Stored provider events by provider and day of receipt. */
export const PROVIDER_EVENT_COUNTS: CountedList = {
  name: 'provider events',
  rows: (from, before) => sql`
    SELECT e.id, p.provider AS kind FROM (${PROVIDERS}) p
    JOIN provider_events e ON e.provider = p.provider AND e.id >= ${from} AND e.id < ${before}`,
};

/**
 * Returns the events of all providers, newest first; one more than `take` if there is a next page.
 * Only ids are skipped; the rows of the page are read by their keys.
 */
export async function findProviderEvents(
  db: Db,
  filter: ProviderEventFilter,
  { take, skip, after }: Page,
): Promise<readonly StoredProviderEvent[]> {
  const { unmatched, unverified } = conditionsOf(filter, after);
  const newest = sql`ORDER BY id DESC LIMIT ${skip + take + 1}`;
  // Each part has its own limit: no index orders the union of all.
  const { rows } = await sql<StoredProviderEvent>`
    WITH page AS MATERIALIZED (
      SELECT * FROM (
        (SELECT 'STORED' AS part, id, provider
          FROM (${await storedIds(db, filter, after, newest)}) stored ${newest})
        UNION ALL
        (SELECT 'UNMATCHED', id, provider FROM unmatched_provider_events WHERE ${unmatched} ${newest})
        UNION ALL
        (SELECT 'PENDING', id, provider FROM unverified_payments WHERE ${unverified} ${newest})
      ) parts ORDER BY id DESC LIMIT ${take + 1} OFFSET ${skip}
    )
    SELECT e.id, outcome, e.provider, provider_event_id AS "reportId", kind, seller_id::text AS "sellerId",
      record_id::text AS "recordId", amount, occurred_at AS "occurredAt", received_at AS "receivedAt", detail
    FROM page JOIN provider_events e ON e.provider = page.provider AND e.id = page.id
    WHERE part = 'STORED'
    UNION ALL
    SELECT u.id, 'UNMATCHED', u.provider, provider_event_id, kind, claimed_seller, claimed_record, amount,
      occurred_at, received_at, detail
    FROM page JOIN unmatched_provider_events u ON u.id = page.id WHERE part = 'UNMATCHED'
    UNION ALL
    SELECT u.id, 'PENDING', u.provider, provider_event_id, 'PAYMENT', '', claimed_record, amount,
      occurred_at, received_at, 'not confirmed by the provider after ' || attempts || ' attempts'
    FROM page JOIN unverified_payments u ON u.id = page.id WHERE part = 'PENDING'
    ORDER BY id DESC`.execute(db);
  return rows;
}

/**
 * The events of a seller with fewer are read and sorted. Others are found along the newest events.
 */
const MAX_SORTED_EVENTS = 2_000;

/** SQL: the stored events that match, at least the newest of them. */
async function storedIds(
  db: Db,
  filter: ProviderEventFilter,
  after: string | undefined,
  newest: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const { outcome, provider, sellerId, recordId } = filter;
  const { stored } = conditionsOf(filter, after);
  const matching = sql`SELECT id, provider FROM provider_events WHERE ${stored}`;
  if (outcome !== undefined && outcome !== 'APPLIED') return sql`${matching} ${newest}`;
  const isSorted = recordId !== undefined || (sellerId !== undefined && (await hasFewEvents(db, sellerId)));
  // Materialized: PostgreSQL would look for the newest of them among the events of all sellers.
  if (isSorted) return sql`WITH matching AS MATERIALIZED (${matching}) SELECT * FROM matching`;
  const providers = provider === undefined ? await findProviders(db) : [provider];
  if (providers.length === 0) return sql`${matching} AND false`;
  // A range of the index for each, in its order, so that the merge sorts nothing.
  const parts = providers.map((name) => sql`(${matching} AND provider = ${name} ${newest})`);
  return sql.join(parts, sql` UNION ALL `);
}

async function findProviders(db: Db): Promise<readonly string[]> {
  const found = await onEachShard(db, (shard) => sql<{ provider: string }>`${PROVIDERS}`.execute(shard));
  return [...new Set(found.flatMap(({ rows }) => rows.map(({ provider }) => provider)))];
}

async function hasFewEvents(db: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM provider_events
      WHERE seller_id = ${sellerId} LIMIT ${MAX_SORTED_EVENTS + 1}) found`.execute(db);
  return (rows[0]?.count ?? 0) <= MAX_SORTED_EVENTS;
}

/**
 * Counts exactly by outcome, provider and whole days, from the stored counts, and up to a limit by
 * other filters.
 */
export async function countProviderEvents(db: Db, filter: ProviderEventFilter): Promise<ListCount> {
  const { stored, unmatched, unverified } = conditionsOf(filter, undefined);
  const { outcome, provider, sellerId, recordId, period } = filter;
  const others = sql`
    SELECT id FROM unmatched_provider_events WHERE ${unmatched}
    UNION ALL SELECT id FROM unverified_payments WHERE ${unverified}`;
  const counter =
    sellerId === undefined && recordId === undefined
      ? await countRowsOfDays(db, PROVIDER_EVENT_COUNTS, period, provider)
      : undefined;
  if (counter === undefined) {
    return countUpToCap(db, sql`SELECT id FROM provider_events WHERE ${stored} UNION ALL ${others}`);
  }
  const notApplied = conditionsOf({ ...filter, outcome: undefined }, undefined).stored;
  const isNotApplied = outcome === undefined ? sql`false` : sql`outcome <> 'APPLIED'`;
  const { rows } = await sql<{ ofOutcome: number; notApplied: number; others: number }>`
    SELECT events.*, other_events.* FROM (
        SELECT count(*) FILTER (WHERE outcome = ${outcome ?? null}) AS "ofOutcome", count(*) AS "notApplied"
        FROM provider_events WHERE ${notApplied} AND ${isNotApplied}
      ) events, (SELECT count(*) AS others FROM (${others}) others) other_events`.execute(db);
  const [counted = { ofOutcome: 0, notApplied: 0, others: 0 }] = rows;
  const storedCount =
    outcome === undefined || outcome === 'APPLIED' ? counter - counted.notApplied : counted.ofOutcome;
  return { count: storedCount + counted.others };
}

/** UNMATCHED events that were received since a time. */
export const countUnmatchedEvents = (db: Db, since: Date): Promise<Backlog> =>
  findBacklog(db, {
    table: 'unmatched_provider_events',
    waiting: sql`id >= ${minIdAt(since.getTime())}`,
    since: 'received_at',
  });

function conditionsOf(filter: ProviderEventFilter, after: string | undefined) {
  const { outcome, sellerId, recordId } = filter;
  const common = commonConditions(filter, after);
  const stored = [...common];
  if (outcome !== undefined) stored.push(sql`outcome = ${outcome}`);
  // The condition of the index of events to review.
  if (outcome !== undefined && outcome !== 'APPLIED') stored.push(sql`outcome <> 'APPLIED'`);
  if (sellerId !== undefined) stored.push(sql`seller_id = ${sellerId}`);
  if (recordId !== undefined) {
    // The index by record starts with the seller, which the record determines.
    stored.push(sql`record_id = ${recordId} AND seller_id IN (
      SELECT seller_id FROM transactions WHERE id = ${recordId}
      UNION ALL SELECT seller_id FROM withdrawals WHERE id = ${recordId})`);
  }
  const unmatched = [...common];
  if (outcome !== undefined && outcome !== 'UNMATCHED') unmatched.push(sql`false`);
  if (sellerId !== undefined) unmatched.push(sql`claimed_seller = ${sellerId}`);
  if (recordId !== undefined) unmatched.push(sql`claimed_record = ${recordId}`);
  const unverified = [...common];
  const isOther = outcome !== undefined && outcome !== 'PENDING';
  if (isOther || sellerId !== undefined) unverified.push(sql`false`);
  if (recordId !== undefined) unverified.push(sql`claimed_record = ${recordId.replaceAll('-', '')}`);
  return { stored: all(stored), unmatched: all(unmatched), unverified: all(unverified) };
}

/** Ids start with the time of receipt, so a period is a range of ids. */
function commonConditions(
  { provider, period }: ProviderEventFilter,
  after: string | undefined,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  if (provider !== undefined) conditions.push(sql`provider = ${provider}`);
  if (period.from !== undefined) conditions.push(sql`id >= ${minIdAt(period.from.getTime())}`);
  if (period.before !== undefined) conditions.push(sql`id < ${minIdAt(period.before.getTime())}`);
  return conditions;
}

const all = (rules: readonly RawBuilder<unknown>[]) =>
  rules.length === 0 ? sql`true` : sql.join(rules, sql` AND `);
