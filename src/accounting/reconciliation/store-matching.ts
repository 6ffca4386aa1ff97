import { sql, type RawBuilder } from 'kysely';

import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import {
  providerMovements,
  unbookedProviderEvents,
  type MovementWindow,
} from '#accounting/ledger/provider-movements.ts';
import type { DifferenceKind } from './difference-kinds.ts';

/**
 * A line matches a movement booked at most this many days before or after it, as on a long weekend.
 */
export const MATCH_WINDOW_DAYS = 4;

export interface MatchScope {
  /** Every provider by default. */
  readonly provider: string | undefined;
  readonly from: LocalDate;
  /** Inclusive. */
  readonly to: LocalDate;
  readonly defaultProviders: MovementWindow['defaultProviders'];
  /** Only movements with an earlier time. */
  readonly before?: Date;
}

/**
 * The common table expressions that compare the lines of some days with the ledger's movements.
 * Both are read with the days around, so that a pair across midnight is found from either side.
 * `compared` has a row for each line of the days (kind null: it matches) and for each movement of
 * the days without a line.
 *
 * A line and a movement are a pair if one of the movement's names is the line's id or, failing
 * that, its reference. A line has one movement and a movement one line: the nearest in amount and
 * day, then the first.
 *
 * Columns are carried along instead of joined again, and movements without a line are found by a
 * window instead of an anti-join. PostgreSQL estimates a handful of rows after such filters, and
 * would compare every movement with every line.
 */
