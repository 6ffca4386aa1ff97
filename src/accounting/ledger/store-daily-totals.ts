import { sql, type RawBuilder } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { idDaySql } from '#platform/database/id-days.ts';
import { MIN_ID, minIdAt } from '#platform/kit/ids.ts';
import { ORIGINS, type EntryCause, type Origin } from './entries.ts';

/** The money of a period. Amounts in cents. */
interface Totals {
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
/** The cents of an entry `e` that credit the provider. */
const TO_PROVIDER = sql`CASE e.credit WHEN 'provider' THEN e.amount ELSE 0 END`;
const DAY_OF_ENTRY = sql`(e.created_at AT TIME ZONE ${TIME_ZONE})::date`;
/** Ids of records begin with the time of their creation. */
const DAY_OF_RECORD = sql.raw(idDaySql('e.record_id'));
const HOUR_OF_ENTRY = sql`date_trunc('hour', e.created_at)`;
/**
 * Aggregates over rows with `cause`, `entries`, `amount` and `to_provider`. A refund counts once
 * the money has left: not while it is only reserved for an external provider, and no longer when
 * the payer's bank has rejected it.
 */
const TOTALS_COLUMNS = sql`
  coalesce(sum(entries) FILTER (WHERE cause = 'PAYMENT'), 0)::bigint AS payments,
  coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT'), 0)::bigint AS volume,
  coalesce(sum(amount) FILTER (WHERE cause = 'PAYMENT_FEE'), 0)::bigint AS fees,
  coalesce(sum(CASE cause WHEN 'REFUND' THEN to_provider WHEN 'REFUND_REVERSED' THEN -amount END), 0)::bigint
    AS refunded,
  coalesce(sum(amount) FILTER (WHERE cause IN ('CHARGEBACK', 'DISPUTE_LOST')), 0)::bigint AS "chargedBack"`;

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
 * Adds the next entries of a balance to its totals, advances its cursor, and returns how many
 * entries it added. The lock on the cursor makes concurrent calls add each entry once.
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
    .values({ seller_id: sellerId, origin, position: 0, entry_id: MIN_ID })
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
    ), updated_days AS (
      ${addToTotals('ledger_daily_totals', 'day', DAY_OF_ENTRY)}
    ), updated_hours AS (
      ${addToTotals('ledger_hourly_totals', 'hour', HOUR_OF_ENTRY)}
    ), updated_payments AS (
      INSERT INTO ledger_payment_totals AS t (seller_id, origin, day, payments)
      SELECT e.seller_id, e.origin, ${DAY_OF_RECORD}, count(*) FROM chunk e
      WHERE e.cause = 'PAYMENT' GROUP BY 1, 2, 3
      ON CONFLICT (seller_id, origin, day) DO UPDATE SET payments = t.payments + excluded.payments
    ), advanced_cursor AS (
      UPDATE ledger_daily_total_cursors SET position = last.position, entry_id = last.id
      FROM (SELECT position, id FROM chunk ORDER BY id DESC LIMIT 1) last
      WHERE seller_id = ${sellerId} AND origin = ${origin}
    )
    SELECT count(*) AS entries FROM chunk`.execute(trx);
  return rows[0]?.entries ?? 0;
}

/** SQL: adds the entries of `chunk` to a table of totals by day or hour. */
const addToTotals = (table: string, unit: string, start: RawBuilder<unknown>) => sql`
  INSERT INTO ${sql.table(table)} AS t (seller_id, origin, ${sql.ref(unit)}, cause, entries, amount,
    to_provider)
  SELECT e.seller_id, e.origin, ${start}, e.cause, count(*), sum(e.amount), sum(${TO_PROVIDER})
  FROM chunk e GROUP BY 1, 2, 3, 4
  ON CONFLICT (seller_id, origin, ${sql.ref(unit)}, cause) DO UPDATE SET
    entries = t.entries + excluded.entries, amount = t.amount + excluded.amount,
    to_provider = t.to_provider + excluded.to_provider`;

/** A period, and its days in São Paulo; both ends `before` are exclusive. */
export interface DaySpan {
  readonly from: Date;
  readonly before: Date;
  readonly fromDay: string;
  readonly beforeDay: string;
}

/** The last entry of a balance that the totals include. */
interface Cursor {
  readonly origin: Origin;
  readonly entryId: string;
}

/**
 * Returns the totals of each day and origin with entries: stored totals plus the entries after
 * their cursor. Both are read from one snapshot.
 */
export async function findDailyTotals(
  trx: DatabaseTransaction,
  sellerId: string,
  span: DaySpan,
): Promise<readonly OriginTotals[]> {
  const stored = sql`
    SELECT day, origin, cause, entries, amount, to_provider FROM ledger_daily_totals
    WHERE seller_id = ${sellerId} AND day >= ${span.fromDay}::date AND day < ${span.beforeDay}::date`;
  const recent = await recentEntries(trx, sellerId, DAY_OF_ENTRY, span);
  return findTotals(trx, sql`to_char(start, 'YYYY-MM-DD')`, stored, recent);
}

/** Returns the totals of each hour and origin with entries, in the same way. */
export async function findHourlyTotals(
  trx: DatabaseTransaction,
  sellerId: string,
  span: DaySpan,
): Promise<readonly OriginTotals[]> {
  const label = sql`to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const stored = sql`
    SELECT hour, origin, cause, entries, amount, to_provider FROM ledger_hourly_totals
    WHERE seller_id = ${sellerId} AND hour >= ${span.from} AND hour < ${span.before}`;
  return findTotals(trx, label, stored, await recentEntries(trx, sellerId, HOUR_OF_ENTRY, span));
}

