import { sql, type RawBuilder } from 'kysely';

import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  providerMovements,
  unbookedProviderEvents,
  type MovementWindow,
} from '#accounting/ledger/provider-movements.ts';
import type { DifferenceKind } from './difference-kinds.ts';

/** A line matches a movement that was booked at most so many days before or after it: a long weekend's settlement. */
const MATCH_WINDOW_DAYS = 4;

export interface MatchScope {
  /** Absent: of every provider. */
  readonly provider: string | undefined;
  readonly from: LocalDate;
  /** Inclusive. */
  readonly to: LocalDate;
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

/**
 * Holds the lines of some days against the ledger's movements, both read with the days around, so that a pair across midnight
 * is found from either side. `judged` has a row for each line of the days (kind null: it matches) and for each movement of
 * the days that no line tells of.
 *
 * A line and a movement belong together where the movement is called as the line's id or, failing that, its reference
 * says. A line has one movement and a movement one line: what is nearest in amount and day, then what came first.
 *
 * Columns are carried along instead of joined again, and what has no pair is found by a window and not by an anti-join: PostgreSQL
 * takes what passed such filters for a handful of rows, and would compare every movement with every line.
 */
function matchCtes({ provider, from, to, defaultProviders }: MatchScope): RawBuilder<unknown> {
  const first = addDays(from, -MATCH_WINDOW_DAYS);
  const last = addDays(to, MATCH_WINDOW_DAYS);
  const days = Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
  // The days begin when our calendar says so, whatever zone tables the database has.
  const starts = days.map(startOfSaoPauloDay);
  const window = movementWindow(first, last, defaultProviders);
  const line = sql`l.file_id, l.number, l.provider, l.type, l.id, l.reference AS line_reference,
    l.amount AS line_amount, l.fee, l.day AS line_day, l.duplicate`;
  const movement = sql`m.n, m.seller_id, m.record_id, m.reference, m.provider_id, m.cause, m.amount,
    m.day AS booked_on, m.at AS booked_at, abs(l.day - m.day) AS apart, l.amount <> m.amount AS differs`;
  return sql`
    movements AS MATERIALIZED (
      SELECT *, row_number() OVER () AS n,
        (${days}::date[])[width_bucket(at, ${starts}::timestamptz[])] AS day
      FROM (${providerMovements(window)}) booked
      WHERE ${provider ?? null}::text IS NULL OR provider = ${provider ?? null}
    ), lines AS (
      SELECT * FROM settlement_lines
      WHERE day >= ${first}::date AND day <= ${last}::date
        AND (${provider ?? null}::text IS NULL OR provider = ${provider ?? null})
    ), named AS MATERIALIZED (
      SELECT *, unnest(names) AS name FROM movements
    ), offered AS (
      SELECT ${line}, ${movement}, 0 AS by
      FROM lines l LEFT JOIN named m ON m.provider = l.provider AND m.type = l.type AND m.name = l.id
        AND abs(l.day - m.day) <= ${MATCH_WINDOW_DAYS} AND NOT l.duplicate
      UNION ALL
      SELECT ${line}, ${movement}, 1
      FROM lines l JOIN named m ON m.provider = l.provider AND m.type = l.type AND m.name = l.reference::text
        AND abs(l.day - m.day) <= ${MATCH_WINDOW_DAYS} AND NOT l.duplicate
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY file_id, number ORDER BY n IS NULL, by, differs, apart, booked_at, seller_id) AS choice
      FROM offered
    ), paired AS MATERIALIZED (
      SELECT *, row_number() OVER rivals AS turn, first_value(file_id) OVER rivals AS first_file_id,
        first_value(number) OVER rivals AS first_line
      FROM ranked WHERE choice = 1
      WINDOW rivals AS (PARTITION BY n ORDER BY differs, apart, file_id, number)
    ), told AS (
      SELECT *, bool_or(by_line) OVER (PARTITION BY n) AS is_told FROM (
        SELECT n, provider, type, seller_id, record_id, reference, provider_id, cause, amount, day, at, false AS by_line
        FROM movements
        UNION ALL
        SELECT n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true
        FROM paired WHERE turn = 1 AND n IS NOT NULL
      ) both_sides
    ), judged AS (
      SELECT line_day AS day, provider, type, CASE
          WHEN duplicate THEN 'DUPLICATE_LINE'
          WHEN n IS NULL THEN 'MISSING_IN_LEDGER'
          WHEN turn > 1 THEN 'DUPLICATE_LINE'
          WHEN differs THEN 'AMOUNT_DIFFERS'
          WHEN apart > 0 THEN 'DAY_DIFFERS' END AS kind,
        coalesce(turn = 1 AND NOT differs AND apart = 1, false) AS neighbor_day,
        file_id, number, id, line_reference, line_amount, fee, seller_id, record_id, reference, provider_id, cause,
        amount, booked_on, booked_at, CASE WHEN n IS NOT NULL AND turn > 1 THEN first_file_id END AS first_file_id,
        CASE WHEN n IS NOT NULL AND turn > 1 THEN first_line END AS first_line,
        'L' || file_id::text || lpad(number::text, 9, '0') AS key
      FROM paired WHERE line_day >= ${from}::date AND line_day <= ${to}::date
      UNION ALL
      SELECT day, provider, type, 'MISSING_IN_FILE', false, NULL, NULL, NULL, NULL, NULL, NULL, seller_id, record_id,
        reference, provider_id, cause, amount, day, at, NULL, NULL,
        'M' || seller_id::text || reference::text || cause || extract(epoch FROM at)::text
      FROM told WHERE NOT is_told AND day >= ${from}::date AND day <= ${to}::date
    )`;
}

const movementWindow = (
  first: LocalDate,
  last: LocalDate,
  defaultProviders: MovementWindow['defaultProviders'],
): MovementWindow => ({
  from: startOfSaoPauloDay(first),
  before: startOfSaoPauloDay(addDays(last, 1)),
  defaultProviders,
});

/** Money of one day as one side has it, in cents. */
export interface DayRow {
  readonly day: LocalDate;
  readonly provider: string;
  readonly files: number;
  readonly lines: number;
  readonly matched: number;
  /** Of the matched, those that the ledger has a day before or after. */
  readonly neighborDays: number;
  readonly fileIn: number;
  readonly fileOut: number;
  readonly fileFees: number;
  readonly movements: number;
  readonly ledgerIn: number;
  readonly ledgerOut: number;
  readonly differences: number;
}

/** A row for each day and each provider that has anything in these days. */
export async function findDays(db: Db, scope: MatchScope): Promise<readonly DayRow[]> {
  const { provider, from, to } = scope;
  return executeWithWorkMem(
    db,
    sql<DayRow>`
    WITH ${matchCtes(scope)}, stated AS (
      SELECT day, provider, count(file_id) AS lines,
        count(*) FILTER (WHERE file_id IS NOT NULL AND (kind IS NULL OR neighbor_day)) AS matched,
        count(*) FILTER (WHERE neighbor_day) AS neighbor_days,
        coalesce(sum(line_amount) FILTER (WHERE type = 'PAYMENT' AND kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_in,
        coalesce(sum(line_amount) FILTER (WHERE type <> 'PAYMENT' AND kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_out,
        coalesce(sum(fee) FILTER (WHERE kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_fees,
        count(*) FILTER (WHERE kind IS NOT NULL AND NOT neighbor_day) AS differences
      FROM judged GROUP BY day, provider
    ), booked AS (
      SELECT day, provider, count(*) AS movements,
        coalesce(sum(amount) FILTER (WHERE type = 'PAYMENT'), 0)::bigint AS ledger_in,
        coalesce(sum(amount) FILTER (WHERE type <> 'PAYMENT'), 0)::bigint AS ledger_out
      FROM movements WHERE day >= ${from}::date AND day <= ${to}::date GROUP BY day, provider
    ), sent AS (
      SELECT day, provider, count(*) AS files FROM settlement_files
      WHERE day >= ${from}::date AND day <= ${to}::date
        AND (${provider ?? null}::text IS NULL OR provider = ${provider ?? null})
      GROUP BY day, provider
    ), providers AS (
      SELECT ${provider ?? null}::text AS provider WHERE ${provider ?? null}::text IS NOT NULL
      UNION SELECT provider FROM stated UNION SELECT provider FROM booked UNION SELECT provider FROM sent
    )
    SELECT d.day::text AS day, p.provider, coalesce(s.files, 0) AS files, coalesce(t.lines, 0) AS lines,
      coalesce(t.matched, 0) AS matched, coalesce(t.neighbor_days, 0) AS "neighborDays",
      coalesce(t.file_in, 0) AS "fileIn", coalesce(t.file_out, 0) AS "fileOut", coalesce(t.file_fees, 0) AS "fileFees",
      coalesce(b.movements, 0) AS movements, coalesce(b.ledger_in, 0) AS "ledgerIn",
      coalesce(b.ledger_out, 0) AS "ledgerOut", coalesce(t.differences, 0) AS differences
    FROM unnest(${daysOf(from, to)}::date[]) AS d (day) CROSS JOIN providers p
    LEFT JOIN stated t ON t.day = d.day AND t.provider = p.provider
    LEFT JOIN booked b ON b.day = d.day AND b.provider = p.provider
    LEFT JOIN sent s ON s.day = d.day AND s.provider = p.provider
    ORDER BY d.day, p.provider`,
  );
}

/** Runs a statement that sorts hundreds of thousands of rows with the memory to do so without the disk. */
async function executeWithWorkMem<Row>(db: Db, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`SET LOCAL work_mem = '64MB'`.execute(trx);
      return (await statement.execute(trx)).rows;
    });
}

