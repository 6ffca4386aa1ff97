import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { ListKind } from './kinds.ts';
import type { ListEntry } from './lists.ts';
import type { RiskRule } from './rule.ts';

const COLUMNS = sql<RiskRule>`id, position, name, conditions AS "when", action, enabled,
  seller_id AS "sellerId", public_reason AS "publicReason", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

/** Rules of all sellers, which every process caches. */
export const MAX_RULES = 500;

/** In the order in which they decide. */
export async function findRules(db: Db): Promise<readonly RiskRule[]> {
  const { rows } = await sql<RiskRule>`
    SELECT ${COLUMNS} FROM risk_rules ORDER BY position, id LIMIT ${MAX_RULES}`.execute(db);
  return rows;
}

export async function findRule(db: Db, id: string): Promise<RiskRule | undefined> {
  const { rows } = await sql<RiskRule>`SELECT ${COLUMNS} FROM risk_rules WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Serializes changes of rules and lists until the end of the transaction. */
export async function lockPolicy(trx: DatabaseTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('risk policy', 0))`.execute(trx);
}

export async function insertRule(trx: DatabaseTransaction, rule: RiskRule): Promise<void> {
  await trx
    .insertInto('risk_rules')
    .values({ ...toColumns(rule), id: rule.id, created_at: rule.createdAt })
    .execute();
}

export async function updateRule(trx: DatabaseTransaction, rule: RiskRule): Promise<void> {
  await trx.updateTable('risk_rules').set(toColumns(rule)).where('id', '=', rule.id).execute();
}

const toColumns = (rule: RiskRule) => ({
  position: rule.position,
  name: rule.name,
  conditions: JSON.stringify(rule.when),
  action: rule.action,
  enabled: rule.enabled,
  seller_id: rule.sellerId,
  public_reason: rule.publicReason,
  updated_at: rule.updatedAt,
});

export async function deleteRule(trx: DatabaseTransaction, id: string): Promise<void> {
  await trx.deleteFrom('risk_rules').where('id', '=', id).execute();
}

const LOAD_RULES: NamedStatement = {
  name: 'load-risk-rules',
  text: `
    SELECT id, position, name, conditions AS "when", action, enabled, seller_id AS "sellerId",
      public_reason AS "publicReason", created_at AS "createdAt", updated_at AS "updatedAt"
    FROM risk_rules WHERE enabled ORDER BY position, id LIMIT ${MAX_RULES}`,
};
const LOAD_ENTRIES: NamedStatement = {
  name: 'load-risk-list-entries',
  text: 'SELECT kind, value FROM risk_list_entries LIMIT 20000',
};

/** Reads the enabled rules in order, and the entries of all lists. */
export async function loadPolicy(query: RunStatement) {
  const rules = await query<RiskRule>(LOAD_RULES, []);
  const entries = await query<Pick<ListEntry, 'kind' | 'value'>>(LOAD_ENTRIES, []);
  return { rules, entries };
}

/** Newest first. */
export async function findEntries(db: Db, kind: ListKind, limit: number): Promise<readonly ListEntry[]> {
  const { rows } = await sql<ListEntry>`
    SELECT id, kind, value, masked, note, created_at AS "createdAt" FROM risk_list_entries
    WHERE kind = ${kind} ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export async function countEntries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM risk_list_entries`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether a list has a value under one of its forms. */
export async function hasEntry(
  trx: DatabaseTransaction,
  kind: ListKind,
  values: readonly string[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('risk_list_entries')
    .select('id')
    .where('kind', '=', kind)
    .where('value', 'in', values)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the list has the value. */
export async function insertEntry(trx: DatabaseTransaction, entry: ListEntry): Promise<boolean> {
  const { id, kind, value, masked, note, createdAt } = entry;
  const result = await trx
    .insertInto('risk_list_entries')
    .values({ id, kind, value, masked, note, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Deletes the entries of these values. Returns the id of one; undefined if the list has none. */
export async function deleteEntries(
  trx: DatabaseTransaction,
  kind: ListKind,
  values: readonly string[],
): Promise<string | undefined> {
  const rows = await trx
    .deleteFrom('risk_list_entries')
    .where('kind', '=', kind)
    .where('value', 'in', values)
    .returning('id')
    .execute();
  return rows[0]?.id;
}
