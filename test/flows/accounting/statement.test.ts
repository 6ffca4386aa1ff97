import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

interface Line {
  readonly id: string;
  readonly cause: string;
  readonly origin: string;
  readonly recordType: string;
  readonly recordId: string;
  readonly from: string;
  readonly to: string;
  readonly moved: number;
  readonly amount: number;
  readonly availableChange: number;
  readonly blockedChange: number;
  readonly availableBalance: number;
  readonly blockedBalance: number;
  readonly totalBalance: number;
  readonly createdAt: string;
}

async function charge(seller: TestSeller, changes: Readonly<Record<string, unknown>>): Promise<string> {
  const made = await gateway.charge(changes, seller);
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

async function simulate(seller: TestSeller, id: string, action: string): Promise<void> {
  expect((await gateway.post(`/sandbox/transactions/${id}/${action}`, undefined, seller)).status).toBe(200);
}

const withdraw = (seller: TestSeller, amount: number) =>
  gateway.post(
    '/withdrawals',
    { amount, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
    { ...seller, idempotencyKey: randomUUID() },
  );

async function statement(
  seller: TestSeller,
  query = '',
): Promise<{ data: Line[]; count: number; nextCursor: string }> {
  const response = await gateway.get(`/seller-wallet/entries?take=100${query}`, seller);
  expect(response.status).toBe(200);
  expect(response.body.status).toBe(true);
  return response.body;
}

const walletOf = async (seller: TestSeller) => (await gateway.get('/seller-wallet/gestao', seller)).body.data;

const sum = (lines: readonly Line[], pick: (line: Line) => number): number =>
  lines.reduce((total, line) => total + pick(line), 0);

const summed = (lines: readonly Line[]) => ({
  availableBalance: sum(lines, (line) => line.availableChange),
  blockedBalance: sum(lines, (line) => line.blockedChange),
  totalBalance: sum(lines, (line) => line.amount),
});

/** A seller with every kind of money movement. */
async function eventfulSeller(): Promise<TestSeller> {
  const seller = await newSeller(gateway);
  for (let i = 0; i < 3; i += 1) await simulate(seller, await charge(seller, { amount: 10_000 }), 'pay');
  const boleto = await charge(seller, { amount: 5_000, method: 'BOLETO' });
  await simulate(seller, boleto, 'pay');
  await charge(seller, { amount: 9_001, method: 'CREDIT_CARD', installments: 3, card: SAMPLE_CARD });
  const refunded = await charge(seller, { amount: 2_000 });
  await simulate(seller, refunded, 'pay');
  for (const amount of [500, 1_500]) {
    const done = await gateway.post(
      `/transactions/${refunded}/refund`,
      { amount },
      { ...seller, idempotencyKey: randomUUID() },
    );
    expect(done.status).toBe(200);
  }
  const disputed = await charge(seller, { amount: 3_000 });
  await simulate(seller, disputed, 'pay');
  await simulate(seller, disputed, 'dispute');
  const charged = await charge(seller, {
    amount: 4_000,
    method: 'CREDIT_CARD',
    installments: 1,
    card: SAMPLE_CARD,
  });
  await simulate(seller, charged, 'chargeback');
  expect((await withdraw(seller, 1_234)).status).toBe(201);
  return seller;
}

describe('the statement', () => {
  it('of a new seller is empty', async () => {
    expect(await statement(await newSeller(gateway))).toEqual({
      status: true,
      data: [],
      count: 0,
      nextCursor: null,
    });
  });

  it('shows a payment and its fee with the resulting balances', async () => {
    const seller = await newSeller(gateway);
    const id = await charge(seller, { amount: 10_000 });
    await simulate(seller, id, 'pay');
    const { data, count } = await statement(seller);
    expect(count).toBe(2);
    const common = {
      id: expect.any(String),
      createdAt: expect.any(String),
      origin: 'PIX',
      recordType: 'TRANSACTION',
      recordId: id,
      customerName: 'Ana Souza',
      description: null,
      blockedChange: 0,
      blockedBalance: 0,
    };
    expect(data).toEqual([
      {
        ...common,
        cause: 'PAYMENT_FEE',
        from: 'available',
        to: 'fees',
        moved: 99,
        amount: -99,
        availableChange: -99,
        availableBalance: 9_901,
        totalBalance: 9_901,
      },
      {
        ...common,
        cause: 'PAYMENT',
        from: 'provider',
        to: 'available',
        moved: 10_000,
        amount: 10_000,
        availableChange: 10_000,
        availableBalance: 10_000,
        totalBalance: 10_000,
      },
    ]);
  });

  it('sums to the wallet, in total and by origin, without gaps in the running balance', async () => {
    const seller = await eventfulSeller();
    const { data, count, nextCursor } = await statement(seller);
    expect(count).toBe(data.length);
    expect(nextCursor).toBeNull();
    const wallet = await walletOf(seller);
    expect(wallet).toMatchObject(summed(data));
    for (const origin of ['PIX', 'BOLETO', 'CARD'] as const) {
      const { data: part, count: partCount } = await statement(seller, `&origin=${origin}`);
      expect(part).toEqual(data.filter((line) => line.origin === origin));
      expect(partCount).toBe(part.length);
      expect(wallet.byOrigin[origin]).toEqual(summed(part));
      expect(part.length).toBeGreaterThan(0);
    }
    let [available, blocked] = [0, 0];
    for (const line of data.toReversed()) {
      available += line.availableChange;
      blocked += line.blockedChange;
      expect([line.availableBalance, line.blockedBalance, line.totalBalance]).toEqual([
        available,
        blocked,
        available + blocked,
      ]);
      expect(line.amount).toBe(line.availableChange + line.blockedChange);
    }
    const causes = new Set(data.map((line) => line.cause));
    for (const cause of [
      'PAYMENT',
      'PAYMENT_FEE',
      'REFUND',
      'DISPUTE_HELD',
      'CHARGEBACK',
      'WITHDRAWAL_RESERVED',
    ]) {
      expect(causes).toContain(cause);
    }
  });

  it('filters by cause, record and time, and keeps the running balances of the whole wallet', async () => {
    const seller = await eventfulSeller();
    const { data: all } = await statement(seller);
    for (const cause of ['REFUND', 'PAYMENT_FEE', 'WITHDRAWAL_RESERVED', 'RELEASE']) {
      const { data, count } = await statement(seller, `&cause=${cause}`);
      expect(data).toEqual(all.filter((line) => line.cause === cause));
      expect(count).toBe(data.length);
    }
    const payments = all.filter((line) => line.cause === 'PAYMENT');
    const { data: skipped } = (
      await gateway.get('/seller-wallet/entries?cause=PAYMENT&take=2&skip=1', seller)
    ).body;
    expect(skipped).toEqual(payments.slice(1, 3));
    const { recordId } = all.find((line) => line.cause === 'REFUND') ?? { recordId: '' };
    expect((await statement(seller, `&recordId=${recordId}`)).data).toEqual(
      all.filter((line) => line.recordId === recordId),
    );
    const middle = all[Math.floor(all.length / 2)];
    const early = await statement(seller, `&endDate=${middle?.createdAt}`);
    const late = await statement(seller, `&startDate=${middle?.createdAt}`);
    expect(early.count).toBe(early.data.length);
    expect(early.data.length).toBeGreaterThan(0);
    expect(early.data.length).toBeLessThan(all.length);
    expect(all.slice(-early.data.length)).toEqual(early.data);
    expect(all.slice(0, late.data.length)).toEqual(late.data);
    expect((await statement(seller, '&startDate=2099-01-01')).data).toEqual([]);
  });

  it('lists each line once across pages, even during concurrent bookings', async () => {
    const seller = await eventfulSeller();
    const { data: all } = await statement(seller);
    const seen: Line[] = [];
    for (let cursor = ''; ;) {
      const response = (await gateway.get(`/seller-wallet/entries?take=4${cursor}`, seller)).body;
      seen.push(...response.data);
      if (response.nextCursor === null) break;
      cursor = `&cursor=${response.nextCursor}`;
      await simulate(seller, await charge(seller, { amount: 1_000 }), 'pay');
    }
    expect(seen).toEqual(all);
    const { data: skipped } = (await gateway.get('/seller-wallet/entries?take=3&skip=5', seller)).body;
    expect(skipped).toEqual((await statement(seller)).data.slice(5, 8));
  });

  it('is exported completely as CSV', async () => {
    const seller = await eventfulSeller();
    const { data } = await statement(seller);
    const csv = await gateway.get('/seller-wallet/entries?export=true&take=1', seller);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
    const [head = '', ...rows] = csv.text.trimEnd().split('\r\n');
    const names = head.split(',');
    expect(rows.map((row) => row.split(','))).toEqual(
      data.map((line) => names.map((name) => String(Reflect.get(line, name)))),
    );
  });

  it('keeps order and running balances under concurrent bookings', async () => {
    const seller = await newSeller(gateway);
    const ids = await Promise.all(Array.from({ length: 60 }, () => charge(seller, { amount: 1_000 })));
    await Promise.all([
      ...ids.map((id) => simulate(seller, id, 'pay')),
      ...Array.from({ length: 20 }, () => withdraw(seller, 300)),
    ]);
    const all: Line[] = [];
    for (let cursor = ''; ;) {
      const response = await statement(seller, cursor);
      all.push(...response.data);
      if (response.nextCursor === null) break;
      cursor = `&cursor=${response.nextCursor}`;
    }
    expect(all.length).toBeGreaterThanOrEqual(120);
    const [newest] = all;
    expect(await walletOf(seller)).toMatchObject({
      availableBalance: newest?.availableBalance,
      blockedBalance: newest?.blockedBalance,
    });
    for (const [index, line] of all.entries()) {
      const before = all[index + 1] ?? { availableBalance: 0, blockedBalance: 0 };
      expect(line.availableBalance - before.availableBalance).toBe(line.availableChange);
      expect(line.blockedBalance - before.blockedBalance).toBe(line.blockedChange);
    }
    const token = await gateway.adminToken();
    const check = await gateway.get('/admin/ledger/check', { token });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });

  it('shows no entries of other sellers, and rejects each invalid filter', async () => {
    const seller = await newSeller(gateway);
    const other = await eventfulSeller();
    const { recordId } = (await statement(other)).data[0] ?? { recordId: '' };
    expect((await statement(seller, `&recordId=${recordId}`)).data).toEqual([]);
    const bad = await gateway.get(
      '/seller-wallet/entries?origin=CASH&cause=GIFT&recordId=1&startDate=x',
      seller,
    );
    expect(bad.status).toBe(400);
    expect(bad.body.message).toEqual([
      'origin must be one of the following values: PIX, BOLETO, CARD',
      expect.stringMatching(/^cause must be one of the following values: PAYMENT, PAYMENT_FEE/),
      'recordId must be a UUID',
      'startDate must be a valid ISO 8601 date string',
    ]);
  });
});

describe('a chargeback', () => {
  it('debits the configured fee from the seller, even below a zero balance', async () => {
    const seller = await newSeller(gateway);
    const token = await gateway.adminToken();
    await gateway.patch(`/admin/sellers/${seller.id}`, { chargebackFee: 1_500 }, { token });
    const id = await charge(seller, {
      amount: 4_000,
      method: 'CREDIT_CARD',
      installments: 1,
      card: SAMPLE_CARD,
    });
    await simulate(seller, id, 'chargeback');
    const { data } = await statement(seller, '&cause=CHARGEBACK_FEE');
    expect(data).toMatchObject([
      { recordId: id, origin: 'CARD', from: 'available', to: 'fees', amount: -1_500 },
    ]);
    // The operator keeps the fee of the charge too.
    expect(await walletOf(seller)).toMatchObject({ totalBalance: -1_500 - Math.round(4_000 * 0.0399) });
    const check = await gateway.get('/admin/ledger/check', { token });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });
});
