import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { CallOptions } from '#test/support/client.ts';
import { bodyOf as errorOf } from '#test/support/errors.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

let gateway: TestGateway;
let receiver: Receiver;
let as: CallOptions;
let subscriptions: Subscriptions;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  as = { apiKey: (await newSeller(gateway)).apiKey };
  subscriptions = subscriptionsOf(gateway, as);
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

describe('the creation of a subscription', () => {
  it('is repeated with the same response for the same key', async () => {
    const { post, bodyOf } = subscriptions;
    const key = randomUUID();
    const body = bodyOf({ externalRef: 'plan-1', metadata: { a: 1 }, cycles: 3 });
    const first = await post(body, key);
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({
      status: 'ACTIVE',
      method: 'BOLETO',
      interval: 'MONTHLY',
      amount: 4990,
      amountType: 'FIXED',
      cycles: 3,
      retryPolicy: 'NONE',
      onUnpaid: 'CONTINUE',
      externalRef: 'plan-1',
      metadata: { a: 1 },
      nextChargeDate: subscriptions.today(),
      pixAutomatico: null,
      customerId: null,
      customer: {
        name: 'Ana Souza',
        document: '***.982.247-**',
      },
    });
    const again = await post(body, key);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await post({ ...body, amount: 5000 }, key)).status).toBe(409);
    const missing = await gateway.post('/subscriptions', body, as);
    expect(missing.body.message).toBe('Idempotency-Key header is required');
  });

  it('is replayed after its first date has passed', async () => {
    const { post, bodyOf, advance } = subscriptions;
    const key = randomUUID();
    const body = bodyOf();
    const first = await post(body, key);
    await advance(2);
    expect((await post(body)).status).toBe(400);
    const again = await post(body, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await post({ ...body, amount: 5000 }, key)).status).toBe(409);
  });

  it.each([
    [{ amount: 99 }, ['amount must not be less than 100']],
    [
      { interval: 'DAILY' },
      ['interval must be one of the following values: WEEKLY, MONTHLY, QUARTERLY, SEMIANNUAL, YEARLY'],
    ],
    [
      { method: 'TED' },
      ['method must be one of the following values: PIX_AUTOMATICO, CREDIT_CARD, BOLETO, PIX'],
    ],
    [{ customer: undefined }, ['customer must be an object']],
    [{ customerId: randomUUID() }, ['customerId must not be sent together with customer']],
    [{ startDate: 'soon' }, ['startDate must be a valid ISO 8601 date string']],
    [{ startDate: '2027-02-20 (foo)' }, ['startDate must be a valid ISO 8601 date string']],
    [{ method: 'CREDIT_CARD' }, ['cardTokenId must be a UUID']],
    [
      { cycles: 0, description: '4111111111111111' },
      ['cycles must not be less than 1', 'description must not contain a card number'],
    ],
    [{ minimumAmount: 100 }, ['minimumAmount must not be sent with amountType FIXED']],
    [{ pixJourney: 2 }, ['pixJourney must not be sent with method BOLETO']],
  ])('with %j is refused', async (changes, messages) => {
    const { post, bodyOf } = subscriptions;
    const refused = await post(bodyOf(changes));
    expect(refused.status).toBe(400);
    expect(refused.body.message).toEqual(messages);
  });

  it('is refused in the past, and by Pix Automático within two days', async () => {
    const { post, bodyOf, today } = subscriptions;
    const impossible = await post(bodyOf({ startDate: '2027-02-30' }));
    expect(impossible.body.message).toEqual(['startDate must be a valid ISO 8601 date string']);
    expect((await post(bodyOf({ startDate: '9990-01-01' }))).status).toBe(400);
    const past = await post(bodyOf({ startDate: today(-1) }));
    expect(past.body.message).toEqual([`startDate must not be before ${today()}`]);
    for (const days of [0, 1]) {
      const early = await post(bodyOf({ method: 'PIX_AUTOMATICO', startDate: today(days) }));
      expect(early).toMatchObject({
        status: 400,
        body: { message: [`startDate must not be before ${today(2)}`] },
      });
    }
    expect((await post(bodyOf({ method: 'PIX_AUTOMATICO', startDate: today(2) }))).status).toBe(201);
  });

  it('names a customer record and a saved card of the seller', async () => {
    const { post, bodyOf, newToken } = subscriptions;
    const customer = (await gateway.post('/customers', CUSTOMER, as)).body.data;
    const unknown = await post(bodyOf({ customer: undefined, customerId: randomUUID() }));
    expect(unknown.body).toMatchObject(errorOf(404, 'Customer not found'));
    const card = { method: 'CREDIT_CARD', customer: undefined, customerId: customer.id };
    const noCard = await post(bodyOf({ ...card, cardTokenId: randomUUID() }));
    expect(noCard.body.message).toEqual(['cardTokenId must be a token of POST /card-tokens']);
    const made = await post(bodyOf({ ...card, cardTokenId: await newToken() }));
    expect(made.body.data).toMatchObject({
      customerId: customer.id,
      customer: null,
      retryPolicy: 'THREE_IN_SEVEN_DAYS',
    });
    const listed = await gateway.get(`/subscriptions?customerId=${customer.id}&status=ACTIVE,PAUSED`, as);
    expect(listed.body).toMatchObject({ count: 1, data: [{ id: made.body.data.id }], nextCursor: null });
    const second = await post(bodyOf({ customer: undefined, customerId: customer.id, method: 'PIX' }));
    await subscriptions.act(second.body.data.id, 'cancel');
    expect((await gateway.delete(`/customers/${customer.id}`, as)).status).toBe(200);
    const remaining = await gateway.get(`/subscriptions?customerId=${customer.id}`, as);
    const { id: canceled } = made.body.data;
    expect(remaining.body.data).toMatchObject([
      { status: 'CANCELLED' },
      { id: canceled, status: 'CANCELLED', nextChargeDate: null },
    ]);
    const token = await gateway.adminToken();
    const log = await gateway.get(`/admin/audit-log?recordId=${canceled}`, { token });
    expect(log.body.data[0]).toMatchObject({ action: 'subscription.canceled', before: { status: 'ACTIVE' } });
  });
});

