import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

const SOON = { timeout: 10_000, interval: 250 };
const PUBLIC: CallOptions = { credential: 'none' };
const CARD = {
  number: '5555555555554444',
  holderName: 'ANA SOUZA',
  cvv: '123',
  expirationMonth: 12,
  expirationYear: 2049,
};

let gateway: TestGateway;
let subscriptions: Subscriptions;
let as: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  as = { apiKey: (await newSeller(gateway)).apiKey };
  subscriptions = subscriptionsOf(gateway, as);
  await gateway.patch('/sellers/me/settings', { payerEmails: true, displayName: 'Clube' }, as);
});
afterAll(() => gateway.stop());

const tokenOf = ({ payerUrl }: { readonly payerUrl: string }): string => payerUrl.split('/').at(-1) ?? '';
const from = (address: string): CallOptions => ({ ...PUBLIC, headers: { 'x-forwarded-for': address } });
const seen = (token: string) => gateway.get(`/public/subscriptions/${token}`, PUBLIC);
const changeCard = (token: string, address: string, card: object = CARD) =>
  gateway.call('PUT', `/public/subscriptions/${token}/card`, card, from(address));
/** A token of now: the clock moves. */
const asAdmin = async (): Promise<CallOptions> => ({ token: await gateway.adminToken() });
const mailsTo = async (email: string): Promise<readonly { subject: string; text: string }[]> =>
  (await gateway.get(`/sandbox/mails?to=${email}`, await asAdmin())).body.data;
const auditOf = async (id: string): Promise<readonly { action: string; actor: { kind: string } }[]> =>
  (await gateway.get(`/admin/audit-log?recordId=${id}`, await asAdmin())).body.data;

