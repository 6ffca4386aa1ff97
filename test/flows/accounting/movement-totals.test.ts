import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createMovementTotalsJob, type FindChargeCosts } from '#accounting/ledger/service.ts';
import { findRates } from '#accounting/provider-costs/store.ts';
import { createStoredDaysJob } from '#accounting/reconciliation/reconciled-days.ts';
import { findMissingMovements, findMissingPeriod } from '#accounting/reconciliation/missing-movements.ts';
import { findMovements } from '#accounting/reconciliation/store-missing.ts';
import { findDays } from '#accounting/reconciliation/store-matching.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { viewDay } from '#accounting/reconciliation/views.ts';
import { openDatabase, type Database } from '#platform/database/connect.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { seedOf } from '#test/model/seed.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

const HOUR_MS = 3_600_000;
/** More than a settlement file may concern. */
const DAYS = 30;
const DEFAULT_PROVIDERS = { PIX: 'sandbox', BOLETO: 'sandbox', CARD: 'sandbox' };

let gateway: TestGateway;
let database: Database;
let seller: TestSeller;
/** The offset of the domain clock from the system clock. */
let aheadMs = 0;
beforeAll(async () => {
  gateway = await startTestGateway({ worker: false });
  database = openDatabase({ url: gateway.database.url, poolSize: 4, onError: () => undefined });
  seller = await newSeller(gateway);
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

const now = (): number => Date.now() + aheadMs;

async function advance(ms: number): Promise<void> {
  await gateway.advance(ms / 1_000);
  aheadMs += ms;
}

const send = async (path: string, body?: object): Promise<void> => {
  const response = await gateway.post(path, body, { ...seller, idempotencyKey: randomUUID() });
  expect(response.status).toBeLessThan(300);
};

async function paid(changes: object = {}): Promise<string> {
  const made = await gateway.charge({ amount: 10_000, ...changes }, seller);
  const id = String(made.body.data.id);
  if (!('card' in changes)) await send(`/sandbox/transactions/${id}/pay`);
  return id;
}

/** Integers from one number to another, both inclusive, by a linear congruential generator. */
function randomIntegers(seed: number): (from: number, to: number) => number {
  let state = seed;
  return (from, to) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from + Math.floor((state / 2 ** 32) * (to - from + 1));
  };
}

/** Commits a payment of 77 cents whose entry has a time in the past. */
const payLate = (at: Date) =>
  gateway.database.query(
    `WITH numbered AS (
       UPDATE wallets SET entries = entries + 1, available = available + 77
       WHERE seller_id = $1 AND origin = 'PIX' RETURNING *
     )
     INSERT INTO ledger_entries (seller_id, id, origin, debit, credit, amount, cause, record_id, position,
       available_after, blocked_after, created_at)
     SELECT seller_id, gen_random_uuid(), origin, 'provider', 'available', 77, 'PAYMENT', gen_random_uuid(),
       entries, available, 0, $2
     FROM numbered`,
    [seller.id, at],
  );

/** The seller loses a dispute about a payment. */
async function loseDispute(): Promise<void> {
  const id = await paid();
  await send(`/sandbox/transactions/${id}/dispute`);
  const { data } = (await gateway.get(`/disputes?transactionId=${id}`, seller)).body.data;
  const token = await gateway.adminToken();
  const lost = await gateway.post(
    `/admin/disputes/${data[0].id}/resolve`,
    { outcome: 'REJECTED' },
    { token },
  );
  expect(lost.status).toBe(200);
}

/** Imports what the simulated bank settled on a day. A day without movements has no valid file. */
async function importFile(day: string): Promise<void> {
  const operator = { token: await gateway.adminToken() };
  const file = await gateway.get(`/sandbox/settlement-file?day=${day}`, operator);
  const response = await gateway.post(`/admin/reconciliation/files?provider=sandbox&day=${day}`, file.text, {
    ...operator,
    headers: { 'content-type': 'text/csv' },
  });
  expect([200, 201, 400]).toContain(response.status);
}

/** The worker keeps the days that files may concern. */
const updateStoredDays = () =>
  createStoredDaysJob({
    db: database.db,
    clock: { now: () => new Date(now()) },
    defaultProviders: DEFAULT_PROVIDERS,
  })();

/** Two workers run until nothing is left. */
async function addUntil(ms: number): Promise<void> {
  const clock = { nowMs: () => ms };
  const job = createMovementTotalsJob({ db: database.db, clock, findCosts, movementsPerSlice: 3 });
  const work = async (): Promise<void> => {
    while (await job());
  };
  await Promise.all([work(), work()]);
}

const findCosts: FindChargeCosts = async (trx) => ({
  rates: await findRates(trx),
  defaultProviders: DEFAULT_PROVIDERS,
});

const METHODS = { PIX: 'PIX', BOLETO: 'BOLETO', CARD: 'CREDIT_CARD' } as const;

/** The costs that were set, with when: each charge has the last one before it. */
const costs: { method: string; fixed: number; percentage: number; from: number }[] = [];

async function changeCost(random: (from: number, to: number) => number): Promise<void> {
  const method = Object.values(METHODS)[random(0, 2)] ?? 'PIX';
  const cost = { method, fixed: random(0, 90), percentage: random(0, 399) };
  const token = await gateway.adminToken();
  const body = { provider: 'sandbox', ...cost };
  const response = await gateway.call('PUT', '/admin/provider-costs', body, { token });
  expect(response.status).toBe(200);
  const found = response.body.data.find((one: { method: string }) => one.method === method);
  expect(found).toMatchObject(body);
  // Zero was never set: it is the cost without one.
  if (found.since !== null) costs.push({ ...cost, from: Date.parse(found.since) });
}

/** A withdrawal of 5,000 cents is paid, and its fee is earned. */
async function withdraw(): Promise<void> {
  const to = { amount: 5_000, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
  const made = await gateway.post('/withdrawals', to, { ...seller, idempotencyKey: randomUUID() });
  if (made.status === 422) return;
  const { id } = made.body.data;
  await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token: await gateway.adminToken() });
  // The worker, which hands it to the provider, does not run.
  await gateway.database.query(`UPDATE withdrawals SET status = 'PROCESSING' WHERE id = $1`, [id]);
  await send(`/sandbox/withdrawals/${id}/pay`);
}

