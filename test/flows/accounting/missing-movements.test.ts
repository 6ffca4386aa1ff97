import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { findMissingMovements, findMissingPeriod } from '#accounting/reconciliation/missing-movements.ts';
import { openDatabase } from '#platform/database/connect.ts';
import {
  advance,
  as,
  differences,
  gateway,
  newDay,
  operator,
  paid,
  reportOf,
  setUp,
} from './reconciliation-setup.ts';

setUp();

const DEFAULT_PROVIDERS = { PIX: 'sandbox', BOLETO: 'sandbox', CARD: 'sandbox' };

const refunding = () => ({ ...as(), idempotencyKey: randomUUID() });

interface Listed {
  readonly kind: string;
  readonly ledger: { readonly at: string; readonly amount: number };
}

describe('differences of a day without a file', () => {
  let day: string;
  let all: readonly Listed[];
  beforeAll(async () => {
    day = await newDay();
    const first = await paid(1_000);
    await advance(3 * 3_600_000);
    await Promise.all(Array.from({ length: 20 }, (_, index) => paid(2_000 + index)));
    await gateway.post(`/transactions/${first}/refund`, { amount: 400 }, refunding());
    await advance(5 * 3_600_000);
    await paid(3_000);
    all = await differences(`day=${day}`);
  });

  it('are its movements, in order of time, and as many as the report says', async () => {
    expect(all).toHaveLength(23);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['MISSING_IN_FILE']));
    const times = all.map(({ ledger }) => ledger.at);
    expect(times).toEqual(times.toSorted());
    expect((await reportOf(day)).differences).toBe(23);
  });

  it('are the same in pages of any size', async () => {
    for (const take of [1, 7, 23]) {
      const pages: unknown[] = [];
      for (let skip = 0; skip < 25; skip += take) {
        const query = `day=${day}&take=${take}&skip=${skip}`;
        const { body } = await gateway.get(`/admin/reconciliation/differences?${query}`, await operator());
        expect(body.count).toBe(23);
        pages.push(...body.data);
      }
      expect(pages, `take ${take}`).toEqual(all);
    }
  });

  it('are the same in slices down to a millisecond, and of one provider', async () => {
    const database = openDatabase({ url: gateway.database.url, poolSize: 2, onError: () => undefined });
    const sliced = async (provider: string | undefined, skip = 0) => {
      const scope = { provider, from: day, to: day, defaultProviders: DEFAULT_PROVIDERS };
      const period = await findMissingPeriod(database.db, scope, skip);
      const slices = await Array.fromAsync(findMissingMovements(database.db, scope, 1, period));
      expect(slices.every(({ length }) => length > 0)).toBe(true);
      return slices;
    };
    try {
      const slices = await sliced(undefined);
      expect(slices.length).toBeGreaterThan(3);
      const times = slices.flat().map(({ bookedAt }) => bookedAt?.toISOString());
      expect(times).toEqual(all.map(({ ledger }) => ledger.at));
      expect((await sliced('sandbox')).flat()).toEqual(slices.flat());
      expect(await sliced('another')).toEqual([]);
      for (const skip of [1, 21, 22, 23]) {
        expect((await sliced(undefined, skip)).flat(), `skip ${skip}`).toEqual(slices.flat().slice(skip));
        expect((await sliced('sandbox', skip)).flat()).toEqual(slices.flat().slice(skip));
        expect(await sliced('another', skip)).toEqual([]);
      }
    } finally {
      await database.close();
    }
  });

  it('are exported, and are of one kind only', async () => {
    const path = `/admin/reconciliation/differences?day=${day}`;
    const { text } = await gateway.get(`${path}&export=true`, await operator());
    expect(text.trim().split('\n')).toHaveLength(1 + 23);
    for (const kind of ['AMOUNT_DIFFERS', 'MISSING_IN_LEDGER']) {
      const { body } = await gateway.get(`${path}&kind=${kind}`, await operator());
      expect([body.data, body.count]).toEqual([[], 0]);
    }
    const { body } = await gateway.get(`${path}&kind=MISSING_IN_FILE&take=2`, await operator());
    expect([body.data, body.count]).toEqual([all.slice(0, 2), 23]);
  });
});
