import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CROWD_PATIENCE_MS, Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { asksWithoutRoom, probe, foreignTo } from './probes.ts';
import type { Answer, Client } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { makeOwnServer, type OwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace, residentMb, sleep, type Place, type Program } from '#test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const CALLERS = 24;
/** While the database is away every caller learns so within this time. */
const PATIENCE_MS = 2_000;
/** The gateway is back so soon after its database. */
const RECOVERY_MS = 10_000;
/** What may come on top in memory while nothing is answered: far less than what would be queued without bounds. */
const MEMORY_MB = 150;

/** How long the database is away. */
const OUTAGE_MS = LONG ? 60_000 : 2_500;

/** Of every kind something: what a caller might ask at the worst moment. */
function probes({ demo }: Program, client: Client, id: string): readonly (() => Promise<Answer>)[] {
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

async function allSayUnavailable(asked: readonly (() => Promise<Answer>)[]): Promise<void> {
  // Side by side, so that each meets the same moment.
  await Promise.all(
    asked.map(async (probe, index) => {
      const started = performance.now();
      const answer = await probe();
      const tookMs = performance.now() - started;
      expect({ index, status: answer.status }).toEqual({ index, status: 503 });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(tookMs, `answer ${index}`).toBeLessThan(PATIENCE_MS);
    }),
  );
}

const isHealthy = async ({ client }: Program): Promise<boolean> =>
  (await client.get('/health')).status === 200;

async function recovers(program: Program, foreign: Client): Promise<void> {
  await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
  expect((await probe(foreign)).status).toBe(201);
}

/** What of these keys is there. */
const kept = (database: TestDatabase, keys: readonly string[]) =>
  database.query<{ id: string }>('SELECT record_id AS id FROM idempotency_keys WHERE key = ANY ($1)', [keys]);

describe('a database behind a way that fails', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let place: Place;
  let program: Program;
  let foreign: Client;
  beforeAll(async () => {
    database = await cloneDatabase();
    proxy = await startTcpProxy(database.url);
    place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox' });
    program = await place.start();
    foreign = await foreignTo(program);
  });
  afterAll(async () => {
    proxy.thaw();
    await place.remove();
    await proxy.remove();
    await database.drop();
  });

  it('hangs: everybody is reported so in time, memory stays bounded, and it goes on afterwards', async () => {
    const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
    const { id } = (await probe(foreign)).body.data;
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    await sleep(500);
    const before = await residentMb(program.pid);

    proxy.freeze();
    // The first to ask find it out; those who ask later are reported at once.
    await allSayUnavailable(probes(program, foreign, id));
    const asked = performance.now();
    await allSayUnavailable(probes(program, foreign, id));
    expect(performance.now() - asked).toBeLessThan(1_000);
    expect((await program.client.get('/health')).body.data.database).toBe('unreachable');
    expect((await program.client.get('/health/live')).status).toBe(200);
    await sleep(OUTAGE_MS);
    expect((await residentMb(program.pid)) - before).toBeLessThan(MEMORY_MB);
    expect(load.slowestMs).toBeLessThan(CROWD_PATIENCE_MS);

    proxy.thaw();
    await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
    await sleep(300);
    over = true;
    await callers;
    expect(load.unavailable).toBeGreaterThan(0);
    expect(program.isAlive()).toBe(true);
    expect(await load.differences()).toEqual([]);
  });

  it('responds slowly: callers get an error in time, and none waits once it has recovered', async () => {
    const { id } = (await probe(foreign)).body.data;
    proxy.delay(1_500);
    await allSayUnavailable(probes(program, foreign, id));
    await sleep(1_000);
    await allSayUnavailable(probes(program, foreign, id));
    proxy.delay(0);
    await recovers(program, foreign);
    const asked = performance.now();
    expect((await program.client.get('/transactions')).status).toBe(200);
    expect(performance.now() - asked).toBeLessThan(1_000);
  });

  it('commits and cannot say so: the same key gives the one charge afterwards', async () => {
    const client = foreign;
    const create = (idempotencyKey: string) => probe(client, idempotencyKey);
    // Which statement is the first that nobody hears the answer of is up to the moment: it is to be a commit.
    let keys: readonly string[] = [];
    for (let time = 0; time < 8 && (await kept(database, keys)).length === 0; time += 1) {
      keys = Array.from({ length: 20 }, () => randomUUID());
      expect((await probe(client)).status).toBe(201);
      proxy.holdResponses();
      await allSayUnavailable(keys.map((key) => () => create(key)));
      proxy.thaw();
      await recovers(program, foreign);
    }
    expect((await kept(database, keys)).length).toBeGreaterThan(0);
    const ids = await Promise.all(keys.map(async (key) => String((await create(key)).body.data.id)));
    const rows = await kept(database, keys);
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
    expect(rows).toHaveLength(keys.length);
  });

  it('cannot write, and reads: what is written is refused in time, and once it can, all of it is there once', async () => {
    const client = foreign;
    const { id } = (await probe(client)).body.data;
    const key = randomUUID();
    const create = () => probe(client, key);
    // As on a disk that hangs: no lock is waited for, and no statement ends.
    await database.query('CREATE TABLE hanging_disk AS SELECT true');
    await database.query(`
      CREATE FUNCTION wait_for_disk() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        WHILE EXISTS (SELECT FROM hanging_disk) LOOP PERFORM pg_sleep(0.05); END LOOP;
        RETURN NULL;
      END $$`);
    await database.query(`CREATE TRIGGER wait_for_disk AFTER INSERT ON idempotency_keys
      FOR EACH STATEMENT EXECUTE FUNCTION wait_for_disk()`);
    try {
      await allSayUnavailable([create, create, () => probe(client)]);
      // Whoever comes later is refused at once instead of waiting behind them.
      const asked = performance.now();
      await allSayUnavailable([create, () => probe(client), () => client.get('/health')]);
      expect(performance.now() - asked).toBeLessThan(1_000);
      expect((await client.get('/health')).body.data.database).toBe('slow');
      expect((await client.get(`/transactions/${id}`)).status).toBe(200);
      // Nobody opens another connection beside those that wait.
      expect(proxy.connections()).toBeLessThan(25);
    } finally {
      await database.query('DELETE FROM hanging_disk');
    }
    await recovers(program, foreign);
    await database.query('DROP FUNCTION wait_for_disk CASCADE');
    expect((await create()).status).toBe(201);
    const rows = await database.query(`SELECT 1 FROM idempotency_keys WHERE key = '${key}'`);
    expect(rows).toHaveLength(1);
  });
});