describe('a saved card of a customer', () => {
  it('is accepted for that customer only', async () => {
    const { post, bodyOf, newToken } = subscriptions;
    const customerOf = async (document: string) =>
      (await gateway.post('/customers', { ...CUSTOMER, document }, as)).body.data.id;
    const [owner, other] = [await customerOf('52998224725'), await customerOf('11144477735')];
    const cardTokenId = await newToken('4111111111111111', owner);
    const card = { method: 'CREDIT_CARD', cardTokenId };
    const record = { ...card, customer: undefined };
    expect((await post(bodyOf({ ...record, customerId: owner }))).status).toBe(201);
    expect((await post(bodyOf(card))).status).toBe(201);
    const rule = ['cardTokenId must be a card of the customer'];
    const refused = await post(bodyOf({ ...record, customerId: other }));
    expect(refused).toMatchObject({ status: 400, body: { message: rule } });
    const otherPayer = { ...card, customer: { ...CUSTOMER, document: '11144477735' } };
    expect((await post(bodyOf(otherPayer))).body.message).toEqual(rule);
    const own = await post(bodyOf({ ...record, customerId: other, cardTokenId: await newToken() }));
    expect(own.status).toBe(201);
    const changed = await gateway.patch(`/subscriptions/${own.body.data.id}`, { cardTokenId }, as);
    expect(changed).toMatchObject({ status: 400, body: { message: rule } });
  });
});

