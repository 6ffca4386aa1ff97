import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import type { Client } from '#test/support/client.ts';
import { startDatabaseProxy, type DatabaseProxy } from '#test/support/database-proxy.ts';
import { cloneDatabase, queryEachServer, type TestDatabase } from '#test/support/database.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Shorter than the required recovery time of five seconds. */
const RECOVERY_MS = 4_000;
const OBSERVED_MS = 1_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let place: Place;
let program: Program;
/** Of the demo seller, whose data is not compared. */
let client: Client;
beforeAll(async () => {
  database = await cloneDatabase();
  proxy = await startDatabaseProxy(database);
  place = await makePlace({ DATABASE_URL: proxy.url, MODE: 'sandbox' });
  program = await place.start();
  ({ client } = program);
  await database.query('UPDATE sellers SET requests_per_minute = 1000000, creations_per_minute = 1000000');
});
afterAll(async () => {
  await place.remove();
  await proxy.remove();
  await database.drop();
});

interface Connection {
  readonly name: string;
  readonly port: number;
}

const openConnections = (): Promise<readonly Connection[]> =>
  queryEachServer<Connection>(
    database,
    `SELECT application_name AS name, client_port AS port FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'gateway%'`,
  );

/** One connection of each pool, or every connection in a long run. */
async function connectionsToFreeze(): Promise<readonly Connection[]> {
  const all = await openConnections();
  return LONG ? all : [...new Map(all.map((connection) => [connection.name, connection])).values()];
}

/** Creates, pays and reads one charge. Returns the first status that is not a success. */
async function tryAll(): Promise<number | 'ok'> {
  const created = await client.charge();
  if (created.status !== 201) return created.status;
  const { id } = created.body.data;
  const others = [
    () => client.post(`/sandbox/transactions/${id}/pay`),
    () => client.get(`/transactions/${id}`),
    () => client.get('/transactions'),
    () => client.get('/seller-wallet/gestao'),
    () => client.get('/health'),
  ];
  for (const call of others) {
    const { status } = await call();
    if (status !== 200) return status;
  }
  return 'ok';
}

async function tryAllFor(ms: number): Promise<ReadonlySet<number | 'ok'>> {
  const outcomes = new Set<number | 'ok'>();
  const end = performance.now() + ms;
  while (performance.now() < end) {
    outcomes.add(await tryAll());
    await sleep(100);
  }
  return outcomes;
}

it('recovers within five seconds when any one database connection hangs', async () => {
  const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  let isOver = false;
  const callers = load.drive(LONG ? 6 : 2, () => isOver);
  onTestFinished(async () => {
    isOver = true;
    await callers;
  });
  await expect.poll(tryAll, { timeout: 10_000 }).toBe('ok');

  const frozen: string[] = [];
  for (const { name, port } of await connectionsToFreeze()) {
    const open = await openConnections();
    // It may have been replaced in the meantime, like an idle connection of the pool.
    const current =
      open.find((connection) => connection.port === port) ??
      open.find((connection) => connection.name === name);
    if (current === undefined) continue;
    proxy.freezeOne(current.port);
    frozen.push(name);
    // Requests that find the connection frozen may fail.
    await tryAllFor(RECOVERY_MS);
    const outcomes = await tryAllFor(OBSERVED_MS);
    expect({ name, outcomes }).toEqual({ name, outcomes: new Set(['ok']) });
  }
  for (const name of ['', ' create', ' change', ' read', ' page', ' claims', ' health'])
    expect(frozen).toContain(`gateway${name}`);
  isOver = true;
  await callers;
  expect(load.slowestMs).toBeLessThan(5_000);
  expect(await load.differences()).toEqual([]);
});

const POOLS = ['gateway', 'gateway heavy reads'];
const search = async () => (await client.get('/transactions?metadataKey=order&metadataValue=A-1')).status;

it('recovers within five seconds when all connections of the pools hang', async () => {
  await expect.poll(tryAll, { timeout: 10_000 }).toBe('ok');
  expect(await search()).toBe(200);
  const connections = await openConnections();
  const ofPools = connections.filter(({ name }) => POOLS.includes(name));
  expect([...new Set(ofPools.map(({ name }) => name))].toSorted()).toEqual(POOLS);
  for (const { port } of ofPools) proxy.freezeOne(port);
  // Those that find the connections frozen may fail, but end.
  const meanwhile = Promise.all([...Array.from({ length: 10 }, tryAll), search(), search()]);
  await sleep(RECOVERY_MS);
  expect([await tryAll(), await search()]).toEqual(['ok', 200]);
  await meanwhile;
});
