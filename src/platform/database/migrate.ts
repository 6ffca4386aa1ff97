import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import pg from 'pg';

import type { Logger } from '#platform/kit/log.ts';
import { findWritableUrl } from './server-urls.ts';
import { codeOf } from './errors.ts';

const DIRECTORY = new URL('../../../migrations/', import.meta.url);

/** Any constant does, as long as every process that migrates uses the same. */
const ADVISORY_LOCK = 7_236_001;

/** How often a process looks whether another one has done with migrating. */
const LOCK_POLL_MS = 250;

/**
 * Who asks for a strong lock makes everybody wait who comes after. So it is asked for this long
 * only, and then everybody goes first again for a while. Shorter than PostgreSQL's
 * `deadlock_timeout` of a second: of two who met crosswise the migration gives way, before a
 * request is given up for it.
 */
const LOCK_TIMEOUT_MS = 400;
const LOCK_RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000] as const;
/** After so long somebody must look who holds the lock. */
const LOCK_DEADLINE_MS = 15 * 60_000;

/**
 * PostgreSQL's words for a lock that was not given in time, for a deadlock, and for what one may
 * not do.
 */
const LOCK_FAILURE_CODES = new Set(['55P03', '40P01']);
const INSUFFICIENT_PRIVILEGE = '42501';

/** The first migration of the pre-release schema, which no later migration continues. */
const PRE_RELEASE_MIGRATION = '0001-foundation.sql';
const PRE_RELEASE_DATABASE =
  'the database was created by a pre-release version and cannot be migrated; ' +
  'point DATABASE_URL at an empty database, or DATA_DIR at an empty directory';

export interface MigrateOptions {
  /** Where the files are, unless they are the program's own. */
  readonly directory?: string;
  readonly log?: Pick<Logger, 'info' | 'warn'>;
  readonly lockTimeoutMs?: number;
  readonly lockDeadlineMs?: number;
}

/**
 * Brings the schema to the newest version, forward only, while others go on serving: no lock is
 * waited for longer than a moment at a time. Each file is a transaction of its own, unless its
 * first line is `-- each statement by itself`: then each statement is one, may be repeated after a
 * crash, and is repeated until it changes no row where it changes rows. A second process that
 * starts at once waits and then finds nothing left to do. Returns the names of the files applied by
 * this call.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const client = await connect(databaseUrl);
  try {
    const directory = options.directory === undefined ? DIRECTORY : pathToFileURL(`${options.directory}/`);
    const { pending, unknown } = await compareMigrations(client, directory);
    if (unknown.length > 0) {
      options.log?.warn(
        { unknown },
        'the schema is newer than this program, which serves with it all the same',
      );
    }
    if (pending.length === 0) return [];
    await acquireMigrationLock(client);
    await client.query(CREATE_TABLE_SQL).catch((error: unknown) => {
      // Who may not make tables may not even ask to make one that exists, and need not.
      if (codeOf(error) !== INSUFFICIENT_PRIVILEGE || pending[0] === undefined) throw error;
      throw ownerRequiredError(error, pending[0]);
    });
    const remaining = await compareMigrations(client, directory);
    for (const migration of remaining.pending) await applyMigration(client, directory, migration, options);
    return remaining.pending;
  } finally {
    // Ending the connection frees the lock, whatever happened before.
    await client.end();
  }
}

/**
 * What of the files is not applied yet, and what is applied and in no file of ours: a newer version
 * did that.
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

/**
 * Takes the lock of those who migrate. It is asked for again and again and not waited for: a
 * statement that waits keeps its snapshot, and an index that the other one makes concurrently would
 * wait for that.
 */
async function acquireMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [
      ADVISORY_LOCK,
    ]);
    if (rows[0]?.mine === true) return;
    await sleep(LOCK_POLL_MS);
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: await findWritableUrl(databaseUrl),
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
    throw new Error(`the database cannot be used: ${messageOf(first)}; check DATABASE_URL`, { cause: error });
  }
}

/** The first line of a file whose statements cannot be one transaction, or should not be. */
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
    if (codeOf(error) === INSUFFICIENT_PRIVILEGE) throw ownerRequiredError(error, name);
    throw new Error(`migration ${name} failed: ${messageOf(error)}`, { cause: error });
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
  // It waits for transactions that have begun before it, and nobody waits for it.
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

/** Does it in a transaction that waits for no lock longer than a moment, as often as it takes. */
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
      if (!LOCK_FAILURE_CODES.has(codeOf(error) ?? '')) throw error;
      if (performance.now() > end) {
        const minutes = Math.round(lockDeadlineMs / 60_000);
        throw new Error(
          `a lock was not given in ${minutes} minutes: somebody has a transaction open, see pg_stat_activity, and run it again`,
          { cause: error },
        );
      }
      log?.info({ migration: name, attempt }, 'a migration waits for a lock, and lets others go first');
      await sleep(LOCK_RETRY_DELAYS_MS[Math.min(attempt, LOCK_RETRY_DELAYS_MS.length) - 1]);
    }
  }
}

async function migrationFiles(directory: URL): Promise<readonly string[]> {
  const names = await readdir(directory);
  return names.filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

const ownerRequiredError = (cause: unknown, name: string): Error =>
  new Error(
    `the database lacks migrations (${name}), and its user may not change the schema: run npm run migrate as the owner first`,
    { cause },
  );
