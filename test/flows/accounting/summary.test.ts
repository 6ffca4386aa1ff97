import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '#platform/database/connect.ts';
import { createDailyTotalsJob } from '#accounting/ledger/service.ts';
import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

const DAY = 86_400;

let gateway: TestGateway;
let database: Database;
beforeAll(async () => {
  gateway = await startTestGateway();
  database = openDatabase({ url: gateway.database.url, poolSize: 4, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

const key = () => ({ idempotencyKey: randomUUID() });
const dayOf = (iso: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date(iso));
const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY * 1000).toISOString().slice(0, 10);

const summary = (seller: TestSeller, query: string): Promise<ApiResponse> =>
  gateway.get(`/reports/summary?${query}`, seller);

interface Charge {
  readonly id: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly createdAt: string;
}

async function charge(seller: TestSeller, changes: object = {}): Promise<Charge> {
  return (await gateway.charge({ amount: 10_000, ...changes }, seller)).body.data;
}

async function paid(seller: TestSeller, changes: object = {}): Promise<Charge> {
  const made = await charge(seller, changes);
  await gateway.post(`/sandbox/transactions/${made.id}/pay`, undefined, seller);
  return made;
}

const NOTHING = { count: 0, volume: 0, feeAmount: 0, netAmount: 0, refundedAmount: 0, chargedBackAmount: 0 };

describe('the summary', () => {
  it('sums payments, fees, refunds and chargebacks of each day and of the previous period', async () => {
    const seller = await newSeller(gateway);
    const first = await paid(seller, { amount: 12_345 });
    const yesterday = dayOf(first.createdAt);
    await gateway.advance(DAY);
    const one = await paid(seller);
    const card = await paid(seller, { method: 'CREDIT_CARD', installments: 2, card: SAMPLE_CARD });
    await gateway.post(`/transactions/${one.id}/refund`, { amount: 700 }, { ...seller, ...key() });
    await gateway.post(`/sandbox/transactions/${card.id}/chargeback`, undefined, seller);
    const failed = await charge(seller);
    await gateway.post(`/sandbox/transactions/${failed.id}/fail`, undefined, seller);
    await charge(seller);
    const today = dayOf(one.createdAt);
    const { data } = (await summary(seller, `startDate=${today}&endDate=${today}`)).body;
    const fees = one.feeAmount + card.feeAmount;
    const sums = {
      count: 2,
      volume: 20_000,
      feeAmount: fees,
      netAmount: 20_000 - fees,
      refundedAmount: 700,
      chargedBackAmount: 10_000,
    };
    const start = `${today}T03:00:00.000Z`;
    expect(data).toEqual({
      interval: 'day',
      current: {
        startDate: today,
        endDate: today,
        total: sums,
        buckets: [{ start, ...sums }],
        success: {
          PIX: { ended: 2, paid: 1, rate: 0.5 },
          BOLETO: { ended: 0, paid: 0, rate: null },
          CREDIT_CARD: { ended: 1, paid: 1, rate: 1 },
        },
      },
      previous: expect.objectContaining({ startDate: yesterday, endDate: yesterday }),
    });
    const before = {
      ...NOTHING,
      count: 1,
      volume: 12_345,
      feeAmount: first.feeAmount,
      netAmount: 12_345 - first.feeAmount,
    };
    expect(data.previous.total).toEqual(before);
    const hours = (await summary(seller, `startDate=${yesterday}&endDate=${today}&interval=hour`)).body.data;
    expect(hours.current.buckets).toHaveLength(48);
    const filled = hours.current.buckets.filter(({ count }: { count: number }) => count > 0);
    expect(filled.map((hour: { start: string }) => hour.start.slice(0, 13))).toContain(
      first.createdAt.slice(0, 13),
    );
    expect(hours.current.total.volume).toBe(32_345);
    const month = (await summary(seller, `startDate=${yesterday}&endDate=${today}&interval=month`)).body.data;
    expect(month.current.total).toEqual(hours.current.total);
  });

  it('contains only the seller’s own amounts', async () => {
    const [mine, theirs] = [await newSeller(gateway), await newSeller(gateway)];
    const day = dayOf((await paid(theirs)).createdAt);
    const { data } = (await summary(mine, `startDate=${day}&endDate=${day}`)).body;
    expect(data.current.total).toEqual(NOTHING);
    expect(data.current.success.PIX.ended).toBe(0);
  });

  it.each([
    ['startDate=2026-03-01', ['endDate must be a day such as 2026-03-01']],
    ['startDate=2026-02-30&endDate=2026-03-01', ['startDate must be a day such as 2026-03-01']],
    ['startDate=2026-03-02&endDate=2026-03-01', ['endDate must not be before startDate']],
    [
      'startDate=2026-03-01&endDate=2026-04-01&interval=hour',
      ['endDate must be within 31 days for the interval hour'],
    ],
    ['startDate=2025-03-01&endDate=2026-03-02', ['endDate must be within 366 days for the interval day']],
    [
      'startDate=2026-03-01&endDate=2026-03-02&interval=week',
      ['interval must be one of the following values: hour, day, month'],
    ],
  ])('rejects %s', async (query, message) => {
    const seller = await newSeller(gateway);
    const response = await summary(seller, query);
    expect([response.status, response.body.message]).toEqual([400, message]);
  });
});

/** The success rates of all of a seller's transactions, counted one by one. */
async function successOf(seller: TestSeller): Promise<object> {
  const rows = await gateway.database.query<{ method: string; ended: number; paid: number }>(
    `SELECT method,
       count(*) FILTER (WHERE status IN ('FAILED', 'REFUSED') OR paid_at IS NOT NULL)::integer AS ended,
       count(*) FILTER (WHERE paid_at IS NOT NULL)::integer AS paid
     FROM transactions WHERE seller_id = $1 GROUP BY method`,
    [seller.id],
  );
  return Object.fromEntries(
    rows.map(({ method, ended, paid: count }) => [
      method,
      { ended, paid: count, rate: Math.round((count / ended) * 10_000) / 10_000 },
    ]),
  );
}

/** Counts of payments, of refunds, of the payments of a day, and of another origin's refunds. */
const statementCounts = (seller: TestSeller, day: string) =>
  Promise.all(
    [
      'cause=PAYMENT',
      'cause=REFUND',
      `cause=PAYMENT&startDate=${day}&endDate=${day}`,
      'cause=REFUND&origin=BOLETO',
    ].map(async (query) => (await gateway.get(`/seller-wallet/entries?${query}`, seller)).body.count),
  );

describe('precomputed totals', () => {
  it(
    'never change the summary, whatever was computed and by how many workers',
    { timeout: 120_000 },
    async () => {
      const seller = await newSeller(gateway);
      const from = dayOf((await charge(seller)).createdAt);
      const query = `startDate=${from}&endDate=${plus(from, 6)}`;
      const volumes: Record<string, number> = {};
      const summers = [1, 2].map(() => createDailyTotalsJob(database.db, { minEntries: 1, chunkSize: 3 }));
      const sumAll = () =>
        Promise.all(
          summers.map(async (summer) => {
            while (await summer());
          }),
        );
      for (let day = 0; day < 5; day += 1) {
        // Payments continue while both compute the totals.
        const summing = sumAll();
        const made = await Promise.all([
          paid(seller, { amount: 1_000 + day }),
          paid(seller, { method: 'BOLETO', amount: 2_000 }),
          paid(seller, { method: 'CREDIT_CARD', installments: 3, card: SAMPLE_CARD, amount: 3_000 }),
          paid(seller, { amount: 4_000 }),
        ]);
        await summing;
        for (const one of made) {
          const at = dayOf(one.createdAt);
          volumes[at] = (volumes[at] ?? 0) + one.amount;
        }
        const failed = await charge(seller);
        await gateway.post(`/sandbox/transactions/${failed.id}/fail`, undefined, seller);
        const [{ id }] = made;
        await gateway.post(`/transactions/${id}/refund`, { amount: 100 }, { ...seller, ...key() });
        const read = async () => ({
          days: (await summary(seller, query)).body.data.current,
          hours: (await summary(seller, `${query}&interval=hour`)).body.data.current,
          counts: await statementCounts(seller, from),
        });
        const live = await read();
        await sumAll();
        const kept = await read();
        expect(kept).toEqual(live);
        expect(kept.days.success).toEqual(await successOf(seller));
        expect(kept.counts).toEqual([4 * (day + 1), day + 1, 4, 0]);
        expect(kept.days.total.refundedAmount).toBe(100 * (day + 1));
        await gateway.advance(DAY);
      }
      await sumAll();
      const { buckets, total } = (await summary(seller, query)).body.data.current;
      const reported = Object.fromEntries(
        buckets
          .filter(({ volume }: { volume: number }) => volume > 0)
          .map(({ start, volume }: { start: string; volume: number }) => [dayOf(start), volume]),
      );
      expect(reported).toEqual(volumes);
      expect(total.count).toBe(20);
      // Both read precomputed totals: every balance has a position that has advanced, and later
      // days.
      const marks = await gateway.database.query<{ position: string }>(
        'SELECT position FROM ledger_daily_total_cursors WHERE seller_id = $1',
        [seller.id],
      );
      expect(marks.map(({ position }) => Number(position) >= 10)).toEqual([true, true, true]);
      const days = await gateway.database.query(
        'SELECT DISTINCT origin, day FROM ledger_daily_totals WHERE seller_id = $1',
        [seller.id],
      );
      expect(days).toHaveLength(15);
    },
  );
});
