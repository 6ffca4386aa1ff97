import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway } from '#test/support/gateway.ts';
import {
  balanceOf,
  bringTo,
  expectBalanced,
  goodWithdrawal,
  newSeller,
  payIn,
  withdraw,
  withdrawalThatIs,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';
import { errorBody } from '#test/support/errors.ts';
import { gateway, TRON, setUp } from './withdrawals-setup.ts';

setUp();

describe('a withdrawal to the destination of an earlier one', () => {
  it('pays the same key and beneficiary, which the response masks', async () => {
    const seller = await newSeller(gateway, { balance: 1_000_000 });
    const beneficiary = {
      beneficiaryName: 'Ana Souza',
      beneficiaryDocumentType: 'CPF',
      beneficiaryDocumentNumber: '52998224725',
    };
    const first = (await withdraw(gateway, seller, beneficiary)).body.data;
    const again = { amount: 500, method: 'PIX', destinationOf: first.id };
    const send = (body: object, as = seller) =>
      gateway.post('/withdrawals', body, { apiKey: as.apiKey, idempotencyKey: randomUUID() });
    const second = await send(again);
    expect(second.status).toBe(201);
    for (const name of ['pixKey', 'pixKeyType', 'beneficiaryName', 'beneficiaryDocumentNumber'])
      expect(second.body.data[name]).toBe(first[name]);
    const rows = await gateway.database.query(
      `SELECT id FROM withdrawals WHERE seller_id = $1 AND payee_hashes = (
         SELECT payee_hashes FROM withdrawals WHERE seller_id = $1 AND id = $2)`,
      [seller.id, first.id],
    );
    expect(rows).toHaveLength(2);
    expect((await send({ ...again, pixKey: 'ana@example.com' })).body.message).toEqual([
      'pixKey must not be sent together with destinationOf',
    ]);
    expect((await send({ ...again, method: 'CRYPTO' })).body.message).toEqual([
      'destinationOf must be a withdrawal with method CRYPTO',
    ]);
    expect((await send({ ...again, destinationOf: randomUUID() })).body.code).toBe('withdrawal_not_found');
    const other = await newSeller(gateway, { balance: 1_000_000 });
    expect((await send(again, other)).body.code).toBe('withdrawal_not_found');
  });
});

describe('the body of a withdrawal', () => {
  let seller: TestSeller;
  beforeAll(async () => {
    seller = await newSeller(gateway, { balance: 1_000_000 });
  });

  const crypto = { method: 'CRYPTO', cryptoWalletAddress: TRON };
  const KEY_TYPES = 'pixKeyType must be one of the following values: CPF, CNPJ, PHONE, EMAIL, EVP';
  it.each<readonly [string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['no amount', { amount: undefined }, ['amount must be an integer number']],
    ['amount 0', { amount: 0 }, ['amount must not be less than 1']],
    ['a negative amount', { amount: -5 }, ['amount must not be less than 1']],
    ['a fraction', { amount: 10.5 }, ['amount must be an integer number']],
    ['amount as text', { amount: '1000' }, ['amount must be an integer number']],
    ['no method', { method: undefined }, ['method must be one of the following values: PIX, CRYPTO']],
    ['method TED', { method: 'TED' }, ['method must be one of the following values: PIX, CRYPTO']],
    ['no key', { pixKey: undefined }, ['pixKey should not be empty']],
    ['null as key', { pixKey: null }, ['pixKey should not be empty']],
    ['a blank key', { pixKey: '  ' }, ['pixKey should not be empty']],
    ['a number as key', { pixKey: 52998224725 }, ['pixKey must be a string']],
    ['no type of key', { pixKeyType: undefined }, [KEY_TYPES]],
    ['null as type of key', { pixKeyType: null }, [KEY_TYPES]],
    ['an unknown type of key', { pixKeyType: 'IBAN' }, [KEY_TYPES]],
    ['a key of another type', { pixKeyType: 'EMAIL' }, ['pixKey must be a valid PIX key of type EMAIL']],
    ['an invalid CPF', { pixKey: '52998224724' }, ['pixKey must be a valid PIX key of type CPF']],
    [
      'a CNPJ with letters and wrong check digits',
      { pixKey: '12ABC34501DE36', pixKeyType: 'CNPJ' },
      ['pixKey must be a valid PIX key of type CNPJ'],
    ],
    [
      'an unknown balance',
      { withdrawFrom: 'CRYPTO' },
      ['withdrawFrom must be one of the following values: PIX, BOLETO, CARD'],
    ],
    [
      'a long description',
      { description: 'x'.repeat(141) },
      ['description must be shorter than or equal to 140 characters'],
    ],
    ['metadata as text', { metadata: '{}' }, ['metadata must be an object']],
    [
      'eleven keys of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, index])) },
      ['metadata must have at most 10 keys'],
    ],
    ['an invisible payee', { beneficiaryName: ' \u200b' }, ['beneficiaryName should not be empty']],
    ['a payee of emoji', { beneficiaryName: '🙂' }, ['beneficiaryName must contain a letter or a digit']],
    [
      'a beneficiary’s CPF that is too short',
      { beneficiaryDocumentType: 'CPF', beneficiaryDocumentNumber: '5299822472' },
      ['beneficiaryDocumentNumber must be 11 digits for CPF'],
    ],
    [
      'a beneficiary’s CNPJ that is too short',
      { beneficiaryDocumentType: 'CNPJ', beneficiaryDocumentNumber: '52998224725' },
      ['beneficiaryDocumentNumber must be 14 digits for CNPJ'],
    ],
    [
      'a beneficiary’s document without a type',
      { beneficiaryDocumentNumber: '123' },
      ['beneficiaryDocumentNumber must be a CPF or a CNPJ'],
    ],
    [
      'an unknown type of document',
      { beneficiaryDocumentType: 'RG', beneficiaryDocumentNumber: '123' },
      ['beneficiaryDocumentType must be one of the following values: CPF, CNPJ'],
    ],
    [
      'CRYPTO without an address',
      { ...crypto, cryptoWalletAddress: undefined },
      ['cryptoWalletAddress should not be empty'],
    ],
    [
      'an address of another network',
      { ...crypto, cryptoNetwork: 'ERC20' },
      ['cryptoWalletAddress must be a valid ERC20 address'],
    ],
    [
      'an address with a wrong checksum',
      { ...crypto, cryptoWalletAddress: TRON.replace(/t$/, 'u') },
      ['cryptoWalletAddress must be a valid TRC20 address'],
    ],
    [
      'an unknown network',
      { ...crypto, cryptoNetwork: 'SOL' },
      ['cryptoNetwork must be one of the following values: TRC20, ERC20, POLYGON, BTC'],
    ],
    [
      'all violations at once, in field order',
      { amount: 0, pixKey: '', pixKeyType: 'X', withdrawFrom: 'X', description: 5, metadata: [] },
      [
        'amount must not be less than 1',
        'pixKey should not be empty',
        KEY_TYPES,
        'withdrawFrom must be one of the following values: PIX, BOLETO, CARD',
        'description must be a string',
        'metadata must be an object',
      ],
    ],
  ])('with %s is rejected', async (_name, changes, message) => {
    const response = await withdraw(gateway, seller, changes);
    expect([response.status, response.body]).toEqual([400, errorBody('validation_failed', message)]);
    expect(await balanceOf(gateway, seller)).toEqual([1_000_000, 0]);
  });

  it('may contain null for optional fields, and unknown fields', async () => {
    const other = await newSeller(gateway, { balance: 5000 });
    const created = await withdraw(gateway, other, {
      withdrawFrom: null,
      beneficiaryName: null,
      beneficiaryDocumentType: null,
      beneficiaryDocumentNumber: null,
      description: null,
      metadata: null,
      cryptoWalletAddress: null,
      cryptoNetwork: null,
      feeAmount: 0,
      status: 'PAID',
    });
    expect(created.body.data).toMatchObject({ status: 'PENDING', withdrawFrom: 'PIX', metadata: null });
  });
});

