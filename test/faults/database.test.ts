import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { findRunningEmbeddedUrl } from '#platform/database/embedded.ts';
import { startDatabaseProxy, type DatabaseProxy } from '#test/support/database-proxy.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import {
  makePlace,
  sleep,
  untilHealthy,
  type Place,
  type Program,
  type Run,
  type Settings,
} from '#test/support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const CALLERS = LONG ? 24 : 12;
/**
 * While the database is unavailable a request fails within this time; with many concurrent clients
 * it may take longer.
 */
const TIMEOUT_MS = 2_000;
const CROWDED_TIMEOUT_MS = 5_000;

it('recovers when all database connections are closed under load', async () => {
  const gateway = await startTestGateway();
  try {
    const load = await Load.prepare({ demo: gateway.demo, sellers: 2, seed: seedOfRun() });
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    let cut = 0;
    for (let time = 0; time < 12; time += 1) {
      await sleep(load.random(50, 200));
      const rows = await gateway.database.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'gateway%'`);
      cut += rows.length;
    }
    over = true;
    await callers;
    expect(cut).toBeGreaterThan(12);
    expect(load.acknowledged.created).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(await load.differences()).toEqual([]);
  } finally {
    await gateway.stop();
  }
});

describe('a database server that stops and restarts', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let place: Place;
  let program: Program;
  beforeEach(async () => {
    database = await cloneDatabase();
    proxy = await startDatabaseProxy(database);
    place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox' });
    program = await place.start();
  });
  afterEach(async () => {
    await place.remove();
    await proxy.remove();
    await database.drop();
  });

  it('books a commit once after its response was lost', async () => {
    const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    for (let time = 0; time < 10; time += 1) {
      await sleep(load.random(50, 200));
      // Something must have been executed since the last time, so that there is a response to lose.
      const { created } = load.acknowledged;
      await expect.poll(() => load.acknowledged.created, { timeout: 10_000 }).toBeGreaterThan(created);
      await proxy.loseResponses(load.random(20, 60));
    }
    over = true;
    await callers;
    expect(load.acknowledged.created).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(await load.differences()).toEqual([]);
  });

  it('causes responses with 503 and Retry-After, and nothing is lost or duplicated', async () => {
    const { client, demo } = program;
    const load = await Load.prepare({ demo, sellers: 2, seed: seedOfRun() });
    const charge = await client.charge();
    const { id } = charge.body.data;
    expect(charge.status).toBe(201);
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    await sleep(500);

    proxy.close();
    // A recently read value may still be cached for a moment.
    await sleep(600);
    const probes = [
      () => client.get('/health'),
      () => client.get(`/transactions/${id}`),
      () => client.get('/transactions'),
      () => client.get('/seller-wallet/gestao'),
      () => client.charge(),
      () => client.post(`/sandbox/transactions/${id}/pay`),
      () => client.post('/login', demo.seller, { credential: 'none' }),
    ];
    for (const probe of probes) {
      const started = performance.now();
      const response = await probe();
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(performance.now() - started).toBeLessThan(TIMEOUT_MS);
    }
    expect(load.unavailable).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(program.isAlive()).toBe(true);

    proxy.open();
    await expect.poll(async () => (await client.get('/health')).status, { timeout: 3_000 }).toBe(200);
    await sleep(300);
    over = true;
    await callers;
    expect(await load.differences()).toEqual([]);
  });
});

describe('the embedded database', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace();
  });
  afterAll(() => place.remove());

  it('recovers when one of its processes is killed under load', async () => {
    const program = await place.start();
    const url = (await findRunningEmbeddedUrl(join(place.dataDir, 'postgres'))) ?? '';
    const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
    let over = false;
    const callers = load.drive(CALLERS, () => over);
    await sleep(500);
    const [connection] = await ask<{ pid: number }>(
      url,
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'gateway create'`,
    );
    process.kill(Number(connection?.pid), 'SIGKILL');
    await sleep(200);
    await expect
      .poll(async () => (await program.client.get('/health')).status, { timeout: 10_000 })
      .toBe(200);
    await sleep(300);
    over = true;
    await callers;
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(program.isAlive()).toBe(true);
    expect(await load.differences()).toEqual([]);
    await program.end();
  });

  it('stops the gateway when the server is killed, so that a supervisor restarts both', async () => {
    let program = await place.start();
    const charge = await program.client.charge();
    const server = await place.postgres();
    const killed = Date.now();
    process.kill(Number(server?.pid), 'SIGKILL');
    const exit = await program.exit(10_000);
    expect(Date.now() - killed).toBeLessThan(5_000);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(/^gateway: the embedded database exited unexpectedly[^\n]*\n$/);

    program = await place.start();
    const found = await program.client.get(`/transactions/${charge.body.data.id}`);
    expect(found.body.data).toMatchObject({ amount: 1500, status: 'PENDING' });
    await program.end();
  });
});

describe('concurrent starts on an empty database', () => {
  let database: TestDatabase;
  let places: readonly Place[];
  let url: string;
  beforeEach(async () => {
    database = await cloneDatabase();
    places = [await makePlace(), await makePlace()];
    const name = `gateway_test_${randomBytes(6).toString('hex')}`;
    await database.query(`CREATE DATABASE ${name}`);
    url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  });
  afterEach(async () => {
    await Promise.all(places.map((place) => place.remove()));
    await database.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
    await database.drop();
  });

  const startAll = (settings: Settings): Promise<readonly Run[]> =>
    Promise.all(
      places.map(async (place) => {
        const node = place.run(['start'], { DATABASE_URL: url, ...settings });
        await untilHealthy(node, place.port);
        return node;
      }),
    );

  it('run the migrations once, and all nodes start', async () => {
    const settings = {
      MODE: 'production',
      PUBLIC_URL: 'https://pay.example.com',
      JWT_SECRET: randomUUID() + randomUUID(),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      ADMIN_EMAIL: 'operator@example.com',
      ADMIN_PASSWORD: 'a long enough password',
    };
    const starting = startAll(settings);
    const migrations = places.map((place) => place.run(['migrate'], { DATABASE_URL: url, ...settings }));
    for (const migration of migrations)
      expect(await migration.exit()).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^mode [^\n]*\n$/),
      });
    const nodes = await starting;
    expect(await ask(url, 'SELECT email FROM users')).toEqual([{ email: 'operator@example.com' }]);
    for (const node of nodes) expect(await stop(node)).toBe(0);
  });

  it('create one demo seller, whose key one node prints', async () => {
    const nodes = await startAll({
      MODE: 'sandbox',
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    });
    expect(await ask(url, 'SELECT count(*)::integer AS sellers FROM sellers')).toEqual([{ sellers: 1 }]);
    const shown = nodes.flatMap((node) => /sk_test_\w+/.exec(node.stdout()) ?? []);
    expect(shown).toHaveLength(1);
    for (const node of nodes) expect(await stop(node)).toBe(0);
  });
});

async function stop(node: Run): Promise<number | null> {
  node.signal('SIGTERM');
  return (await node.exit(10_000)).code;
}

async function ask<Row extends object>(url: string, text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
