import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { goodCharge, type ApiResponse } from '#test/support/client.ts';
import { errorBody } from '#test/support/errors.ts';
import {
  REPLAYED,
  gateway,
  token,
  newSeller,
  recordsOf,
  halfWritten,
  expectRepeat,
  expectCreated,
  setUp,
} from './idempotency-setup.ts';

setUp();

async function setLimits(id: string, limits: Readonly<Record<string, unknown>>): Promise<void> {
  const changed = await gateway.patch(`/admin/sellers/${id}`, limits, { token });
  expect(changed.status).toBe(200);
}

/** Takes effect within a second on every node, because each caches what it read. */
async function setPixFee(sellerId: string, type: 'FIXED' | 'PERCENTAGE', value: number): Promise<void> {
  await gateway.database.query(
    'UPDATE fee_schedules SET pix_in_type = $2, pix_in_value = $3 WHERE seller_id = $1',
    [sellerId, type, value],
  );
}

describe('a used key with another body', () => {
  const key = randomUUID();
  const base = goodCharge({ metadata: { order: 'A1' }, description: 'one' });
  let first: ApiResponse;
  beforeAll(async () => {
    first = await gateway.post('/transactions', base, { idempotencyKey: key });
    expectCreated(first);
  });

  const [item] = base.items;
  it.each([
    ['another amount', { ...base, amount: 1501 }],
    ['another payer', { ...base, customer: { ...base.customer, name: 'Bia Souza' } }],
    ['other metadata', { ...base, metadata: { order: 'A2' } }],
    ['metadata of another type', { ...base, metadata: { order: ['A1'] } }],
    ['a missing field', { ...base, description: undefined }],
    ['an additional field', { ...base, expiration: 3600 }],
    ['an additional unknown field', { ...base, color: 'red' }],
    ['an additional item', { ...base, items: [item, item] }],
  ])('is rejected for %s, and keeps the first record', async (_name, body) => {
    const response = await gateway.post('/transactions', body, { idempotencyKey: key });
    expect(response.status).toBe(409);
    expect(response.body).toEqual(errorBody('idempotency_key_reused'));
    expect(response.headers.get(REPLAYED)).toBeNull();
    expectRepeat(await gateway.post('/transactions', base, { idempotencyKey: key }), first);
  });

  it('is rejected if the order of a list differs', async () => {
    const items = [
      { title: 'A', amount: 700, quantity: 1, tangible: true },
      { title: 'B', amount: 800, quantity: 1, tangible: true },
    ];
    const idempotencyKey = randomUUID();
    expectCreated(await gateway.charge({ items }, { idempotencyKey }));
    const turned = await gateway.charge({ items: items.toReversed() }, { idempotencyKey });
    expect(turned.status).toBe(409);
  });

  it('is independent of other sellers, so that two sellers can use one key', async () => {
    const [one, two] = [await newSeller(), await newSeller()];
    const idempotencyKey = randomUUID();
    const ofOne = await gateway.charge({}, { apiKey: one.apiKey, idempotencyKey });
    const ofTwo = await gateway.charge({ amount: 2000 }, { apiKey: two.apiKey, idempotencyKey });
    expectCreated(ofOne);
    expectCreated(ofTwo);
    expect(ofTwo.body.data.id).not.toBe(ofOne.body.data.id);
    expectRepeat(await gateway.charge({}, { apiKey: one.apiKey, idempotencyKey }), ofOne);
    expectRepeat(await gateway.charge({ amount: 2000 }, { apiKey: two.apiKey, idempotencyKey }), ofTwo);
  });

  it('is shared by all credentials of the seller', async () => {
    const signedIn = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    expect(signedIn.status).toBe(200);
    const again = await gateway.post('/transactions', base, {
      token: String(signedIn.body.accessToken),
      idempotencyKey: key,
    });
    expectRepeat(again, first);
  });
});

describe('a key without a created record', () => {
  it.each([['400 for an invalid field', { amount: 99 }, 400]])(
    'can be used again after %s',
    async (_name, changes, status) => {
      const seller = await newSeller();
      const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
      expect((await gateway.charge(changes, options)).status).toBe(status);
      expectCreated(await gateway.charge({}, options));
      expect(await recordsOf(seller.id)).toBe(1);
    },
  );

  it('can be used again after 400 for malformed JSON', async () => {
    const options = { idempotencyKey: randomUUID() };
    expect((await gateway.post('/transactions', '{"amount":', options)).status).toBe(400);
    expectCreated(await gateway.charge({}, options));
  });

  it('can be used again after 401', async () => {
    const idempotencyKey = randomUUID();
    expect((await gateway.charge({}, { credential: 'none', idempotencyKey })).status).toBe(401);
    expectCreated(await gateway.charge({}, { idempotencyKey }));
  });

  it('can be used again after 422 for a fee that exceeds the amount', async () => {
    const seller = await newSeller();
    await setPixFee(seller.id, 'FIXED', 100);
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const refused = await gateway.charge({ amount: 100 }, options);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toBe('Amount does not cover the fee');
    expectCreated(await gateway.charge({ amount: 101 }, options));
  });

  it('can be used again after 403 while the seller is not active', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await setLimits(seller.id, { status: 'SUSPENDED' });
    const refused = await gateway.charge({}, options);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe('Seller is not active');
    await setLimits(seller.id, { status: 'ACTIVE' });
    expectCreated(await gateway.charge({ amount: 2000 }, options));
  });

  it('can be used again after 429', async () => {
    const seller = await newSeller();
    await setLimits(seller.id, { creationsPerMinute: 1 });
    expectCreated(await gateway.charge({}, { apiKey: seller.apiKey }));
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    expect((await gateway.charge({}, options)).status).toBe(429);
    await setLimits(seller.id, { creationsPerMinute: 1000 });
    expectCreated(await gateway.charge({ amount: 2000 }, options));
  });

  it('can be used again after 500, and no part of the record is stored', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await gateway.database.query('ALTER TABLE transaction_history RENAME TO gone');
    try {
      const failed = await gateway.charge({}, options);
      expect(failed.status).toBe(500);
      expect(failed.body).toMatchObject({ statusCode: 500, message: 'Internal server error' });
    } finally {
      await gateway.database.query('ALTER TABLE gone RENAME TO transaction_history');
    }
    expect(await recordsOf(seller.id)).toBe(0);
    expectCreated(await gateway.charge({ amount: 2000 }, options));
    expect(await halfWritten()).toBe(0);
  });
});

describe('a repeated request after a change of the fee schedule', () => {
  it('returns the first response if the amount no longer covers the fee', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    expectCreated(first);
    await setPixFee(seller.id, 'FIXED', 5000);
    await expect
      .poll(async () => (await gateway.charge({}, { apiKey: seller.apiKey })).status, { timeout: 3_000 })
      .toBe(422);
    expectRepeat(await gateway.charge({}, options), first);
    expect((await gateway.charge({ amount: 1600 }, options)).status).toBe(409);
  });

  it('returns the first fee if the schedule is now cheaper', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    await setPixFee(seller.id, 'FIXED', 0);
    await expect
      .poll(async () => (await gateway.charge({}, { apiKey: seller.apiKey })).body.data.feeAmount, {
        timeout: 3_000,
      })
      .toBe(0);
    expectRepeat(await gateway.charge({}, options), first);
  });
});