async function findTotals(
  db: Db,
  label: RawBuilder<unknown>,
  stored: RawBuilder<unknown>,
  recent: RawBuilder<unknown>,
): Promise<readonly OriginTotals[]> {
  const { rows } = await sql<OriginTotals>`
    SELECT ${label} AS start, origin, ${TOTALS_COLUMNS}
    FROM (${stored} UNION ALL ${recent}) totals (start, origin, cause, entries, amount, to_provider)
    GROUP BY totals.start, origin`.execute(db);
  return rows;
}

/** SQL: the entries of a period after the cursors, as rows of the totals. */
async function recentEntries(
  trx: DatabaseTransaction,
  sellerId: string,
  start: RawBuilder<unknown>,
  { from, before }: DaySpan,
): Promise<RawBuilder<unknown>> {
  const cursors = await findCursors(trx, sellerId);
  const columns = sql`${start}, e.origin, e.cause, 1, e.amount, ${TO_PROVIDER}`;
  return entriesAfter(sellerId, cursors, columns, inSpan(from, before));
}

async function findCursors(trx: DatabaseTransaction, sellerId: string): Promise<readonly Cursor[]> {
  const { rows } = await sql<Cursor>`
    SELECT o.origin, coalesce(c.entry_id, ${MIN_ID}) AS "entryId"
    FROM ${cursorsOf(sellerId, ORIGINS)}`.execute(trx);
  return rows;
}

/** SQL: the cursors `c` of some origins `o`. */
const cursorsOf = (sellerId: string, origins: readonly Origin[]) => sql`
  unnest(${[...origins]}::text[]) AS o (origin)
  LEFT JOIN ledger_daily_total_cursors c ON c.seller_id = ${sellerId} AND c.origin = o.origin`;

/**
 * SQL: the entries `e` that no total includes. The cursors are values, not a join, because
 * PostgreSQL would expect a third of all entries after them and read the whole table.
 */
const entriesAfter = (
  sellerId: string,
  cursors: readonly Cursor[],
  columns: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
) =>
  sql.join(
    cursors.map(
      ({ origin, entryId }) => sql`
        SELECT ${columns} FROM ledger_entries e
        WHERE e.seller_id = ${sellerId} AND e.origin = ${origin} AND e.id > ${entryId} AND ${condition}`,
    ),
    sql` UNION ALL `,
  );

