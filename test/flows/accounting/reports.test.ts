import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
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

const key = () => ({ idempotencyKey: randomUUID() });

async function paid(seller: TestSeller, changes: object = {}): Promise<string> {
  const { id } = (await gateway.charge({ amount: 10_000, ...changes }, seller)).body.data;
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
  return String(id);
}

const day = (iso: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date(iso));

const simulate = (query: string, seller: TestSeller) => gateway.get(`/fees/simulate?${query}`, seller);

describe('the timeline of a transaction', () => {
  it('lists every status with its author and reason, and every refund', async () => {
    const seller = await newSeller(gateway);
    const id = await paid(seller);
    const refund = (amount: number, reason?: string) =>
      gateway.post(`/transactions/${id}/refund`, { amount, reason }, { ...seller, ...key() });
    expect((await refund(300, 'one was missing')).status).toBe(200);
    expect((await refund(9_700)).status).toBe(200);
    const { data } = (await gateway.get(`/transactions/${id}/timeline`, seller)).body;
    expect(data.history.map(({ at: _at, ...step }: { at: string }) => step)).toEqual([
      { from: null, to: 'PENDING', reason: null, actor: 'SELLER' },
      { from: 'PENDING', to: 'PAID', reason: null, actor: 'PROVIDER' },
      { from: 'PAID', to: 'REFUNDED', reason: null, actor: 'SELLER' },
    ]);
    expect(
      data.refunds.map(({ amount, reason, status }: Record<string, unknown>) => [amount, reason, status]),
    ).toEqual([
      [300, 'one was missing', 'DONE'],
      [9_700, null, 'DONE'],
    ]);
  });

  it('returns 404 to another seller', async () => {
    const [mine, theirs] = [await newSeller(gateway), await newSeller(gateway)];
    const id = await paid(theirs);
    for (const unknown of [id, randomUUID(), 'x']) {
      expect((await gateway.get(`/transactions/${unknown}/timeline`, mine)).status).toBe(404);
      expect((await gateway.get(`/withdrawals/${unknown}/timeline`, mine)).status).toBe(404);
    }
  });
});

