import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CROWDED_TIMEOUT_MS, Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { probeWithFullDisk, probe } from './probes.ts';
import type { ApiResponse, Client } from '#test/support/client.ts';
import { startDatabaseProxy, type DatabaseProxy } from '#test/support/database-proxy.ts';
import { cloneDatabase, isDistributed, queryEachServer, type TestDatabase } from '#test/support/database.ts';
import { SHOW_SHARDS } from '#test/support/lock-table.ts';
import { makeOwnServer, type OwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace, residentMb, sleep, type Place, type Program } from '#test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const CALLERS = LONG ? 24 : 12;
/** While the database is unavailable every request fails within this time. */
const TIMEOUT_MS = 2_000;
/** The gateway recovers within this time after its database. */
const RECOVERY_MS = 10_000;
/**
 * The additional memory that is allowed without responses: far less than an unbounded queue would
 * need.
 */
const MEMORY_MB = 150;

/** The duration of the outage. */
const OUTAGE_MS = LONG ? 60_000 : 2_500;

/** Requests of every kind. */
function probes({ demo }: Program, client: Client, id: string): readonly (() => Promise<ApiResponse>)[] {
  return [
    () => client.get('/health'),
    () => client.get(`/transactions/${id}`),
    () => client.get('/transactions'),
    () => client.get('/seller-wallet/gestao'),
    () => probe(client),
    () => client.post(`/sandbox/transactions/${id}/pay`),
    () => client.post('/login', demo.seller, { credential: 'none' }),
    () => client.get('/webhooks'),
  ];
}

async function expectAllUnavailable(asked: readonly (() => Promise<ApiResponse>)[]): Promise<void> {
  // Sends them concurrently, so that all meet the same state.
  await Promise.all(
    asked.map(async (probe, index) => {
      const started = performance.now();
      const response = await probe();
      const tookMs = performance.now() - started;
      expect({ index, status: response.status }).toEqual({ index, status: 503 });
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(tookMs, `answer ${index}`).toBeLessThan(TIMEOUT_MS);
    }),
  );
}

const isHealthy = async ({ client }: Program): Promise<boolean> =>
  (await client.get('/health')).status === 200;

async function recovers(program: Program, foreign: Client): Promise<void> {
  await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
  const status = async () => (await probe(foreign)).status;
  // The health is that of the coordinator.
  if (isDistributed()) await expect.poll(status, { timeout: RECOVERY_MS, interval: 50 }).toBe(201);
  expect(await status()).toBe(201);
}

/** The stored transactions of these keys. */
const kept = (database: TestDatabase, keys: readonly string[]) =>
  database.query<{ id: string }>('SELECT record_id AS id FROM idempotency_keys WHERE key = ANY ($1)', [keys]);

/**
 * Inserts of idempotency keys, or into their shards on a worker node, wait while the table has a row.
 */
const HANGING_DISK = `${SHOW_SHARDS}
  SET citus.enable_ddl_propagation = off;
  CREATE TABLE hanging_disk AS SELECT true;
  CREATE FUNCTION wait_for_disk() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    WHILE EXISTS (SELECT FROM hanging_disk) LOOP PERFORM pg_sleep(0.05); END LOOP;
    RETURN NULL;
  END $$;
  DO $$ DECLARE keys regclass; BEGIN
    FOR keys IN SELECT oid FROM pg_class c WHERE relname ~ '^idempotency_keys(_[0-9]+)?$' AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid)
    LOOP
      EXECUTE format('CREATE TRIGGER wait_for_disk AFTER INSERT ON %s FOR EACH STATEMENT
        EXECUTE FUNCTION wait_for_disk()', keys);
    END LOOP;
  END $$`;