describe('a server of its own', () => {
  let server: OwnServer;
  let proxy: TcpProxy;
  let place: Place;
  let program: Program;
  let foreign: Client;
  /** Of all tests here, since they have one database. */
  let load: Load;
  beforeAll(async () => {
    server = await makeOwnServer();
    await server.start({ max_connections: '40' });
    proxy = await startTcpProxy(server.url());
    place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox', DATABASE_POOL: '4' });
    program = await place.start();
    foreign = await foreignTo(program);
    load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  });
  afterAll(async () => {
    await place.remove();
    await proxy.remove();
    await server.remove();
  });

  it('is restarted under load: nothing that was acknowledged is lost', async () => {
    const { id } = (await probe(foreign)).body.data;
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    for (let time = 0; time < (LONG ? 10 : 1); time += 1) {
      await sleep(load.random(300, 800));
      await (load.random(0, 2) === 0 ? server.stop() : server.kill());
      // A look that has just seen others answered does not yet take the server for away; the next one does.
      await expect.poll(() => isHealthy(program), { timeout: PATIENCE_MS, interval: 20 }).toBe(false);
      await allSayUnavailable(probes(program, foreign, id));
      await server.start({ max_connections: '40' });
      proxy.redirect(server.url());
      await expect.poll(() => isHealthy(program), { timeout: RECOVERY_MS, interval: 50 }).toBe(true);
    }
    await sleep(500);
    over = true;
    await callers;
    expect(load.acknowledged.created).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWD_PATIENCE_MS);
    expect(await load.differences()).toEqual([]);
  });

  it('has no connection left: callers are reported so, and are served once there is one', async () => {
    const { id } = (await probe(foreign)).body.data;
    const greedy: pg.Client[] = [];
    const take = async () => {
      const client = new pg.Client({ connectionString: server.url(), connectionTimeoutMillis: 1_000 });
      client.on('error', () => undefined);
      await client.connect();
      greedy.push(client);
    };
    await take();
    // Those of the gateway are ended, and every place is taken before it can come back.
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
    await allSayUnavailable(probes(program, foreign, id));
    const state = async () => (await program.client.get('/health')).body.data.database;
    await expect.poll(state, { timeout: 5_000 }).toBe('full');
    await allSayUnavailable(probes(program, foreign, id));
    await Promise.all(greedy.map((client) => client.end()));
    await recovers(program, foreign);
  });

  it('has no room on its disk: what is written is refused, what is read is not, and nothing is half done', async () => {
    const client = foreign;
    const { id } = (await probe(client)).body.data;
    // A table that is as long as a segment of the log: files that may not grow beyond it let the log be written and not the table.
    await server.query(`INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
      SELECT gen_random_uuid(), repeat('x', 200), gen_random_uuid(), sha256('x'), gen_random_uuid(), now() FROM generate_series(1, 60000)`);
    let over = false;
    const callers = load.drive(4, () => over);
    await sleep(300);
    await limitFiles(server, String(17 * 2 ** 20));
    await expect.poll(async () => (await probe(client)).status, { timeout: 20_000 }).toBe(503);
    await asksWithoutRoom(client, 2_000);
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

/** How large files may become that the server writes: what grows beyond it fails, as on a disk that is full. */
async function limitFiles(server: OwnServer, size: string): Promise<void> {
  // The first is the server itself, of which whatever comes later inherits.
  for (const pid of await server.pids()) {
    try {
      // Only its own account may: as root the server runs under another one.
      const { uid, gid } = await stat(`/proc/${pid}`);
      await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${size}:`], { uid, gid });
    } catch (error) {
      // A connection that has ended meanwhile.
      if ((await server.pids()).includes(pid)) throw error;
    }
  }
}
