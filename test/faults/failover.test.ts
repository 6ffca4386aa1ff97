import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CROWDED_TIMEOUT_MS, Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { startBalancer, type Balancer } from '#test/support/balancer.ts';
import { createClient, type Client } from '#test/support/client.ts';
import { follow, makeOwnServer, until, type OwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace, untilHealthy, type Place, type Program } from '#test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

/** Of each load balancer. */
const CALLERS = 8;
const ROUNDS = LONG ? 6 : 1;
/** The gateway recovers within this time after a server accepts writes. */
const RECOVERY_MS = 10_000;

const SYNCHRONOUS = { synchronous_standby_names: '*', synchronous_commit: 'on' };

/** Two gateways serve one database, so they have the same secrets. */
const SHARED = {
  MODE: 'sandbox',
  JWT_SECRET: randomUUID() + randomUUID(),
  ENCRYPTION_KEY: randomBytes(32).toString('hex'),
};

let primary: OwnServer;
let standby: OwnServer;
beforeAll(async () => {
  primary = await makeOwnServer();
  await primary.start();
  standby = await primary.copy();
  await primary.start(SYNCHRONOUS);
  await standby.start(await follow(standby, primary));
  await inStep();
});
afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

/** The remaining server gets a standby again, which requires a stop. */
async function pairAnew(): Promise<void> {
  await standby.remove();
  standby = await primary.copy();
  await primary.start(SYNCHRONOUS);
  await standby.start(await follow(standby, primary));
  await inStep();
}

const inStep = () =>
  until(async () => {
    const rows = await primary.query<{ state: string }>(
      'SELECT sync_state AS state FROM pg_stat_replication',
    );
    return rows.some(({ state }) => state === 'sync' || state === 'quorum');
  }, 20_000);

/** The standby accepts writes from now on, and waits for no other server. */
async function promote(): Promise<void> {
  await standby.query('SELECT pg_promote()');
  [primary, standby] = [standby, primary];
}

/** Both servers in one URL, as an operator configures two machines. */
function bothOf(one: string, other: string): string {
  const { username, password, host, pathname } = new URL(one);
  const hosts = `${host},${new URL(other).host}`;
  return `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
}

const stateOf = async (client: Client) => (await client.get('/health')).body.data.database;

describe('a primary that fails under load', () => {
  /** The address of the current primary, which is moved on a failover. */
  let moving: TcpProxy;
  /** The addresses of the two machines, the standby's first. */
  let machines: readonly [TcpProxy, TcpProxy];
  let place: Place;
  let other: Place;
  let program: Program;
  let balancers: readonly Balancer[];
  beforeAll(async () => {
    moving = await startTcpProxy(primary.url());
    machines = [await startTcpProxy(standby.url()), await startTcpProxy(primary.url())];
    place = await makePlace({ DATABASE_URL: moving.url, ...SHARED });
    program = await place.start();
    // The standby is first: the gateway must recognize it as read-only.
    other = await makePlace({ DATABASE_URL: bothOf(machines[0].url, machines[1].url), ...SHARED });
    await untilHealthy(other.run(['start']), other.port);
    const ports = [place.port, other.port] as const;
    balancers = [await startBalancer('nginx', ports), await startBalancer('haproxy', ports)];
  });
  afterAll(async () => {
    await Promise.all(balancers.map((balancer) => balancer.close()));
    await other.remove();
    await place.remove();
    for (const proxy of [moving, ...machines]) await proxy.remove();
  });

  const state = () => stateOf(program.client);

  it('is replaced by its synchronous standby without a loss, behind nginx and HAProxy', async () => {
    const loads: Load[] = [];
    for (const { baseUrl } of balancers)
      loads.push(await Load.prepare({ demo: { ...program.demo, baseUrl }, sellers: 1, seed: seedOfRun() }));
    const counts = () => loads.map(({ acknowledged }) => acknowledged.created);
    /** Resolves when each load has created so many more transactions. */
    const untilMore = async (before: readonly number[], more: number) => {
      const least = () => Math.min(...counts().map((count, n) => count - (before[n] ?? 0)));
      await expect.poll(least, { timeout: RECOVERY_MS }).toBeGreaterThan(more);
    };
    const otherClient = createClient(`http://127.0.0.1:${other.port}/v1`, '');
    const signIn = async () =>
      (await otherClient.post('/login', program.demo.seller, { credential: 'none' })).status;
    const untilRecovered = async () => {
      for (const client of [program.client, otherClient])
        await expect.poll(() => stateOf(client), { timeout: RECOVERY_MS, interval: 50 }).toBe('ok');
    };
    expect(await signIn()).toBe(200);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) {
        await pairAnew();
        moving.redirect(primary.url());
        machines[0].redirect(standby.url());
        machines[1].redirect(primary.url());
      }
      await untilRecovered();
      let over = false;
      const callers = loads.map((load) => load.drive(CALLERS, () => over));
      await untilMore(counts(), 25);

      await primary.kill();
      // The address may be moved before the promotion: the standby is readable then, and must not
      // be used.
      moving.redirect(standby.url());
      await expect.poll(state, { timeout: 5_000, interval: 50 }).toBe('read-only');
      const refused = await program.client.get('/webhooks');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await program.client.get('/transactions')).status).toBe(503);
      expect(await signIn()).toBe(503);
      const before = counts();
      await promote();
      await untilRecovered();
      await untilMore(before, 0);
      await expect.poll(signIn, { timeout: RECOVERY_MS, interval: 50 }).toBe(200);
      over = true;
      await Promise.all(callers);
    }
    for (const load of loads) {
      expect(load.unavailable).toBeGreaterThan(0);
      expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
      expect(await load.differences()).toEqual([]);
    }
  });
});
