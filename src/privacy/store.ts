import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { PersonalDataTable, RelatedRecords, TableExport, TextKind } from './personal-data.ts';

/** A text in a row of a described table. */
export interface StoredText {
  readonly table: PersonalDataTable;
  /** The key of its row after the seller. */
  readonly key: readonly string[];
  readonly column: string;
  readonly kind: TextKind;
  readonly text: string;
}

/** Reads the exported tables in one statement. Returns their rows by member name. */
export async function findPersonalData(
  db: Db,
  tables: readonly PersonalDataTable[],
  records: RelatedRecords,
): Promise<Readonly<Record<string, unknown>>> {
  const members = tables.flatMap((table) => {
    if (table.export === undefined) return [];
    return [sql`${selectRows(table, table.export, records)} AS ${sql.ref(table.export.member)}`];
  });
  const { rows } = await sql<Readonly<Record<string, unknown>>>`SELECT ${sql.join(members)}`.execute(db);
  return rows[0] ?? {};
}

function selectRows(
  { table, key, rows }: PersonalDataTable,
  { rows: exportedRows = rows, orderBy, omit = [], single = false }: TableExport,
  records: RelatedRecords,
) {
  const columns = (orderBy === undefined ? key : [orderBy]).map((column) => sql`x.${sql.ref(column)}`);
  const array = sql`(
    SELECT coalesce(
      json_agg(to_jsonb(x) - ${[...omit, 'seller_id']}::text[] ORDER BY ${sql.join(columns)}), '[]')
    FROM ${sql.table(table)} x WHERE x.seller_id = ${records.sellerId} AND ${exportedRows(records)})`;
  return single ? sql`${array} -> 0` : array;
}

/** Finds the texts of the described tables that belong to a transaction. */
export async function findTexts(
  trx: DatabaseTransaction,
  tables: readonly PersonalDataTable[],
  records: RelatedRecords,
): Promise<readonly StoredText[]> {
  const texts: StoredText[] = [];
  for (const table of tables) {
    const columns = Object.entries(table.texts ?? {});
    if (columns.length === 0) continue;
    const { rows } = await sql<{ key: readonly string[]; texts: readonly (string | null)[] }>`
      SELECT ARRAY[${sql.join(table.key.map((name) => sql`x.${sql.ref(name)}::text`))}] AS key,
        ARRAY[${sql.join(columns.map(([name]) => sql`x.${sql.ref(name)}::text`))}] AS texts
      FROM ${sql.table(table.table)} x
      WHERE x.${sellerColumn(table)} = ${records.sellerId} AND ${table.rows(records)}`.execute(trx);
    for (const row of rows) {
      for (const [index, [column, kind]] of columns.entries()) {
        const text = row.texts[index] ?? null;
        if (text !== null) texts.push({ table, key: row.key, column, kind, text });
      }
    }
  }
  return texts;
}

const sellerColumn = ({ seller = 'seller_id' }: PersonalDataTable) => sql.ref(seller);

export async function replaceText(
  trx: DatabaseTransaction,
  sellerId: string,
  { table, key, column, kind }: StoredText,
  text: string,
): Promise<void> {
  const keyCondition = sql.join(
    table.key.map((name, index) => sql`x.${sql.ref(name)} = ${key[index]}`),
    sql` AND `,
  );
  const value = kind === 'json' ? sql`${text}::json` : sql`${text}`;
  await sql`
    UPDATE ${sql.table(table.table)} x SET ${sql.ref(column)} = ${value}
    WHERE x.${sellerColumn(table)} = ${sellerId} AND ${keyCondition}`.execute(trx);
}

/** Deletes the rows of a described table that belong to a transaction. */
export async function deleteRows(
  trx: DatabaseTransaction,
  table: PersonalDataTable,
  records: RelatedRecords,
): Promise<void> {
  await sql`
    DELETE FROM ${sql.table(table.table)} x
    WHERE x.${sellerColumn(table)} = ${records.sellerId} AND ${table.rows(records)}`.execute(trx);
}
