import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS, type EntryCause, type Origin } from './entries.ts';

/** What the ledger moved in some time, in cents. */
export interface Totals {
  /** How many payments. */
  readonly payments: number;
  readonly volume: number;
  readonly fees: number;
  readonly refunded: number;
  readonly chargedBack: number;
}

/** Sums of one span of time and origin. `start` is a day (`YYYY-MM-DD`) or the first instant of an hour. */
export interface OriginTotals extends Totals {
  readonly start: string;
  readonly origin: Origin;
}

/** A balance of which entries wait to be summed. */
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

/** Over entries `e`. Money that a refund through a provider of others has only set aside is not returned yet, and what came back is not any more. */
const TOTALS_COLUMNS = sql`
  count(*) FILTER (WHERE e.cause = 'PAYMENT') AS payments,
  coalesce(sum(e.amount) FILTER (WHERE e.cause = 'PAYMENT'), 0)::bigint AS volume,
  coalesce(sum(e.amount) FILTER (WHERE e.cause = 'PAYMENT_FEE'), 0)::bigint AS fees,
  coalesce(sum(CASE WHEN e.cause = 'REFUND' AND e.credit = 'provider' THEN e.amount WHEN e.cause = 'REFUND_REVERSED' THEN -e.amount END), 0)::bigint AS refunded,
  coalesce(sum(e.amount) FILTER (WHERE e.cause IN ('CHARGEBACK', 'DISPUTE_LOST')), 0)::bigint AS charged_back`;

/** Balances with so many entries or more behind their mark. */
export async function findBalancesBehindTotals(
  db: Db,
  atLeast: number,
  limit: number,
): Promise<readonly BalanceKey[]> {
  const { rows } = await sql<BalanceKey>`
    SELECT w.seller_id AS "sellerId", w.origin FROM wallets w
    LEFT JOIN ledger_daily_total_cursors m ON m.seller_id = w.seller_id AND m.origin = w.origin
    WHERE w.entries - coalesce(m.position, 0) >= ${atLeast} LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Adds the next entries of a balance to the sums of their days and moves its mark; answers how many there were. The
 * mark's lock lets each entry be added once, whoever sums beside. Entries of a balance are numbered under the lock of
 * its wallet, so what a statement sees behind the mark has no gap.
 */
export async function addNextEntriesToTotals(
  trx: Db,
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
    .where('seller_id', '=', sellerId)
    .where('origin', '=', origin)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ entries: number }>`
    WITH part AS MATERIALIZED (
      SELECT * FROM ledger_entries
      WHERE seller_id = ${sellerId} AND origin = ${origin} AND id > ${cursor.entry_id}
      ORDER BY id LIMIT ${chunkSize}
    ), summed AS (
      INSERT INTO ledger_daily_totals AS kept (seller_id, origin, day, payments, volume, fees, refunded, charged_back)
      SELECT ${sellerId}::uuid, ${origin}, (e.created_at AT TIME ZONE ${TIME_ZONE})::date, ${TOTALS_COLUMNS}
      FROM part e WHERE e.cause = ANY (${[...COUNTED_CAUSES]}::text[]) GROUP BY 3
      ON CONFLICT (seller_id, origin, day) DO UPDATE SET payments = kept.payments + excluded.payments,
        volume = kept.volume + excluded.volume, fees = kept.fees + excluded.fees,
        refunded = kept.refunded + excluded.refunded, charged_back = kept.charged_back + excluded.charged_back
    ), moved AS (
      UPDATE ledger_daily_total_cursors SET position = last.position, entry_id = last.id
      FROM (SELECT position, id FROM part ORDER BY id DESC LIMIT 1) last
      WHERE seller_id = ${sellerId} AND origin = ${origin}
    )
    SELECT count(*) AS entries FROM part`.execute(trx);
  return rows[0]?.entries ?? 0;
}

/** A span of time, and its days in São Paulo, the last one not among them. */
export interface DaySpan {
  readonly from: Date;
  readonly before: Date;
  readonly fromDay: string;
  readonly beforeDay: string;
}

/** The sums of each day and origin in which anything moved: those kept, and the entries behind their marks. */
export async function findDailyTotals(
  db: Db,
  sellerId: string,
  { from, before, fromDay, beforeDay }: DaySpan,
): Promise<readonly OriginTotals[]> {
  const { rows } = await sql<OriginTotals>`
    SELECT to_char(day, 'YYYY-MM-DD') AS start, origin, sum(payments)::bigint AS payments, sum(volume)::bigint AS volume,
      sum(fees)::bigint AS fees, sum(refunded)::bigint AS refunded, sum(charged_back)::bigint AS "chargedBack"
    FROM (
      SELECT day, origin, payments, volume, fees, refunded, charged_back FROM ledger_daily_totals
      WHERE seller_id = ${sellerId} AND day >= ${fromDay}::date AND day < ${beforeDay}::date
      UNION ALL
      SELECT late.* FROM unnest(${[...ORIGINS]}::text[]) AS o (origin)
      LEFT JOIN ledger_daily_total_cursors m ON m.seller_id = ${sellerId} AND m.origin = o.origin
      CROSS JOIN LATERAL (
        SELECT (e.created_at AT TIME ZONE ${TIME_ZONE})::date, e.origin, ${TOTALS_COLUMNS} FROM ledger_entries e
        WHERE e.seller_id = ${sellerId} AND e.origin = o.origin AND e.id > coalesce(m.entry_id, ${NO_ENTRY})
          AND ${inSpan(from, before)}
        GROUP BY 1, 2
      ) late
    ) parts
    GROUP BY day, origin`.execute(db);
  return rows;
}

/** The sums of each hour and origin in which anything moved, by the entries themselves. */
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
  return rows.map(({ start, charged_back: chargedBack, ...sums }) => ({
    ...sums,
    start: start.toISOString(),
    chargedBack,
  }));
}

/** The time in an entry's id is never before that of the entry; where clocks of nodes differ it may be a little after. */
const inSpan = (from: Date, before: Date) => sql`
  e.id >= ${minIdAt(from.getTime())} AND e.id < ${minIdAt(before.getTime() + 3_600_000)}
  AND e.created_at >= ${from} AND e.created_at < ${before} AND e.cause = ANY (${[...COUNTED_CAUSES]}::text[])`;
