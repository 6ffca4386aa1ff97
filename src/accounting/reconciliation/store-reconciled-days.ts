import { sql } from 'kysely';

import { providerMovements, type MovementWindow } from '#accounting/ledger/provider-movements.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { DayRow } from './store-matching.ts';
import { useIndexes } from './use-indexes.ts';

/** The rows of a day as they were computed, and what they were computed from. */
export interface StoredDay {
  readonly day: LocalDate;
  /** The rows include the movements with an earlier time. */
  readonly before: Date;
  /** How many ledger entries the days have that can match this one, up to that time. */
  readonly entries: number;
  /** How many files may concern the day. */
  readonly files: number;
  /** The format of the rows, and the default providers. */
  readonly settings: string;
  readonly rows: readonly DayRow[];
}

/** Days, both inclusive. */
export interface DayRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export async function findStoredDays(
  trx: DatabaseTransaction,
  { from, to }: DayRange,
): Promise<readonly StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, included_before AS before, entries, files,
      settings, rows
    FROM reconciled_days WHERE day >= ${from}::date AND day <= ${to}::date
    ORDER BY reconciled_days.day`.execute(trx);
  return rows;
}

export async function saveStoredDays(trx: DatabaseTransaction, days: readonly StoredDay[]): Promise<void> {
  const values = days.map(
    ({ day, before, entries, files, settings, rows }) =>
      sql`(${day}::date, ${before}, ${entries}, ${files}, ${settings}, ${JSON.stringify(rows)}::json)`,
  );
  if (values.length === 0) return;
  await sql`
    INSERT INTO reconciled_days AS k (day, included_before, entries, files, settings, rows)
    VALUES ${sql.join(values)}
    ON CONFLICT (day) DO UPDATE SET included_before = excluded.included_before, entries = excluded.entries,
      files = excluded.files, settings = excluded.settings, rows = excluded.rows`.execute(trx);
}

/** Entries, by the day they are of. */
export interface DayEntries {
  readonly day: LocalDate;
  readonly entries: number;
}

/** The entries of days that the totals of movements include. */
export async function findIncludedEntries(
  trx: DatabaseTransaction,
  { from, to }: DayRange,
): Promise<readonly DayEntries[]> {
  const { rows } = await sql<DayEntries>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(entries)::bigint AS entries
    FROM provider_movement_totals WHERE day >= ${from}::date AND day <= ${to}::date
    GROUP BY provider_movement_totals.day`.execute(trx);
  return rows;
}

const dayOf = (time: string) => sql`to_char(${sql.ref(time)} AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD')`;

/** Entries since a time, by day, and how many of them have a time before another. */
export async function countEntriesSince(
  trx: DatabaseTransaction,
  since: Date,
  before: Date,
): Promise<readonly (DayEntries & { readonly earlier: number })[]> {
  await useIndexes(trx);
  const { rows } = await sql<DayEntries & { readonly earlier: number }>`
    SELECT ${dayOf('created_at')} AS day, count(*) AS entries,
      count(*) FILTER (WHERE created_at < ${before}) AS earlier
    FROM ledger_entries WHERE created_at >= ${since} AND created_at < '9999-01-01' GROUP BY 1`.execute(trx);
  return rows;
}

/** What the ledger moved through a provider on a day. Amounts in cents. */
export interface NewMovements {
  readonly day: LocalDate;
  readonly provider: string;
  readonly movements: number;
  readonly moneyIn: number;
  readonly moneyOut: number;
  /** Whether a line refers to one of them. */
  readonly isNamed: boolean;
}

/**
 * Sums the movements of a short time by day and provider. PostgreSQL looks up each of them in
 * indexes, and each of its names among the lines. A distributed database brings the movements to
 * the lines, which are on the coordinator. Use a transaction that does nothing else.
 */
export async function sumNewMovements(
  trx: DatabaseTransaction,
  window: MovementWindow,
): Promise<readonly NewMovements[]> {
  await useIndexes(trx);
  const { rows } = await sql<NewMovements>`
    WITH moved AS MATERIALIZED (${providerMovements(window)})
    SELECT day, provider, count(*) AS movements,
      coalesce(sum(amount) FILTER (WHERE type = 'PAYMENT'), 0)::bigint AS "moneyIn",
      coalesce(sum(amount) FILTER (WHERE type <> 'PAYMENT'), 0)::bigint AS "moneyOut",
      bool_or(is_named) AS "isNamed"
    FROM (
      SELECT ${dayOf('m.at')} AS day, m.provider, m.type, m.amount, EXISTS (
        SELECT FROM unnest(m.names) AS n (name)
        WHERE EXISTS (SELECT FROM settlement_lines l WHERE l.provider = m.provider AND l.type = m.type
            AND l.id = n.name AND NOT l.duplicate)
          OR EXISTS (SELECT FROM settlement_lines l WHERE l.provider = m.provider AND l.type = m.type
            AND l.reference::text = n.name AND NOT l.duplicate)
      ) AS is_named
      FROM moved AS m
    ) AS new
    GROUP BY day, provider`.execute(trx);
  return rows;
}
