import { sql, type RawBuilder } from 'kysely';

import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { Origin } from './entries.ts';
import { dayOf, disableSeqScans } from './entry-times.ts';
import { NO_PROVIDER, type MovementWindow } from './provider-movements.ts';
import type { EntryPeriod } from './store-movement-totals.ts';

/** What a provider costs for each charge of an origin that is paid in a period. */
export interface CostRate {
  readonly provider: string;
  readonly origin: Origin;
  readonly fixedCents: number;
  readonly basisPoints: number;
  readonly from: Date;
  /** Null: until now. */
  readonly before: Date | null;
}

export interface ChargeCosts {
  readonly rates: readonly CostRate[];
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

export const REVENUE_GROUPS = ['day', 'month', 'seller', 'method'] as const;
export type RevenueGroup = (typeof REVENUE_GROUPS)[number];

/** What the gateway earned. Amounts in cents. */
interface Revenue {
  /** The number of payments. */
  readonly charges: number;
  readonly volume: number;
  readonly fees: number;
  readonly costs: number;
  readonly refunds: number;
  readonly chargebacks: number;
}

export interface GroupedRevenue extends Revenue {
  /** A day, a month (`YYYY-MM`), a seller's id or an origin. */
  readonly key: string;
  /** Null unless grouped by seller. */
  readonly sellerName: string | null;
}

/** Days are inclusive. */
export interface RevenueScope {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly groupBy: RevenueGroup;
  readonly limit: number;
}

const SUMS = sql`sum(charges)::bigint AS charges, sum(volume)::bigint AS volume, sum(fees)::bigint AS fees,
  sum(costs)::bigint AS costs, sum(refunds)::bigint AS refunds, sum(chargebacks)::bigint AS chargebacks`;
const COLUMNS = sql`charges, volume, fees, costs, refunds, chargebacks`;
/** Adds a row that conflicts to the row `t`. */
const ADD_EXCLUDED = sql`charges = t.charges + excluded.charges, volume = t.volume + excluded.volume,
  fees = t.fees + excluded.fees, costs = t.costs + excluded.costs, refunds = t.refunds + excluded.refunds,
  chargebacks = t.chargebacks + excluded.chargebacks`;

/** SQL: the rates `r` as rows. */
const ratesAsRows = (rates: readonly CostRate[]) => sql`
  json_to_recordset(${JSON.stringify(
    rates.map(({ provider, origin, fixedCents, basisPoints, from, before }) => ({
      provider,
      origin,
      fixed: fixedCents,
      bps: basisPoints,
      since: from,
      until: before,
    })),
  )}::json) AS r (provider text, origin text, fixed bigint, bps bigint, since timestamptz,
      until timestamptz)`;

/**
 * SQL: the provider that reported each payment `e`, and the rate at its time. Each charge is
 * rounded as fees are, so that the sums of every grouping are equal.
 */
const withCosts = ({ rates, defaultProviders }: ChargeCosts) =>
  rates.length === 0
    ? { cost: sql`0`, joins: sql`` }
    : {
        cost: sql`coalesce(r.fixed + (e.amount * r.bps + 5000) / 10000, 0)`,
        joins: sql`
      LEFT JOIN LATERAL (
        SELECT provider FROM provider_events p WHERE e.cause = 'PAYMENT' AND p.seller_id = e.seller_id
          AND p.record_id = e.record_id AND p.kind IN ('PAYMENT', 'CAPTURE') AND p.outcome = 'APPLIED'
        OFFSET 0
      ) paid ON true
      LEFT JOIN ${ratesAsRows(rates)} ON e.cause = 'PAYMENT' AND r.origin = e.origin
        AND r.provider = coalesce(paid.provider,
          ${JSON.stringify(defaultProviders)}::json ->> e.origin, ${NO_PROVIDER})
        AND e.created_at >= r.since AND (r.until IS NULL OR e.created_at < r.until)`,
      };

/** SQL: the revenue of the entries of a period by day, seller and origin. */
function revenueOf({ from, before }: EntryPeriod, costs: ChargeCosts): RawBuilder<unknown> {
  const { cost, joins } = withCosts(costs);
  return sql`
    SELECT ${dayOf('e.created_at')} AS day, e.seller_id, e.origin,
      count(*) FILTER (WHERE e.cause = 'PAYMENT') AS charges,
      coalesce(sum(e.amount) FILTER (WHERE e.cause = 'PAYMENT'), 0) AS volume,
      coalesce(sum(e.amount) FILTER (WHERE e.credit = 'fees'), 0) AS fees,
      coalesce(sum(${cost}) FILTER (WHERE e.cause = 'PAYMENT'), 0) AS costs,
      coalesce(sum(CASE e.cause WHEN 'REFUND' THEN e.amount WHEN 'REFUND_REVERSED' THEN -e.amount END), 0)
        AS refunds,
      coalesce(sum(e.amount) FILTER (WHERE e.cause IN ('CHARGEBACK', 'DISPUTE_LOST')), 0) AS chargebacks
    FROM ledger_entries e ${joins}
    WHERE e.created_at >= ${from} AND e.created_at < ${before} AND (e.credit = 'fees'
      OR e.cause IN ('PAYMENT', 'REFUND', 'REFUND_REVERSED', 'CHARGEBACK', 'DISPUTE_LOST'))
    GROUP BY 1, 2, 3`;
}

/** Adds the entries of a period to the totals. */
export async function addToRevenueTotals(
  trx: DatabaseTransaction,
  period: EntryPeriod,
  costs: ChargeCosts,
): Promise<void> {
  await disableSeqScans(trx);
  await sql`
    WITH added AS MATERIALIZED (${revenueOf(period, costs)}), by_seller AS (
      INSERT INTO seller_revenue_totals AS t (day, seller_id, origin, ${COLUMNS})
      SELECT day, seller_id, origin, ${COLUMNS} FROM added
      ON CONFLICT (day, seller_id, origin) DO UPDATE SET ${ADD_EXCLUDED}
    )
    INSERT INTO revenue_totals AS t (day, origin, ${COLUMNS})
    SELECT day, origin, ${SUMS} FROM added GROUP BY day, origin
    ON CONFLICT (day, origin) DO UPDATE SET ${ADD_EXCLUDED}`.execute(trx);
}

/** Removes the totals of some days, both inclusive. */
export async function removeRevenueTotals(
  trx: DatabaseTransaction,
  from: LocalDate,
  to: LocalDate,
): Promise<void> {
  for (const table of ['revenue_totals', 'seller_revenue_totals'] as const)
    await trx
      .deleteFrom(table)
      .where(sql<boolean>`day >= ${from}::date AND day <= ${to}::date`)
      .execute();
}

const KEYS: Readonly<Record<RevenueGroup, RawBuilder<unknown>>> = {
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  month: sql`to_char(day, 'YYYY-MM')`,
  seller: sql`seller_id::text`,
  method: sql`origin`,
};

/** SQL: the stored totals of some days. */
const storedRows = ({ from, to, groupBy }: RevenueScope) =>
  groupBy === 'seller'
    ? sql`SELECT day, seller_id, origin, ${COLUMNS} FROM seller_revenue_totals
        WHERE day >= ${from}::date AND day <= ${to}::date`
    : sql`SELECT day, NULL::uuid AS seller_id, origin, ${COLUMNS} FROM revenue_totals
        WHERE day >= ${from}::date AND day <= ${to}::date`;

/**
 * Sums the stored totals of some days, unless they are not to be used, and the entries of a period
 * that they do not include. By seller the highest fees come first; other groups are in order.
 */
export async function sumRevenue(
  trx: DatabaseTransaction,
  scope: RevenueScope,
  costs: ChargeCosts,
  { stored, recent }: { readonly stored: boolean; readonly recent: EntryPeriod | undefined },
): Promise<readonly GroupedRevenue[]> {
  const { groupBy, limit } = scope;
  await disableSeqScans(trx);
  const parts = [
    ...(stored ? [storedRows(scope)] : []),
    ...(recent === undefined ? [] : [revenueOf(recent, costs)]),
  ];
  if (parts.length === 0) return [];
  const grouped = sql`
    SELECT ${KEYS[groupBy]} AS key, ${SUMS} FROM (${sql.join(parts, sql` UNION ALL `)}) rows GROUP BY 1`;
  const { rows } = await (
    groupBy === 'seller'
      ? sql<GroupedRevenue>`
        SELECT g.*, s.name AS "sellerName" FROM (
          SELECT * FROM (${grouped}) sums ORDER BY fees DESC, key LIMIT ${limit}
        ) g LEFT JOIN sellers s ON s.id = g.key::uuid ORDER BY g.fees DESC, g.key`
      : sql<GroupedRevenue>`
        SELECT g.*, NULL AS "sellerName" FROM (${grouped}) g ORDER BY g.key LIMIT ${limit}`
  ).execute(trx);
  return rows;
}