describe('a subscription', () => {
  it('is listed newest first, read and changed, and unknown ones are not found', async () => {
    const { create, read } = subscriptions;
    const { id } = await create({ startDate: '2090-01-31' });
    const { data, count, nextCursor } = (await gateway.get('/subscriptions?take=1', as)).body;
    expect(data).toMatchObject([{ id }]);
    expect(count).toBeGreaterThan(1);
    const next = (await gateway.get(`/subscriptions?take=1&cursor=${nextCursor}`, as)).body.data;
    expect(next[0].id < id).toBe(true);
    const changes = { amount: 100, description: 'Plano', metadata: { b: 2 } };
    expect((await gateway.patch(`/subscriptions/${id}`, changes, as)).body.data).toMatchObject(changes);
    expect(await read(id)).toMatchObject({ ...changes, nextChargeDate: '2090-01-31' });
    for (const unknown of [randomUUID(), 'x']) {
      const response = await gateway.get(`/subscriptions/${unknown}`, as);
      expect(response.body).toMatchObject({
        ...errorOf(404, 'Subscription not found'),
        code: 'subscription_not_found',
      });
    }
    const token = await gateway.patch(`/subscriptions/${id}`, { cardTokenId: randomUUID() }, as);
    expect(token.body.message).toEqual(['cardTokenId must be a token of POST /card-tokens']);
    const noInvoice = await gateway.post(`/subscriptions/${id}/invoices/7/retry`, {}, as);
    expect(noInvoice.body).toMatchObject(errorOf(404, 'Invoice not found'));
  });

  it('by a FIXED Pix Automático keeps its amount, a VARIABLE one does not', async () => {
    const { createAutomatic } = subscriptions;
    const fixed = await createAutomatic();
    const refused = await gateway.patch(`/subscriptions/${fixed.id}`, { amount: 5000 }, as);
    expect(refused).toMatchObject({ status: 422, body: { code: 'subscription_amount_fixed' } });
    const variable = await createAutomatic({ amountType: 'VARIABLE', minimumAmount: 1000 });
    expect((await gateway.patch(`/subscriptions/${variable.id}`, { amount: 5000 }, as)).status).toBe(200);
  });

  it('refuses a card for another method and an amount below its minimum', async () => {
    const { create, newToken } = subscriptions;
    const boleto = await create();
    const card = await gateway.patch(`/subscriptions/${boleto.id}`, { cardTokenId: await newToken() }, as);
    expect(card.status).toBe(400);
    expect(card.text).toContain('cardTokenId must not be sent with method BOLETO');
    const variable = await create({
      method: 'PIX_AUTOMATICO',
      pixJourney: 2,
      amountType: 'VARIABLE',
      minimumAmount: 2e3,
      startDate: subscriptions.today(5),
    });
    const amount = await gateway.patch(`/subscriptions/${variable.id}`, { amount: 1999 }, as);
    expect(amount.status).toBe(400);
    expect(amount.text).toContain('amount must not be less than 2000');
    expect((await gateway.patch(`/subscriptions/${variable.id}`, { amount: 2000 }, as)).status).toBe(200);
  });

  it('changes its status by the table of transitions only', async () => {
    const { create, act } = subscriptions;
    const { id } = await create({ startDate: '2090-01-01' });
    expect((await act(id, 'resume')).body.message).toBe('Subscription cannot go from ACTIVE to ACTIVE');
    expect((await act(id, 'pause')).body.data.status).toBe('PAUSED');
    expect((await act(id, 'pause')).status).toBe(422);
    expect((await act(id, 'resume')).body.data).toMatchObject({
      status: 'ACTIVE',
      nextChargeDate: '2090-01-01',
    });
    expect((await act(id, 'cancel')).body.data.status).toBe('CANCELLED');
    expect((await act(id, 'cancel')).body.message).toBe('Subscription cannot go from CANCELLED to CANCELLED');
  });
});

describe('the events of a subscription', () => {
  it.each(['SUBSCRIPTION', 'ALL'])('reach webhooks of the type %s', async (eventType) => {
    const { createCard, act } = subscriptions;
    const hook = await gateway.post('/webhooks', { url: receiver.url, eventType }, as);
    expect(hook.status).toBe(201);
    const { id } = await createCard({ externalRef: 'plan-9', metadata: { c: 3 } });
    const eventsOf = (event: string) =>
      receiver.received.map(({ body }) => body).filter((body) => body.event === event);
    await vi.waitFor(
      () =>
        expect(eventsOf('SUBSCRIPTION_INVOICE_UPDATED').map(({ data }) => data)).toContainEqual({
          id: expect.any(String),
          subscriptionId: id,
          number: 1,
          status: 'PAID',
          amount: 4990,
          dueDate: subscriptions.today(),
          transactionId: expect.any(String),
        }),
      { timeout: 20_000 },
    );
    await act(id, 'cancel');
    await vi.waitFor(
      () =>
        expect(eventsOf('SUBSCRIPTION_UPDATED').map(({ data }) => data)).toContainEqual({
          id,
          status: 'CANCELLED',
          method: 'CREDIT_CARD',
          amount: 4990,
          interval: 'MONTHLY',
          nextChargeDate: null,
          externalRef: 'plan-9',
          metadata: { c: 3 },
        }),
      { timeout: 20_000 },
    );
    await gateway.delete(`/webhooks/${hook.body.data.id}`, as);
  });
});