describe('the timeline of a withdrawal', () => {
  it('lists every status, but not the operator user who decided', async () => {
    const seller = await newSeller(gateway);
    await paid(seller);
    const body = { amount: 500, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
    const { id } = (await gateway.post('/withdrawals', body, { ...seller, ...key() })).body.data;
    const admin: CallOptions = { token: await gateway.adminToken() };
    await gateway.post(`/admin/withdrawals/${id}/reject`, { reason: 'wrong holder' }, admin);
    const { data } = (await gateway.get(`/withdrawals/${id}/timeline`, seller)).body;
    expect(data.history).toEqual([
      { from: null, to: 'PENDING', reason: null, actor: 'SELLER', at: expect.any(String) },
      { from: 'PENDING', to: 'REJECTED', reason: 'wrong holder', actor: 'OPERATOR', at: expect.any(String) },
    ]);
  });
});

describe('the fee simulation', () => {
  it.each([
    ['amount=10000&method=PIX', {}],
    ['amount=10000&method=BOLETO', { method: 'BOLETO' }],
    [
      'amount=10001&method=CREDIT_CARD&installments=3',
      { method: 'CREDIT_CARD', installments: 3, card: SAMPLE_CARD },
    ],
  ])('%s returns the fee and releases of such a transaction', async (query, wanted) => {
    const seller = await newSeller(gateway);
    const reported = (await simulate(query, seller)).body.data;
    const id = await paid(seller, { amount: reported.amount, ...wanted });
    const charge = (await gateway.get(`/transactions/${id}`, seller)).body.data;
    expect(charge.feeAmount).toBe(reported.feeAmount);
    expect(reported.netAmount).toBe(reported.amount - reported.feeAmount);
    const rows = await gateway.database.query<{ amount: string; due: Date }>(
      'SELECT amount, due_at AS due FROM releases WHERE transaction_id = $1 ORDER BY number',
      [id],
    );
    const made = rows.map(({ amount, due }) => [Number(amount), day(due.toISOString())]);
    const wallet = (await gateway.get('/seller-wallet/gestao', seller)).body.data;
    const simulated = reported.releases.map(({ amount, at }: { amount: number; at: string }) => [
      amount,
      day(at),
    ]);
    expect(simulated).toEqual(
      made.length === 0 ? [[wallet.availableBalance, day(new Date().toISOString())]] : made,
    );
  });

  it('rejects what the creation of a transaction rejects', async () => {
    const seller = await newSeller(gateway);
    expect((await simulate('amount=99&method=PIX', seller)).body.message).toEqual([
      'amount must not be less than 100',
    ]);
    const fees = (await gateway.get('/sellers/me/fees', seller)).body.data;
    const token = await gateway.adminToken();
    const higherFees = { ...fees, pixIn: { type: 'FIXED', value: 500 } };
    await gateway.call('PUT', `/admin/sellers/${seller.id}/fees`, higherFees, { token });
    const refused = await simulate('amount=500&method=PIX', seller);
    expect([refused.status, refused.body.message]).toEqual([422, 'Amount does not cover the fee']);
    expect((await simulate('amount=500&method=CREDIT_CARD&installments=13', seller)).status).toBe(400);
  });
});

describe('releases', () => {
  it('list dates and amounts, and the reasons for the blocked balance', async () => {
    const seller = await newSeller(gateway);
    await paid(seller, { method: 'BOLETO' });
    await paid(seller, { method: 'CREDIT_CARD', installments: 4, card: SAMPLE_CARD });
    await paid(seller);
    const disputed = await paid(seller);
    await gateway.post(`/sandbox/transactions/${disputed}/dispute`, undefined, seller);
    const body = { amount: 700, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
    expect((await gateway.post('/withdrawals', body, { ...seller, ...key() })).status).toBe(201);
    const { data } = (await gateway.get('/seller-wallet/releases', seller)).body;
    const rows = await gateway.database.query<{ amount: string; due: Date }>(
      'SELECT amount, due_at AS due FROM releases WHERE seller_id = $1 ORDER BY due_at',
      [seller.id],
    );
    const [boleto, ...cards] = rows.map(({ amount, due }) => ({
      amount: Number(amount),
      day: day(due.toISOString()),
    }));
    expect(data.upcoming).toEqual([
      { ...boleto, origin: 'BOLETO', releases: 1 },
      // In ninety days; the fourth comes after 120.
      ...cards.slice(0, 3).map((card) => ({ ...card, origin: 'CARD', releases: 1 })),
    ]);
    expect(data.laterAmount).toBe(cards[3]?.amount);
    const wallet = (await gateway.get('/seller-wallet/gestao', seller)).body.data;
    expect(data.blocked).toEqual({
      retention: rows.reduce((sum, { amount }) => sum + Number(amount), 0),
      disputes: 10_000,
      withdrawals: 700,
      refunds: 0,
      total: wallet.blockedBalance,
    });
  });

  it('equal the pending releases after refunds, disputes and releases', async () => {
    const seller = await newSeller(gateway);
    const post = (path: string, body?: object) => gateway.post(path, body, { ...seller, ...key() });
    const cards = [];
    for (let index = 0; index < 4; index += 1)
      cards.push(await paid(seller, { method: 'CREDIT_CARD', installments: 3, card: SAMPLE_CARD }));
    const boletos = [await paid(seller, { method: 'BOLETO' }), await paid(seller, { method: 'BOLETO' })];
    expect((await post(`/transactions/${cards[0]}/refund`, { amount: 4_000 })).status).toBe(200);
    expect((await post(`/transactions/${boletos[0]}/refund`)).status).toBe(200);
    await post(`/sandbox/transactions/${cards[1]}/dispute`);
    await post(`/sandbox/transactions/${cards[2]}/chargeback`);
    await gateway.advance(35 * 24 * 3_600);
    const pending = () =>
      gateway.database.query(
        `SELECT (r.due_at AT TIME ZONE 'America/Sao_Paulo')::date::text AS day,
           CASE t.method WHEN 'CREDIT_CARD' THEN 'CARD' ELSE t.method END AS origin,
           sum(r.amount)::integer AS amount, count(*)::integer AS releases
         FROM releases r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
         WHERE r.seller_id = $1 AND r.status = 'PENDING' AND r.amount > 0 GROUP BY 1, 2 ORDER BY 1, 2`,
        [seller.id],
      );
    await vi.waitFor(
      async () => expect((await pending()).every(({ origin }) => origin === 'CARD')).toBe(true),
      {
        timeout: 20_000,
      },
    );
    const { data } = (await gateway.get('/seller-wallet/releases', seller)).body;
    expect(data.upcoming.length).toBeGreaterThan(0);
    expect(data.upcoming).toEqual(await pending());
  });

  it('add up to the retained balance, and name the sales of each day', async () => {
    const seller = await newSeller(gateway);
    const post = (path: string, body?: object) => gateway.post(path, body, { ...seller, ...key() });
    const get = async (path: string) => (await gateway.get(path, seller)).body.data;
    const card = await paid(seller, { method: 'CREDIT_CARD', installments: 5, card: SAMPLE_CARD });
    const refunded = await paid(seller, { method: 'CREDIT_CARD', installments: 2, card: SAMPLE_CARD });
    await post(`/transactions/${refunded}/refund`, { amount: 1_234 });
    const disputed = await paid(seller, { method: 'CREDIT_CARD', installments: 2, card: SAMPLE_CARD });
    await post(`/sandbox/transactions/${disputed}/dispute`);
    const boleto = await paid(seller, { method: 'BOLETO', externalRef: 'order-7', description: 'Caneca' });
    await paid(seller);
    const body = { amount: 700, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
    await post('/withdrawals', body);

    const { upcoming, laterAmount, blocked } = await get('/seller-wallet/releases');
    const days = new Map<string, number>();
    for (const { day: at, amount } of upcoming) days.set(at, (days.get(at) ?? 0) + amount);
    const wallet = await get('/seller-wallet/gestao');
    const listed = [...days.values()].reduce((sum, amount) => sum + amount, laterAmount);
    expect(listed).toBe(blocked.retention);
    expect(blocked.disputes).toBeGreaterThan(0);
    expect(blocked.withdrawals).toBe(700);
    expect(listed + blocked.disputes + blocked.withdrawals + blocked.refunds).toBe(wallet.blockedBalance);

    const path = '/seller-wallet/releases/sales';
    for (const [at, amount] of days) {
      const found = await get(`${path}?startDate=${at}&endDate=${at}&take=100`);
      expect([found.amount, found.count]).toEqual([amount, found.data.length]);
      const sum = found.data.reduce((total: number, sale: { amount: number }) => total + sale.amount, 0);
      expect(sum).toBe(amount);
    }
    const [first = ''] = [...days.keys()];
    const all = await get(`${path}?startDate=${first}&endDate=2099-12-31&take=100`);
    expect([all.amount, all.count]).toEqual([blocked.retention, all.data.length]);
    expect(all.data[0]).toMatchObject({
      transactionId: boleto,
      number: 1,
      installments: null,
      origin: 'BOLETO',
      day: first,
      saleAmount: 10_000,
      customerName: 'Ana Souza',
      description: 'Caneca',
      externalRef: 'order-7',
    });
    const second = await get(`${path}?startDate=${first}&endDate=2099-12-31&take=2&skip=1`);
    expect(second.data).toEqual(all.data.slice(1, 3));

    const { releases } = await get(`/transactions/${card}/timeline`);
    expect(releases.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5]);
    for (const { number, amount, status, availableAt } of releases) {
      expect(status).toBe('PENDING');
      expect(all.data).toContainEqual(
        expect.objectContaining({ transactionId: card, number, amount, availableAt }),
      );
    }
    expect((await get(`/transactions/${disputed}/timeline`)).releases).toMatchObject([
      { status: 'HELD' },
      { status: 'HELD' },
    ]);
    const invalid = await gateway.get(`${path}?startDate=2026-02-01&endDate=2026-01-01`, seller);
    expect(invalid.body.message).toEqual(['endDate must not be before startDate']);
  });

  it('are empty for a seller without transactions', async () => {
    const { data } = (await gateway.get('/seller-wallet/releases', await newSeller(gateway))).body;
    expect(data).toMatchObject({ upcoming: [], laterAmount: 0, blocked: { total: 0 } });
  });
});
