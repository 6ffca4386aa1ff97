import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import type pg from 'pg';

import { errorCode, errorMessage } from '#platform/kit/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { distributeNewTables } from './distribution.ts';
import type { Db } from './connect.ts';
import { acquireSchemaLock, connectForSchema, migrationFiles, migrationsIn } from './schema.ts';

/**
 * A waiting request for a strong lock blocks all later ones. So the migration waits this long only,
 * and then lets others proceed. It is shorter than PostgreSQL's `deadlock_timeout` of a second, so
 * that in a deadlock the migration is aborted and no request is.
 */
const LOCK_TIMEOUT_MS = 400;
const LOCK_RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000] as const;
/** After this time the operator must check who holds the lock. */
const LOCK_DEADLINE_MS = 15 * 60_000;

/** The SQLSTATEs of a lock timeout, a deadlock and a missing privilege. */
const LOCK_FAILURE_CODES = new Set(['55P03', '40P01']);
const INSUFFICIENT_PRIVILEGE = '42501';

/** The first migration of the pre-release schema, which no later migration continues. */
const PRE_RELEASE_MIGRATION = '0001-foundation.sql';
const PRE_RELEASE_DATABASE =
  'the database was created by a pre-release version and cannot be migrated; ' +
  'point DATABASE_URL at an empty database, or DATA_DIR at an empty directory';

export interface MigrateOptions {
  /** Defaults to the migrations of this version. */
  readonly directory?: string;
  readonly log?: Pick<Logger, 'info' | 'warn'>;
  readonly lockTimeoutMs?: number;
  readonly lockDeadlineMs?: number;
}

/**
 * Applies the pending migrations while other processes serve requests. Each file is one
 * transaction, unless its first line is `-- each statement by itself`: then each statement is one,
 * and statements that change rows are repeated until they change none. A second process waits and
 * then finds nothing to do. Returns the names of the applied files.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const client = await connectForSchema(databaseUrl, 'gateway migrate');
  try {
    const directory = migrationsIn(options.directory);
    const { pending, unknown } = await compareMigrations(client, directory);
    if (unknown.length > 0) {
      options.log?.warn({ unknown }, 'database schema is newer than this version');
    }
    if (pending.length === 0) return [];
    await acquireSchemaLock(client);
    await client.query(CREATE_TABLE_SQL).catch((error: unknown) => {
      // Without the privilege to create tables, IF NOT EXISTS fails too.
      if (errorCode(error) !== INSUFFICIENT_PRIVILEGE || pending[0] === undefined) throw error;
      throw ownerRequiredError(error, pending[0]);
    });
    const remaining = await compareMigrations(client, directory);
    for (const migration of remaining.pending) await applyMigration(client, directory, migration, options);
    await distributeNewTables(client, directory);
    return remaining.pending;
  } finally {
    // Closing the connection releases the lock.
    await client.end();
  }
}

/** Returns the migrations of this version that a database lacks. Changes nothing. */
export async function findPendingMigrations(db: Db): Promise<readonly string[]> {
  const files = await migrationFiles(migrationsIn(undefined));
  const found = await sql<{ there: boolean }>`${sql.raw(TABLE_EXISTS_SQL)}`.execute(db);
  if (found.rows[0]?.there !== true) return files;
  const { rows } = await sql<{ name: string }>`SELECT name FROM schema_migrations`.execute(db);
  return files.filter((file) => !rows.some(({ name }) => name === file));
}

/**
 * Migrations that are not applied, and applied ones without a file, which a newer version added.
 */
async function compareMigrations(
  client: pg.Client,
  directory: URL,
): Promise<{ readonly pending: readonly string[]; readonly unknown: readonly string[] }> {
  const files = await migrationFiles(directory);
  const [table] = (await client.query<{ there: boolean }>(TABLE_EXISTS_SQL)).rows;
  if (table?.there !== true) return { pending: files, unknown: [] };
  const known = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  const applied = known.rows.map((row) => row.name);
  if (applied.includes(PRE_RELEASE_MIGRATION)) throw new Error(PRE_RELEASE_DATABASE);
  return {
    pending: files.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !files.includes(name)),
  };
}

const CREATE_TABLE_SQL =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)';
const TABLE_EXISTS_SQL = `SELECT to_regclass('schema_migrations') IS NOT NULL AS there`;

/** The first line of a migration whose statements do not run in one transaction. */
const NO_TRANSACTION_MARKER = '-- each statement by itself';

async function applyMigration(
  client: pg.Client,
  directory: URL,
  name: string,
  options: MigrateOptions,
): Promise<void> {
  const text = await readFile(new URL(name, directory), 'utf8');
  try {
    if (!text.startsWith(NO_TRANSACTION_MARKER)) {
      await withLockRetries(client, name, options, async () => {
        await client.query(text);
        await recordMigration(client, name);
      });
      return;
    }
    for (const statement of splitStatements(text)) await applyStatement(client, name, statement, options);
    await recordMigration(client, name);
  } catch (error) {
    if (errorCode(error) === INSUFFICIENT_PRIVILEGE) throw ownerRequiredError(error, name);
    throw new Error(`migration ${name} failed: ${errorMessage(error)}`, { cause: error });
  }
}

const recordMigration = (client: pg.Client, name: string): Promise<unknown> =>
  client.query('INSERT INTO schema_migrations (name, applied_at) VALUES ($1, $2)', [name, new Date()]);

/** Statements end at a semicolon that ends its line. */
const splitStatements = (text: string): readonly string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((one) => one.replaceAll(/^[ \t]*--.*$/gm, '').trim())
    .filter((one) => one !== '');

async function applyStatement(
  client: pg.Client,
  name: string,
  statement: string,
  options: MigrateOptions,
): Promise<void> {
  // Waits for earlier transactions, and blocks none.
  if (/\bCONCURRENTLY\b/i.test(statement)) {
    await client.query(statement);
    return;
  }
  const repeated = /^(UPDATE|DELETE|INSERT|WITH)\b/i.test(statement);
  for (;;) {
    let changed = 0;
    await withLockRetries(client, name, options, async () => {
      changed = (await client.query(statement)).rowCount ?? 0;
    });
    if (!repeated || changed === 0) return;
  }
}

/** Runs work in a transaction with a short lock timeout, and repeats it until it succeeds. */
async function withLockRetries(
  client: pg.Client,
  name: string,
  { log, lockTimeoutMs = LOCK_TIMEOUT_MS, lockDeadlineMs = LOCK_DEADLINE_MS }: MigrateOptions,
  run: () => Promise<void>,
): Promise<void> {
  const end = performance.now() + lockDeadlineMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await run();
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      if (!LOCK_FAILURE_CODES.has(errorCode(error) ?? '')) throw error;
      if (performance.now() > end) {
        const minutes = Math.round(lockDeadlineMs / 60_000);
        throw new Error(
          `no lock within ${minutes} minutes: another transaction is open, see pg_stat_activity; ` +
            'end it and run the migration again',
          { cause: error },
        );
      }
      log?.info({ migration: name, attempt }, 'migration is waiting for a lock');
      await sleep(LOCK_RETRY_DELAYS_MS[Math.min(attempt, LOCK_RETRY_DELAYS_MS.length) - 1]);
    }
  }
}

const ownerRequiredError = (cause: unknown, name: string): Error =>
  new Error(
    `the database lacks migrations (${name}), and its role cannot change the schema: ` +
      'run npm run migrate as the owner of the tables',
    { cause },
  );
