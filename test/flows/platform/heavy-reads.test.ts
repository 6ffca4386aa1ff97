import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

import { databaseAt } from '#test/support/administer.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { lockTable } from '#test/support/lock-table.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const read = (path: string) => gateway.get(path, { apiKey: gateway.demo.apiKey });

/** When the connections of heavy reads began their last statement, on any node. */
async function lastHeavyRead(): Promise<string | undefined> {
  const name = new URL(gateway.database.ownerUrl).pathname.slice(1);
  const began: string[] = [];
  for (const url of inject('serverUrls')) {
    const client = new pg.Client({ connectionString: databaseAt(url, name) });
    await client.connect();
    const { rows } = await client.query<{ at: string | null }>(
      `SELECT max(query_start)::text AS at FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'gateway heavy reads'`,
    );
    await client.end();
    began.push(...rows.flatMap(({ at }) => at ?? []));
  }
  return began.toSorted().at(-1);
}

it.each([
  ['/transactions?metadataKey=order', true],
  ['/transactions/search?metadataKey=order', true],
  ['/transactions?metadataKey=order&export=true', true],
  ['/transactions?export=true', true],
  ['/transactions?status=PAID', false],
  ['/withdrawals?metadataKey=order', true],
  ['/withdrawals/search?metadataKey=order', true],
  ['/withdrawals?export=true', true],
  ['/withdrawals?status=PAID', false],
  ['/seller-wallet/entries?export=true', true],
  ['/seller-wallet/entries?cause=PAYMENT', false],
])('%s is read on the connections of heavy reads: %s', async (path, isHeavy) => {
  const before = await lastHeavyRead();
  expect((await read(path)).status).toBe(200);
  expect((await lastHeavyRead()) !== before).toBe(isHeavy);
});

it.each(['/admin/sellers', '/admin/audit-log'])(
  '%s exports on the connections of heavy reads',
  async (path) => {
    const token = await gateway.adminToken();
    for (const isExport of [false, true]) {
      const before = await lastHeavyRead();
      expect((await gateway.get(`${path}?export=${isExport}`, { token })).status).toBe(200);
      expect((await lastHeavyRead()) !== before).toBe(isExport);
    }
  },
);

it.each(['/transactions?metadataKey=order', '/transactions/search?metadataKey=order'])(
  '%s runs two of a seller, queues six, and refuses others with Retry-After',
  async (path) => {
    const unlock = await lockTable(gateway.database, 'search_terms');
    const refused: string[] = [];
    const served = Array.from({ length: 11 }, async () => {
      const response = await read(path);
      if (response.status === 429) refused.push(response.headers.get('retry-after') ?? '');
      return response.status;
    });
    await expect.poll(() => refused.length).toBe(3);
    expect(refused.every((seconds) => Number(seconds) > 0)).toBe(true);
    expect((await read('/transactions?status=PAID')).status).toBe(200);
    await unlock();
    expect((await Promise.all(served)).filter((status) => status === 200)).toHaveLength(8);
  },
);
