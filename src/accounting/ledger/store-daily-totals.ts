import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS, type EntryCause, type Origin } from './entries.ts';

/** The money of a period. Amounts in cents. */
export interface Totals {
  /** The number of payments. */
  readonly payments: number;
  readonly volume: number;
  readonly fees: number;
  readonly refunded: number;
  readonly chargedBack: number;
}

/**
 * Totals of one day or hour and origin. `start` is a date (`YYYY-MM-DD`) or the start of an hour.
 */
export interface OriginTotals extends Totals {
  readonly start: string;
  readonly origin: Origin;
}

export interface BalanceKey {
  readonly sellerId: string;
  readonly origin: Origin;
}

const TIME_ZONE = sql`'America/Sao_Paulo'`;
const NO_ENTRY = '00000000-0000-0000-0000-000000000000';
const COUNTED_CAUSES: readonly EntryCause[] = [
  'PAYMENT',
  'PAYMENT_FEE',
  'REFUND',
  'REFUND_REVERSED',
  'CHARGEBACK',
  'DISPUTE_LOST',
];

/**
 * Aggregates over entries `e`. A refund counts once the money has left: not while it is only
 * reserved for an external provider, and no longer when the payer's bank has rejected it.
 */
const TOTALS_COLUMNS = sql`
  count(*) FILTER (WHERE e.cause = 'PAYMENT') AS payments,
  coalesce(sum(e.amount) FILTER (WHERE e.cause = 'PAYMENT'), 0)::bigint AS volume,
  coalesce(sum(e.amount) FILTER (WHERE e.cause = 'PAYMENT_FEE'), 0)::bigint AS fees,
  coalesce(sum(CASE
    WHEN e.cause = 'REFUND' AND e.credit = 'provider' THEN e.amount
    WHEN e.cause = 'REFUND_REVERSED' THEN -e.amount END), 0)::bigint AS refunded,
  coalesce(sum(e.amount) FILTER (WHERE e.cause IN ('CHARGEBACK', 'DISPUTE_LOST')), 0)::bigint
    AS charged_back`;

