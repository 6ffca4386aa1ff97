import { sql } from 'kysely';

import type { Logger } from '#platform/kit/log.ts';
import type { Db } from './connect.ts';
import { APP_PRIVILEGES } from './grants.ts';

/** Tables whose rows are evidence: the serving role only adds to them. */
const HISTORY_TABLES = [
  'ledger_entries',
  'ledger_chain',
  'audit_log',
  'provider_events',
  'transaction_history',
  'withdrawal_history',
] as const;

/** Returns the tables with history that the user of the connection may change or delete from. */
export async function findChangeableHistory(db: Db): Promise<readonly string[]> {
  const privileges = HISTORY_TABLES.map((table) => ({
    table,
    // A column that may change gives no privilege on the whole table.
    forbidden: ['UPDATE', 'DELETE', 'TRUNCATE'].filter(
      (privilege) => !APP_PRIVILEGES[table].some((granted) => granted === privilege),
    ),
  }));
  const { rows } = await sql<{ table: string }>`
    SELECT p.table
    FROM json_to_recordset(${JSON.stringify(privileges)}::json) AS p ("table" text, forbidden json)
    WHERE EXISTS (
      SELECT FROM json_array_elements_text(p.forbidden) AS f (privilege)
      WHERE has_table_privilege(p.table, f.privilege)
    ) ORDER BY p.table`.execute(db);
  return rows.map(({ table }) => table);
}

/** Warns if the database user may change history, as the owner of the tables and superusers may. */
export async function warnOfChangeableHistory(db: Db, log: Logger): Promise<void> {
  const tables = await findChangeableHistory(db);
  if (tables.length === 0) return;
  log.warn(
    { tables },
    'the database role may change history; use the least-privilege role of docs/database-roles.md',
  );
}
