import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import type { Client } from '#test/support/client.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Shorter than the required recovery time of five seconds. */
const RECOVERY_MS = 4_000;
const OBSERVED_MS = 1_000;

let database: TestDatabase;
let proxy: TcpProxy;
let place: Place;
let program: Program;
/** Of the demo seller, whose data is not compared. */
let client: Client;
beforeAll(async () => {
  database = await cloneDatabase();
  proxy = await startTcpProxy(database.url);
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
  database.query<{ name: string; port: number }>(`
    SELECT application_name AS name, client_port AS port FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'gateway%'`);

/** Three pools lose a connection at once; in a long run each connection hangs alone. */
const AT_ONCE = LONG ? 1 : 3;

/** One connection of each pool, or every connection in a long run. */
async function connectionsToFreeze(): Promise<readonly Connection[][]> {
  const all = await openConnections();
  const chosen = LONG ? [...all] : [...new Map(all.map((found) => [found.name, found])).values()];
  return Array.from({ length: Math.ceil(chosen.length / AT_ONCE) }, () => chosen.splice(0, AT_ONCE));
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

it('recovers within five seconds when connections to the database hang', async () => {
  const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  let isOver = false;
  const callers = load.drive(6, () => isOver);
  onTestFinished(async () => {
    isOver = true;
    await callers;
  });
  await expect.poll(tryAll, { timeout: 10_000 }).toBe('ok');

  const frozen: string[] = [];
  for (const group of await connectionsToFreeze()) {
    // It may have been replaced in the meantime, like an idle connection of the pool.
    const open = new Set((await openConnections()).map(({ port }) => port));
    const names = group.filter(({ port }) => open.has(port)).map(({ name }) => name);
    if (names.length === 0) continue;
    for (const { port } of group) if (open.has(port)) proxy.freezeOne(port);
    frozen.push(...names);
    await sleep(RECOVERY_MS);
    const outcomes: (number | 'ok')[] = [];
    const end = performance.now() + OBSERVED_MS;
    while (performance.now() < end) {
      outcomes.push(await tryAll());
      await sleep(100);
    }
    expect({ names, outcomes: new Set(outcomes) }).toEqual({ names, outcomes: new Set(['ok']) });
  }
  for (const name of ['', ' create', ' change', ' read', ' page', ' claims', ' health'])
    expect(frozen).toContain(`gateway${name}`);
  isOver = true;
  await callers;
  expect(load.slowestMs).toBeLessThan(5_000);
  expect(await load.differences()).toEqual([]);
});
