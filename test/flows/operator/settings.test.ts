import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { operatorOf, type Operator } from '#test/support/operator.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A change reaches the other processes within a second; the rest is for a busy machine. */
const SOON = { timeout: 10_000, interval: 200 };

const LIMIT = 100;

let gateway: TestGateway;
/** Another process on the same database. */
let other: TestGateway;
let seller: TestSeller;
let operator: Operator;
let as: CallOptions;
let support: CallOptions;

beforeAll(async () => {
  const environment = {
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    JWT_SECRET: randomBytes(32).toString('base64'),
    CHECKOUT_UNPAID_PER_HOUR: String(LIMIT),
  };
  gateway = await startTestGateway({ environment });
  other = await startTestGateway({ environment, database: gateway.database });
  seller = await newSeller(gateway, { balance: 100_000 });
  operator = await operatorOf(gateway);
  as = { token: await gateway.adminToken() };
  const email = `${randomUUID()}@example.com`;
  const password = 'correct horse battery 9';
  await gateway.post('/admin/users', { name: 'Bia', email, password, role: 'SUPPORT' }, as);
  const signedIn = await gateway.post('/login', { email, password }, { credential: 'none' });
  support = { token: String(signedIn.body.accessToken) };
});
afterAll(async () => {
  await other.stop();
  await gateway.stop();
});

const change = (body: object, by = as) => gateway.patch('/admin/settings', body, by);
const settings = async () => (await gateway.get('/admin/settings', as)).body.data;
const detail = async (name: string) =>
  (await settings()).details.find((one: { name: string }) => one.name === name);
const newestEntry = async (action: string) =>
  (await operator.read(`/admin/audit-log?action=${action}&take=1`)).data[0];

/** The status of a charge through a link at the other process, which was not notified. */
async function pay(code: string): Promise<number> {
  const customer = {
    name: 'Ana Souza',
    email: `${randomUUID()}@example.com`,
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  };
  const response = await other.post(
    `/public/payment-links/${code}/payments`,
    { method: 'PIX', customer },
    { credential: 'none', idempotencyKey: randomUUID() },
  );
  return response.status;
}

describe('a stored setting', () => {
  afterEach(async () => {
    const names = ['medWindowDays', 'checkoutUnpaidPerHour', 'webhookLogDays'];
    await change(Object.fromEntries(names.map((name) => [name, null])));
  });

  it('overrides the environment until it is reset, and is in the audit log', async () => {
    expect(await detail('checkoutUnpaidPerHour')).toEqual({
      name: 'checkoutUnpaidPerHour',
      default: LIMIT,
      minimum: 1,
      maximum: 1e5,
      isStored: false,
    });
    const changed = await change({ checkoutUnpaidPerHour: 2, medWindowDays: 5 });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({
      checkoutUnpaidPerHour: 2,
      medWindowDays: 5,
      webhookLogDays: 90,
    });
    expect(await detail('checkoutUnpaidPerHour')).toMatchObject({ default: LIMIT, isStored: true });
    expect(await newestEntry('settings.updated')).toMatchObject({
      actor: { kind: 'OPERATOR_USER', role: 'ADMIN' },
      before: { checkoutUnpaidPerHour: LIMIT, medWindowDays: 3 },
      after: { checkoutUnpaidPerHour: 2, medWindowDays: 5 },
    });
    const reset = await change({ checkoutUnpaidPerHour: null, medWindowDays: null });
    expect(reset.body.data).toMatchObject({ checkoutUnpaidPerHour: LIMIT, medWindowDays: 3 });
    expect(await detail('checkoutUnpaidPerHour')).toMatchObject({ isStored: false });
  });

  it('applies in another process within seconds', async () => {
    const link = await gateway.post(
      '/payment-links',
      { title: 'Aula', amount: 5_000 },
      { apiKey: seller.apiKey, idempotencyKey: randomUUID() },
    );
    const { code } = link.body.data;
    expect(await pay(code)).toBe(201);
    await change({ checkoutUnpaidPerHour: 1 });
    await vi.waitFor(async () => expect(await pay(code)).toBe(429), SOON);
    await change({ checkoutUnpaidPerHour: null });
    await vi.waitFor(async () => expect(await pay(code)).toBe(201), SOON);
  });

  it.each([
    [{ checkoutUnpaidPerHour: 0 }, 'checkoutUnpaidPerHour must not be less than 1'],
    [{ webhookLogDays: 3_651 }, 'webhookLogDays must not be greater than 3650'],
    [{ medWindowDays: 8 }, 'medWindowDays must not be greater than 7'],
    [{ signupsPerHour: '20' }, 'signupsPerHour must be an integer number'],
  ])('is refused out of its range: %j', async (body, message) => {
    const refused = await change(body);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual([message]);
  });

  it('is changed by an ADMIN only', async () => {
    expect((await change({ webhookLogDays: 30 }, support)).status).toBe(403);
    expect((await change({ webhookLogDays: 30 }, { apiKey: seller.apiKey })).status).toBe(403);
    expect((await gateway.get('/admin/settings', support)).status).toBe(200);
    expect(await settings()).toMatchObject({ webhookLogDays: 90 });
  });
});