/**
 * Limits the index range by the time in the id. That time is never before the entry's own, and may
 * be slightly after it when the clocks of nodes differ.
 */
const inSpan = (from: Date, before: Date) => sql`
  e.id >= ${minIdAt(from.getTime())} AND e.id < ${minIdAt(before.getTime() + 3_600_000)}
  AND e.created_at >= ${from} AND e.created_at < ${before}`;

/** The payments of one origin. */
export interface PaymentCount {
  readonly origin: Origin;
  readonly payments: number;
}

/**
 * Counts the payments, on any day, of the transactions that were created in a period: stored totals
 * plus the entries after their cursor. A transaction is paid once. Both are read from one snapshot.
 * OFFSET 0 keeps PostgreSQL from reading all entries of the period's records.
 */
export async function countPaymentsByCreation(
  trx: DatabaseTransaction,
  sellerId: string,
  { from, before, fromDay, beforeDay }: DaySpan,
): Promise<readonly PaymentCount[]> {
  const recent = entriesAfter(
    sellerId,
    await findCursors(trx, sellerId),
    sql`e.origin, e.record_id`,
    sql`e.cause = 'PAYMENT'`,
  );
  const { rows } = await sql<PaymentCount>`
    SELECT origin, sum(payments)::bigint AS payments FROM (
      SELECT origin, payments FROM ledger_payment_totals
      WHERE seller_id = ${sellerId} AND origin = ANY (${[...ORIGINS]}::text[])
        AND day >= ${fromDay}::date AND day < ${beforeDay}::date
      UNION ALL
      SELECT origin, 1 FROM (${recent} OFFSET 0) recent
      WHERE record_id >= ${minIdAt(from.getTime())} AND record_id < ${minIdAt(before.getTime())}
    ) counted GROUP BY origin`.execute(trx);
  return rows;
}

/** Entries to count. Both ends of the days may be undefined; `beforeDay` is exclusive. */
export interface EntryCountFilter {
  readonly origins: readonly Origin[];
  readonly cause: EntryCause | undefined;
  readonly period: { readonly from: Date | undefined; readonly before: Date | undefined };
  readonly fromDay: string | undefined;
  readonly beforeDay: string | undefined;
}

/**
 * Counts the entries of whole days exactly: stored totals plus the entries after their cursor.
 * Entries are only appended, so that the second statement may see more than the first.
 */
export async function countEntriesOfDays(
  db: Db,
  sellerId: string,
  { origins, cause, period, fromDay, beforeDay }: EntryCountFilter,
): Promise<number> {
  const ofCause = cause === undefined ? sql`true` : sql`cause = ${cause}`;
  const { rows: cursors } = await sql<Cursor & { readonly entries: number }>`
    SELECT o.origin, coalesce(c.entry_id, ${MIN_ID}) AS "entryId", (
      SELECT coalesce(sum(t.entries), 0)::bigint FROM ledger_daily_totals t
      WHERE t.seller_id = ${sellerId} AND t.origin = o.origin AND ${ofCause}
        AND t.day >= coalesce(${fromDay ?? null}::date, '-infinity')
        AND t.day < coalesce(${beforeDay ?? null}::date, 'infinity')
    ) AS entries
    FROM ${cursorsOf(sellerId, origins)}`.execute(db);
  const { from, before } = period;
  const condition = sql.join(
    [
      ofCause,
      ...(from === undefined ? [] : [sql`e.id >= ${minIdAt(from.getTime())}`]),
      ...(before === undefined ? [] : [sql`e.id < ${minIdAt(before.getTime())}`]),
    ],
    sql` AND `,
  );
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (${entriesAfter(sellerId, cursors, sql`e.id`, condition)}) recent`.execute(db);
  return cursors.reduce((sum, { entries }) => sum + entries, rows[0]?.count ?? 0);
}