describe('an idempotent withdrawal request', () => {
  const REPLAYED = 'idempotency-replayed';

  it('requires a UUID v4 key', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const missing = await gateway.post('/withdrawals', goodWithdrawal(), { apiKey: seller.apiKey });
    expect([missing.status, missing.body.message]).toEqual([400, 'Idempotency-Key header is required']);
    const malformed = await withdraw(gateway, seller, {}, { idempotencyKey: 'abc' });
    expect([malformed.status, malformed.body.message]).toEqual([400, 'Idempotency-Key must be a UUID']);
  });

  it.each(['PENDING', 'REJECTED', 'PROCESSING', 'PAID', 'FAILED'] as const)(
    'returns the first response byte for byte when the withdrawal is %s',
    async (status) => {
      const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 7 } });
      const metadata = { z: 1, a: { c: '…', b: null }, list: [1.5, true] };
      const options = { idempotencyKey: randomUUID(), apiKey: seller.apiKey };
      const first = await withdraw(gateway, seller, { metadata }, options);
      expect([first.status, first.headers.get(REPLAYED)]).toEqual([201, null]);
      const id = String(first.body.data.id);
      await bringTo(gateway, seller, id, status);
      const again = await withdraw(gateway, seller, { metadata }, options);
      expect([again.status, again.headers.get(REPLAYED)]).toEqual([201, 'true']);
      expect(again.text).toBe(first.text);
      // The parsed JSON is compared, not its text.
      const { amount, ...rest } = goodWithdrawal({ metadata });
      const reordered = await gateway.post('/withdrawals', { ...rest, amount }, options);
      expect(reordered.text).toBe(first.text);
    },
  );

  it('creates one withdrawal from twenty concurrent requests', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const idempotencyKey = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        withdraw(gateway, seller, {}, { idempotencyKey, apiKey: seller.apiKey }),
      ),
    );
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(responses.filter((response) => response.headers.get(REPLAYED) === null)).toHaveLength(1);
    expect(await balanceOf(gateway, seller)).toEqual([4000, 1000]);
  });

  it('rejects another body with the same key', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const options = { idempotencyKey: randomUUID(), apiKey: seller.apiKey };
    await withdraw(gateway, seller, {}, options);
    const response = await withdraw(gateway, seller, { amount: 1001 }, options);
    expect([response.status, response.body.message]).toEqual([
      409,
      'Idempotency-Key already used with a different body',
    ]);
    expect(await balanceOf(gateway, seller)).toEqual([4000, 1000]);
  });

  it('can reuse a key whose request was rejected', async () => {
    const seller = await newSeller(gateway, { balance: 500, fee: { type: 'FIXED', value: 10 } });
    const options = { idempotencyKey: randomUUID(), apiKey: seller.apiKey };
    expect((await withdraw(gateway, seller, {}, options)).status).toBe(422);
    expect((await withdraw(gateway, seller, { amount: 5 }, options)).status).toBe(422);
    expect((await withdraw(gateway, seller, { amount: 0 }, options)).status).toBe(400);
    await payIn(gateway, seller, 500);
    const created = await withdraw(gateway, seller, {}, options);
    expect([created.status, created.headers.get(REPLAYED)]).toEqual([201, null]);
  });

  it('is independent of keys of other sellers and of transactions', async () => {
    const idempotencyKey = randomUUID();
    const sellers = [
      await newSeller(gateway, { balance: 5000 }),
      await newSeller(gateway, { balance: 5000 }),
    ];
    const ids = new Set<string>();
    for (const seller of sellers) {
      const options = { idempotencyKey, apiKey: seller.apiKey };
      expect((await gateway.charge({}, options)).status).toBe(201);
      const created = await withdraw(gateway, seller, {}, options);
      expect([created.status, created.headers.get(REPLAYED)]).toEqual([201, null]);
      ids.add(String(created.body.data.id));
    }
    expect(ids.size).toBe(2);
  });

  it('returns the first response for 30 days', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const options = { idempotencyKey: randomUUID(), apiKey: seller.apiKey };
    const first = await withdraw(gateway, seller, {}, options);
    await gateway.advance(30 * 24 * 3600 - 60);
    expect((await withdraw(gateway, seller, {}, options)).text).toBe(first.text);
    await gateway.advance(120);
    const fresh = await withdraw(gateway, seller, {}, options);
    expect([fresh.status, fresh.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(fresh.body.data.id).not.toBe(first.body.data.id);
  });
});

