import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import pg from 'pg';

import { errorMessage } from '#platform/kit/errors.ts';
import { findWritableUrl } from './server-urls.ts';

/** What the commands that change the schema share. */

const DIRECTORY = new URL('../../../migrations/', import.meta.url);

/** Defaults to the migrations of this version. */
export const migrationsIn = (path: string | undefined): URL =>
  path === undefined ? DIRECTORY : pathToFileURL(`${path}/`);

/** The names of the migrations, in order. */
export async function migrationFiles(directory: URL): Promise<readonly string[]> {
  const names = await readdir(directory);
  return names.filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted();
}

/** The number is arbitrary, but equal in every process that changes the schema. */
const ADVISORY_LOCK = 7_236_001;

/** How often to check whether another process has finished its change. */
const LOCK_POLL_MS = 250;

/**
 * Acquires the advisory lock of schema changes by polling: a waiting statement would hold its
 * snapshot, and a concurrent index creation of the other process would wait for it.
 */
export async function acquireSchemaLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
      ADVISORY_LOCK,
    ]);
    if (rows[0]?.mine === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

/** Connects to the server that accepts writes, to change its schema. */
export async function connectForSchema(databaseUrl: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await findWritableUrl(databaseUrl),
    application_name: name,
    connectionTimeoutMillis: 10_000,
  });
  // A lost connection fails the current statement.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Error(`the database cannot be used: ${errorMessage(error)}; check DATABASE_URL`, {
      cause: error,
    });
  }
}
