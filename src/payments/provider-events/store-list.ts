import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { Page } from '#platform/http/pagination.ts';
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

/**
 * Returns the events of all providers, newest first; one more than `take` if there is a next page.
 */
export async function findProviderEvents(
  db: Db,
  filter: ProviderEventFilter,
  { take, skip, after }: Page,
): Promise<readonly StoredProviderEvent[]> {
  const { matched, unmatched, unverified } = conditionsOf(filter, after);
  const maxRows = skip + take + 1;
  // Each part has its own limit: no index orders the union of both.
  const { rows } = await sql<StoredProviderEvent>`
    (SELECT id, outcome, provider, provider_event_id AS "reportId", kind, seller_id::text AS "sellerId",
      record_id::text AS "recordId", amount, occurred_at AS "occurredAt", received_at AS "receivedAt", detail
    FROM provider_events WHERE ${matched} ORDER BY id DESC LIMIT ${maxRows})
    UNION ALL
    (SELECT id, 'UNMATCHED', provider, provider_event_id, kind, claimed_seller, claimed_record, amount,
      occurred_at, received_at, detail
    FROM unmatched_provider_events WHERE ${unmatched} ORDER BY id DESC LIMIT ${maxRows})
    UNION ALL
    (SELECT id, 'PENDING', provider, provider_event_id, 'PAYMENT', '', claimed_record, amount,
      occurred_at, received_at, 'not confirmed by the provider after ' || attempts || ' attempts'
    FROM unverified_payments WHERE ${unverified} ORDER BY id DESC LIMIT ${maxRows})
    ORDER BY id DESC LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  return rows;
}

export async function countProviderEvents(db: Db, filter: ProviderEventFilter): Promise<number> {
  const { matched, unmatched, unverified } = conditionsOf(filter, undefined);
  const { rows } = await sql<{ count: number }>`
    SELECT (SELECT count(*) FROM provider_events WHERE ${matched})
      + (SELECT count(*) FROM unmatched_provider_events WHERE ${unmatched})
      + (SELECT count(*) FROM unverified_payments WHERE ${unverified}) AS count`.execute(db);
  return rows[0]?.count ?? 0;
}

function conditionsOf(filter: ProviderEventFilter, after: string | undefined) {
  const { outcome, sellerId, recordId } = filter;
  const common = commonConditions(filter, after);
  const matched = [...common];
  if (outcome !== undefined) matched.push(sql`outcome = ${outcome}`);
  if (sellerId !== undefined) matched.push(sql`seller_id = ${sellerId}`);
  if (recordId !== undefined) {
    // The index by record starts with the seller, which the record determines.
    matched.push(sql`record_id = ${recordId} AND seller_id IN (
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
  return { matched: all(matched), unmatched: all(unmatched), unverified: all(unverified) };
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