describe('the ledger', () => {
  it('matches withdrawals in every status', async () => {
    const seller = await newSeller(gateway, { balance: 10_000, fee: { type: 'FIXED', value: 30 } });
    for (const status of ['PENDING', 'REJECTED', 'PROCESSING', 'PAID', 'FAILED'] as const) {
      await withdrawalThatIs(gateway, seller, status);
    }
    expect(await balanceOf(gateway, seller)).toEqual([7000, 2000]);
    await expectBalanced(gateway);
  });

  it.each([
    ['an amount', 'UPDATE withdrawals SET amount = amount + 1 WHERE id = $1', 'is PENDING'],
    ['a status', `UPDATE withdrawals SET status = 'PAID' WHERE id = $1`, 'is PAID'],
    ['an origin', `UPDATE withdrawals SET origin = 'CARD' WHERE id = $1`, 'is PENDING'],
    ['a deletion', 'DELETE FROM withdrawals WHERE id = $1', 'is unknown'],
  ])('check reports %s that was changed in the database', async (_name, damage, words) => {
    const other = await startTestGateway();
    try {
      const seller = await newSeller(other, { balance: 10_000 });
      const id = await withdrawn(other, seller);
      await expectBalanced(other);
      await other.database.query(damage, [id]);
      const check = await other.get('/admin/ledger/check', { token: await other.adminToken() });
      expect(check.body.data.balanced).toBe(false);
      const [found] = check.body.data.discrepancies;
      expect(found).toMatchObject({ kind: 'WITHDRAWAL', sellerId: seller.id });
      expect(found.message).toContain(`withdrawal ${id} ${words}`);
    } finally {
      await other.stop();
    }
  });
});