describe("the page of a subscription's payer", () => {
  it('shows what the payer may see, and no id, document or email', async () => {
    const { createCard, untilStatuses } = subscriptions;
    const made = await createCard({ description: 'Plano', externalRef: 'secret-ref', metadata: { a: 'b' } });
    expect(made.payerUrl).toMatch(/\/pay\/s\/[\w-]{43}$/);
    await untilStatuses(made.id, ['PAID']);
    const response = await seen(tokenOf(made));
    expect(response).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'ACTIVE',
          description: 'Plano',
          amount: 4990,
          method: 'CREDIT_CARD',
          card: {
            brand: 'VISA',
            lastFour: '1111',
            expirationMonth: 12,
            expirationYear: 2049,
          },
          invoices: [
            {
              number: 1,
              amount: 4990,
              status: 'PAID',
              paymentUrl: null,
            },
          ],
          seller: { name: 'Clube' },
        },
      },
    });
    for (const hidden of [made.id, made.cardTokenId, CUSTOMER.email, CUSTOMER.document, 'secret-ref'])
      expect(response.text).not.toContain(hidden);
  });

  it('returns the same 404 for every other token', async () => {
    const { create } = subscriptions;
    const [one, other] = [tokenOf(await create()), tokenOf(await create())];
    // The id of one with the secret of the other.
    const mixed = Buffer.concat([
      Buffer.from(one, 'base64url').subarray(0, 16),
      Buffer.from(other, 'base64url').subarray(16),
    ]).toString('base64url');
    const responses = await Promise.all([mixed, 'x', 'A'.repeat(43)].map(seen));
    for (const { status, body } of responses)
      expect([status, body.code]).toEqual([404, 'subscription_not_found']);
    const cancel = await gateway.post(`/public/subscriptions/${mixed}/cancel`, undefined, PUBLIC);
    expect(cancel.status).toBe(404);
    expect((await changeCard(mixed, '203.0.113.1')).status).toBe(404);
    const page = await fetch(`${gateway.baseUrl.replace('/v1', '')}/pay/s/${mixed}`);
    expect(page.status).toBe(404);
  });

  it('replaces the card, and charges what is unpaid at once', async () => {
    const { createCard, newToken, until, untilStatuses } = subscriptions;
    const made = await createCard({ cardTokenId: await newToken('4000000000000069') });
    await until(made.id, { status: 'PAST_DUE' });
    const token = tokenOf(made);
    const changed = await changeCard(token, '203.0.113.2');
    expect(changed.body.data).toMatchObject({ card: { brand: 'MASTERCARD', lastFour: '4444' } });
    await untilStatuses(made.id, ['PAID']);
    await until(made.id, { status: 'ACTIVE' });
    const entries = await auditOf(made.id);
    expect(entries.map(({ action, actor }) => [action, actor.kind])).toEqual([
      ['subscription.invoice-retried', 'PAYER'],
      ['subscription.updated', 'PAYER'],
      ['subscription.created', 'API_KEY'],
    ]);
  });

  it('accepts five cards an hour from an address, which prevents card testing', async () => {
    const token = tokenOf(await subscriptions.createCard());
    const from1 = () => changeCard(token, '203.0.113.3');
    for (const _ of [1, 2, 3, 4, 5]) expect((await from1()).status).toBe(200);
    const refused = await from1();
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_declined_cards']);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect((await changeCard(token, '203.0.113.4')).status).toBe(200);
  });

  it('refuses a wrong card, and a card where none is charged', async () => {
    const token = tokenOf(await subscriptions.createCard());
    const wrong = await changeCard(token, '203.0.113.5', { ...CARD, number: '4111111111111112' });
    expect([wrong.status, wrong.body.message]).toEqual([400, ['number must be a credit card']]);
    const boleto = tokenOf(await subscriptions.create());
    expect((await changeCard(boleto, '203.0.113.5')).body.message).toEqual([
      'number must not be sent with method BOLETO',
    ]);
  });

  it('cancels for good, with the unpaid charges, and takes no card afterward', async () => {
    const { create, createCard, untilStatuses, invoicesOf, read } = subscriptions;
    const made = await create();
    await vi.waitFor(async () => expect((await invoicesOf(made.id))[0]?.transactionId).toBeTruthy(), SOON);
    const token = tokenOf(made);
    const [invoice] = (await seen(token)).body.data.invoices;
    expect(invoice.paymentUrl).toMatch(/\/pay\/t\/[\w-]{43}$/);
    const cancel = () => gateway.post(`/public/subscriptions/${token}/cancel`, undefined, PUBLIC);
    expect((await cancel()).body.data).toMatchObject({ status: 'CANCELLED', nextChargeDate: null });
    await untilStatuses(made.id, ['CANCELLED']);
    expect((await read(made.id)).status).toBe('CANCELLED');
    expect(await cancel()).toMatchObject({ status: 422, body: { code: 'invalid_transition' } });
    const ended = await createCard();
    await gateway.post(`/subscriptions/${ended.id}/cancel`, undefined, as);
    expect((await changeCard(tokenOf(ended), '203.0.113.6')).status).toBe(422);
  });

  it('has a strict policy, and cannot be framed', async () => {
    await gateway.patch('/sellers/me/settings', { embedOrigins: ['https://shop.example'] }, as);
    const { payerUrl } = await subscriptions.createCard();
    const page = await fetch(payerUrl.replace(/^https?:\/\/[^/]+/, gateway.baseUrl.replace('/v1', '')));
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const part of ["frame-ancestors 'none'", "script-src 'self'", "form-action 'none'"])
      expect(policy).toContain(part);
    expect(policy).not.toContain('unsafe');
    expect(await page.text()).toContain('<html lang="pt-BR">');
  });
});