interface LedgerRow {
  readonly at: Date;
  readonly day: string;
  readonly seller_id: string;
  readonly origin: keyof typeof METHODS;
  readonly debit: string;
  readonly credit: string;
  readonly amount: string;
  readonly cause: string;
}

/**
 * Sums entries one by one: the fees from the account of the operator, the others from their causes.
 */
function revenueOf(entries: readonly LedgerRow[]) {
  const sums = {
    charges: 0,
    volume: 0,
    feesEarned: 0,
    providerCosts: 0,
    margin: 0,
    refunds: 0,
    chargebacks: 0,
  };
  for (const { at, origin, debit, credit, cause, amount } of entries) {
    const cents = Number(amount);
    if (credit === 'fees') sums.feesEarned += cents;
    if (debit === 'fees') sums.feesEarned -= cents;
    if (cause === 'REFUND') sums.refunds += cents;
    if (cause === 'REFUND_REVERSED') sums.refunds -= cents;
    if (cause === 'CHARGEBACK' || cause === 'DISPUTE_LOST') sums.chargebacks += cents;
    if (cause !== 'PAYMENT') continue;
    sums.charges += 1;
    sums.volume += cents;
    const cost = costs.findLast(({ method, from }) => method === METHODS[origin] && from <= at.getTime());
    if (cost !== undefined) sums.providerCosts += cost.fixed + Math.round((cents * cost.percentage) / 10_000);
  }
  return { ...sums, margin: sums.feesEarned - sums.providerCosts };
}

