import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { migrate, type MigrateOptions } from '#platform/database/migrate.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { makePlace, sleep, untilHealthy } from '#test/support/process.ts';
import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let database: TestDatabase;
let directory: string;
/** The log of `migrate`. */
let said: string[];
let log: NonNullable<MigrateOptions['log']>;
beforeEach(async () => {
  database = await cloneDatabase();
  directory = await mkdtemp(join(tmpdir(), 'gateway-migrations-'));
  said = [];
  const keep = (_about: unknown, words?: string): void => void said.push(String(words));
  log = { info: keep, warn: keep };
});
afterEach(async () => {
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);

const run = (options: MigrateOptions = {}) => migrate(database.url, { directory, log, ...options });

/** Clients of a gateway that run until stopped, and the results of their requests. */
async function underLoad<T>(work: (load: Load) => Promise<T>): Promise<T> {
  const gateway = await startTestGateway({ database: { ...database, drop: async () => undefined } });
  let over = false;
  let callers: Promise<void> | undefined;
  try {
    const load = await Load.prepare({ demo: gateway.demo, sellers: 2, seed: seedOfRun() });
    callers = load.drive(6, () => over);
    while (load.acknowledged.paid < 20) await sleep(20);
    const result = await work(load);
    over = true;
    await callers;
    expect([load.unavailable, load.cutOff]).toEqual([0, 0]);
    expect(await load.differences()).toEqual([]);
    return result;
  } finally {
    over = true;
    await callers;
    await gateway.stop();
  }
}

describe('a migration on a running gateway', () => {
  it('adds columns, tables, an index and missing values, and no request fails', async () => {
    await write(
      '9001-colours.sql',
      `-- citus: local
       CREATE TABLE colours (id integer PRIMARY KEY, name text NOT NULL);`,
    );
    await write(
      '9002-columns.sql',
      `ALTER TABLE transactions ADD COLUMN colour integer;
       ALTER TABLE transactions ADD COLUMN shade text NOT NULL DEFAULT 'light';`,
    );
    await write('9004-keys.sql', 'ALTER TABLE idempotency_keys ADD COLUMN colour integer;');
    let old = 0;
    const applied = await underLoad(async () => {
      const [newest] = await database.query<{ id: string; charges: number }>(
        'SELECT max(id::text) AS id, count(*)::int AS charges FROM transactions',
      );
      const { id: until, charges } = newest ?? { id: '', charges: 0 };
      old = charges;
      await write(
        '9003-filled.sql',
        `-- each statement by itself
         DROP INDEX CONCURRENTLY IF EXISTS transactions_by_colour;
         -- Old rows, a few at a time.
         UPDATE transactions SET colour = 7 WHERE (seller_id, id) IN (
           SELECT seller_id, id FROM transactions WHERE colour IS NULL AND id <= '${until}' LIMIT 5);
         CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_by_colour ON transactions (colour);`,
      );
      return run();
    });
    expect(applied).toEqual(['9001-colours.sql', '9002-columns.sql', '9003-filled.sql', '9004-keys.sql']);
    const [index] = await database.query<{ valid: boolean }>(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'transactions_by_colour'::regclass`,
    );
    expect(index).toEqual({ valid: true });
    const [row] = await database.query<{ filled: number; shade: string }>(
      `SELECT count(*) FILTER (WHERE colour = 7)::int AS filled, min(shade) AS shade FROM transactions`,
    );
    // More than one chunk.
    expect(old).toBeGreaterThan(10);
    expect(row?.shade).toBe('light');
    expect(row?.filled).toBeGreaterThanOrEqual(old);
    expect(await run()).toEqual([]);
  });

  it('waits behind a long transaction without blocking requests, and then completes', async () => {
    await write('9001-column.sql', 'ALTER TABLE transactions ADD COLUMN colour integer;');
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    try {
      await underLoad(async (load) => {
        // A long report is being read. The column needs a lock that conflicts with it, and later
        // requests would wait for that lock.
        await reader.query('BEGIN; LOCK TABLE transactions IN ACCESS SHARE MODE');
        let ended = false;
        const migrated = run({ lockTimeoutMs: 200 }).finally(() => (ended = true));
        await vi.waitFor(() => expect(said.length).toBeGreaterThanOrEqual(2), { timeout: 30_000 });
        const { created } = load.acknowledged;
        await vi.waitFor(
          () => {
            expect(said.length).toBeGreaterThanOrEqual(4);
            expect(load.acknowledged.created).toBeGreaterThan(created + 20);
          },
          { timeout: 60_000 },
        );
        expect(ended).toBe(false);
        expect(new Set(said)).toEqual(
          new Set([expect.stringContaining('newer'), 'migration is waiting for a lock']),
        );
        await reader.query('COMMIT');
        expect(await migrated).toEqual(['9001-column.sql']);
      });
    } finally {
      await reader.end();
    }
  });

  it('fails with a description if it gets no lock, and changes nothing', async () => {
    await write('9001-column.sql', 'ALTER TABLE transactions ADD COLUMN colour integer;');
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE transactions IN ACCESS SHARE MODE');
    await expect(run({ lockTimeoutMs: 20, lockDeadlineMs: 300 })).rejects.toThrow(
      'migration 9001-column.sql failed: no lock within 0 minutes: another transaction is open',
    );
    await reader.end();
    expect(await run()).toEqual(['9001-column.sql']);
  });

  it('is applied once by concurrent runs, including a concurrent index', async () => {
    await write(
      '9001-index.sql',
      '-- each statement by itself\n' +
        'CREATE INDEX CONCURRENTLY transactions_by_amount ON transactions (amount);',
    );
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.flat()).toEqual(['9001-index.sql']);
  });
});

describe('a gateway on a schema of another version', () => {
  it('serves if the schema is newer, with a warning', async () => {
    await database.query(
      `INSERT INTO schema_migrations VALUES ('9999-of-the-future.sql', '2030-01-01');
       ALTER TABLE transactions ADD COLUMN of_the_future text`,
    );
    const place = await makePlace({
      ...SHARED_SECRETS,
      DATABASE_URL: database.url,
      MODE: 'sandbox',
    });
    try {
      const program = place.run(['api']);
      await untilHealthy(program, place.port);
      expect(program.stdout()).toContain('database schema is newer than this version');
      expect(program.stdout()).toContain('9999-of-the-future.sql');
    } finally {
      await place.remove();
    }
  });

  it('exits if its role may not migrate, and names the role that may', async () => {
    const role = `reader_${process.pid}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    try {
      await database.query(`GRANT SELECT ON schema_migrations TO ${role}`);
      await write('9001-table.sql', 'CREATE TABLE colours (id integer);');
      const address = new URL(database.url);
      [address.username, address.password] = [role, 'x'];
      await expect(migrate(address.href, { directory, log })).rejects.toThrow(
        'the database lacks migrations (9001-table.sql), and its role ' +
          'cannot change the schema: run npm run migrate as the owner of the tables',
      );
    } finally {
      await database.query(`REVOKE SELECT ON schema_migrations FROM ${role}; DROP ROLE ${role}`);
    }
  });
});

describe('a database of a pre-release version', () => {
  it('is rejected with instructions, and is not changed', async () => {
    await database.query(
      `INSERT INTO schema_migrations (name, applied_at) VALUES ('0001-foundation.sql', now())`,
    );
    await write('9001-colours.sql', 'CREATE TABLE colours (id integer PRIMARY KEY);');
    await expect(run()).rejects.toThrow(
      /created by a pre-release version .* point DATABASE_URL at an empty database, or DATA_DIR at an empty/,
    );
    expect(await database.query(`SELECT to_regclass('colours') AS made`)).toEqual([{ made: null }]);
  });
});
