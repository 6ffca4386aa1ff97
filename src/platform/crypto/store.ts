import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts';

/** A key that values in the database are encrypted with, wrapped by the master key. */
export interface DataKey {
  readonly id: string;
  readonly wrappedKey: string;
  readonly retiredAt: Date | null;
  /** Whether all processes know it, so that it may encrypt. */
  readonly encrypts: boolean;
}

/** Returns all data keys, the newest first. */
export async function findDataKeys(db: Db): Promise<readonly DataKey[]> {
  const rows = await db
    .selectFrom('encryption_keys')
    .select([
      'id',
      'wrapped_key',
      'retired_at',
      sql<boolean>`encrypts_from <= clock_timestamp()`.as('encrypts'),
    ])
    .orderBy('encrypts_from', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    wrappedKey: row.wrapped_key,
    retiredAt: row.retired_at,
    encrypts: row.encrypts,
  }));
}

/**
 * An advisory lock, held while a process makes, wraps or retires data keys. The number is
 * arbitrary.
 */
const KEYS_LOCK = 7_236_002;

export async function lockKeys(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${KEYS_LOCK})`.execute(trx);
}

/** Stores a data key that encrypts after a delay, by the database's clock. */
export async function insertDataKey(
  trx: DatabaseTransaction,
  key: { readonly id: string; readonly wrappedKey: string; readonly at: Date; readonly delayMs: number },
): Promise<void> {
  await trx
    .insertInto('encryption_keys')
    .values({
      id: key.id,
      wrapped_key: key.wrappedKey,
      created_at: key.at,
      encrypts_from: sql<Date>`clock_timestamp() + ${key.delayMs} * interval '1 millisecond'`,
    })
    .execute();
}

/** Replaces the wrapped form of a data key that has not been replaced since it was read. */
export async function replaceWrappedKey(
  db: Db,
  { id, wrappedKey }: DataKey,
  replacement: string,
): Promise<void> {
  await db
    .updateTable('encryption_keys')
    .set({ wrapped_key: replacement })
    .where('id', '=', id)
    .where('wrapped_key', '=', wrappedKey)
    .execute();
}

/** Returns how many milliseconds ago a data key began to encrypt; negative before. */
export async function findKeyAgeMs(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('encryption_keys')
    .select(sql<number>`extract(epoch FROM clock_timestamp() - encrypts_from)::float8 * 1000`.as('age'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.age;
}

/** Retires all other keys. Returns the ids of those that were in use. */
export async function retireKeys(
  trx: DatabaseTransaction,
  exceptId: string,
  at: Date,
): Promise<readonly string[]> {
  const retired = await trx
    .updateTable('encryption_keys')
    .set({ retired_at: at })
    .where('id', '<>', exceptId)
    .where('retired_at', 'is', null)
    .returning('id')
    .execute();
  return retired.map(({ id }) => id);
}

/** A running process and the master keys that it has. */
export interface KeyHolder {
  readonly id: string;
  /** Host name and process id. */
  readonly process: string;
  readonly keyIds: readonly string[];
}

/** Bounds the list of processes. */
const MAX_KEY_HOLDERS = 100;

export async function saveKeyHolder(db: Db, { id, process, keyIds }: KeyHolder): Promise<void> {
  const values = { process, key_ids: [...keyIds], seen_at: sql<Date>`clock_timestamp()` };
  await db
    .insertInto('master_key_holders')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

export async function deleteKeyHolder(db: Db, id: string): Promise<void> {
  await db.deleteFrom('master_key_holders').where('id', '=', id).execute();
}

/** Deletes the rows of processes that were killed. */
export async function deleteStaleKeyHolders(db: Db, staleAfterMs: number): Promise<void> {
  await db
    .deleteFrom('master_key_holders')
    .where('seen_at', '<', sql<Date>`clock_timestamp() - ${staleAfterMs} * interval '1 millisecond'`)
    .execute();
}

/** Returns the processes seen within this time that lack a master key. */
export async function findProcessesWithoutKey(
  db: Db,
  keyId: string,
  withinMs: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('master_key_holders')
    .select('process')
    .where('seen_at', '>', sql<Date>`clock_timestamp() - ${withinMs} * interval '1 millisecond'`)
    .where(sql<boolean>`NOT ${keyId} = ANY (key_ids)`)
    .orderBy('process')
    .limit(MAX_KEY_HOLDERS)
    .execute();
  return rows.map(({ process }) => process);
}

export interface KeyIdsInUse {
  readonly values: readonly string[];
  /** The keys of the ledger's chain, which is never encrypted again. */
  readonly chain: readonly string[];
}

/**
 * Finds the ids of all keys in use. Reads every encrypted value, so it is for rare operations only.
 */
export async function findKeyIdsInUse(db: Db): Promise<KeyIdsInUse> {
  const parts = ENCRYPTED_COLUMNS.map(
    ({ table, column }) =>
      sql`SELECT DISTINCT split_part(${sql.ref(column)}, '.', 2) AS id
        FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL`,
  );
  const values = await sql<{ id: string }>`
    SELECT DISTINCT id FROM (${sql.join(parts, sql` UNION ALL `)}) used ORDER BY id`.execute(db);
  const chain = await sql<{ id: string }>`
    SELECT DISTINCT split_part(mac, '.', 2) AS id FROM ledger_chain ORDER BY id`.execute(db);
  return { values: values.rows.map(({ id }) => id), chain: chain.rows.map(({ id }) => id) };
}

/** A value that is encrypted with another key than the current one. */
export interface OutdatedValue {
  /** The primary key of its row. */
  readonly key: readonly string[];
  readonly encrypted: string;
}

export interface EncryptedValuePage {
  /** The number of rows read. */
  readonly rows: number;
  /** The primary key of the last one. */
  readonly last: readonly string[] | undefined;
  readonly outdated: readonly OutdatedValue[];
}

export interface PageQuery {
  /** The key of which values are current. */
  readonly keyId: string;
  /** The primary key after which the page starts. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Reads the next rows in the order of the primary key, so that the cost of a statement does not
 * depend on the matches.
 */
export async function findOutdatedValues(
  db: Db,
  { table, column, key }: EncryptedColumn,
  { keyId, after, limit }: PageQuery,
): Promise<EncryptedValuePage> {
  const refs = sql.join(key.map((name) => sql.ref(name)));
  const afterCursor =
    after === undefined ? sql`true` : sql`(${refs}) > (${sql.join(after.map((part) => sql`${part}::uuid`))})`;
  const value = sql.ref(column);
  const { rows } = await sql<{ key: readonly string[]; encrypted: string | null }>`
    SELECT ARRAY[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] AS key,
      CASE WHEN split_part(${value}, '.', 2) <> ${keyId} THEN ${value} END AS encrypted
    FROM ${sql.table(table)} WHERE ${afterCursor} ORDER BY ${refs} LIMIT ${limit}`.execute(db);
  return {
    rows: rows.length,
    last: rows.at(-1)?.key,
    outdated: rows.flatMap((row) =>
      row.encrypted === null ? [] : [{ key: row.key, encrypted: row.encrypted }],
    ),
  };
}

/** Replaces the values that have not changed since they were read. Returns how many it replaced. */
export async function replaceValues(
  db: Db,
  { table, column, key }: EncryptedColumn,
  values: readonly (OutdatedValue & { readonly replacement: string })[],
): Promise<number> {
  if (values.length === 0) return 0;
  const input = JSON.stringify(values);
  const sameKey = sql.join(
    key.map((name, index) => sql`t.${sql.ref(name)} = (i.key ->> ${sql.lit(index)})::uuid`),
    sql` AND `,
  );
  const result = await sql`
    UPDATE ${sql.table(table)} t SET ${sql.ref(column)} = i.replacement
    FROM json_to_recordset(${input}::json) AS i (key json, encrypted text, replacement text)
    WHERE ${sameKey} AND t.${sql.ref(column)} = i.encrypted`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