/** Returns balances with at least `minEntries` entries after their cursor. */
export async function findBalancesBehindTotals(
  db: Db,
  minEntries: number,
  limit: number,
): Promise<readonly BalanceKey[]> {
  const { rows } = await sql<BalanceKey>`
    SELECT w.seller_id AS "sellerId", w.origin FROM wallets w
    LEFT JOIN ledger_daily_total_cursors c ON c.seller_id = w.seller_id AND c.origin = w.origin
    WHERE w.entries - coalesce(c.position, 0) >= ${minEntries} LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Adds the next entries of a balance to the totals of their days, advances its cursor, and returns
 * how many entries it added. The lock on the cursor makes concurrent calls add each entry once.
 * Entries of a balance are numbered under the lock of its wallet, so what a statement sees after
 * the cursor has no gap.
 */
export async function addNextEntriesToTotals(
  trx: DatabaseTransaction,
  { sellerId, origin }: BalanceKey,
  chunkSize: number,
): Promise<number> {
  await trx
    .insertInto('ledger_daily_total_cursors')
    .values({ seller_id: sellerId, origin, position: 0, entry_id: NO_ENTRY })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const cursor = await trx
    .selectFrom('ledger_daily_total_cursors')
    .select('entry_id')
    .where((eb) => eb.and({ seller_id: sellerId, origin }))
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ entries: number }>`
    WITH chunk AS MATERIALIZED (
      SELECT * FROM ledger_entries
      WHERE seller_id = ${sellerId} AND origin = ${origin} AND id > ${cursor.entry_id}
      ORDER BY id LIMIT ${chunkSize}
    ), updated_totals AS (
      INSERT INTO ledger_daily_totals AS t
        (seller_id, origin, day, payments, volume, fees, refunded, charged_back)
      SELECT ${sellerId}::uuid, ${origin}, (e.created_at AT TIME ZONE ${TIME_ZONE})::date, ${TOTALS_COLUMNS}
      FROM chunk e WHERE e.cause = ANY (${[...COUNTED_CAUSES]}::text[]) GROUP BY 3
      ON CONFLICT (seller_id, origin, day) DO UPDATE SET payments = t.payments + excluded.payments,
        volume = t.volume + excluded.volume, fees = t.fees + excluded.fees,
        refunded = t.refunded + excluded.refunded, charged_back = t.charged_back + excluded.charged_back
    ), advanced_cursor AS (
      UPDATE ledger_daily_total_cursors SET position = last.position, entry_id = last.id
      FROM (SELECT position, id FROM chunk ORDER BY id DESC LIMIT 1) last
      WHERE seller_id = ${sellerId} AND origin = ${origin}
    )
    SELECT count(*) AS entries FROM chunk`.execute(trx);
  return rows[0]?.entries ?? 0;
}

/** A period, and its days in São Paulo; both ends `before` are exclusive. */
export interface DaySpan {
  readonly from: Date;
  readonly before: Date;
  readonly fromDay: string;
  readonly beforeDay: string;
}

/**
 * Returns the totals of each day and origin with entries: stored totals plus the entries after
 * their cursor.
 */
export async function findDailyTotals(
  db: Db,
  sellerId: string,
  { from, before, fromDay, beforeDay }: DaySpan,
): Promise<readonly OriginTotals[]> {
  const { rows } = await sql<OriginTotals>`
    SELECT to_char(day, 'YYYY-MM-DD') AS start, origin, sum(payments)::bigint AS payments,
      sum(volume)::bigint AS volume, sum(fees)::bigint AS fees, sum(refunded)::bigint AS refunded,
      sum(charged_back)::bigint AS "chargedBack"
    FROM (
      SELECT day, origin, payments, volume, fees, refunded, charged_back FROM ledger_daily_totals
      WHERE seller_id = ${sellerId} AND day >= ${fromDay}::date AND day < ${beforeDay}::date
      UNION ALL
      SELECT recent.* FROM unnest(${[...ORIGINS]}::text[]) AS o (origin)
      LEFT JOIN ledger_daily_total_cursors c ON c.seller_id = ${sellerId} AND c.origin = o.origin
      CROSS JOIN LATERAL (
        SELECT (e.created_at AT TIME ZONE ${TIME_ZONE})::date, e.origin, ${TOTALS_COLUMNS}
        FROM ledger_entries e
        WHERE e.seller_id = ${sellerId} AND e.origin = o.origin AND e.id > coalesce(c.entry_id, ${NO_ENTRY})
          AND ${inSpan(from, before)}
        GROUP BY 1, 2
      ) recent
    ) totals
    GROUP BY day, origin`.execute(db);
  return rows;
}

/** Returns the totals of each hour and origin with entries. */
export async function findHourlyTotals(
  db: Db,
  sellerId: string,
  { from, before }: DaySpan,
): Promise<readonly OriginTotals[]> {
  const { rows } = await sql<
    Omit<OriginTotals, 'start' | 'chargedBack'> & { start: Date; charged_back: number }
  >`
    SELECT hours.* FROM unnest(${[...ORIGINS]}::text[]) AS o (origin) CROSS JOIN LATERAL (
      SELECT date_trunc('hour', e.created_at) AS start, e.origin, ${TOTALS_COLUMNS} FROM ledger_entries e
      WHERE e.seller_id = ${sellerId} AND e.origin = o.origin AND ${inSpan(from, before)}
      GROUP BY 1, 2
    ) hours`.execute(db);
  return rows.map(({ start, charged_back: chargedBack, ...totals }) => ({
    ...totals,
    start: start.toISOString(),
    chargedBack,
  }));
}

/**
 * Limits the index range by the time in the id. That time is never before the entry's own, and may
 * be slightly after it when the clocks of nodes differ.
 */
const inSpan = (from: Date, before: Date) => sql`
  e.id >= ${minIdAt(from.getTime())} AND e.id < ${minIdAt(before.getTime() + 3_600_000)}
  AND e.created_at >= ${from} AND e.created_at < ${before}
  AND e.cause = ANY (${[...COUNTED_CAUSES]}::text[])`;