describe('a card that cannot pay the next cycle', () => {
  it('is requested a week before, once, by an event and an email with the page', async () => {
    const { createCard, today, advance, read, untilStatuses } = subscriptions;
    const [year = 0, month = 0] = today().split('-').map(Number);
    const expires = { ...CARD, expirationMonth: month, expirationYear: year };
    const saved = await gateway.post('/card-tokens', expires, as);
    const email = 'expiring@example.com';
    const made = await createCard({
      cardTokenId: saved.body.data.token,
      customer: {
        ...CUSTOMER,
        email,
      },
      startDate: today(),
      description: 'Plano',
    });
    await untilStatuses(made.id, ['PAID']);
    await advance(25);
    const asked = async () =>
      (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Informe outro cartão'));
    await vi.waitFor(async () => expect(await asked()).toHaveLength(1), SOON);
    const [mail] = await asked();
    expect(mail?.text).toContain(made.payerUrl);
    const events = async () =>
      (await gateway.get('/events?take=100', as)).body.data
        .filter(({ recordId }: { recordId: string }) => recordId === made.id)
        .map(({ payload }: { payload: string }) => JSON.parse(payload))
        .filter(({ event }: { event: string }) => event === 'SUBSCRIPTION_CARD_REQUIRED');
    expect(await events()).toMatchObject([{ data: { reason: 'EXPIRES', status: 'ACTIVE' } }]);
    await advance(1);
    expect(await asked()).toHaveLength(1);
    // A card that is valid is not asked for.
    expect((await changeCard(tokenOf(made), '203.0.113.7')).status).toBe(200);
    await advance(10);
    await untilStatuses(made.id, ['PAID', 'PAID']);
    await advance(25);
    expect(await asked()).toHaveLength(1);
    expect((await read(made.id)).status).toBe('ACTIVE');
  });

  it('is requested if the seller has deleted it', async () => {
    const { createCard, newToken, today } = subscriptions;
    const cardTokenId = await newToken();
    const email = 'deleted@example.com';
    const made = await createCard({
      cardTokenId,
      customer: {
        ...CUSTOMER,
        email,
      },
      startDate: today(10),
      description: 'Plano',
    });
    await gateway.delete(`/card-tokens/${cardTokenId}`, as);
    await subscriptions.advance(4);
    await vi.waitFor(async () => {
      const subjects = (await mailsTo(email)).map(({ subject }) => subject);
      expect(subjects).toEqual([
        'Informe outro cartão para a sua assinatura em Clube',
        'Sua assinatura em Clube foi criada',
      ]);
    }, SOON);
    expect((await seen(tokenOf(made))).body.data.card).toBeNull();
  });
});

const newLink = async (changes: object = {}) => {
  const link = { title: 'Clube', amount: 4990, subscription: { interval: 'MONTHLY' }, ...changes };
  const created = await gateway.post('/payment-links', link, { ...as, idempotencyKey: randomUUID() });
  expect(created.status).toBe(201);
  return created.body.data;
};
const pay = (code: string, changes: object = {}, idempotencyKey: string = randomUUID()) =>
  gateway.post(
    `/public/payment-links/${code}/payments`,
    { method: 'PIX', customer: CUSTOMER, ...changes },
    { ...from('203.0.113.20'), idempotencyKey },
  );
const byCard = (number = CARD.number) => ({
  method: 'CREDIT_CARD',
  installments: 1,
  card: {
    ...CARD,
    number,
  },
});
const saved = (token: string) => gateway.database.query('SELECT 1 FROM card_tokens WHERE id = $1', [token]);
const newest = async () => (await gateway.get('/subscriptions?take=1', as)).body.data[0];

describe('a payment link that starts a subscription', () => {
  it('charges a card now and every month, with the payer’s data and one subscription', async () => {
    const { untilStatuses, until, transactionsOf, advance } = subscriptions;
    const { code, id: linkId, subscription, maxInstallments } = await newLink({ externalRef: 'club' });
    expect([subscription, maxInstallments]).toEqual([{ interval: 'MONTHLY', cycles: null }, 1]);
    const key = randomUUID();
    const paid = await pay(code, byCard(), key);
    expect(paid.body.data).toMatchObject({ status: 'PAID', amount: 4990 });
    expect((await pay(code, byCard(), key)).headers.get('idempotency-replayed')).toBe('true');
    const { id } = await newest();
    await until(id, { status: 'ACTIVE', method: 'CREDIT_CARD', externalRef: 'club', chargedCycles: 1 });
    await untilStatuses(id, ['PAID']);
    const [first] = await transactionsOf(id);
    const transaction = (await gateway.get(`/transactions/${first.id}`, as)).body.data;
    expect(transaction).toMatchObject({ subscriptionId: id, paymentLinkId: linkId, status: 'PAID' });
    await advance(32);
    await untilStatuses(id, ['PAID', 'PAID']);
    expect(await transactionsOf(id)).toHaveLength(2);
    const link = (await gateway.get(`/payment-links/${linkId}`, as)).body.data;
    expect(link).toMatchObject({ paymentsCount: 1, paidAmount: 4990 });
    expect((await auditOf(id))[0]).toMatchObject({
      action: 'subscription.created',
      actor: { kind: 'PAYER' },
    });
  });

  it('is charged to its payer if the customer of the link was deleted', async () => {
    const { untilStatuses, advance, read } = subscriptions;
    const customer = { ...CUSTOMER, document: '39053344705' };
    const customerId = (await gateway.post('/customers', customer, as)).body.data.id;
    const { code } = await newLink({ customerId });
    expect((await gateway.delete(`/customers/${customerId}`, as)).status).toBe(200);
    expect((await pay(code, byCard())).body.data.status).toBe('PAID');
    const { id } = await newest();
    await advance(32);
    await untilStatuses(id, ['PAID', 'PAID']);
    expect(await read(id)).toMatchObject({ status: 'ACTIVE', customerId: null });
  });

  it('is charged to the payer who starts it, also if the link is for another customer', async () => {
    const { untilStatuses, advance, read, transactionsOf } = subscriptions;
    const customer = { ...CUSTOMER, name: 'Bia Lima', document: '11144477735' };
    const customerId = (await gateway.post('/customers', customer, as)).body.data.id;
    for (const [payer, expected] of [
      [customer, customerId],
      [CUSTOMER, null],
    ]) {
      const { code } = await newLink({ customerId });
      await pay(code, { ...byCard(), customer: payer });
      const { id } = await newest();
      await untilStatuses(id, ['PAID']);
      await advance(32);
      await untilStatuses(id, ['PAID', 'PAID']);
      expect((await read(id)).customerId).toBe(expected);
      for (const { id: paid } of await transactionsOf(id)) {
        const { data } = (await gateway.get(`/transactions/${paid}`, as)).body;
        expect([data.customer.name, data.customerId]).toEqual([payer.name, expected]);
      }
    }
  });

  it('keeps the card of its payer until it ends', async () => {
    const { act, untilStatuses, createCard } = subscriptions;
    const { code } = await newLink();
    await pay(code, byCard());
    const { id, cardTokenId } = await newest();
    await untilStatuses(id, ['PAID']);
    expect(await saved(cardTokenId)).toHaveLength(1);
    await act(id, 'cancel');
    expect(await saved(cardTokenId)).toEqual([]);
    // A card that the seller has saved is the seller's to delete.
    const other = await createCard();
    await act(other.id, 'cancel');
    expect(await saved(other.cardTokenId)).toHaveLength(1);
  });

  it('deletes a card that its payer has saved when it is replaced', async () => {
    const { untilStatuses, newToken, read } = subscriptions;
    const { code } = await newLink();
    await pay(code, byCard());
    const made = await newest();
    await untilStatuses(made.id, ['PAID']);
    expect((await changeCard(tokenOf(made), '203.0.113.21')).status).toBe(200);
    const { cardTokenId } = await read(made.id);
    expect(cardTokenId).not.toBe(made.cardTokenId);
    expect(await saved(made.cardTokenId)).toEqual([]);
    // A card that the seller has saved is the seller's to delete.
    const ofSeller = await newToken();
    await gateway.patch(`/subscriptions/${made.id}`, { cardTokenId: ofSeller }, as);
    expect(await saved(cardTokenId)).toEqual([]);
    await gateway.patch(`/subscriptions/${made.id}`, { cardTokenId: await newToken() }, as);
    expect(await saved(ofSeller)).toHaveLength(1);
  });

  it('deletes the card of a completed subscription when its failed invoice is paid', async () => {
    const { act, advance, simulate, until, untilStatuses } = subscriptions;
    const { code } = await newLink({ subscription: { interval: 'WEEKLY', cycles: 3 } });
    await pay(code, byCard());
    const { id, cardTokenId } = await newest();
    await untilStatuses(id, ['PAID']);
    await simulate(id, 'next-outcome', { outcome: 'CARD_EXPIRED' });
    await advance(7);
    await untilStatuses(id, ['PAID', 'FAILED']);
    await advance(7);
    await until(id, { status: 'COMPLETED' });
    expect(await saved(cardTokenId)).toHaveLength(1);
    expect((await act(id, 'invoices/2/retry')).status).toBe(200);
    await untilStatuses(id, ['PAID', 'PAID', 'PAID']);
    expect(await saved(cardTokenId)).toEqual([]);
  });

  it('starts nothing with a declined card, and stores no card', async () => {
    const { code } = await newLink();
    expect((await pay(code, byCard('4000000000000002'))).body.data.status).toBe('FAILED');
    const { id, cardTokenId } = await newest();
    await subscriptions.until(id, { status: 'REJECTED', nextChargeDate: null });
    await subscriptions.untilStatuses(id, ['FAILED']);
    expect((await gateway.delete(`/card-tokens/${cardTokenId}`, as)).status).toBe(404);
  });

  it('discards the card if its pending payment fails later', async () => {
    const { code } = await newLink();
    expect((await pay(code, byCard('4000000000000101'))).body.data.status).toBe('PENDING');
    const { id, cardTokenId } = await newest();
    const [transaction] = await subscriptions.transactionsOf(id);
    const failed = await gateway.post(`/sandbox/transactions/${transaction.id}/fail`, {}, as);
    expect(failed.status).toBe(200);
    await subscriptions.until(id, { status: 'REJECTED' });
    expect((await gateway.delete(`/card-tokens/${cardTokenId}`, as)).status).toBe(404);
  });

  it('by Pix is PENDING until it is paid, and expires with the code', async () => {
    const { until, untilStatuses, advance, transactionsOf } = subscriptions;
    const { code } = await newLink({ subscription: { interval: 'WEEKLY', cycles: 1 } });
    await pay(code);
    const { id } = await newest();
    await until(id, { status: 'PENDING', method: 'PIX' });
    const [transaction] = await transactionsOf(id);
    await gateway.post(`/sandbox/transactions/${transaction.id}/pay`, {}, as);
    await until(id, { status: 'COMPLETED', chargedCycles: 1 });
    await pay(code);
    const unpaid = (await newest()).id;
    await advance(1);
    await until(unpaid, { status: 'EXPIRED' });
    await untilStatuses(unpaid, ['FAILED']);
    expect(await transactionsOf(unpaid)).toMatchObject([{ status: 'FAILED' }]);
  });

  it('takes no installments, and unknown intervals are refused', async () => {
    const post = (body: object) =>
      gateway.post(
        '/payment-links',
        { title: 'Clube', amount: 4990, ...body },
        {
          ...as,
          idempotencyKey: randomUUID(),
        },
      );
    const monthly = { subscription: { interval: 'MONTHLY' } };
    expect((await post({ ...monthly, maxInstallments: 3 })).body.message).toEqual([
      'maxInstallments must not be greater than 1',
    ]);
    expect((await post({ subscription: { interval: 'DAILY' } })).status).toBe(400);
    const { code } = await newLink({ subscription: { interval: 'YEARLY', cycles: 3 } });
    const page = await fetch(`${gateway.baseUrl.replace('/v1', '')}/pay/${code}`);
    expect(await page.text()).toContain('com uma cobrança por ano: 3 cobranças');
  });
});

describe('the recurring revenue of a seller', () => {
  it('follows amounts, intervals, pauses and cancellations, and counts what was recovered', async () => {
    const seller = { apiKey: (await newSeller(gateway)).apiKey };
    const mine = subscriptionsOf(gateway, seller);
    const summary = async () => (await gateway.get('/subscriptions/summary?months=2', seller)).body.data;
    expect(await summary()).toMatchObject({ monthlyRevenue: 0, activeSubscriptions: 0 });
    const startDate = subscriptions.today(60);
    const one = await mine.create({ startDate, amount: 1200 });
    await mine.create({ startDate, amount: 1200, interval: 'YEARLY' });
    await mine.create({ startDate, amount: 1200, method: 'PIX_AUTOMATICO' });
    expect(await summary()).toMatchObject({ monthlyRevenue: 1300, activeSubscriptions: 2 });
    await gateway.patch(`/subscriptions/${one.id}`, { amount: 2400 }, seller);
    expect((await summary()).monthlyRevenue).toBe(2500);
    await mine.act(one.id, 'pause');
    expect(await summary()).toMatchObject({ monthlyRevenue: 100, activeSubscriptions: 1 });
    await mine.act(one.id, 'resume');
    await mine.act(one.id, 'cancel');
    const card = await mine.createCard({
      startDate: subscriptions.today(),
      cardTokenId: await mine.newToken('4000000000000069'),
    });
    await mine.until(card.id, { status: 'PAST_DUE' });
    // It is charged on, and worth as much as before.
    expect(await summary()).toMatchObject({ monthlyRevenue: 5090, activeSubscriptions: 2 });
    await gateway.patch(`/subscriptions/${card.id}`, { cardTokenId: await mine.newToken() }, seller);
    await mine.act(card.id, 'invoices/1/retry');
    await mine.until(card.id, { status: 'ACTIVE' });
    const { months } = await summary();
    expect(months.at(-1)).toMatchObject({
      canceled: 1,
      churn: null,
      recoveredPayments: 1,
      recoveredAmount: 4990,
      monthlyRevenue: 5090,
    });
    expect(months[0]).toMatchObject({ monthlyRevenue: 0, activeSubscriptions: 0, canceled: 0 });
  });
});