describe('a database behind a failing network', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let place: Place;
  let program: Program;
  let foreign: Client;
  beforeAll(async () => {
    database = await cloneDatabase();
    proxy = await startDatabaseProxy(database);
    place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox' });
    program = await place.start();
    foreign = program.client;
  });
  afterAll(async () => {
    proxy.thaw();
    await place.remove();
    await proxy.remove();
    await database.drop();
  });

  it('that hangs fails requests in time, keeps memory bounded, and recovers', async () => {
    const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
    const { id } = (await probe(foreign)).body.data;
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    await sleep(500);
    const before = await residentMb(program.pid);

    proxy.freeze();
    // The first requests detect the outage; later ones fail at once.
    await expectAllUnavailable(probes(program, foreign, id));
    const asked = performance.now();
    await expectAllUnavailable(probes(program, foreign, id));
    expect(performance.now() - asked).toBeLessThan(1_000);
    expect((await program.client.get('/health')).body.data.database).toBe('unreachable');
    expect((await program.client.get('/health/live')).status).toBe(200);
    await sleep(OUTAGE_MS);
    expect((await residentMb(program.pid)) - before).toBeLessThan(MEMORY_MB);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);

    proxy.thaw();
    await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
    await sleep(300);
    over = true;
    await callers;
    expect(load.unavailable).toBeGreaterThan(0);
    expect(program.isAlive()).toBe(true);
    expect(await load.differences()).toEqual([]);
  });

  it('that responds slowly fails requests in time, and delays none after it recovers', async () => {
    const { id } = (await probe(foreign)).body.data;
    proxy.delay(1_500);
    await expectAllUnavailable(probes(program, foreign, id));
    await sleep(1_000);
    await expectAllUnavailable(probes(program, foreign, id));
    proxy.delay(0);
    await recovers(program, foreign);
    const asked = performance.now();
    expect((await program.client.get('/transactions')).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(1_000);
  });

  it('that commits without a response returns the one transaction to a retry with the same key', async () => {
    const client = foreign;
    const create = (idempotencyKey: string) => probe(client, idempotencyKey);
    // Which statement is the first without a response depends on timing; it has to be a commit.
    let keys: readonly string[] = [];
    for (let time = 0; time < 8 && (await kept(database, keys)).length === 0; time += 1) {
      keys = Array.from({ length: 20 }, () => randomUUID());
      expect((await probe(client)).status).toBe(201);
      proxy.holdResponses();
      await expectAllUnavailable(keys.map((key) => () => create(key)));
      proxy.thaw();
      await recovers(program, foreign);
    }
    expect((await kept(database, keys)).length).toBeGreaterThan(0);
    const ids = await Promise.all(keys.map(async (key) => String((await create(key)).body.data.id)));
    const rows = await kept(database, keys);
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
    expect(rows).toHaveLength(keys.length);
  });

  it('that is read-only fails writes in time, and executes each once when it is writable again', async () => {
    const client = foreign;
    const { id } = (await probe(client)).body.data;
    const key = randomUUID();
    const create = () => probe(client, key);
    // As on a disk that hangs: there is no wait for a lock, and no statement ends.
    await queryEachServer(database, HANGING_DISK);
    try {
      await expectAllUnavailable([create, create, () => probe(client)]);
      // Later requests are rejected at once instead of waiting.
      const asked = performance.now();
      // A distributed database is healthy while it serves the sellers of another node.
      const health = isDistributed() ? [] : [() => client.get('/health')];
      await expectAllUnavailable([create, () => probe(client), ...health]);
      expect(performance.now() - asked).toBeLessThan(1_000);
      const { database: state } = (await client.get('/health')).body.data;
      if (!isDistributed()) expect(state).toBe('slow');
      expect((await client.get(`/transactions/${id}`)).status).toBe(200);
      // No further connections are opened in addition to those that wait.
      expect(proxy.connections()).toBeLessThan(25 * database.ownerUrls.length);
    } finally {
      await queryEachServer(database, 'DELETE FROM hanging_disk');
    }
    await recovers(program, foreign);
    expect((await create()).status).toBe(201);
    const rows = await database.query(`SELECT 1 FROM idempotency_keys WHERE key = '${key}'`);
    expect(rows).toHaveLength(1);
  });
});

