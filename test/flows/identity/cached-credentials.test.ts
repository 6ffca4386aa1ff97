import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { newMember, newSeller, type TestSeller } from '#test/support/sellers.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';

/** A change counts on every process within this time. */
const WITHIN_MS = 1_000;

let gateway: TestGateway;
let proxy: TcpProxy;
/** Another process on the same database, whose connections can be frozen. */
let other: TestNode;
let admin: CallOptions;
let seller: TestSeller;
let as: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  proxy = await startTcpProxy(gateway.database.url);
  other = await startNode({ databaseUrl: proxy.url });
});
afterAll(async () => {
  await other.stop();
  await proxy.remove();
  await gateway.stop();
});

beforeEach(async () => {
  admin = { token: await gateway.adminToken() };
  seller = await newSeller(gateway);
  as = { apiKey: seller.apiKey };
});

const read = async (options: CallOptions) => (await other.get('/seller-wallet/gestao', options)).status;

/** Uses the credential on the other process, so that it is cached there and confirmed by polls. */
async function use(options: CallOptions): Promise<void> {
  for (let call = 0; call < 10; call += 1) {
    expect(await read(options)).toBe(200);
    await sleep(100);
  }
}

/** Freezes the connection that polls for changes. */
async function freezePolls(): Promise<void> {
  const rows = await gateway.database.query<{ client_port: number }>(
    `SELECT client_port FROM pg_stat_activity
     WHERE application_name = 'gateway cache invalidations' AND datname = current_database()`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { client_port: port } of rows) proxy.freezeOne(port);
}

async function deleteKeys(): Promise<void> {
  const { body } = await gateway.get(`/admin/sellers/${seller.id}/api-keys`, admin);
  for (const { id } of body.data)
    expect((await gateway.delete(`/admin/sellers/${seller.id}/api-keys/${id}`, admin)).status).toBe(200);
}

describe('cached credentials of a process', () => {
  it('are invalidated within a second after another process deletes the key, even under load', async () => {
    await use(as);
    let deletedAt = Infinity;
    const endedAt = Array.from({ length: 8 }, async () => {
      let status = 200;
      let at = 0;
      while (status === 200 && at < deletedAt + 5 * WITHIN_MS) {
        at = performance.now();
        status = await read(as);
      }
      expect(status).toBe(401);
      return at;
    });
    await deleteKeys();
    deletedAt = performance.now();
    for (const at of await Promise.all(endedAt)) expect(at - deletedAt).toBeLessThan(WITHIN_MS);
  });

  it('are invalidated within a second when the polls get no response', async () => {
    await use(as);
    await freezePolls();
    try {
      await deleteKeys();
      await sleep(WITHIN_MS);
      expect(await read(as)).toBe(401);
    } finally {
      proxy.thaw();
    }
  });

  it('reflect a suspended seller and changed limits and fees', async () => {
    await use(as);
    await gateway.patch(`/admin/sellers/${seller.id}`, { requestsPerMinute: 4_321 }, admin);
    await sleep(WITHIN_MS);
    const { headers } = await other.get('/seller-wallet/gestao', as);
    expect(headers.get('ratelimit-limit')).toBe('4321');

    const { body } = await gateway.get(`/admin/sellers/${seller.id}/fees`, admin);
    const fees = { ...body.data, pixIn: { type: 'FIXED', value: 321 } };
    expect((await gateway.call('PUT', `/admin/sellers/${seller.id}/fees`, fees, admin)).status).toBe(200);
    await sleep(WITHIN_MS);
    expect((await other.charge({}, as)).body.data.feeAmount).toBe(321);

    await gateway.patch(`/admin/sellers/${seller.id}`, { status: 'SUSPENDED' }, admin);
    await sleep(WITHIN_MS);
    expect(await read(as)).toBe(403);
  });

  it('are invalidated within a second after the user signs out', async () => {
    const member = await newMember(gateway, seller.id, 'OWNER');
    await use(member);
    expect((await gateway.post('/auth/logout', undefined, member)).status).toBe(200);
    await sleep(WITHIN_MS);
    expect(await read(member)).toBe(401);
  });
});