function matchCtes({ provider, from, to, defaultProviders, before }: MatchScope): RawBuilder<unknown> {
  const first = addDays(from, -MATCH_WINDOW_DAYS);
  const last = addDays(to, MATCH_WINDOW_DAYS);
  const days = Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
  // The start of a day must not depend on the time zone tables of the database.
  const starts = days.map(startOfSaoPauloDay);
  const { before: end, ...others } = movementWindow(first, last, defaultProviders);
  const window = { ...others, before: before !== undefined && before < end ? before : end };
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
    ), named_movements AS MATERIALIZED (
      SELECT *, unnest(names) AS name FROM movements
    ), candidates AS (
      SELECT ${LINE_COLUMNS}, ${MOVEMENT_COLUMNS}, 0 AS precedence
      FROM lines l LEFT JOIN named_movements m ON m.provider = l.provider AND m.type = l.type
        AND m.name = l.id AND abs(l.day - m.day) <= ${MATCH_WINDOW_DAYS} AND NOT l.duplicate
      UNION ALL
      SELECT ${LINE_COLUMNS}, ${MOVEMENT_COLUMNS}, 1
      FROM lines l JOIN named_movements m ON m.provider = l.provider AND m.type = l.type
        AND m.name = l.reference::text AND abs(l.day - m.day) <= ${MATCH_WINDOW_DAYS} AND NOT l.duplicate
    ), ranked_candidates AS (
      SELECT *, row_number() OVER (PARTITION BY file_id, number
        ORDER BY n IS NULL, precedence, differs, apart, booked_at, seller_id) AS line_rank
      FROM candidates
    ), matches AS MATERIALIZED (
      SELECT *, row_number() OVER movement AS movement_rank,
        first_value(file_id) OVER movement AS first_file_id,
        first_value(number) OVER movement AS first_line
      FROM ranked_candidates WHERE line_rank = 1
      WINDOW movement AS (PARTITION BY n ORDER BY differs, apart, file_id, number)
    ), movements_with_match AS (
      SELECT *, bool_or(is_match) OVER (PARTITION BY n) AS is_matched FROM (
        SELECT n, provider, type, seller_id, record_id, reference, provider_id, cause, amount, day, at,
          false AS is_match
        FROM movements
        UNION ALL
        SELECT n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true
        FROM matches WHERE movement_rank = 1 AND n IS NOT NULL
      ) both_sides
    ), compared AS (
      SELECT line_day AS day, provider, type, CASE
          WHEN duplicate THEN 'DUPLICATE_LINE'
          WHEN n IS NULL THEN 'MISSING_IN_LEDGER'
          WHEN movement_rank > 1 THEN 'DUPLICATE_LINE'
          WHEN differs THEN 'AMOUNT_DIFFERS'
          WHEN apart > 0 THEN 'DAY_DIFFERS' END AS kind,
        coalesce(movement_rank = 1 AND NOT differs AND apart = 1, false) AS neighbor_day,
        file_id, number, id, line_reference, line_amount, fee, seller_id, record_id, reference, provider_id,
        cause, amount, booked_on, booked_at,
        CASE WHEN n IS NOT NULL AND movement_rank > 1 THEN first_file_id END AS first_file_id,
        CASE WHEN n IS NOT NULL AND movement_rank > 1 THEN first_line END AS first_line,
        'L' || file_id::text || lpad(number::text, 9, '0') AS key
      FROM matches WHERE line_day >= ${from}::date AND line_day <= ${to}::date
      UNION ALL
      SELECT day, provider, type, 'MISSING_IN_FILE', false, NULL, NULL, NULL, NULL, NULL, NULL, seller_id,
        record_id, reference, provider_id, cause, amount, day, at, NULL, NULL, ${MOVEMENT_KEY}
      FROM movements_with_match WHERE NOT is_matched AND day >= ${from}::date AND day <= ${to}::date
    )`;
}

/** SQL: the position of a movement without a line, in order of time. */
const MOVEMENT_KEY = sql`'M' || to_char(at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS') || reference || cause`;

const LINE_COLUMNS = sql`l.file_id, l.number, l.provider, l.type, l.id, l.reference AS line_reference,
  l.amount AS line_amount, l.fee, l.day AS line_day, l.duplicate`;

const MOVEMENT_COLUMNS = sql`m.n, m.seller_id, m.record_id, m.reference, m.provider_id, m.cause, m.amount,
  m.day AS booked_on, m.at AS booked_at, abs(l.day - m.day) AS apart, l.amount <> m.amount AS differs`;

const movementWindow = (
  first: LocalDate,
  last: LocalDate,
  defaultProviders: MovementWindow['defaultProviders'],
): MovementWindow => ({
  from: startOfSaoPauloDay(first),
  before: startOfSaoPauloDay(addDays(last, 1)),
  defaultProviders,
});

/** One day of one provider on both sides. Amounts in cents. */
export interface DayRow {
  readonly day: LocalDate;
  readonly provider: string;
  readonly files: number;
  readonly lines: number;
  readonly matched: number;
  /** Matched lines that the ledger has one day before or after. */
  readonly neighboringDays: number;
  readonly fileIn: number;
  readonly fileOut: number;
  readonly fileFees: number;
  readonly movements: number;
  readonly ledgerIn: number;
  readonly ledgerOut: number;
  readonly differences: number;
}

/** Returns a row for each day and each provider with a file, a line or a movement in the period. */
export const findDays = (db: Db, scope: MatchScope): Promise<readonly DayRow[]> =>
  executeWithWorkMem(db, daysOf(scope));

/** As `findDays`, in the caller's snapshot. */
export async function findDaysIn(trx: DatabaseTransaction, scope: MatchScope): Promise<readonly DayRow[]> {
  await setWorkMem(trx);
  return (await daysOf(scope).execute(trx)).rows;
}

function daysOf(scope: MatchScope): RawBuilder<DayRow> {
  const { provider, from, to } = scope;
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
  return sql<DayRow>`
    WITH ${matchCtes(scope)}, line_totals AS (
      SELECT day, provider, count(file_id) AS lines,
        count(*) FILTER (WHERE file_id IS NOT NULL AND (kind IS NULL OR neighbor_day)) AS matched,
        count(*) FILTER (WHERE neighbor_day) AS neighbor_days,
        coalesce(sum(line_amount) FILTER (
          WHERE type = 'PAYMENT' AND kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_in,
        coalesce(sum(line_amount) FILTER (
          WHERE type <> 'PAYMENT' AND kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_out,
        coalesce(sum(fee) FILTER (WHERE kind IS DISTINCT FROM 'DUPLICATE_LINE'), 0)::bigint AS file_fees,
        count(*) FILTER (WHERE kind IS NOT NULL AND NOT neighbor_day) AS differences
      FROM compared GROUP BY day, provider
    ), movement_totals AS (
      SELECT day, provider, count(*) AS movements,
        coalesce(sum(amount) FILTER (WHERE type = 'PAYMENT'), 0)::bigint AS ledger_in,
        coalesce(sum(amount) FILTER (WHERE type <> 'PAYMENT'), 0)::bigint AS ledger_out
      FROM movements WHERE day >= ${from}::date AND day <= ${to}::date GROUP BY day, provider
    ), file_counts AS (
      SELECT day, provider, count(*) AS files FROM settlement_files
      WHERE day >= ${from}::date AND day <= ${to}::date
        AND (${provider ?? null}::text IS NULL OR provider = ${provider ?? null})
      GROUP BY day, provider
    ), providers AS (
      SELECT ${provider ?? null}::text AS provider WHERE ${provider ?? null}::text IS NOT NULL
      UNION SELECT provider FROM line_totals UNION SELECT provider FROM movement_totals
      UNION SELECT provider FROM file_counts
    )
    SELECT d.day::text AS day, p.provider, coalesce(f.files, 0) AS files, coalesce(l.lines, 0) AS lines,
      coalesce(l.matched, 0) AS matched, coalesce(l.neighbor_days, 0) AS "neighboringDays",
      coalesce(l.file_in, 0) AS "fileIn", coalesce(l.file_out, 0) AS "fileOut",
      coalesce(l.file_fees, 0) AS "fileFees", coalesce(m.movements, 0) AS movements,
      coalesce(m.ledger_in, 0) AS "ledgerIn", coalesce(m.ledger_out, 0) AS "ledgerOut",
      coalesce(l.differences, 0) AS differences
    FROM unnest(${days}::date[]) AS d (day) CROSS JOIN providers p
    LEFT JOIN line_totals l ON l.day = d.day AND l.provider = p.provider
    LEFT JOIN movement_totals m ON m.day = d.day AND m.provider = p.provider
    LEFT JOIN file_counts f ON f.day = d.day AND f.provider = p.provider
    ORDER BY d.day, p.provider`;
}

const setWorkMem = (trx: DatabaseTransaction) => sql`SET LOCAL work_mem = '64MB'`.execute(trx);

/**
 * Executes a statement with enough memory to sort hundreds of thousands of rows without the disk.
 */
async function executeWithWorkMem<Row>(db: Db, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await setWorkMem(trx);
      return (await statement.execute(trx)).rows;
    });
}