describe('a separate database server', () => {
  let server: OwnServer;
  let proxy: TcpProxy;
  let place: Place;
  let program: Program;
  let foreign: Client;
  /** Shared by all these tests, which use one database. */
  let load: Load;
  beforeAll(async () => {
    server = await makeOwnServer();
    await server.start({ max_connections: '40' });
    proxy = await startTcpProxy(server.url());
    place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox', DATABASE_POOL: '4' });
    program = await place.start();
    foreign = program.client;
    load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  });
  afterAll(async () => {
    await place.remove();
    await proxy.remove();
    await server.remove();
  });

  it('that is restarted under load loses no acknowledged write', async () => {
    const { id } = (await probe(foreign)).body.data;
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    for (let time = 0; time < (LONG ? 10 : 1); time += 1) {
      await sleep(load.random(300, 800));
      await (load.random(0, 2) === 0 ? server.stop() : server.kill());
      // A probe that has just seen other responses does not consider the server unreachable; the
      // next one does.
      await expect.poll(() => isHealthy(program), { timeout: TIMEOUT_MS, interval: 20 }).toBe(false);
      await expectAllUnavailable(probes(program, foreign, id));
      await server.start({ max_connections: '40' });
      proxy.redirect(server.url());
      await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
    }
    await sleep(500);
    over = true;
    await callers;
    expect(load.acknowledged.created).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(await load.differences()).toEqual([]);
  });

  it('that has no free connection fails requests with 503 until there is one', async () => {
    const { id } = (await probe(foreign)).body.data;
    const clients: pg.Client[] = [];
    const take = async () => {
      const client = new pg.Client({ connectionString: server.url(), connectionTimeoutMillis: 1_000 });
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
    };
    await take();
    // The gateway's connections are closed, and all free ones are taken before it can reconnect.
    proxy.close();
    await expect
      .poll(
        async () =>
          take().then(
            () => 'there is one',
            () => 'none',
          ),
        { timeout: 20_000, interval: 1 },
      )
      .toBe('none');
    proxy.open();
    await expectAllUnavailable(probes(program, foreign, id));
    const state = async () => (await program.client.get('/health')).body.data.database;
    await expect.poll(state, { timeout: 5_000 }).toBe('full');
    await expectAllUnavailable(probes(program, foreign, id));
    await Promise.all(clients.map((client) => client.end()));
    await recovers(program, foreign);
  });

  it('that has a full disk fails writes, serves reads, and writes nothing partially', async () => {
    const client = foreign;
    const { id } = (await probe(client)).body.data;
    // A table as large as a WAL segment: with the size limit, the WAL can be written and the table
    // cannot.
    await server.query(`INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id,
        created_at)
      SELECT gen_random_uuid(), repeat('x', 200), gen_random_uuid(), sha256('x'), gen_random_uuid(), now()
      FROM generate_series(1, 60000)`);
    let over = false;
    const callers = load.drive(4, () => over);
    await sleep(300);
    await limitFiles(server, String(17 * 2 ** 20));
    await expect.poll(async () => (await probe(client)).status, { timeout: 20_000 }).toBe(503);
    await probeWithFullDisk(client, 2_000);
    expect((await client.get(`/transactions/${id}`)).status).toBe(200);
    const state = async () => (await client.get('/health')).body.data.database;
    await expect.poll(state, { timeout: 10_000, interval: 20 }).toBe('failing');
    await limitFiles(server, 'unlimited');
    await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
    await expect.poll(async () => (await probe(client)).status, { timeout: RECOVERY_MS }).toBe(201);
    over = true;
    await callers;
    await server.query(`DELETE FROM idempotency_keys WHERE operation LIKE 'xx%'`);
    expect(await load.differences()).toEqual([]);
  });
});

/**
 * Limits the size of the files that the server writes: growth beyond it fails, as on a full disk.
 */
async function limitFiles(server: OwnServer, size: string): Promise<void> {
  // The first one is the server itself, from which new processes inherit the limit.
  for (const pid of await server.pids()) {
    try {
      // Only its own account may set it: if the tests run as root, the server has another one.
      const { uid, gid } = await stat(`/proc/${pid}`);
      await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${size}:`], { uid, gid });
    } catch (error) {
      // A connection that has been closed in the meantime.
      if ((await server.pids()).includes(pid)) throw error;
    }
  }
}