/** The revenue of every grouping is what the ledger contains. */
async function expectRevenue(): Promise<void> {
  const today = saoPauloDate(new Date(now()));
  const [from, to] = [addDays(today, -DAYS), addDays(today, 1)];
  const token = await gateway.adminToken();
  const entries = await gateway.database.query<LedgerRow>(
    `SELECT *, created_at AS at, to_char(created_at AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD') AS day
     FROM ledger_entries WHERE created_at >= $1 AND created_at < $2
       AND (credit = 'fees' OR debit = 'provider' OR credit = 'provider') AND cause <> 'WITHDRAWAL_PAID'
     ORDER BY created_at`,
    [startOfSaoPauloDay(from), startOfSaoPauloDay(addDays(to, 1))],
  );
  const keys = {
    day: (entry: LedgerRow) => ({ day: entry.day }),
    month: (entry: LedgerRow) => ({ month: entry.day.slice(0, 7) }),
    method: (entry: LedgerRow) => ({ method: METHODS[entry.origin] }),
    seller: (entry: LedgerRow) => ({ sellerId: entry.seller_id }),
  };
  for (const [groupBy, keyOf] of Object.entries(keys)) {
    const query = `startDate=${from}&endDate=${to}&groupBy=${groupBy}`;
    const { body } = await gateway.get(`/admin/reports/revenue?${query}`, { token });
    const groups = Map.groupBy(entries, (entry) => JSON.stringify(keyOf(entry)));
    const rows = [...groups].map(([key, group]) => ({ ...JSON.parse(key), ...revenueOf(group) }));
    expect(body.data.rows).toHaveLength(rows.length);
    for (const row of rows) expect(body.data.rows).toContainEqual(expect.objectContaining(row));
    expect(body.data.total).toEqual(revenueOf(entries));
  }
}

async function expectExact(): Promise<void> {
  const today = saoPauloDate(new Date(now()));
  const [from, to] = [addDays(today, -DAYS), addDays(today, 1)];
  const token = await gateway.adminToken();
  const { data } = (await gateway.get(`/admin/reconciliation?startDate=${from}&endDate=${to}`, { token }))
    .body;
  const computed = await findDays(database.db, {
    provider: undefined,
    from,
    to,
    defaultProviders: DEFAULT_PROVIDERS,
  });
  // Both follow from the other members.
  const derived = { status: 'NO_FILE', balanced: false } as const;
  expect(data.map((row: object) => ({ ...row, ...derived }))).toEqual(
    computed.map((row) => viewDay({ ...row, ...derived })),
  );
}

/** The slices of time in which movements are read have all of a day, and of many days. */
async function expectAllListed(): Promise<void> {
  const today = saoPauloDate(new Date(now()));
  for (const from of [today, addDays(today, -1), addDays(today, -DAYS)]) {
    const scope = { provider: undefined, from, to: today, defaultProviders: DEFAULT_PROVIDERS };
    const days = { from: startOfSaoPauloDay(from), before: startOfSaoPauloDay(addDays(today, 1)) };
    const all = await database.db
      .transaction()
      .execute((trx) => findMovements(trx, { ...days, defaultProviders: DEFAULT_PROVIDERS }, undefined));
    for (const skip of [0, 1, all.length >> 1, all.length]) {
      const period = await findMissingPeriod(database.db, scope, skip);
      const pages = findMissingMovements(database.db, scope, 5, period);
      const found = (await Array.fromAsync(pages)).flat();
      expect(found.map(({ recordId, cause, bookedAt }) => ({ recordId, cause, at: bookedAt }))).toEqual(
        all.slice(skip).map(({ recordId, cause, at }) => ({ recordId, cause, at })),
      );
    }
  }
}

const included = async (): Promise<number> => {
  const [row] = await gateway.database.query<{ entries: string }>(
    'SELECT entries FROM provider_movement_cursor',
  );
  return Number(row?.entries);
};