/** A difference between the two sides. Members of a missing side are null. Amounts in cents. */
export interface DifferenceRow {
  readonly kind: DifferenceKind;
  readonly day: LocalDate;
  readonly provider: string;
  readonly type: string;
  readonly neighborDay: boolean;
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
  /** The outcome of a provider event with the line's id that the ledger did not book. */
  readonly eventOutcome: string | null;
  readonly eventSellerId: string | null;
  readonly eventRecordId: string | null;
}

/** A difference with its position among those of its day and kind. */
export interface PositionedDifference extends DifferenceRow {
  readonly key: string;
}

export interface DifferencePage {
  readonly take: number;
  readonly skip: number;
  /** Only differences after this one, of the same day. */
  readonly after?: { readonly kind: string; readonly key: string } | undefined;
}

export interface Differences<Row = DifferenceRow> {
  readonly differences: readonly Row[];
  /** On all pages. */
  readonly count: number;
}

/** Returns differences ordered by day, kind and position. */
export async function findDifferences(
  db: Db,
  scope: MatchScope,
  kind: DifferenceKind | undefined,
  { take, skip, after }: DifferencePage,
): Promise<Differences<PositionedDifference>> {
  const first = addDays(scope.from, -MATCH_WINDOW_DAYS);
  const last = addDays(scope.to, MATCH_WINDOW_DAYS);
  const window = movementWindow(first, last, scope.defaultProviders);
  const afterCursor =
    after === undefined
      ? sql`true`
      : sql`(kind COLLATE "C", key COLLATE "C") > (${after.kind}::text, ${after.key}::text)`;
  const rows = await executeWithWorkMem(
    db,
    sql<PositionedDifference & { readonly count: number }>`
    WITH ${matchCtes(scope)}, differences AS MATERIALIZED (
      SELECT * FROM compared
      WHERE kind IS NOT NULL AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null})
    ), page AS MATERIALIZED (
      SELECT * FROM differences WHERE ${afterCursor}
      ORDER BY day, kind COLLATE "C", key COLLATE "C" LIMIT ${take} OFFSET ${skip}
    )
    SELECT c.count, d.kind, d.day::text AS day, d.provider, d.type, d.neighbor_day AS "neighborDay", d.key,
      d.file_id AS "fileId", d.number AS line, d.id AS "lineId", d.line_reference AS "lineReference",
      d.line_amount AS "lineAmount", d.fee, d.seller_id AS "sellerId", d.record_id AS "recordId", d.reference,
      d.provider_id AS "providerId", d.cause, d.amount, d.booked_on::text AS "bookedOn",
      d.booked_at AS "bookedAt", coalesce(o.file_id, d.first_file_id) AS "firstFileId",
      coalesce(o.number, d.first_line) AS "firstLine", u.outcome AS "eventOutcome",
      u.seller_id AS "eventSellerId", u.record_id AS "eventRecordId"
    FROM (SELECT count(*) AS count FROM differences) c
    LEFT JOIN page d ON true
    LEFT JOIN settlement_lines o ON d.kind = 'DUPLICATE_LINE' AND o.provider = d.provider AND o.type = d.type
      AND o.id = d.id AND NOT o.duplicate AND (o.file_id, o.number) <> (d.file_id, d.number)
    LEFT JOIN (${unbookedProviderEvents(window)}) u ON d.kind = 'MISSING_IN_LEDGER'
      AND u.provider = d.provider AND u.provider_event_id = d.id
    ORDER BY d.day, d.kind COLLATE "C", d.key COLLATE "C"`,
  );
  // An empty page is one row with the count and no difference.
  return { differences: rows.filter((row) => row.key !== null), count: rows[0]?.count ?? 0 };
}

/** Whether a line can refer to a movement of the scope. */
export async function findHasLines(db: Db, { provider, from, to }: MatchScope): Promise<boolean> {
  const [first, last] = [addDays(from, -MATCH_WINDOW_DAYS), addDays(to, MATCH_WINDOW_DAYS)];
  const { rows } = await sql`
    SELECT FROM settlement_lines WHERE day >= ${first}::date AND day <= ${last}::date
      AND (${provider ?? null}::text IS NULL OR provider = ${provider ?? null}) ORDER BY day LIMIT 1`.execute(
    db,
  );
  return rows.length > 0;
}
