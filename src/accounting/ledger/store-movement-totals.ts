import { sql } from 'kysely';

import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { dayOf, disableSeqScans } from './entry-times.ts';
import { movementAmounts, NO_PROVIDER, type MovementWindow } from './provider-movements.ts';

/** How far the stored totals of provider movements are. */
export interface TotalsCursor {
  /** The totals include the entries with an earlier time. */
  readonly before: Date;
  /** How many. */
  readonly entries: number;
  /** Entries that the wallets number and the ledger does not contain: they were deleted. */
  readonly missing: number;
}

const CURSOR = sql`
  SELECT included_before AS before, entries, missing FROM provider_movement_cursor`;

export async function findTotalsCursor(db: Db): Promise<TotalsCursor> {
  const { rows } = await sql<TotalsCursor>`${CURSOR}`.execute(db);
  const [cursor] = rows;
  if (cursor === undefined) throw new Error('provider_movement_cursor has no row');
  return cursor;
}

/** Returns undefined while another worker holds the cursor. */
export async function lockTotalsCursor(trx: DatabaseTransaction): Promise<TotalsCursor | undefined> {
  const { rows } = await sql<TotalsCursor>`${CURSOR} FOR UPDATE SKIP LOCKED`.execute(trx);
  return rows[0];
}

export async function saveTotalsCursor(
  trx: DatabaseTransaction,
  { before, entries, missing }: TotalsCursor,
): Promise<void> {
  await trx
    .updateTable('provider_movement_cursor')
    .set({ included_before: before, entries, missing })
    .execute();
}

/** After every entry. */
const END = new Date('9999-01-01T00:00:00Z');

/** The entries that no total includes, and how many the wallets have numbered in all. */
export interface EntryCounts {
  readonly newer: number;
  /** Those before the limit. */
  readonly ready: number;
  /** The time of the first one. */
  readonly firstAt: Date | null;
  readonly numbered: number;
}

/** Counts in one snapshot. */
export async function countNewEntries(
  trx: DatabaseTransaction,
  since: Date,
  limit: Date,
): Promise<EntryCounts> {
  await disableSeqScans(trx);
  const { rows } = await sql<EntryCounts>`
    SELECT count(*) AS newer, count(*) FILTER (WHERE created_at < ${limit}) AS ready,
      min(created_at) AS "firstAt",
      (SELECT coalesce(sum(entries), 0)::bigint FROM wallets) AS numbered
    FROM ledger_entries WHERE created_at >= ${since} AND created_at < ${END}`.execute(trx);
  const [counts] = rows;
  if (counts === undefined) throw new Error('an aggregate returned no row');
  return counts;
}

const MONEY = sql`CASE type WHEN 'PAYMENT' THEN amount ELSE 0 END AS money_in,
  CASE type WHEN 'PAYMENT' THEN 0 ELSE amount END AS money_out`;

/** A period of time; `before` is exclusive. */
export interface EntryPeriod {
  readonly from: Date;
  readonly before: Date;
}

/** Adds the entries of a period to the totals. Returns how many entries it added. */
export async function addToMovementTotals(
  trx: DatabaseTransaction,
  period: EntryPeriod,
  movementsPerSlice: number,
): Promise<number> {
  await disableSeqScans(trx);
  const movements = movementAmounts({ ...period, defaultProviders: {} });
  const { rows } = await sql<{ entries: number }>`
    WITH stored AS (
      SELECT day, sum(movements)::bigint AS movements, max(slice) AS slice FROM provider_movement_totals
      WHERE day >= ${saoPauloDate(period.from)}::date AND day <= ${saoPauloDate(period.before)}::date
      GROUP BY day
    ), added AS (
      SELECT day, greatest(coalesce(stored.slice, 0), (coalesce(stored.movements, 0) - 1
          + rank() OVER (PARTITION BY day ORDER BY at)) / ${movementsPerSlice}::integer) AS slice,
        provider, origin, 1 AS movements, ${MONEY}, 0 AS entries, at
      FROM (${movements}) booked CROSS JOIN LATERAL (SELECT ${dayOf('at')} AS day) days
      LEFT JOIN stored USING (day)
      UNION ALL
      SELECT ${dayOf('created_at')}, 0, ${NO_PROVIDER}, origin, 0, 0, 0, count(*), NULL FROM ledger_entries
      WHERE created_at >= ${period.from} AND created_at < ${period.before} GROUP BY 1, 4
    ), updated AS (
      INSERT INTO provider_movement_totals AS t (day, slice, provider, origin, movements, money_in, money_out,
        entries, first_at, last_at)
      SELECT day, slice, provider, origin, sum(movements), sum(money_in), sum(money_out), sum(entries),
        min(at), max(at)
      FROM added GROUP BY day, slice, provider, origin
      ON CONFLICT (day, slice, provider, origin) DO UPDATE SET movements = t.movements + excluded.movements,
        money_in = t.money_in + excluded.money_in, money_out = t.money_out + excluded.money_out,
        entries = t.entries + excluded.entries, first_at = least(t.first_at, excluded.first_at),
        last_at = greatest(t.last_at, excluded.last_at)
    )
    SELECT coalesce(sum(entries), 0)::bigint AS entries FROM added`.execute(trx);
  return rows[0]?.entries ?? 0;
}

