import pg from 'pg';

import { isDistributed, queryEachServer, type TestDatabase } from '#test/support/database.ts';

/** Citus hides its shards from the catalog, and protects them. No effect on one server. */
export const SHOW_SHARDS = `
  SET citus.override_table_visibility = off; SET citus.enable_manual_changes_to_shards = on;`;

/**
 * Locks a table exclusively until the returned function is called: on a distributed database its
 * shards on each node, since a gateway reads these without the coordinator.
 */
export async function lockTable({ ownerUrls }: TestDatabase, table: string): Promise<() => Promise<void>> {
  const pattern = isDistributed() ? `^${table}_\\d+$` : `^${table}$`;
  const clients: pg.Client[] = [];
  for (const connectionString of ownerUrls) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    clients.push(client);
    await client.query(SHOW_SHARDS);
    const { rows } = await client.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ $1",
      [pattern],
    );
    await client.query('BEGIN');
    for (const { relname } of rows) await client.query(`LOCK TABLE ${relname} IN ACCESS EXCLUSIVE MODE`);
  }
  return async () => {
    for (const client of clients) await client.end();
  };
}

/** The number of connections that wait for a lock, on all servers of a database. */
export async function countWaiting(database: TestDatabase): Promise<number> {
  const rows = await queryEachServer(
    database,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}