describe('stored totals of provider movements', () => {
  it(
    'never change the reconciliation or the revenue, whatever the workers have added',
    { timeout: 60_000 },
    async () => {
      const seed = seedOf('movement totals');
      const random = randomIntegers(seed);
      const token = await gateway.adminToken();
      const fees = (await gateway.get(`/admin/sellers/${seller.id}/fees`, { token })).body.data;
      const pixIn = { type: 'PERCENTAGE', value: 99, fixedPart: 5, minimum: 70 };
      await gateway.call('PUT', `/admin/sellers/${seller.id}/fees`, { ...fees, pixIn }, { token });
      const ids: string[] = [];
      const steps: readonly (() => Promise<unknown>)[] = [
        async () => ids.push(await paid()),
        async () => ids.push(await paid(), await paid()),
        () => paid({ method: 'BOLETO' }),
        () => paid({ method: 'CREDIT_CARD', installments: 2, card: SAMPLE_CARD }),
        () => (ids.length === 0 ? paid() : send(`/transactions/${ids.at(-1)}/refund`, { amount: 10 })),
        () => (ids.length < 2 ? paid() : send(`/sandbox/transactions/${ids.shift()}/chargeback`)),
        loseDispute,
        () => changeCost(random),
        withdraw,
        () => payLate(new Date(now() - random(1, 5) * 20 * HOUR_MS)),
        () => advance(random(1, 30) * HOUR_MS),
        () => importFile(saoPauloDate(new Date(now() - random(0, 3) * 24 * HOUR_MS))),
        () => addUntil(now() + random(0, 2) * 15_000),
        updateStoredDays,
        updateStoredDays,
        // The clock is set back, and then it is right again.
        () => addUntil(now() - random(1, 40) * HOUR_MS),
      ];
      await paid();
      for (let count = 0; count < 3; count += 1) await changeCost(random);
      await withdraw();
      for (let step = 0; step < 60; step += 1) {
        await steps[random(0, steps.length - 1)]?.();
        if (step % 3 === 0) await expectExact();
        if (step % 6 === 0) await expectRevenue();
        if (step % 6 === 3) await expectAllListed();
      }
      await advance(HOUR_MS);
      await addUntil(now());
      await expectExact();
      await expectAllListed();
      await expectRevenue();
      const [numbered] = await gateway.database.query<{ entries: string }>(
        'SELECT sum(entries) AS entries FROM wallets',
      );
      expect(await included()).toBe(Number(numbered?.entries));
    },
  );

  it('are not used after an entry was deleted, until the worker has counted again', async () => {
    await paid();
    const deleted = await gateway.database.query(
      `DELETE FROM ledger_entries WHERE cause = 'PAYMENT'
         AND created_at = (SELECT max(created_at) FROM ledger_entries) RETURNING id`,
    );
    expect(deleted).toHaveLength(1);
    await expectExact();
    await expectAllListed();
    await advance(HOUR_MS);
    await addUntil(now());
    await paid();
    await expectExact();
    await expectRevenue();
  });

  it('keep the matches of a day until a file or a movement changes them', async () => {
    const day = addDays(saoPauloDate(new Date(now())), 1);
    await advance(1_000 * Math.ceil((startOfSaoPauloDay(day).getTime() - now()) / 1_000) + HOUR_MS);
    const read = async () => {
      const token = await gateway.adminToken();
      const { data } = (await gateway.get(`/admin/reconciliation?day=${day}`, { token })).body;
      return data.find(({ provider }: { provider: string }) => provider === 'sandbox');
    };
    const keep = async () => {
      await advance(HOUR_MS);
      await addUntil(now());
      await updateStoredDays();
    };
    await paid();
    await importFile(day);
    await keep();
    const before = await read();
    // Another number, which shows that the day was not matched again.
    await gateway.database.query(
      `UPDATE reconciled_days SET rows = replace(rows::text, '"matched":', '"matched":7')::json
        WHERE day = $1`,
      [day],
    );
    expect((await read()).matched).not.toBe(before.matched);
    const unpaid = await gateway.charge({ amount: 10_000 }, seller);
    expect((await read()).matched).not.toBe(before.matched);
    await send(`/sandbox/transactions/${unpaid.body.data.id}/pay`);
    for (const state of ['not included', 'included']) {
      const later = await read();
      expect([state, later.matched]).not.toEqual([state, before.matched]);
      expect([state, later.differences]).toEqual([state, before.differences + 1]);
      expect([state, later.ledger.in]).toEqual([state, before.ledger.in + 10_000]);
      await keep();
    }
    await importFile(day);
    await expectExact();
    await keep();
    await expectExact();
    expect(await read()).toMatchObject({ matched: before.matched + 1 });
  });

  it('change together with their cursor when the worker is killed', async () => {
    await paid();
    await advance(HOUR_MS);
    const before = await included();
    const client = await database.pool.connect();
    await client.query('BEGIN; LOCK TABLE provider_movement_totals IN SHARE MODE');
    const run = createMovementTotalsJob({ db: database.db, clock: { nowMs: now }, findCosts })().catch(
      () => 'killed',
    );
    await expect
      .poll(() =>
        gateway.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks
           WHERE NOT granted AND relation = 'provider_movement_totals'::regclass`,
        ),
      )
      .toHaveLength(1);
    expect(await run).toBe('killed');
    await client.query('ROLLBACK');
    client.release();
    expect(await included()).toBe(before);
    await expectExact();
    await addUntil(now());
    expect(await included()).toBeGreaterThan(before);
    await expectExact();
  });
});