/** Removes the totals of some days, both inclusive. Returns how many entries they included. */
export async function removeMovementTotals(
  trx: DatabaseTransaction,
  from: LocalDate,
  to: LocalDate,
): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    WITH removed AS (
      DELETE FROM provider_movement_totals WHERE day >= ${from}::date AND day <= ${to}::date RETURNING entries
    )
    SELECT coalesce(sum(entries), 0)::bigint AS entries FROM removed`.execute(trx);
  return rows[0]?.entries ?? 0;
}

/** Finds the days since one whose totals include another number of entries than the ledger has. */
export async function findDifferingDays(
  trx: DatabaseTransaction,
  from: LocalDate,
  before: Date,
): Promise<readonly LocalDate[]> {
  await disableSeqScans(trx);
  const { rows } = await sql<{ day: LocalDate }>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day FROM (
      SELECT day, sum(entries)::bigint AS entries FROM provider_movement_totals
      WHERE day >= ${from}::date GROUP BY day
    ) stored FULL JOIN (
      SELECT ${dayOf('created_at')} AS day, count(*) AS entries FROM ledger_entries
      WHERE created_at >= ${startOfSaoPauloDay(from)} AND created_at < ${before} GROUP BY 1
    ) booked USING (day)
    WHERE stored.entries IS DISTINCT FROM booked.entries
    ORDER BY day`.execute(trx);
  return rows.map(({ day }) => day);
}

/** Days of one provider or of all; both ends are inclusive. */
export interface TotalsScope {
  readonly provider: string | undefined;
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

/** What the ledger moved through a provider on a day. Amounts in cents. */
export interface MovementTotals {
  readonly day: LocalDate;
  readonly provider: string;
  readonly movements: number;
  readonly moneyIn: number;
  readonly moneyOut: number;
}

/** SQL: the provider of stored totals. */
const storedProvider = (defaultProviders: MovementWindow['defaultProviders']) =>
  sql`CASE provider WHEN ${NO_PROVIDER}
    THEN coalesce(${JSON.stringify(defaultProviders)}::json ->> origin, ${NO_PROVIDER}) ELSE provider END`;

/** Some of the movements that the stored totals include. */
export interface StoredSlice {
  /** The movements of the scope before it. */
  readonly skipped: number;
  /** Those of the scope in it. */
  readonly movements: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** The time of the last movement of the days. */
  readonly endAt: Date;
}

/** Finds the last slice that has at most `skip` movements of the scope before it. */
export async function findStoredSlice(
  trx: DatabaseTransaction,
  { provider, from, to, defaultProviders }: TotalsScope,
  skip: number,
): Promise<StoredSlice | undefined> {
  const isOfScope = sql`${provider ?? null}::text IS NULL
    OR ${storedProvider(defaultProviders)} = ${provider ?? null}`;
  const { rows } = await sql<StoredSlice>`
    SELECT skipped, movements, first_at AS "firstAt", last_at AS "lastAt", end_at AS "endAt" FROM (
      SELECT day, slice, movements, first_at, last_at, max(last_at) OVER () AS end_at,
        (sum(movements) OVER (ORDER BY day, slice))::bigint - movements AS skipped
      FROM (
        SELECT day, slice, coalesce(sum(movements) FILTER (WHERE ${isOfScope}), 0)::bigint AS movements,
          min(first_at) AS first_at, max(last_at) AS last_at
        FROM provider_movement_totals
        WHERE day >= ${from}::date AND day <= ${to}::date AND movements > 0 GROUP BY day, slice
      ) slices
    ) placed
    WHERE skipped <= ${skip} ORDER BY day DESC, slice DESC LIMIT 1`.execute(trx);
  return rows[0];
}

/** Sums the stored totals of some days and the movements of a period that they do not include. */
export async function sumMovements(
  trx: DatabaseTransaction,
  { provider, from, to, defaultProviders }: TotalsScope,
  recent: EntryPeriod | undefined,
): Promise<readonly MovementTotals[]> {
  await disableSeqScans(trx);
  const recentMovements =
    recent === undefined
      ? sql``
      : sql`UNION ALL SELECT ${dayOf('at')}, provider, 1, ${MONEY}
          FROM (${movementAmounts({ ...recent, defaultProviders })}) booked`;
  const { rows } = await sql<MovementTotals>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, provider, sum(movements)::bigint AS movements,
      sum(money_in)::bigint AS "moneyIn", sum(money_out)::bigint AS "moneyOut"
    FROM (
      SELECT day, ${storedProvider(defaultProviders)} AS provider, movements, money_in, money_out
      FROM provider_movement_totals
      WHERE day >= ${from}::date AND day <= ${to}::date AND movements > 0
      ${recentMovements}
    ) totals
    WHERE ${provider ?? null}::text IS NULL OR provider = ${provider ?? null}
    GROUP BY totals.day, provider`.execute(trx);
  return rows;
}
