import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { COUNTED_LISTS } from '#app/maintenance.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { createDailyCountsJob } from '#platform/database/daily-counts.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const DAY_SECONDS = 24 * 3_600;

let gateway: TestGateway;
let database: Database;
beforeAll(async () => {
  gateway = await startTestGateway({ worker: false });
  database = openDatabase({ url: gateway.database.url, poolSize: 4, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

const dayOf = (iso: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date(iso));

async function addUntil(ms: number): Promise<void> {
  const add = createDailyCountsJob({ db: database.db, clock: { nowMs: () => ms } }, COUNTED_LISTS);
  await Promise.all([add(), add()]);
}

describe('counts of the lists of all sellers by day', () => {
  it('stay exact while the worker adds new rows, and after the clock was set back', async () => {
    const days: string[] = [];
    for (let day = 0; day < 3; day += 1) {
      const made = await gateway.charge({});
      days.push(dayOf(made.body.data.createdAt));
      await gateway.post(`/sandbox/transactions/${made.body.data.id}/pay`, undefined);
      await gateway.charge({});
      await gateway.advance(DAY_SECONDS);
    }
    const { data } = (await gateway.get('/transactions')).body;
    const lastMs = Date.parse(data[0].createdAt);
    const token = await gateway.adminToken();
    const countsOf = async (path: string) => {
      const countOf = async (query: string) => (await gateway.get(`${path}?${query}`, { token })).body.count;
      const daily = await Promise.all(days.map((day) => countOf(`startDate=${day}&endDate=${day}`)));
      return [...daily, await countOf(`startDate=${days[1]}`), await countOf('')];
    };
    const expectExact = async () => {
      expect(await countsOf('/admin/transactions')).toEqual([2, 2, 2, 4, 6]);
      expect(await countsOf('/admin/provider-events')).toEqual([1, 1, 1, 2, 3]);
    };
    await expectExact();
    // A part, all, nothing new, and all again.
    const afterAll = lastMs + 3_600_000;
    for (const ms of [lastMs - DAY_SECONDS * 1_000 + 61_000, afterAll, afterAll, lastMs]) {
      await addUntil(ms);
      await expectExact();
    }
    const kept = await gateway.database.query<{ count: string }>(
      "SELECT sum(count) AS count FROM daily_counts WHERE list = 'transactions'",
    );
    expect(Number(kept[0]?.count)).toBeGreaterThanOrEqual(4);
  });
});
