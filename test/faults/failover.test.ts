import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { CROWDED_TIMEOUT_MS, Load } from './load.ts';
import { LONG, seedOfRun } from './seed.ts';
import { createClient } from '#test/support/client.ts';
import { follow, makeOwnServer, until, type OwnServer } from '#test/support/disposable-postgres.ts';
import { makePlace, untilHealthy, type Place, type Program } from '#test/support/process.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const CALLERS = 16;
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
async function pairAnew(proxy: TcpProxy): Promise<void> {
  await standby.remove();
  standby = await primary.copy();
  await primary.start(SYNCHRONOUS);
  proxy.redirect(primary.url());
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
function bothOf(one: OwnServer, other: OwnServer): string {
  const address = new URL(one.url());
  const { username, password, host, pathname } = address;
  const hosts = `${host},${new URL(other.url()).host}`;
  return `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
}

describe('a primary that fails under load', () => {
  let proxy: TcpProxy;
  let place: Place;
  let other: Place;
  let program: Program;
  beforeAll(async () => {
    proxy = await startTcpProxy(primary.url());
    place = await makePlace({ DATABASE_URL: proxy.url, ...SHARED });
    program = await place.start();
    // The standby is first: the gateway must recognize it as read-only.
    other = await makePlace({ DATABASE_URL: bothOf(standby, primary), ...SHARED });
    await untilHealthy(other.run(['start']), other.port);
  });
  afterAll(async () => {
    await other.remove();
    await place.remove();
    await proxy.remove();
  });

  it('is replaced by its synchronous standby without the loss of an acknowledged write', async () => {
    const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
    const otherClient = createClient(`http://127.0.0.1:${other.port}/v1`, '');
    const signIn = async () =>
      (await otherClient.post('/login', program.demo.seller, { credential: 'none' })).status;
    const state = async () => (await program.client.get('/health')).body.data.database;
    expect(await signIn()).toBe(200);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) await pairAnew(proxy);
      await expect.poll(state, { timeout: RECOVERY_MS, interval: 50 }).toBe('ok');
      let over = false;
      const callers = load.drive(CALLERS, () => over);
      const { created } = load.acknowledged;
      await expect
        .poll(() => load.acknowledged.created, { timeout: RECOVERY_MS })
        .toBeGreaterThan(created + 50);

      await primary.kill();
      // The address may be moved before the promotion: the standby is readable then, and must not
      // be used.
      proxy.redirect(standby.url());
      await expect.poll(state, { timeout: 5_000, interval: 50 }).toBe('read-only');
      const refused = await program.client.get('/webhooks');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await program.client.get('/transactions')).status).toBe(503);
      if (round === 0) expect(await signIn()).toBe(503);
      const { created: before } = load.acknowledged;
      await promote();
      await expect.poll(state, { timeout: RECOVERY_MS, interval: 50 }).toBe('ok');
      await expect.poll(() => load.acknowledged.created, { timeout: RECOVERY_MS }).toBeGreaterThan(before);
      if (round === 0) await expect.poll(signIn, { timeout: RECOVERY_MS, interval: 50 }).toBe(200);
      over = true;
      await callers;
    }
    expect(load.unavailable).toBeGreaterThan(0);
    expect(load.slowestMs).toBeLessThan(CROWDED_TIMEOUT_MS);
    expect(await load.differences()).toEqual([]);
  });
});