const daysOf = (from: LocalDate, to: LocalDate): readonly LocalDate[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));

/** What one side has and the other has not, or has otherwise. Members of the side that is missing are null. */
export interface DifferenceRow {
  readonly kind: DifferenceKind;
  readonly day: LocalDate;
  readonly provider: string;
  readonly type: string;
  readonly neighborDay: boolean;
  readonly key: string;
  readonly fileId: string | null;
  readonly line: number | null;
  readonly lineId: string | null;
  readonly lineReference: string | null;
  readonly lineAmount: number | null;
  readonly fee: number | null;
  readonly sellerId: string | null;
  readonly recordId: string | null;
  readonly reference: string | null;
  readonly providerId: string | null;
  readonly cause: string | null;
  readonly amount: number | null;
  readonly bookedOn: LocalDate | null;
  readonly bookedAt: Date | null;
  /** The line that counts instead of a DUPLICATE_LINE. */
  readonly firstFileId: string | null;
  readonly firstLine: number | null;
  /** What became of a report of the same id that the ledger did not book. */
  readonly reportOutcome: string | null;
  readonly reportSellerId: string | null;
  readonly reportRecordId: string | null;
}

/** Differences by day, kind and then where they stand. */
export async function findDifferences(
  db: Db,
  scope: MatchScope,
  kind: DifferenceKind | undefined,
  page: {
    readonly take: number;
    readonly skip: number;
    /** Only those after this one, of the same day. */
    readonly after?: { readonly kind: string; readonly key: string } | undefined;
  },
): Promise<{ readonly differences: readonly DifferenceRow[]; readonly count: number }> {
  const window = movementWindow(
    addDays(scope.from, -MATCH_WINDOW_DAYS),
    addDays(scope.to, MATCH_WINDOW_DAYS),
    scope.defaultProviders,
  );
  const { after } = page;
  const later =
    after === undefined
      ? sql`true`
      : sql`(kind COLLATE "C", key COLLATE "C") > (${after.kind}::text, ${after.key}::text)`;
  const rows = await executeWithWorkMem(
    db,
    sql<DifferenceRow & { readonly count: number }>`
    WITH ${matchCtes(scope)}, differing AS MATERIALIZED (
      SELECT * FROM judged
      WHERE kind IS NOT NULL AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null})
    ), page AS MATERIALIZED (
      SELECT * FROM differing WHERE ${later}
      ORDER BY day, kind COLLATE "C", key COLLATE "C" LIMIT ${page.take} OFFSET ${page.skip}
    )
    SELECT c.count, d.kind, d.day::text AS day, d.provider, d.type, d.neighbor_day AS "neighborDay", d.key, d.file_id AS "fileId",
      d.number AS line, d.id AS "lineId", d.line_reference AS "lineReference", d.line_amount AS "lineAmount", d.fee,
      d.seller_id AS "sellerId", d.record_id AS "recordId", d.reference, d.provider_id AS "providerId", d.cause,
      d.amount, d.booked_on::text AS "bookedOn", d.booked_at AS "bookedAt",
      coalesce(o.file_id, d.first_file_id) AS "firstFileId", coalesce(o.number, d.first_line) AS "firstLine",
      u.outcome AS "reportOutcome", u.seller_id AS "reportSellerId", u.record_id AS "reportRecordId"
    FROM (SELECT count(*) AS count FROM differing) c
    LEFT JOIN page d ON true
    LEFT JOIN settlement_lines o ON d.kind = 'DUPLICATE_LINE' AND o.provider = d.provider AND o.type = d.type
      AND o.id = d.id AND NOT o.duplicate AND (o.file_id, o.number) <> (d.file_id, d.number)
    LEFT JOIN (${unbookedProviderEvents(window)}) u ON d.kind = 'MISSING_IN_LEDGER' AND u.provider = d.provider
      AND u.provider_event_id = d.id
    ORDER BY d.day, d.kind COLLATE "C", d.key COLLATE "C"`,
  );
  // The count comes even where the page is empty, in a row without a difference.
  return { differences: rows.filter(isDifference), count: rows[0]?.count ?? 0 };
}

const isDifference = (row: { readonly key: string | null }): boolean => row.key !== null;
