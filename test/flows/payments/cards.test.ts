import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

const card = (number: string) => ({
  number,
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
  cvv: '123',
});

const pay = (
  number: string,
  changes: Readonly<Record<string, unknown>> = {},
  idempotencyKey = randomUUID(),
) =>
  gateway.charge(
    { method: 'CREDIT_CARD', amount: 10_000, installments: 1, card: card(number), ...changes },
    { idempotencyKey },
  );

const ofCards = async () => (await gateway.get('/seller-wallet/gestao')).body.data.byOrigin.CARD;

const authorize = () => pay('4111111111111111', { capture: false });

const transactionCount = async () => (await gateway.get('/transactions')).body.count;

describe('a card transaction', () => {
  it('is paid at once and returned with its brand only', async () => {
    const paid = await pay('4111111111111111');
    expect(paid.status).toBe(201);
    expect(paid.body.data).toMatchObject({
      status: 'PAID',
      method: 'CREDIT_CARD',
      installments: 1,
      feeAmount: 399,
    });
    expect(paid.body.data.card).toMatchObject({
      number: '',
      holderName: '',
      holderDocument: '',
      expirationMonth: 0,
      expirationYear: 0,
      cvv: '',
      brand: 'VISA',
    });
    expect(paid.text).not.toContain('4111');
  });

  it.each([
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient funds'],
    ['4000000000000069', 'expired card'],
  ])('of %s fails with its reason', async (number, reason) => {
    const failed = await pay(number);
    expect(failed.status).toBe(201);
    expect(failed.body.data).toMatchObject({ status: 'FAILED', statusReason: reason, paidAt: null });
  });

  it('is declined together with its count for risk rules', async () => {
    const { id } = (await pay('4000000000000101')).body.data;
    await gateway.database.query(
      'ALTER TABLE risk_signals ADD CONSTRAINT rejected CHECK (NOT declined) NOT VALID',
    );
    const refuse = () => gateway.post(`/sandbox/transactions/${id}/refuse`);
    expect((await refuse()).status).toBe(500);
    expect(await gateway.statusOf(id)).toBe('PENDING');
    await gateway.database.query('ALTER TABLE risk_signals DROP CONSTRAINT rejected');
    expect((await refuse()).body.data.status).toBe('REFUSED');
    const signals = `SELECT declined FROM risk_signals WHERE transaction_id = '${id}'`;
    expect(await gateway.database.query(signals)).toEqual([{ declined: true }]);
  });

  it('of the slow number is PENDING, and PAID after 30 seconds', async () => {
    const slow = await pay('4000000000000101');
    expect(slow.body.data.status).toBe('PENDING');
    await gateway.advance(31);
    await expect.poll(() => gateway.statusOf(slow.body.data.id), { timeout: 2_500 }).toBe('PAID');
  });

  it('of the slow number is AUTHORIZED after 30 seconds if it is not to be captured', async () => {
    const { id, status } = (await pay('4000000000000101', { capture: false })).body.data;
    expect(status).toBe('PENDING');
    await gateway.advance(31);
    await expect.poll(() => gateway.statusOf(id), { timeout: 2_500 }).not.toBe('PENDING');
    expect(await gateway.statusOf(id)).toBe('AUTHORIZED');
    const captured = await gateway.post(`/transactions/${id}/capture`, { amount: 4_000 });
    expect(captured.body.data).toMatchObject({ status: 'PAID', amount: 4_000 });
  });

  it('of the disputed number is PAID and later CHARGEDBACK, and its amount is debited', async () => {
    const before = await ofCards();
    const paid = await pay('4000000000000259');
    expect(paid.body.data.status).toBe('PAID');
    await gateway.advance(61);
    await expect.poll(() => gateway.statusOf(paid.body.data.id), { timeout: 2_500 }).toBe('CHARGEDBACK');
    // The fee is not returned.
    expect((await ofCards()).totalBalance).toBe(before.totalBalance - 399);
  });

  it('returns the same bytes to a repeated request, also after a chargeback', async () => {
    const key = randomUUID();
    const first = await pay('4111111111111111', {}, key);
    await gateway.post(`/sandbox/transactions/${first.body.data.id}/chargeback`);
    const again = await pay('4111111111111111', {}, key);
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await pay('4111111111111111', { amount: 9_999 }, key)).status).toBe(409);
  });

  it('is created once by twenty identical concurrent requests', async () => {
    const key = randomUUID();
    const before = await ofCards();
    const responses = await Promise.all(Array.from({ length: 20 }, () => pay('4111111111111111', {}, key)));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await ofCards()).totalBalance).toBe(before.totalBalance + 9_601);
  });

  it('has its own outcome among others that share a statement', async () => {
    const before = await ofCards();
    const keys = Array.from({ length: 12 }, () => randomUUID());
    const responses = await Promise.all(
      keys.flatMap((key) => [
        pay('4111111111111111', {}, key),
        pay('4000000000000002'),
        authorize(),
        pay('4111111111111111', {}, key),
        pay('4111111111111111', { amount: 9_999 }, keys[0]),
      ]),
    );
    const statuses = responses.map(({ status, body }) => (status === 201 ? body.data.status : status));
    const [paid, failed, authorized, repeated, reused] = [0, 1, 2, 3, 4].map((kind) =>
      statuses.filter((_, index) => index % 5 === kind),
    );
    expect(new Set(failed)).toEqual(new Set(['FAILED']));
    expect(new Set(authorized)).toEqual(new Set(['AUTHORIZED']));
    // The first key may have come with the other amount first.
    expect(new Set([...(paid ?? []).slice(1), ...(repeated ?? []).slice(1)])).toEqual(new Set(['PAID']));
    const first = new Set([...statuses.slice(0, 1), ...statuses.slice(3, 4), ...(reused ?? [])]);
    expect(first).toEqual(new Set(['PAID', 409]));
    const others = responses.filter((_, index) => index % 5 === 0).slice(1);
    expect(new Set(others.map(({ body }) => body.data.id)).size).toBe(11);
    const amounts = responses
      .filter(({ status, body }) => status === 201 && body.data.status === 'PAID')
      .map(({ body }): [string, number] => [body.data.id, body.data.amount - body.data.feeAmount]);
    const booked = [...new Map(amounts).values()].reduce((sum, amount) => sum + amount, 0);
    expect((await ofCards()).totalBalance).toBe(before.totalBalance + booked);
  });

  it('is retained and released by installment', async () => {
    const before = await ofCards();
    const paid = await pay('4111111111111111', { installments: 3 });
    const net: number = paid.body.data.netAmount;
    const share = Math.floor(net / 3);
    expect((await ofCards()).blockedBalance).toBe(before.blockedBalance + net);
    const rows = await gateway.database.query<{ amount: string; days: string }>(
      `SELECT amount, round(extract(epoch FROM due_at - created_at) / 86400) AS days FROM releases
       WHERE transaction_id = $1 ORDER BY number`,
      [paid.body.data.id],
    );
    expect(rows.map(({ amount }) => Number(amount))).toEqual([net - 2 * share, share, share]);
    expect(rows.map(({ days }) => Number(days))).toEqual([30, 60, 90]);
    await gateway.advance(31 * 86_400);
    const released = async () => {
      const found = await gateway.database.query<{ number: number }>(
        `SELECT number FROM releases WHERE transaction_id = $1 AND status = 'RELEASED' ORDER BY number`,
        [paid.body.data.id],
      );
      return found.map(({ number }) => number);
    };
    await expect.poll(released, { timeout: 2_500 }).toEqual([1]);
    await gateway.advance(60 * 86_400);
    await expect.poll(released, { timeout: 2_500 }).toEqual([1, 2, 3]);
  });
});

