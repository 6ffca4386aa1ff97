import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';
import { CUSTOMER, subscriptionsOf, type Subscriptions } from './setup.ts';

let gateway: TestGateway;
let subscriptions: Subscriptions;

beforeAll(async () => {
  gateway = await startTestGateway({ asApp: true });
  subscriptions = subscriptionsOf(gateway, { apiKey: (await newSeller(gateway)).apiKey });
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

it('the payer of a subscription that has charged nothing yet is exported and erased', async () => {
  const payer = { ...CUSTOMER, name: 'Bruno Teixeira', email: 'bruno@example.com', document: '11144477735' };
  const { id } = await subscriptions.create({
    method: 'BOLETO',
    startDate: '2090-01-31',
    customer: payer,
    description: 'Plano de Bruno Teixeira',
    metadata: { contact: payer.email },
  });
  const admin = { token: await gateway.adminToken() };
  const query = { email: payer.email.toUpperCase() };
  const exported = await gateway.post('/admin/privacy/export', query, admin);
  expect(exported.body.data.customers).toMatchObject([{ id, description: 'Plano de Bruno Teixeira' }]);
  const erased = await gateway.post('/admin/privacy/erase', query, admin);
  expect(erased.body.data).toMatchObject({ erased: 0, erasedCustomers: 1 });
  const stored = await gateway.database.query<{ text: string }>(
    `SELECT to_json(s)::text AS text FROM subscriptions s WHERE id = '${id}'
     UNION ALL SELECT to_json(k)::text FROM idempotency_keys k`,
  );
  const texts = stored.map(({ text }) => text).join();
  for (const trace of ['Bruno', payer.email, payer.document]) expect(texts).not.toContain(trace);
  expect((await gateway.post('/admin/privacy/erase', query, admin)).body.data.erasedCustomers).toBe(0);
});