const act = (path: string, body: object, by = as) => gateway.post(`/admin/provider-routes/${path}`, body, by);
const charge = (changes: Record<string, unknown> = {}, options: CallOptions = {}) =>
  other.charge(changes, { apiKey: seller.apiKey, ...options });
const order = (providers: unknown) => gateway.call('PUT', '/admin/provider-routes/PIX', { providers }, as);

describe('a paused provider', () => {
  const reason = 'Manutenção do banco';

  afterEach(async () => {
    for (const method of ['PIX', 'PAYOUT']) await act(`${method}/resume`, { provider: 'sandbox' });
  });

  it('receives no new charge in any process, and replays are answered, until it is resumed', async () => {
    const idempotencyKey = randomUUID();
    const first = await charge({}, { idempotencyKey });
    const paused = await act('PIX/pause', { provider: 'sandbox', reason });
    expect(paused.status).toBe(200);
    const admin = { pausedByName: 'Admin', reason };
    expect(paused.body.data.providers).toMatchObject([{ name: 'sandbox', paused: admin }]);
    await vi.waitFor(async () => expect((await charge()).body.code).toBe('method_paused'), SOON);
    expect(await charge()).toMatchObject({
      status: 422,
      body: { message: 'This payment method is temporarily unavailable' },
    });
    expect((await charge({}, { idempotencyKey })).text).toBe(first.text);
    expect((await charge({ method: 'BOLETO' })).status).toBe(201);
    // What the provider has continues.
    const paid = await gateway.post(
      `/sandbox/transactions/${first.body.data.id}/pay`,
      {},
      {
        apiKey: seller.apiKey,
      },
    );
    expect(paid.status).toBe(200);
    await act('PIX/resume', { provider: 'sandbox' });
    await vi.waitFor(async () => expect((await charge()).status).toBe(201), SOON);
  });

  it('receives no approved withdrawal', async () => {
    await act('PAYOUT/pause', { provider: 'sandbox', reason });
    const id = await withdrawn(gateway, seller);
    // Longer than the worker of the other process may act on what it had read.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, as)).status).toBe(200);
    const status = async () =>
      (await gateway.get(`/withdrawals/${id}`, { apiKey: seller.apiKey })).body.data.status;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await status()).toBe('APPROVED');
    await act('PAYOUT/resume', { provider: 'sandbox' });
    await vi.waitFor(async () => expect(await status()).toBe('PROCESSING'), SOON);
  });

  it('is in the audit log once, with the reason', async () => {
    await act('PIX/pause', { provider: 'sandbox', reason });
    const entry = await newestEntry('provider.paused');
    expect(entry).toMatchObject({ after: { method: 'PIX', provider: 'sandbox', reason } });
    await act('PIX/pause', { provider: 'sandbox', reason: 'other' });
    expect((await newestEntry('provider.paused')).id).toBe(entry.id);
    await act('PIX/resume', { provider: 'sandbox' });
    expect(await newestEntry('provider.resumed')).toMatchObject({ before: { provider: 'sandbox', reason } });
  });

  it('must be one of the method, and an ADMIN must pause it', async () => {
    const unknown = await act('PIX/pause', { provider: 'bacen', reason });
    expect(unknown.body.message).toEqual(['provider must be one of the following values: sandbox']);
    expect((await act('PIX/pause', { provider: 'sandbox' })).body.message).toContain(
      'reason should not be empty',
    );
    expect((await act('GOLD/pause', { provider: 'sandbox', reason })).status).toBe(404);
    expect((await act('PIX/pause', { provider: 'sandbox', reason }, support)).status).toBe(403);
    expect((await gateway.get('/admin/provider-routes', support)).status).toBe(200);
  });

  it('must be named in an order of all providers', async () => {
    for (const names of [['bacen'], ['sandbox', 'bacen'], ['sandbox', 'sandbox']]) {
      const message = 'providers must contain each of the following values once: sandbox';
      expect((await order(names)).body.message).toEqual([message]);
    }
    expect((await order(['sandbox'])).body.data).toMatchObject({ method: 'PIX', isStored: true });
    expect((await order(null)).body.data).toMatchObject({ isStored: false, defaultOrder: ['sandbox'] });
  });
});
