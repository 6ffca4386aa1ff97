import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

let gateway: TestGateway;
let subscriptions: Subscriptions;
let seller: TestSeller;

beforeAll(async () => {
  gateway = await startTestGateway({ asApp: true });
  seller = await newSeller(gateway);
  subscriptions = subscriptionsOf(gateway, { apiKey: seller.apiKey });
});
afterAll(() => gateway.stop());

it('a subscription’s payer is exported and erased with its charges, and then no longer charged', async () => {
  const { createCard, untilStatuses, advance, until } = subscriptions;
  const { id } = await createCard({ description: 'Plano de Ana Souza', metadata: { email: CUSTOMER.email } });
  await untilStatuses(id, ['PAID']);
  const admin = { token: await gateway.adminToken() };
  const query = { document: CUSTOMER.document };
  const exported = await gateway.post('/admin/privacy/export', query, admin);
  expect(exported.text).toContain('subscriptionInvoices');
  expect(exported.text).toContain('Plano de Ana Souza');
  expect((await gateway.post('/admin/privacy/erase', query, admin)).status).toBe(200);
  const stored = await gateway.database.query<{ text: string }>(
    `SELECT to_json(s)::text AS text FROM subscriptions s
     UNION ALL SELECT response::text FROM idempotency_keys WHERE response IS NOT NULL`,
  );
  const texts = stored.map(({ text }) => text).join();
  for (const trace of ['Ana Souza', CUSTOMER.email, CUSTOMER.document, CUSTOMER.phone])
    expect(texts).not.toContain(trace);
  await until(id, { status: 'CANCELLED' });
  await advance(32);
  await untilStatuses(id, ['PAID']);
});

it.each(['with', 'without'])(
  'the payer of a subscription %s a customer record that has charged nothing yet is exported and erased',
  async (how) => {
    const payer = {
      ...CUSTOMER,
      name: 'Bruno Teixeira',
      email: 'bruno@example.com',
      document: '11144477735',
    };
    const as = { apiKey: seller.apiKey };
    expect((await gateway.patch('/sellers/me/settings', { payerEmails: true }, as)).status).toBe(200);
    const isRecord = how === 'with';
    const record = isRecord ? (await gateway.post('/customers', payer, as)).body.data : null;
    const cardTokenId = await subscriptions.newToken();
    const texts = { description: 'Plano de Bruno Teixeira', metadata: { contact: payer.email } };
    const { id } = await subscriptions.create({
      method: 'CREDIT_CARD',
      startDate: '2090-01-31',
      ...(isRecord ? { customer: undefined, customerId: record.id } : { customer: payer }),
      cardTokenId,
      ...texts,
    });
    for (const action of ['pause', 'resume']) await subscriptions.act(id, action);
    const link = { title: isRecord ? 'Para Bruno Teixeira' : 'Clube', amount: 500, ...(isRecord && texts) };
    const created = await gateway.post(
      '/payment-links',
      { ...link, customerId: record?.id ?? null },
      { ...as, idempotencyKey: randomUUID() },
    );
    expect(created.status).toBe(201);
    const admin = { token: await gateway.adminToken() };
    const query = { email: payer.email.toUpperCase() };
    const exported = await gateway.post('/admin/privacy/export', query, admin);
    const found = [{ id, description: 'Plano de Bruno Teixeira' }, ...(isRecord ? [{ id: record.id }] : [])];
    expect(exported.body.data.customers).toMatchObject(found);
    const erased = await gateway.post('/admin/privacy/erase', query, admin);
    expect(erased.body.data).toMatchObject({ erased: 0, erasedCustomers: found.length });
    const tables = ['subscriptions', 'payment_links', 'idempotency_keys', 'mails', 'events', 'search_terms'];
    const stored = await Promise.all(
      tables.map((table) => gateway.database.query(`SELECT to_json(x)::text AS text FROM ${table} x`)),
    );
    for (const trace of ['Bruno', payer.email, payer.document])
      expect(JSON.stringify(stored).toLowerCase()).not.toContain(trace.toLowerCase());
    expect(await gateway.database.query(`SELECT FROM card_tokens WHERE id = '${cardTokenId}'`)).toEqual([]);
    expect((await gateway.post('/admin/privacy/erase', query, admin)).body.data.erasedCustomers).toBe(0);
  },
);
