import { sql } from 'kysely';

import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { NumberedLine } from './settlement-file.ts';

/** A file before its lines are counted. */
export interface NewSettlementFile {
  readonly id: string;
  readonly provider: string;
  readonly day: LocalDate;
  readonly sha256: Buffer;
  readonly bytes: number;
  readonly lines: number;
  readonly importedBy: string;
  readonly importedAt: Date;
}

/** Totals of the lines that count. Amounts in cents. */
export interface FileTotals {
  readonly duplicates: number;
  readonly moneyIn: number;
  readonly moneyOut: number;
  readonly fees: number;
}

export type SettlementFile = NewSettlementFile & FileTotals;

/**
 * Inserts a file without its lines. Returns false when the same bytes were imported before. Waits
 * for a concurrent import of the same bytes.
 */
export async function insertFile(trx: DatabaseTransaction, file: NewSettlementFile): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO settlement_files (id, provider, day, sha256, bytes, lines, duplicates, money_in, money_out,
      fees, imported_by, imported_at)
    VALUES (${file.id}, ${file.provider}, ${file.day}, ${file.sha256}, ${file.bytes}, ${file.lines}, 0, 0, 0,
      0, ${file.importedBy}, ${file.importedAt})
    ON CONFLICT (provider, sha256) DO NOTHING
    RETURNING id`.execute(trx);
  return rows.length > 0;
}

/**
 * Inserts lines of one file. Lines whose id exists in any file become duplicates. Lines must be
 * ordered by type and id over all calls of an import, so that two imports with the same ids cannot
 * deadlock.
 */
export async function insertLines(
  trx: DatabaseTransaction,
  file: { readonly provider: string; readonly id: string },
  lines: readonly NumberedLine[],
): Promise<FileTotals> {
  const { rows } = await sql<FileTotals>`
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(lines)}::json) AS i (
        number integer, type text, id text, reference uuid, amount bigint, fee bigint, date date)
    ), inserted AS (
      INSERT INTO settlement_lines (provider, file_id, number, type, id, reference, amount, fee, day,
        duplicate)
      SELECT ${file.provider}, ${file.id}::uuid, number, type, id, reference, amount, fee, date, false
      FROM input ORDER BY type COLLATE "C", id COLLATE "C", number
      ON CONFLICT (provider, type, id) WHERE NOT duplicate DO NOTHING
      RETURNING number, type, amount, fee
    ), duplicates AS (
      INSERT INTO settlement_lines (provider, file_id, number, type, id, reference, amount, fee, day,
        duplicate)
      SELECT ${file.provider}, ${file.id}::uuid, number, type, id, reference, amount, fee, date, true
      FROM input WHERE number NOT IN (SELECT number FROM inserted)
    )
    SELECT (SELECT count(*) FROM input) - count(*) AS duplicates,
      coalesce(sum(amount) FILTER (WHERE type = 'PAYMENT'), 0)::bigint AS "moneyIn",
      coalesce(sum(amount) FILTER (WHERE type <> 'PAYMENT'), 0)::bigint AS "moneyOut",
      coalesce(sum(fee), 0)::bigint AS fees
    FROM inserted`.execute(trx);
  const [totals] = rows;
  if (totals === undefined) throw new Error('an aggregate returned no row');
  return totals;
}

export async function updateFileTotals(
  trx: DatabaseTransaction,
  id: string,
  totals: FileTotals,
): Promise<void> {
  await trx
    .updateTable('settlement_files')
    .set({
      duplicates: totals.duplicates,
      money_in: totals.moneyIn,
      money_out: totals.moneyOut,
      fees: totals.fees,
    })
    .where('id', '=', id)
    .execute();
}

const FILE_COLUMNS = sql<SettlementFile>`id, provider, day::text AS day, sha256, bytes, lines, duplicates,
  money_in AS "moneyIn", money_out AS "moneyOut", fees, imported_by AS "importedBy",
  imported_at AS "importedAt"`;

export async function findFileByHash(
  db: Db,
  provider: string,
  sha256: Buffer,
): Promise<SettlementFile | undefined> {
  const { rows } = await sql<SettlementFile>`
    SELECT ${FILE_COLUMNS} FROM settlement_files WHERE provider = ${provider} AND sha256 = ${sha256}`.execute(
    db,
  );
  return rows[0];
}

/** The providers that files were imported of. */
export async function findFileProviders(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom('settlement_files').select('provider').distinct().execute();
  return rows.map(({ provider }) => provider);
}

export interface FileFilter {
  readonly provider: string | undefined;
  readonly from: LocalDate | undefined;
  readonly to: LocalDate | undefined;
}

/** Returns files, newest import first, and one more than `take` if there is a next page. */
export function findFiles(db: Db, filter: FileFilter, page: Page) {
  const matching = sql`
    FROM settlement_files
    WHERE (${filter.provider ?? null}::text IS NULL OR provider = ${filter.provider ?? null})
      AND day >= coalesce(${filter.from ?? null}::date, '-infinity')
      AND day <= coalesce(${filter.to ?? null}::date, 'infinity')`;
  return findPage(db, FILE_COLUMNS, matching, page);
}

/** The earliest day of a file; undefined if there is none. */
export async function findFirstFileDay(db: Db): Promise<LocalDate | undefined> {
  const { rows } = await sql<{ day: LocalDate }>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day FROM settlement_files
    ORDER BY settlement_files.day LIMIT 1`.execute(db);
  return rows[0]?.day;
}

/** The files of a provider for a day. */
export interface FileDay {
  readonly day: LocalDate;
  readonly provider: string;
  readonly files: number;
}

/** Counts the files of all providers for some days, both inclusive. */
export async function countFilesByDay(db: Db, from: LocalDate, to: LocalDate): Promise<readonly FileDay[]> {
  const { rows } = await sql<FileDay>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, provider, count(*) AS files FROM settlement_files
    WHERE day >= ${from}::date AND day <= ${to}::date
    GROUP BY settlement_files.day, provider`.execute(db);
  return rows;
}
