import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { insertCustomer } from '#payments/customers/store.ts';
import { openDatabase } from '#platform/database/connect.ts';
import type { CallOptions } from '#test/support/client.ts';
import { bodyOf } from '#test/support/errors.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let admin: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
  admin = { token: await gateway.adminToken() };
});
afterAll(() => gateway.stop());

const ANA = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
  externalRef: 'client-77',
  address: { street: 'Rua das Flores', city: 'Campinas', state: 'SP', postalCode: '13010-000' },
  metadata: { tier: 'gold' },
};
const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
};
const NOT_FOUND = bodyOf(404, 'Customer not found');

async function newShop(): Promise<CallOptions> {
  return { apiKey: (await newSeller(gateway)).apiKey };
}

describe('customers', () => {
  it('are created once for a document, listed, found, changed and deleted', async () => {
    const as = await newShop();
    const created = await gateway.post('/customers', ANA, as);
    expect(created.status).toBe(201);
    const { id } = created.body.data;
    expect(created.body.data).toMatchObject({ ...ANA, document: '***.982.247-**', notes: null });

    const again = await gateway.post('/customers', { ...ANA, name: 'Ana S.' }, as);
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ message: 'Customer already exists', code: 'customer_exists', id });

    const other = { ...ANA, name: 'João da Conceição', document: '11144477735', externalRef: null };
    const joao = (await gateway.post('/customers', other, as)).body.data.id;
    const listed = await gateway.get('/customers?take=1', as);
    expect(listed.body).toMatchObject({ count: 2, data: [{ id: joao }] });
    const next = await gateway.get(`/customers?cursor=${listed.body.nextCursor}`, as);
    expect(next.body).toMatchObject({ data: [{ id }], nextCursor: null });
    expect((await gateway.get('/customers?externalRef=client-77', as)).body).toMatchObject({
      count: 1,
      data: [{ id }],
    });
    expect((await gateway.get('/customers?endDate=2020-01-01', as)).body.count).toBe(0);
    for (const text of ['conceicao', '111.444.777-35', joao]) {
      const { found } = (await gateway.post('/customers/lookup', { text }, as)).body.data;
      expect(found.map((one: { id: string }) => one.id)).toEqual([joao]);
    }

    const changed = await gateway.patch(`/customers/${id}`, { name: 'Ana Lima', notes: 'prefers Pix' }, as);
    expect(changed.body.data).toMatchObject({ ...ANA, document: '***.982.247-**', name: 'Ana Lima' });
    const taken = { documentType: 'CPF', document: '11144477735' };
    expect((await gateway.patch(`/customers/${id}`, taken, as)).body).toMatchObject({
      statusCode: 409,
      id: joao,
    });
    expect((await gateway.get(`/customers/${id}`, as)).body.data.name).toBe('Ana Lima');
    expect((await gateway.delete(`/customers/${id}`, as)).body.data).toEqual({ id });
    expect((await gateway.get(`/customers/${id}`, as)).body).toMatchObject(NOT_FOUND);
    expect((await gateway.delete(`/customers/${id}`, as)).body).toMatchObject(NOT_FOUND);
    const rows = await gateway.database.query('SELECT * FROM customers WHERE id = $1', [id]);
    expect(rows).toEqual([]);
    expect((await gateway.post('/customers', ANA, as)).status).toBe(201);
  });

  it('reject a postal code that is no CEP', async () => {
    const refused = await gateway.post(
      '/customers',
      { ...ANA, address: { postalCode: '1301' } },
      await newShop(),
    );
    expect(refused.body.message).toEqual(['address.postalCode must be 8 digits']);
  });

  it('are exported with the document masked, as the API shows it', async () => {
    const as = await newShop();
    const { id } = (await gateway.post('/customers', ANA, as)).body.data;
    const lines = async (query: string) =>
      (await gateway.get(`/customers?export=true${query}`, as)).text.split('\r\n');
    const [header, line] = await lines('');
    expect(header).toBe('id,name,email,phone,documentType,document,externalRef,createdAt');
    expect(line).toContain(`${id},Ana Souza,ana@example.com,11987654321,CPF,***.982.247-**,client-77,`);
    const brazilian = await lines('&locale=pt-BR');
    expect(brazilian[0]).toContain(';Tipo de documento;CPF ou CNPJ;Referência;');
    expect(brazilian[1]).toContain(';CPF;***.982.247-**;client-77;');
  });

  it('pay transactions, which keep what they were created with', async () => {
    const as = await newShop();
    const { id } = (await gateway.post('/customers', ANA, as)).body.data;
    const charge = { customer: undefined, customerId: id, externalRef: 'order-1' };
    const created = await gateway.charge(charge, as);
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ customerId: id, customer: { name: 'Ana Souza' } });
    await gateway.charge({}, as);
    expect((await gateway.get(`/transactions?customerId=${id}`, as)).body).toMatchObject({
      count: 1,
      data: [{ id: created.body.data.id, customerName: 'Ana Souza', externalRef: 'order-1' }],
    });
    expect((await gateway.charge({ customerId: id }, as)).body).toMatchObject({
      statusCode: 400,
      message: ['customerId must not be sent together with customer'],
    });
    expect((await gateway.charge({ customer: undefined }, as)).body.message).toEqual([
      'customer must be an object',
    ]);
    // An inline customer changes no record.
    await gateway.charge({ customer: { ...ANA, name: 'Another name', address: undefined } }, as);
    expect((await gateway.get(`/customers/${id}`, as)).body.data.name).toBe('Ana Souza');

    const { body } = await gateway.post('/card-tokens', { ...CARD, customerId: id }, as);
    expect(body.data).toMatchObject({ id: body.data.token, customerId: id });
    expect((await gateway.get(`/customers/${id}/card-tokens`, as)).body).toMatchObject({
      count: 1,
      data: [{ id: body.data.id, lastFour: '1111' }],
    });
    const other = await newShop();
    expect((await gateway.delete(`/card-tokens/${body.data.id}`, other)).status).toBe(404);
    expect((await gateway.delete(`/card-tokens/${body.data.id}`, as)).status).toBe(200);
    expect((await gateway.get(`/customers/${id}/card-tokens`, as)).body.count).toBe(0);

    // A repeated creation is answered even after the customer was deleted.
    const idempotencyKey = 'c0a80101-0000-4000-8000-000000000001';
    const first = await gateway.charge(charge, { ...as, idempotencyKey });
    await gateway.post('/card-tokens', { ...CARD, customerId: id }, as);
    await gateway.delete(`/customers/${id}`, as);
    expect((await gateway.charge(charge, { ...as, idempotencyKey })).text).toBe(first.text);
    expect((await gateway.charge(charge, as)).body).toMatchObject(NOT_FOUND);
    expect(await gateway.database.query('SELECT id FROM card_tokens WHERE customer_id = $1', [id])).toEqual(
      [],
    );
    const kept = await gateway.get(`/transactions/${created.body.data.id}`, as);
    expect(kept.body.data).toMatchObject({ customerId: id, customer: { name: 'Ana Souza' } });
  });

  it('are found by their document before a deletion at the same time, or created after it', async () => {
    const { id: sellerId, apiKey } = await newSeller(gateway);
    const { id } = (await gateway.post('/customers', ANA, { apiKey })).body.data;
    const database = openDatabase({ url: gateway.database.url, poolSize: 2, onError: () => undefined });
    let deleted: Promise<unknown> | undefined;
    const result = await database.db
      .withPlugin({
        transformQuery: ({ node }) => node,
        // After the first statement of the insert.
        async transformResult({ result: response }) {
          deleted ??= gateway.delete(`/customers/${id}`, { apiKey });
          await Promise.race([deleted, setTimeout(300)]);
          return response;
        },
      })
      .transaction()
      .execute((trx) => {
        const { address, metadata, ...columns } = ANA;
        const at = new Date();
        const record = { ...columns, documentType: 'CPF', address, metadata, notes: null } as const;
        return insertCustomer(trx, { ...record, sellerId, id: randomUUID(), createdAt: at, updatedAt: at });
      });
    expect(result).toBe(id);
    await deleted;
    await database.close();
    const [row] = await gateway.database.query(
      'SELECT count(*) AS count FROM customers WHERE seller_id = $1',
      [sellerId],
    );
    expect(row).toEqual({ count: '0' });
  });

  it('are exported and erased with the other data of a person', async () => {
    const as = await newShop();
    const document = '39053344705';
    const { id } = (await gateway.post('/customers', { ...ANA, document }, as)).body.data;
    const exported = await gateway.post('/admin/privacy/export', { document }, admin);
    expect(exported.body.data.customers).toMatchObject([{ id, name: 'Ana Souza', document }]);
    const erased = await gateway.post('/admin/privacy/erase', { document }, admin);
    expect(erased.body.data).toMatchObject({ erasedCustomers: 1 });
    expect((await gateway.get(`/customers/${id}`, as)).status).toBe(404);
  });
});
