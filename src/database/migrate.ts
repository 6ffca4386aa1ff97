import { readdir, readFile } from 'node:fs/promises';

import pg from 'pg';

const DIRECTORY = new URL('../../migrations/', import.meta.url);

/** Any constant does, as long as every process that migrates uses the same. */
const ADVISORY_LOCK = 7_236_001;

/**
 * Brings the schema to the newest version, forward only, each file in a transaction of its own.
 * An advisory lock makes a second process that starts at once wait and then find nothing left to do.
 * Returns the names of the files applied by this call.
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  const client = await connect(databaseUrl);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)`,
    );
    const known = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
    const applied = new Set(known.rows.map((row) => row.name));
    const pending = (await migrationFiles()).filter((name) => !applied.has(name));
    for (const name of pending) await apply(client, name);
    return pending;
  } finally {
    // Ending the connection frees the lock, whatever happened before.
    await client.end();
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'gateway migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A connection that breaks fails the statement under way, which is how it is told.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    // A name with several addresses fails with one error for each, and no words of its own.
    const [first] = error instanceof AggregateError ? error.errors : [error];
    const reason = first instanceof Error ? first.message : 'unknown';
    throw new Error(`the database cannot be used: ${reason}; check DATABASE_URL`, { cause: error });
  }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const sql = await readFile(new URL(name, DIRECTORY), 'utf8');
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)', [
      name,
      new Date(),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : 'unknown'}`, {
      cause: error,
    });
  }
}

async function migrationFiles(): Promise<readonly string[]> {
  const names = await readdir(DIRECTORY);
  return names.filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted();
}
