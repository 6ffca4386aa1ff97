import pg from 'pg';
import { inject } from 'vitest';

import { databaseAt } from '#test/support/administer.ts';
import { isDistributed, type TestDatabase } from '#test/support/database.ts';

/**
 * Locks a table exclusively until the returned function is called: on a distributed database its
 * shards on each node, since a gateway reads these without the coordinator.
 */
export async function lockTable({ ownerUrl }: TestDatabase, table: string): Promise<() => Promise<void>> {
  const name = new URL(ownerUrl).pathname.slice(1);
  const pattern = isDistributed() ? `^${table}_\\d+$` : `^${table}$`;
  const clients: pg.Client[] = [];
  for (const url of inject('serverUrls')) {
    const client = new pg.Client({ connectionString: databaseAt(url, name) });
    await client.connect();
    clients.push(client);
    // Citus hides its shards from the catalog, and protects them.
    if (isDistributed())
      await client.query(
        'SET citus.override_table_visibility = off; SET citus.enable_manual_changes_to_shards = on',
      );
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