describe('an authorization', () => {
  it('is captured in full or in part, and only once', async () => {
    const [whole, part] = [await authorize(), await authorize()];
    expect(whole.body.data.status).toBe('AUTHORIZED');
    const captured = await gateway.post(`/transactions/${whole.body.data.id}/capture`);
    expect(captured.body.data).toMatchObject({ status: 'PAID', amount: 10_000, feeAmount: 399 });
    const less = await gateway.post(`/transactions/${part.body.data.id}/capture`, { amount: 2_000 });
    expect(less.body.data).toMatchObject({ status: 'PAID', amount: 2_000, feeAmount: 80, netAmount: 1_920 });
    const again = await gateway.post(`/transactions/${part.body.data.id}/capture`, { amount: 100 });
    expect(again.status).toBe(422);
    expect(again.body.message).toBe('Transaction cannot go from PAID to PAID');
    const more = await authorize();
    expect(
      (await gateway.post(`/transactions/${more.body.data.id}/capture`, { amount: 10_001 })).status,
    ).toBe(422);
  });

  it('is captured once by two concurrent requests', async () => {
    const before = await ofCards();
    const { body } = await authorize();
    const responses = await Promise.all(
      [1, 2].map(() => gateway.post(`/transactions/${body.data.id}/capture`)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect((await ofCards()).totalBalance).toBe(before.totalBalance + 9_601);
  });

  it('is voided on request, and expires after five days', async () => {
    const [one, two] = [await authorize(), await authorize()];
    const voided = await gateway.post(`/transactions/${one.body.data.id}/void`);
    expect(voided.body.data).toMatchObject({ status: 'FAILED', statusReason: 'voided' });
    await gateway.advance(5 * 86_400 + 1);
    await expect.poll(() => gateway.statusOf(two.body.data.id), { timeout: 2_500 }).toBe('FAILED');
  });
});

describe('a card token', () => {
  it('replaces number and cvv, is encrypted at rest, and works for its seller only', async () => {
    const kept = await gateway.post('/card-tokens', card('5555555555554444'));
    expect(kept.status).toBe(201);
    expect(kept.body.data).toMatchObject({ brand: 'MASTERCARD', lastFour: '4444' });
    const rows = await gateway.database.query<{ row: string }>('SELECT t::text AS row FROM card_tokens t');
    expect(rows.map(({ row }) => row).join()).not.toContain('5555555555554444');
    const paid = await pay('', { card: { token: kept.body.data.token } });
    expect(paid.body.data).toMatchObject({ status: 'PAID', card: { brand: 'MASTERCARD' } });
    const unknown = await pay('', { card: { token: randomUUID() } });
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toEqual(['card.token must be a token of POST /card-tokens']);
  });

  it('is refused for a card that has expired', async () => {
    for (const expirationYear of [2020, 20]) {
      const refused = await gateway.post('/card-tokens', { ...card('5555555555554444'), expirationYear });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toEqual([
        expect.stringMatching(/^expirationYear must not be less than 2/),
      ]);
    }
  });
});

describe('card validation', () => {
  it.each([
    [{ card: undefined }, ['card must be an object']],
    [{ installments: undefined }, ['installments must be an integer number']],
    [{ installments: 13 }, ['installments must not be greater than 12']],
    [{ card: card('4111111111111112') }, ['card.number must be a credit card']],
    [{ card: { ...card('4111111111111111'), cvv: '12' } }, ['card.cvv must be 3 or 4 digits']],
    [
      { card: { ...card('4111111111111111'), expirationMonth: 13 } },
      ['card.expirationMonth must not be greater than 12'],
    ],
    [
      { card: { ...card('4111111111111111'), expirationYear: 999 } },
      ['card.expirationYear must be a year of four digits'],
    ],
    [{ global: true }, ['card.currency should not be empty']],
    [
      { global: true, card: { ...card('4111111111111111'), currency: 'BRL' } },
      ['card.currency must not be BRL for international transactions'],
    ],
  ])('rejects %j', async (changes, message) => {
    const refused = await pay('4111111111111111', changes);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual(message);
  });

  it('accepts a two-digit year, and BRL as the currency', async () => {
    for (const changes of [{ expirationYear: 49 }, { currency: 'BRL' }]) {
      const paid = await pay('', { card: { ...card('4111111111111111'), ...changes } });
      expect(paid.body.data.status).toBe('PAID');
    }
  });

  it.each([{ global: true, currency: 'USD' }, { currency: 'USD' }, { global: false, currency: 'EUR' }])(
    'rejects the currency of %j, which no provider settles',
    async ({ global, currency }) => {
      const before = await transactionCount();
      const refused = await pay('', { global, card: { ...card('4111111111111111'), currency } });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        message: 'International transactions are not enabled',
        code: 'international_not_enabled',
      });
      expect(await transactionCount()).toBe(before);
    },
  );
});

it.each(['PIX', 'BOLETO'])('rejects an international %s', async (method) => {
  const refused = await gateway.charge({ method, global: true });
  expect(refused.status).toBe(422);
  expect(refused.body.code).toBe('international_not_enabled');
});

it('the ledger balances, and the database contains no card number', async () => {
  const check = await gateway.get('/admin/ledger/check', { token: await gateway.adminToken() });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  for (const table of ['transactions', 'card_payments', 'idempotency_keys', 'events', 'provider_events']) {
    const rows = await gateway.database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
    expect(rows.map(({ row }) => row).join()).not.toContain('4111111111111111');
  }
});
