import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await gateway.stop();
});

type FeeType = 'FIXED' | 'PERCENTAGE';

interface TestSeller {
  readonly id: string;
  readonly as: CallOptions;
}

async function newSeller(): Promise<TestSeller> {
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja das Taxas',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Ana',
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: 'a long enough password',
    },
    admin,
  );
  const id: string = made.body.data.id;
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  await gateway.patch(`/admin/sellers/${id}`, rates, admin);
  const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'test' }, admin);
  return { id, as: { apiKey: key.body.data.key } };
}

async function setPixFee(sellerId: string, type: FeeType, value: number): Promise<void> {
  await gateway.database.query(
    'UPDATE fee_schedules SET pix_in_type = $2, pix_in_value = $3 WHERE seller_id = $1',
    [sellerId, type, value],
  );
}

/**
 * A seller with this fee schedule and without requests so far, so that no earlier schedule is
 * cached.
 */
async function sellerOn(type: FeeType, value: number): Promise<TestSeller> {
  const seller = await newSeller();
  await setPixFee(seller.id, type, value);
  return seller;
}

describe('the fee of a Pix transaction', () => {
  it.each<readonly [FeeType, number, number, number]>([
    ['PERCENTAGE', 99, 1_500, 15],
    ['PERCENTAGE', 99, 100, 1],
    ['PERCENTAGE', 50, 100, 1],
    ['PERCENTAGE', 49, 100, 0],
    ['PERCENTAGE', 100, 150, 2],
    ['PERCENTAGE', 100, 149, 1],
    ['PERCENTAGE', 0, 1_500, 0],
    ['PERCENTAGE', 9_999, 10_000, 9_999],
    ['PERCENTAGE', 99, 9_999_999_999, 99_000_000],
    ['FIXED', 0, 100, 0],
    ['FIXED', 99, 100, 99],
    ['FIXED', 99, 9_999_999_999, 99],
    ['FIXED', 1_499, 1_500, 1_499],
  ])('of %s %i for %i cents is %i cents', async (type, value, amount, fee) => {
    const { as } = await sellerOn(type, value);
    const created = await gateway.charge({ amount }, as);
    expect(created.status).toBe(201);
    const expected = { amount, feeAmount: fee, netAmount: amount - fee };
    expect(created.body.data).toMatchObject(expected);
    const read = await gateway.get(`/transactions/${created.body.data.id}`, as);
    expect(read.body.data).toMatchObject(expected);
    expect((await gateway.get('/transactions', as)).body.data[0]).toMatchObject(expected);
    await gateway.post(`/sandbox/transactions/${created.body.data.id}/pay`, undefined, as);
    const wallet = await gateway.get('/seller-wallet/gestao', as);
    expect(wallet.body.data).toMatchObject({ availableBalance: amount - fee, totalBalance: amount - fee });
  });

  it.each<readonly [FeeType, number, number]>([
    ['FIXED', 1_500, 1_500],
    ['FIXED', 1_501, 1_500],
    ['FIXED', 100, 100],
    ['PERCENTAGE', 10_000, 1_500],
    ['PERCENTAGE', 9_999, 100],
    ['PERCENTAGE', 20_000, 1_500],
  ])('of %s %i that exceeds %i cents rejects the charge', async (type, value, amount) => {
    const { as } = await sellerOn(type, value);
    const response = await gateway.charge({ amount }, as);
    expect(response.status).toBe(422);
    expect(response.body).toEqual(errorBody('amount_below_fee'));
    expect((await gateway.get('/transactions', as)).body.count).toBe(0);
  });

  it('that rejects a transaction does not consume the Idempotency-Key', async () => {
    const { as } = await sellerOn('FIXED', 1_500);
    const idempotencyKey = randomUUID();
    expect((await gateway.charge({ amount: 1_500 }, { ...as, idempotencyKey })).status).toBe(422);
    const other = await gateway.charge({ amount: 1_501 }, { ...as, idempotencyKey });
    expect(other.status).toBe(201);
    expect(other.body.data).toMatchObject({ feeAmount: 1_500, netAmount: 1 });
  });

  it('is rounded to the nearest cent, half up, for any schedule and amount', async () => {
    const { as, id } = await sellerOn('PERCENTAGE', 137);
    expect(id).toMatch(/-/);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 9_999_999_999 }), async (amount) => {
        const { data } = (await gateway.charge({ amount }, as)).body;
        const exact = BigInt(amount) * 137n;
        const twiceOff = (BigInt(data.feeAmount) * 10_000n - exact) * 2n;
        expect(twiceOff > -10_000n && twiceOff <= 10_000n).toBe(true);
        expect(data.netAmount).toBe(amount - data.feeAmount);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a changed fee schedule', () => {
  it('applies to transactions created within a second after it, and not to earlier ones', async () => {
    const { id, as } = await newSeller();
    const before = await gateway.charge({}, as);
    expect(before.body.data.feeAmount).toBe(15);
    await setPixFee(id, 'FIXED', 500);
    const feeNow = async (): Promise<unknown> => (await gateway.charge({}, as)).body.data.feeAmount;
    await expect.poll(feeNow, { timeout: 1_000, interval: 50 }).toBe(500);

    const paid = await gateway.post(`/sandbox/transactions/${before.body.data.id}/pay`, undefined, as);
    expect(paid.body.data).toMatchObject({ status: 'PAID', feeAmount: 15, netAmount: 1485 });
    const wallet = await gateway.get('/seller-wallet/gestao', as);
    expect(wallet.body.data.availableBalance).toBe(1485);
  });

  it('does not change the response to a repeated Idempotency-Key', async () => {
    const { id, as } = await newSeller();
    const idempotencyKey = randomUUID();
    const first = await gateway.charge({}, { ...as, idempotencyKey });
    await setPixFee(id, 'FIXED', 1_500);
    const refusedNow = async () => (await gateway.charge({}, as)).status;
    await expect.poll(refusedNow, { timeout: 1_000, interval: 50 }).toBe(422);
    const repeated = await gateway.charge({}, { ...as, idempotencyKey });
    expect(repeated.status).toBe(201);
    expect(repeated.text).toBe(first.text);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('the default fee schedule', () => {
  it('applies to every new seller', async () => {
    const { id } = await newSeller();
    for (const sellerId of [id, gateway.demo.seller.id]) {
      const rows = await gateway.database.query('SELECT * FROM fee_schedules WHERE seller_id = $1', [
        sellerId,
      ]);
      expect(rows[0]).toMatchObject({
        pix_in_type: 'PERCENTAGE',
        pix_in_value: '99',
        pix_out_type: 'FIXED',
        pix_out_value: '0',
        boleto_type: 'FIXED',
        boleto_value: '99',
        credit_card_type: 'PERCENTAGE',
      });
      const card: readonly number[] = rows[0]?.['credit_card_values'].map(Number);
      expect(card).toHaveLength(12);
      expect([card[0], card[11]]).toEqual([399, 1599]);
      expect(card).toEqual(card.toSorted((a, b) => a - b));
    }
  });
});

describe('the ledger', () => {
  it('balances after these tests', async () => {
    const check = await gateway.get('/admin/ledger/check', admin);
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
    expect(check.body.data.entries).toBeGreaterThan(10);
  });
});

describe('a fee with a fixed part and a minimum', () => {
  it('is returned, simulated, charged, and kept for the capture of a part', async () => {
    const { id, as } = await newSeller();
    const { data: plan } = (await gateway.get(`/admin/sellers/${id}/fees`, admin)).body;
    const pixIn = { type: 'PERCENTAGE', value: 100, fixedPart: 40, minimum: 150 };
    const creditCard = { ...plan.creditCard, singleInstallment: 400, fixedPart: 39, minimum: 0 };
    const body = { ...plan, pixIn, creditCard };
    const { minimum: _, ...stored } = creditCard;
    const replaced = await gateway.call('PUT', `/admin/sellers/${id}/fees`, body, admin);
    expect(replaced.body.data).toEqual({ ...plan, pixIn, creditCard: stored });
    const simulated = await gateway.get('/fees/simulate?amount=10000&method=PIX', as);
    expect(simulated.body.data).toMatchObject({ fee: pixIn, feeAmount: 150 });
    expect((await gateway.charge({ amount: 20_000 }, as)).body.data.feeAmount).toBe(240);
    const refused = await gateway.charge({ amount: 150 }, as);
    expect(refused.body.code).toBe('amount_below_fee');
    const card = { number: '4111111111111111', holderName: 'ANA', cvv: '123' };
    const authorized = await gateway.charge(
      {
        method: 'CREDIT_CARD',
        amount: 1e4,
        installments: 1,
        capture: false,
        card: {
          ...card,
          expirationMonth: 12,
          expirationYear: 2049,
        },
      },
      as,
    );
    expect(authorized.body.data.feeAmount).toBe(439);
    const path = `/transactions/${authorized.body.data.id}/capture`;
    expect((await gateway.post(path, { amount: 5_000 }, as)).body.data.feeAmount).toBe(239);
    const over = { ...plan, pixIn: { type: 'PERCENTAGE', value: 100, fixedPart: -1 } };
    expect((await gateway.call('PUT', `/admin/sellers/${id}/fees`, over, admin)).status).toBe(400);
  });
});
