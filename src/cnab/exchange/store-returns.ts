import { sql } from 'kysely';

import { toColumns } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { LineOutcome, NewReturnLine, ReturnCount, ReturnFile, ReturnLine } from './return-file.ts';

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

const INSERTED_COLUMNS = sql`(return_id, number, kind, code, record, amount, tariff, occurred_on, credited_on,
  bank_reference, reason, identity, outcome, detail)`;

/**
 * Inserts lines of one file. A line whose identity exists already is REPEATED. Callers insert lines
 * in the order of their identities, so that two files with the same lines cannot deadlock.
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
        "bankReference", reason, identity, outcome, detail
      FROM input ORDER BY identity COLLATE "C", number
      ON CONFLICT (identity) WHERE outcome IS DISTINCT FROM 'REPEATED' DO NOTHING
      RETURNING number
    )
    INSERT INTO cnab_return_lines ${INSERTED_COLUMNS}
    SELECT ${returnId}::uuid, number, kind, code, record, amount, tariff, "occurredOn", "creditedOn",
      "bankReference", reason, identity, 'REPEATED', 'already reported'
    FROM input WHERE number NOT IN (SELECT number FROM inserted)`.execute(trx);
}

const RETURN_COLUMNS = sql<ReturnFile>`id, bank_code AS "bankCode", sha256, bytes, number, taken_by AS "takenBy",
  taken_at AS "takenAt", completed_at AS "completedAt"`;

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

/** Returns files newest first, plus one row beyond the page if there are more. */
export function findReturnFiles(db: Db, page: Page) {
  return findPage(db, RETURN_COLUMNS, sql`FROM cnab_returns WHERE true`, page);
}

const LINE_COLUMNS = sql`return_id AS "returnId", number, kind, code, record, amount, tariff,
  occurred_on::text AS "occurredOn", credited_on::text AS "creditedOn",
  bank_reference AS "bankReference", reason, identity, outcome, detail,
  seller_id AS "sellerId", record_id AS "recordId"`;

/** Finds lines that are not applied yet, in the order of files and lines. */
export async function findOpenLines(db: Db, bankCode: string, limit: number): Promise<readonly ReturnLine[]> {
  const { rows } = await sql<ReturnLine>`
    SELECT ${LINE_COLUMNS} FROM cnab_return_lines
    WHERE outcome IS NULL AND return_id IN (
      SELECT id FROM cnab_returns WHERE completed_at IS NULL AND bank_code = ${bankCode})
    ORDER BY return_id, number LIMIT ${limit}`.execute(db);
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

/** Lines that the operator should review: rejected by the bank or without a matching record. */
const IS_PROBLEM = sql`(outcome IN ('LATE', 'REJECTED', 'UNMATCHED')
  OR (kind IN ('REJECTED', 'ORDER_REJECTED', 'PAYOUT_FAILED', 'PAYOUT_UNCLEAR')
    AND outcome IS DISTINCT FROM 'REPEATED'))`;

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

/** Records the outcome of a line unless it has one. */
export async function saveLineOutcome(
  trx: DatabaseTransaction,
  line: Pick<ReturnLine, 'returnId' | 'number'>,
  result: {
    readonly outcome: LineOutcome;
    readonly detail: string | null;
    readonly recordKey: { readonly sellerId: string; readonly id: string } | undefined;
  },
): Promise<void> {
  await trx
    .updateTable('cnab_return_lines')
    .set({
      outcome: result.outcome,
      detail: result.detail,
      seller_id: result.recordKey?.sellerId ?? null,
      record_id: result.recordKey?.id ?? null,
    })
    .where((eb) => eb.and({ return_id: line.returnId, number: line.number }))
    .where('outcome', 'is', null)
    .execute();
}
