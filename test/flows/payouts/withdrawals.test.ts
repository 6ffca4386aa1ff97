import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { balanceOf, newSeller, simulate, withdraw, type TestSeller } from '#test/support/withdrawals.ts';
import { errorBody } from '#test/support/errors.ts';
import { gateway, TRON, setUp } from './withdrawals-setup.ts';

setUp();

const ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** A payment by boleto or card that is completely available at once. */
async function credit({ apiKey }: TestSeller, origin: 'BOLETO' | 'CARD', amount: number): Promise<void> {
  const card = {
    number: '4111111111111111',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2040,
    cvv: '123',
  };
  const method = origin === 'CARD' ? { method: 'CREDIT_CARD', installments: 1, card } : { method: 'BOLETO' };
  const made = await gateway.charge({ amount, ...method }, { apiKey });
  expect(made.status).toBe(201);
  if (origin === 'CARD') return;
  const paid = await gateway.post(`/sandbox/transactions/${made.body.data.id}/pay`, undefined, { apiKey });
  expect(paid.status).toBe(200);
}

describe('a withdrawal request', () => {
  it('returns PENDING and reserves the amount', async () => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type: 'FIXED', value: 150 } });
    const created = await withdraw(gateway, seller, {
      description: 'Aluguel',
      metadata: { invoice: 'A-1', nested: { b: [1, 2] } },
      beneficiaryName: 'Ana Souza',
      beneficiaryDocumentType: 'CPF',
      beneficiaryDocumentNumber: '52998224725',
    });
    expect(created.status).toBe(201);
    const { id, createdAt } = created.body.data;
    expect(created.body).toEqual({
      status: true,
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{14}4[0-9a-f]{3}-[89ab]/),
        amount: 1000,
        feeAmount: 150,
        netAmount: 850,
        method: 'PIX',
        status: 'PENDING',
        withdrawFrom: 'PIX',
        pixKey: '***.982.247-**',
        pixKeyType: 'CPF',
        cryptoNetwork: null,
        cryptoWalletAddress: null,
        beneficiaryName: 'Ana Souza',
        beneficiaryDocumentType: 'CPF',
        beneficiaryDocumentNumber: '***.982.247-**',
        description: 'Aluguel',
        withdrawalType: 'MANUAL',
        rejectionReason: null,
        externalRef: null,
        metadata: { invoice: 'A-1', nested: { b: [1, 2] } },
        approvedAt: null,
        processedAt: null,
        paidAt: null,
        createdBy: {
          kind: 'API_KEY',
          id: expect.any(String),
          name: 'test',
          role: 'OWNER',
          keyPrefix: seller.apiKey.slice(0, 12),
          requestId: created.headers.get('x-request-id'),
        },
        createdAt,
        updatedAt: createdAt,
      },
    });
    const read = await gateway.get(`/withdrawals/${id}`, { apiKey: seller.apiKey });
    expect(read.body).toEqual(created.body);
    expect(await balanceOf(gateway, seller)).toEqual([4000, 1000]);
  });

  it('accepts the full balance and not one cent more', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    const tooMuch = await withdraw(gateway, seller, { amount: 1001 });
    expect([tooMuch.status, tooMuch.body]).toEqual([422, errorBody('insufficient_balance')]);
    expect((await withdraw(gateway, seller, { amount: 1 })).status).toBe(201);
    expect((await withdraw(gateway, seller, { amount: 999 })).status).toBe(201);
    expect((await withdraw(gateway, seller, { amount: 1 })).status).toBe(422);
    expect(await balanceOf(gateway, seller)).toEqual([0, 1000]);
  });

  it('returns insufficient balance for any large amount', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    const response = await withdraw(gateway, seller, { amount: Number.MAX_SAFE_INTEGER });
    expect([response.status, response.body.message]).toEqual([422, 'Insufficient balance']);
  });

  it('stores nothing if it is rejected', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    await withdraw(gateway, seller, { amount: 1001 });
    const [left] = await gateway.database.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM withdrawals WHERE seller_id = $1)
        + (SELECT count(*) FROM withdrawal_history WHERE seller_id = $1)
        + (SELECT count(*) FROM ledger_entries WHERE seller_id = $1 AND cause LIKE 'WITHDRAWAL%')
        + (SELECT count(*) FROM idempotency_keys
          WHERE seller_id = $1 AND operation = 'withdrawals.create') AS left`,
      [seller.id],
    );
    expect(Number(left?.left)).toBe(0);
  });

  it.each([
    ['FIXED', 150, 1000, 150],
    ['FIXED', 0, 1, 0],
    ['FIXED', 999, 1000, 999],
    ['PERCENTAGE', 250, 1000, 25],
    ['PERCENTAGE', 99, 50, 0],
    ['PERCENTAGE', 99, 51, 1],
  ] as const)('with a fee of %s %i on %i cents deducts %i cents', async (type, value, amount, feeAmount) => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type, value } });
    const created = await withdraw(gateway, seller, { amount });
    expect(created.body.data).toMatchObject({ amount, feeAmount, netAmount: amount - feeAmount });
  });

  it.each([
    ['FIXED', 1000, 1000],
    ['FIXED', 5000, 1000],
    ['PERCENTAGE', 10_000, 1000],
  ] as const)('rejects an amount that does not exceed the fee %s %i', async (type, value, amount) => {
    const seller = await newSeller(gateway, { balance: 5000, fee: { type, value } });
    const response = await withdraw(gateway, seller, { amount });
    expect([response.status, response.body.message]).toEqual([422, 'Amount does not cover the fee']);
    expect(await balanceOf(gateway, seller)).toEqual([5000, 0]);
  });

  it('debits only the balance of withdrawFrom', async () => {
    const seller = await newSeller(gateway, { balance: 100 });
    await credit(seller, 'BOLETO', 200);
    await credit(seller, 'CARD', 300);
    for (const [withdrawFrom, enough] of [
      ['PIX', 100],
      ['BOLETO', 200],
      ['CARD', 300],
    ] as const) {
      const tooMuch = await withdraw(gateway, seller, { amount: enough + 1, withdrawFrom });
      expect([tooMuch.status, tooMuch.body.message]).toEqual([422, 'Insufficient balance']);
      const created = await withdraw(gateway, seller, { amount: enough, withdrawFrom });
      expect(created.body.data).toMatchObject({ status: 'PENDING', withdrawFrom });
      expect(await balanceOf(gateway, seller, withdrawFrom)).toEqual([0, enough]);
    }
    const wallet = await gateway.get('/seller-wallet/gestao', { apiKey: seller.apiKey });
    expect(wallet.body.data).toMatchObject({ availableBalance: 0, blockedBalance: 600, totalBalance: 600 });
  });

  it('is allowed for owners and finance', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const token = await gateway.adminToken();
    for (const [role, status] of [
      ['OWNER', 201],
      ['FINANCE', 201],
      ['DEVELOPER', 403],
      ['VIEWER', 403],
    ] as const) {
      const made = await gateway.post(
        `/admin/sellers/${seller.id}/api-keys`,
        { name: role, role },
        { token },
      );
      const apiKey = String(made.body.data.key);
      expect((await withdraw(gateway, seller, {}, { apiKey })).status).toBe(status);
      expect((await gateway.get('/withdrawals', { apiKey })).status).toBe(200);
    }
    const none = await withdraw(gateway, seller, {}, { credential: 'none' });
    expect(none.status).toBe(401);
  });

  it('is refused for a seller that is not active', async () => {
    const seller = await newSeller(gateway, { balance: 5000 });
    const token = await gateway.adminToken();
    await gateway.patch(`/admin/sellers/${seller.id}`, { status: 'SUSPENDED' }, { token });
    const response = await withdraw(gateway, seller);
    expect([response.status, response.body.message]).toEqual([403, 'Seller is not active']);
  });

  it('requires a payout provider, which production lacks by default', async () => {
    const production = await startTestGateway({
      environment: {
        MODE: 'production',
        PUBLIC_URL: 'https://pay.example.com',
        ...SHARED_SECRETS,
        ADMIN_EMAIL: 'operator@example.com',
        ADMIN_PASSWORD: 'a long enough password',
      },
    });
    try {
      const seller = await newSeller(production);
      const response = await withdraw(production, seller);
      expect([response.status, response.body.message]).toEqual([422, 'Method PIX is not available']);
      for (const name of ['pay', 'fail'] as const) {
        const missing = await simulate(production, seller, randomUUID(), name);
        expect([missing.status, missing.body]).toEqual([404, errorBody('route_not_found')]);
      }
    } finally {
      await production.stop();
    }
  });
});

describe('the destination of a withdrawal', () => {
  let seller: TestSeller;
  beforeAll(async () => {
    seller = await newSeller(gateway, { balance: 1_000_000 });
  });

  it.each([
    ['CPF', '123.456.789-09', '12345678909', '***.456.789-**'],
    ['CNPJ', '11.222.333/0001-81', '11222333000181', '**.222.333/****-**'],
    ['PHONE', '(11) 98765-4321', '+5511987654321', '+55*******4321'],
    ['EMAIL', 'Joana@Domain.com', 'joana@domain.com', 'j***@domain.com'],
    [
      'EVP',
      '123E4567-E89B-42D3-A456-426614174000',
      '123e4567-e89b-42d3-a456-426614174000',
      '123e4567-****-****-****-************',
    ],
  ])('of a Pix key of type %s is normalized, masked and encrypted at rest', async (...vector) => {
    const [pixKeyType, pixKey, canonical, masked] = vector;
    const created = await withdraw(gateway, seller, { pixKey, pixKeyType });
    expect(created.body.data).toMatchObject({ pixKey: masked, pixKeyType });
    await expectSealed(created.body.data.id, canonical);
  });

  it.each([
    [undefined, TRON, 'TRC20', 'TR7NHq…Lj6t'],
    ['TRC20', TRON, 'TRC20', 'TR7NHq…Lj6t'],
    ['ERC20', ETHEREUM, 'ERC20', '0xdAC1…1ec7'],
    ['POLYGON', ETHEREUM, 'POLYGON', '0xdAC1…1ec7'],
    ['BTC', BITCOIN, 'BTC', 'bc1qw5…f3t4'],
  ])('of CRYPTO over %s is returned without Pix fields, masked and encrypted at rest', async (...vector) => {
    const [cryptoNetwork, cryptoWalletAddress, network, masked] = vector;
    const body = { method: 'CRYPTO', cryptoWalletAddress, cryptoNetwork, pixKey: null, pixKeyType: null };
    const created = await withdraw(gateway, seller, body);
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      method: 'CRYPTO',
      status: 'PENDING',
      pixKey: null,
      pixKeyType: null,
      cryptoNetwork: network,
      cryptoWalletAddress: masked,
    });
    await expectSealed(created.body.data.id, cryptoWalletAddress);
  });

  it('has an encrypted beneficiary document', async () => {
    const created = await withdraw(gateway, seller, { beneficiaryDocumentNumber: '11144477735' });
    expect(created.body.data).toMatchObject({
      beneficiaryDocumentType: 'CPF',
      beneficiaryDocumentNumber: '***.444.777-**',
    });
    await expectSealed(created.body.data.id, '11144477735');
  });

  /** No stored text contains it, and the encrypted column does. */
  async function expectSealed(id: string, secret: string): Promise<void> {
    const [row] = await gateway.database.query<{ stored: string; encrypted: string }>(
      `SELECT w.encrypted_payee AS encrypted, concat(to_json(w), to_json(k),
          (SELECT json_agg(h) FROM withdrawal_history h
          WHERE h.seller_id = w.seller_id AND h.withdrawal_id = w.id)) AS stored
        FROM withdrawals w JOIN idempotency_keys k ON k.seller_id = w.seller_id AND k.record_id = w.id
        WHERE w.seller_id = $1 AND w.id = $2`,
      [seller.id, id],
    );
    expect(row?.stored).toContain(id);
    expect(row?.stored).not.toContain(secret);
    const box = gateway.secrets;
    const payee: unknown = JSON.parse(box.decrypt(String(row?.encrypted), `withdrawal ${seller.id} ${id}`));
    expect(Object.values(payee ?? {})).toContain(secret);
    expect(() => box.decrypt(String(row?.encrypted), `withdrawal ${seller.id} ${randomUUID()}`)).toThrow(/./);
  }
});
