import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts';

/** A key as the database remembers it. */
export interface EncryptionKey {
  readonly id: string;
  readonly checkValue: string;
  readonly retiredAt: Date | null;
  readonly encryptedChainKey: string | null;
}

export async function findEncryptionKeys(db: Db): Promise<readonly EncryptionKey[]> {
  const rows = await db.selectFrom('encryption_keys').selectAll().orderBy('first_used_at').execute();
  return rows.map((row) => ({
    id: row.id,
    checkValue: row.check_value,
    retiredAt: row.retired_at,
    encryptedChainKey: row.encrypted_chain_key,
  }));
}

/** Any constant does that is no other lock's. Held while a process looks whether its keys fit and remembers a new one. */
const KEYS_LOCK = 7_236_002;

export async function lockKeys(trx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${KEYS_LOCK})`.execute(trx);
}

/** Changes nothing where the key is remembered. */
export async function insertEncryptionKey(
  trx: Db,
  key: { readonly id: string; readonly checkValue: string; readonly at: Date },
): Promise<void> {
  await trx
    .insertInto('encryption_keys')
    .values({ id: key.id, check_value: key.checkValue, first_used_at: key.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function saveChainKey(trx: Db, id: string, encrypted: string): Promise<void> {
  await trx
    .updateTable('encryption_keys')
    .set({ encrypted_chain_key: encrypted })
    .where('id', '=', id)
    .where('encrypted_chain_key', 'is', null)
    .execute();
}

/** Answers which of them were in use until now. */
export async function retireKeys(trx: Db, exceptId: string, at: Date): Promise<readonly string[]> {
  const retired = await trx
    .updateTable('encryption_keys')
    .set({ retired_at: at })
    .where('id', '<>', exceptId)
    .where('retired_at', 'is', null)
    .returning('id')
    .execute();
  return retired.map(({ id }) => id);
}

export interface KeyIdsInUse {
  readonly values: readonly string[];
  /** Of the ledger, which are never made anew. */
  readonly chain: readonly string[];
}

/** The ids of all keys that anything in the database was sealed with. Reads everything: for the rare moments that need it. */
export async function findKeyIdsInUse(db: Db): Promise<KeyIdsInUse> {
  const parts = ENCRYPTED_COLUMNS.map(
    ({ table, column }) =>
      sql`SELECT DISTINCT split_part(${sql.ref(column)}, '.', 2) AS id FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL`,
  );
  const values = await sql<{ id: string }>`
    SELECT DISTINCT id FROM (${sql.join(parts, sql` UNION ALL `)}) used ORDER BY id`.execute(db);
  const chain = await sql<{ id: string }>`
    SELECT DISTINCT split_part(mac, '.', 2) AS id FROM ledger_chain ORDER BY id`.execute(db);
  return { values: values.rows.map(({ id }) => id), chain: chain.rows.map(({ id }) => id) };
}

/** A value of a column that another key than the current one has sealed, with the key of its row. */
export interface EncryptedValue {
  readonly key: readonly string[];
  readonly sealed: string;
}

export interface EncryptedValuePage {
  /** How many rows were looked at. */
  readonly rows: number;
  /** The key of the last of them. */
  readonly last: readonly string[] | undefined;
  /** Those among them that were sealed otherwise. */
  readonly outdated: readonly EncryptedValue[];
}

/** The next rows behind `after` in the order of the primary key, so that a statement's price is known however few are found. */
export async function findEncryptedWithOtherKey(
  db: Db,
  { table, column, key, keyType }: EncryptedColumn,
  keyId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<EncryptedValuePage> {
  const type = sql.raw(keyType);
  const refs = sql.join(key.map((name) => sql.ref(name)));
  const afterCursor =
    after === undefined
      ? sql`true`
      : sql`(${refs}) > (${sql.join(after.map((part) => sql`${part}::${type}`))})`;
  const value = sql.ref(column);
  const { rows } = await sql<{ key: readonly string[]; sealed: string | null }>`
    SELECT ARRAY[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] AS key,
      CASE WHEN split_part(${value}, '.', 2) <> ${keyId} THEN ${value} END AS sealed
    FROM ${sql.table(table)} WHERE ${afterCursor} ORDER BY ${refs} LIMIT ${limit}`.execute(db);
  return {
    rows: rows.length,
    last: rows.at(-1)?.key,
    outdated: rows.flatMap(({ key: found, sealed }) => (sealed === null ? [] : [{ key: found, sealed }])),
  };
}

/** Replaces values that are still what was read; answers how many were. */
export async function replaceEncrypted(
  db: Db,
  { table, column, key, keyType }: EncryptedColumn,
  values: readonly (EncryptedValue & { readonly resealed: string })[],
): Promise<number> {
  if (values.length === 0) return 0;
  const replacements = JSON.stringify(values);
  const same = sql.join(
    key.map((name, index) => sql`t.${sql.ref(name)} = (w.key ->> ${sql.lit(index)})::${sql.raw(keyType)}`),
    sql` AND `,
  );
  const result = await sql`
    UPDATE ${sql.table(table)} t SET ${sql.ref(column)} = w.resealed
    FROM json_to_recordset(${replacements}::json) AS w (key json, sealed text, resealed text)
    WHERE ${same} AND t.${sql.ref(column)} = w.sealed`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
