import { sql, type SqlBool } from 'kysely';

import type { LineDetail } from './line-details.ts';
import { MAX_COUNTED, type Backlog } from '#platform/database/backlog.ts';
import { toColumns } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import type {
  LineDecision,
  LineOutcome,
  NewReturnLine,
  ReturnCount,
  ReturnFile,
  ReturnLine,
  ReviewedReturnFile,
} from './return-file.ts';

/** Inserts a file without its lines; false if the same bytes exist already. */
export async function insertReturn(trx: DatabaseTransaction, file: ReturnFile): Promise<boolean> {
  const row = await trx
    .insertInto('cnab_returns')
    .values(toColumns(file))
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const ALREADY_REPORTED: LineDetail = 'already reported';

const INSERTED_COLUMNS = sql`(return_id, number, kind, code, record, amount, tariff, occurred_on, credited_on,
  bank_reference, reason, identity, outcome, detail, counted)`;

/**
 * Inserts lines of one file. A line with an outcome, such as a fee, is REPEATED if its identity
 * counted already; for the others this is decided when they are applied. Callers insert lines in
 * the order of their identities, so that two files with the same lines cannot deadlock.
 */
export async function insertReturnLines(
  trx: DatabaseTransaction,
  returnId: string,
  lines: readonly NewReturnLine[],
): Promise<void> {
  await sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(lines)}::json) AS i (
        number integer, kind text, code text, record text, amount bigint, tariff bigint, "occurredOn" date,
        "creditedOn" date, "bankReference" text, reason text, identity text, outcome text, detail text)
    ), inserted AS (
      INSERT INTO cnab_return_lines ${INSERTED_COLUMNS}
      SELECT ${returnId}::uuid, number, kind, code, record, amount, tariff, "occurredOn", "creditedOn",
        "bankReference", reason, identity, outcome, detail,
        identity IS NOT NULL AND outcome IS NOT DISTINCT FROM 'NOTED'
      FROM input ORDER BY identity COLLATE "C", number
      ON CONFLICT (identity) WHERE counted DO NOTHING
      RETURNING number
    )
    INSERT INTO cnab_return_lines ${INSERTED_COLUMNS}
    SELECT ${returnId}::uuid, number, kind, code, record, amount, tariff, "occurredOn", "creditedOn",
      "bankReference", reason, identity, 'REPEATED', ${ALREADY_REPORTED}, false
    FROM input WHERE number NOT IN (SELECT number FROM inserted)`.execute(trx);
}

const RETURN_COLUMNS = sql<ReturnFile>`id, bank_code AS "bankCode", sha256, bytes, number,
  taken_by AS "takenBy", taken_at AS "takenAt", completed_at AS "completedAt"`;

export async function findReturnFileByHash(db: Db, sha256: Buffer): Promise<ReturnFile | undefined> {
  const { rows } = await sql<ReturnFile>`
    SELECT ${RETURN_COLUMNS} FROM cnab_returns WHERE sha256 = ${sha256}`.execute(db);
  return rows[0];
}

export async function findReturnFile(db: Db, id: string): Promise<ReturnFile | undefined> {
  const { rows } = await sql<ReturnFile>`
    SELECT ${RETURN_COLUMNS} FROM cnab_returns WHERE id = ${id}`.execute(db);
  return rows[0];
}

const LINE_COLUMNS = sql`return_id AS "returnId", number, kind, code, record, amount, tariff,
  occurred_on::text AS "occurredOn", credited_on::text AS "creditedOn",
  bank_reference AS "bankReference", reason, identity, outcome, detail,
  seller_id AS "sellerId", record_id AS "recordId",
  decision, decided_by AS "decidedBy", decided_at AS "decidedAt"`;

/**
 * Finds lines that are not applied yet, in the order of files. Within a file a registration comes
 * before the payment and a payment before what would end the record, whatever the bank's order is.
 */
export async function findOpenLines(db: Db, bankCode: string, limit: number): Promise<readonly ReturnLine[]> {
  const { rows } = await sql<ReturnLine>`
    SELECT ${LINE_COLUMNS} FROM cnab_return_lines
    WHERE outcome IS NULL AND return_id IN (
      SELECT id FROM cnab_returns WHERE completed_at IS NULL AND bank_code = ${bankCode})
    ORDER BY return_id,
      CASE WHEN kind = 'REGISTERED' THEN 0 WHEN kind IN ('PAID', 'PAYOUT_PAID') THEN 1 ELSE 2 END,
      number
    LIMIT ${limit}`.execute(db);
  return rows;
}

/** Completes files whose lines are all applied. */
export async function completeReturns(db: Db, at: Date): Promise<void> {
  await sql`
    UPDATE cnab_returns r SET completed_at = ${at}
    WHERE completed_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM cnab_return_lines l WHERE l.return_id = r.id AND l.outcome IS NULL)`.execute(db);
}

export async function countLines(db: Db, returnId: string): Promise<readonly ReturnCount[]> {
  const { rows } = await sql<ReturnCount>`
    SELECT kind, outcome, count(*) AS lines, sum(amount)::bigint AS amount, sum(tariff)::bigint AS tariff
    FROM cnab_return_lines WHERE return_id = ${returnId} GROUP BY kind, outcome
    ORDER BY kind, outcome`.execute(db);
  return rows;
}

/**
 * Lines that the operator should review: rejected by the bank, without a matching record, or of
 * money that was reported before. A decision closes the review.
 */
// As the condition of the index of these lines.
const IS_PROBLEM = sql`decision IS NULL AND (outcome IN ('LATE', 'REJECTED', 'UNMATCHED')
  OR (outcome = 'REPEATED' AND kind IN ('PAID', 'PAYOUT_PAID'))
  OR (kind IN ('REJECTED', 'ORDER_REJECTED', 'PAYOUT_FAILED', 'PAYOUT_UNCLEAR')
    AND outcome IS DISTINCT FROM 'REPEATED'))`;

/** Counts them over all files, up to a limit. Their files say since when they wait. */
export async function countLinesToReview(db: Db): Promise<Backlog> {
  const lines = sql`FROM cnab_return_lines WHERE ${IS_PROBLEM}`;
  const { rows } = await sql<Backlog>`
    SELECT (SELECT count(*) FROM (SELECT 1 ${lines} LIMIT ${MAX_COUNTED}) waiting) AS depth,
      (SELECT taken_at FROM cnab_returns
        WHERE id = (SELECT return_id ${lines} ORDER BY return_id LIMIT 1)) AS oldest`.execute(db);
  return rows[0] ?? { depth: 0, oldest: null };
}

/** Lines of all files that the operator should review, those of the oldest file first. */
export async function findLinesToReview(
  db: Db,
  { take, skip }: { readonly take: number; readonly skip: number },
): Promise<{ readonly lines: readonly ReturnLine[]; readonly count: number }> {
  const [lines, counted] = await Promise.all([
    sql<ReturnLine>`
      SELECT ${LINE_COLUMNS} FROM cnab_return_lines WHERE ${IS_PROBLEM}
      ORDER BY return_id, number LIMIT ${take} OFFSET ${skip}`.execute(db),
    sql<{ count: number }>`SELECT count(*) AS count FROM cnab_return_lines WHERE ${IS_PROBLEM}`.execute(db),
  ]);
  return { lines: lines.rows, count: counted.rows[0]?.count ?? 0 };
}

/** Returns files newest first, plus one row beyond the page if there are more. */
export function findReturnFiles(db: Db, page: Page) {
  const columns = sql<ReviewedReturnFile>`${RETURN_COLUMNS}, (
    SELECT count(*) FROM cnab_return_lines
    WHERE return_id = cnab_returns.id AND ${IS_PROBLEM}) AS "problemCount"`;
  return findPage(db, columns, sql`FROM cnab_returns WHERE true`, page);
}

export async function findLines(
  db: Db,
  returnId: string,
  { problems, take, skip }: { readonly problems: boolean; readonly take: number; readonly skip: number },
): Promise<{ readonly lines: readonly ReturnLine[]; readonly count: number }> {
  const matching = sql`
    FROM cnab_return_lines WHERE return_id = ${returnId} AND (NOT ${problems}::boolean OR ${IS_PROBLEM})`;
  const [lines, counted] = await Promise.all([
    sql<ReturnLine>`
      SELECT ${LINE_COLUMNS} ${matching} ORDER BY number LIMIT ${take} OFFSET ${skip}`.execute(db),
    sql<{ count: number }>`SELECT count(*) AS count ${matching}`.execute(db),
  ]);
  return { lines: lines.rows, count: counted.rows[0]?.count ?? 0 };
}

export interface ReturnLineKey {
  readonly returnId: string;
  /** Line number in the file. */
  readonly number: number;
}

/** Whether another line with the identity counted. */
export async function isRepeated(db: Db, { identity, returnId, number }: ReturnLine): Promise<boolean> {
  if (identity === null) return false;
  const row = await db
    .selectFrom('cnab_return_lines')
    .select('number')
    .where((eb) => eb.and({ identity, counted: true }))
    .where((eb) => eb.not(eb.and({ return_id: returnId, number })))
    .executeTakeFirst();
  return row !== undefined;
}

/** The lines of a bank that report a payment as paid or have an unclear outcome. */
export async function findPossiblePayouts(db: Db, bankCode: string, record: string) {
  return (
    db
      .selectFrom('cnab_return_lines as line')
      .innerJoin('cnab_returns as file', 'file.id', 'line.return_id')
      .select(['line.kind', 'line.code'])
      .where((eb) => eb.and({ 'line.record': record, 'file.bank_code': bankCode }))
      // Constants, so that every plan can use the index of these kinds.
      .where(sql<SqlBool>`line.kind IN ('PAYOUT_PAID', 'PAYOUT_UNCLEAR')`)
      .execute()
  );
}

/**
 * Records the outcome of a line unless it has one. It is REPEATED instead if a line with its
 * identity has counted meanwhile. An accepted line that could not be applied waits for a decision
 * again.
 */
export async function saveLineOutcome(
  trx: DatabaseTransaction,
  line: ReturnLine,
  result: {
    readonly outcome: LineOutcome;
    readonly detail: LineDetail | null;
    readonly counted: boolean;
    readonly recordKey: { readonly sellerId: string; readonly id: string } | undefined;
  },
): Promise<void> {
  const { identity } = line;
  const mayCount = result.counted && identity !== null;
  // Two imports may apply lines with one identity at the same time.
  if (mayCount) await sql`SELECT pg_advisory_xact_lock(hashtextextended(${identity}, 0))`.execute(trx);
  const repeated = mayCount && (await isRepeated(trx, line));
  await trx
    .updateTable('cnab_return_lines')
    .set({
      outcome: repeated ? 'REPEATED' : result.outcome,
      detail: repeated ? ALREADY_REPORTED : result.detail,
      counted: mayCount && !repeated,
      seller_id: result.recordKey?.sellerId ?? null,
      record_id: result.recordKey?.id ?? null,
      ...(result.outcome === 'REJECTED' || result.outcome === 'UNMATCHED'
        ? { decision: null, decided_by: null, decided_at: null }
        : {}),
    })
    .where((eb) => eb.and({ return_id: line.returnId, number: line.number }))
    .where('outcome', 'is', null)
    .execute();
}

export async function findLine(db: Db, { returnId, number }: ReturnLineKey): Promise<ReturnLine | undefined> {
  const { rows } = await sql<ReturnLine>`
    SELECT ${LINE_COLUMNS} FROM cnab_return_lines
    WHERE return_id = ${returnId} AND number = ${number}`.execute(db);
  return rows[0];
}

/** A second payment of a boleto, or the failure of a payment that was reported as paid. */
const IS_ACCEPTABLE = sql`((kind = 'PAID' AND outcome = 'REPEATED')
  OR (kind = 'PAYOUT_FAILED' AND outcome = 'REJECTED' AND record_id IS NOT NULL))`;

/**
 * Records a decision about a line that needs a review. An ACCEPTED line is open again. Returns
 * false, and changes nothing, if the line needs no review or cannot be accepted.
 */
export async function decideLine(
  trx: DatabaseTransaction,
  { returnId, number }: ReturnLineKey,
  { decision, userId, at }: { readonly decision: LineDecision; readonly userId: string; readonly at: Date },
): Promise<boolean> {
  const isAccepted = decision === 'ACCEPTED';
  const condition = isAccepted ? sql`${IS_PROBLEM} AND ${IS_ACCEPTABLE}` : IS_PROBLEM;
  const { numAffectedRows } = await sql`
    UPDATE cnab_return_lines SET decision = ${decision}, decided_by = ${userId}, decided_at = ${at},
      outcome = CASE WHEN ${isAccepted}::boolean THEN NULL ELSE outcome END
    WHERE return_id = ${returnId} AND number = ${number} AND ${condition}`.execute(trx);
  if (numAffectedRows !== 1n) return false;
  if (isAccepted) await reopenReturn(trx, returnId);
  return true;
}

/** Opens a REJECTED line again. Returns false if another call has opened or decided it since. */
export async function reopenLine(
  trx: DatabaseTransaction,
  { returnId, number }: ReturnLineKey,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE cnab_return_lines SET outcome = NULL, detail = NULL
    WHERE return_id = ${returnId} AND number = ${number} AND decision IS NULL AND outcome = 'REJECTED'
      AND NOT counted`.execute(trx);
  if (numAffectedRows !== 1n) return false;
  await reopenReturn(trx, returnId);
  return true;
}

const reopenReturn = (trx: DatabaseTransaction, returnId: string) =>
  sql`UPDATE cnab_returns SET completed_at = NULL WHERE id = ${returnId}`.execute(trx);
