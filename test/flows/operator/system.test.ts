import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';
import { newSeller } from '#test/support/sellers.ts';
import { en } from '../../../dashboard/src/operator/i18n/en.ts';
import { pt } from '../../../dashboard/src/operator/i18n/pt.ts';

let gateway: TestGateway;
let admin: CallOptions;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await gateway.stop();
});

const hook = (url: string) => ({ url, eventType: 'ALL' });

const state = async () => (await gateway.get('/admin/system', admin)).body.data;

describe('GET /admin/system', () => {
  it('returns version, database, queue and the last run of each job', async () => {
    await vi.waitFor(async () => expect((await state()).workers).toHaveLength(1), { timeout: 10_000 });
    const found = await state();
    expect(found).toMatchObject({ mode: 'sandbox', deliveries: { due: 0, waiting: 0, oldestDueAt: null } });
    expect(found.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(found.database.bytes).toBeGreaterThan(1_000_000);
    // As `npm run doctor`. The settings were checked at the start.
    expect(found.checks.map(({ name }: { name: string }) => name)).toEqual(
      'database schema role clock backups disk certificates redis providers'.split(' '),
    );
    expect(found.checks[1]).toEqual({ name: 'schema', status: 'OK', detail: 'no migration is pending' });
    const [worker] = found.workers;
    expect(worker.loops.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining([
        'deliveries',
        'expirations',
        'boleto expirations',
        'releases',
        'payouts',
        'ledger chain',
        'ledger heads',
        'daily totals',
        'daily counts',
      ]),
    );
    // The dashboard shows each in the user's language.
    for (const { system } of [pt, en]) {
      expect(Object.keys(system.jobs)).toEqual(
        expect.arrayContaining(worker.loops.map(({ name }: { name: string }) => name)),
      );
    }
    await vi.waitFor(
      async () => {
        const [again] = (await state()).workers;
        expect(Date.parse(again.seenAt)).toBeGreaterThan(Date.parse(worker.seenAt));
        for (const { lastRunAt, failures } of again.loops) {
          expect([Date.parse(lastRunAt) > Date.parse(again.startedAt) - 1_000, failures]).toEqual([true, 0]);
        }
      },
      { timeout: 15_000, interval: 500 },
    );
  });

  it('lists every process with a worker, and none without', async () => {
    const nodes = [
      await startNode({ databaseUrl: gateway.database.url, worker: true }),
      await startNode({ databaseUrl: gateway.database.url, worker: false }),
    ];
    try {
      await vi.waitFor(
        async () => {
          const { data } = (await gateway.get('/admin/system', admin)).body;
          expect(new Set(data.workers.map(({ id }: { id: string }) => id)).size).toBe(2);
        },
        { timeout: 10_000 },
      );
    } finally {
      for (const node of nodes) await node.stop();
    }
  });

  it('returns the number of deliveries waiting for an unresponsive receiver', async () => {
    const seller = await newSeller(gateway);
    // No server is listening there.
    await gateway.post('/webhooks', hook('https://localhost:50009/hook'), seller);
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
    await vi.waitFor(async () => {
      const { deliveries } = (await gateway.get('/admin/system', admin)).body.data;
      expect(deliveries.waiting).toBe(1);
    });
  });

  it('requires the operator', async () => {
    const seller = await newSeller(gateway);
    for (const path of ['/admin/system', '/admin/webhooks']) {
      expect((await gateway.get(path, seller)).status).toBe(403);
      expect((await gateway.get(path, { credential: 'none' })).status).toBe(401);
    }
  });
});

describe('the webhooks of all sellers', () => {
  it('are listed newest first with their state and without URL queries, by seller and state', async () => {
    const [one, other] = [await newSeller(gateway), await newSeller(gateway)];
    const secret = randomUUID();
    const made = await gateway.post('/webhooks', hook(`https://localhost:50001/a?key=${secret}`), one);
    const off = await gateway.post('/webhooks', hook('https://localhost:50001/b'), other);
    await gateway.patch(`/webhooks/${off.body.data.id}`, { status: 'DISABLED' }, other);
    const list = async (query: string) => (await gateway.get(`/admin/webhooks${query}`, admin)).body;
    const all = await list('?take=2');
    expect(all.count).toBeGreaterThanOrEqual(2);
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual([off.body.data.id, made.body.data.id]);
    expect(all.data[1]).toEqual({
      id: made.body.data.id,
      sellerId: one.id,
      sellerName: 'Loja',
      url: 'https://localhost:50001/a?…',
      eventType: 'ALL',
      status: 'ACTIVE',
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      createdAt: made.body.data.createdAt,
    });
    expect(JSON.stringify(all)).not.toContain(secret);
    const disabled = await list('?disabled=true');
    expect(disabled.count).toBe(1);
    expect(disabled.data[0]).toMatchObject({
      id: off.body.data.id,
      sellerId: other.id,
      status: 'DISABLED',
      disabledAt: expect.any(String),
      disabledReason: expect.any(String),
    });
    expect((await list(`?disabled=false&sellerId=${other.id}`)).data).toEqual([]);
    expect((await list(`?sellerId=${one.id}`)).count).toBe(1);
    const { webhooksDisabled } = (await gateway.get('/admin/system', admin)).body.data;
    expect(webhooksDisabled).toBe(1);
  });
});
