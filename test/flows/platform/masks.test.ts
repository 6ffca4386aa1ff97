import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({
    receiverAuthorities: receiver.authority,
  });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const payer = (documentType: string, document: string) => ({
  customer: { ...goodCharge().customer, documentType, document },
});

describe('the payer’s document', () => {
  it.each([
    ['CPF', '12345678909', '***.456.789-**'],
    ['CPF', '52998224725', '***.982.247-**'],
    ['CNPJ', '12345678000195', '**.345.678/****-**'],
    ['CNPJ', '11222333000181', '**.222.333/****-**'],
    ['CNPJ', '12ABC34501DE35', '**.ABC.345/****-**'],
  ])('%s %s is shown as %s on creation and in reads', async (type, document, masked) => {
    const created = await gateway.charge(payer(type, document));
    expect(created.status).toBe(201);
    expect(created.body.data.customer).toMatchObject({ documentType: type, document: masked });
    const { id } = created.body.data;
    const read = await gateway.get(`/transactions/${id}`);
    expect(read.body.data.customer).toMatchObject({ documentType: type, document: masked });
    const paid = await gateway.post(`/sandbox/transactions/${id}/pay`);
    expect(paid.body.data.customer.document).toBe(masked);
    for (const response of [created, read, paid]) expect(response.text).not.toContain(document);
  });

  it('is masked in a repeated response and in lists', async () => {
    const document = '98765432100';
    const idempotencyKey = randomUUID();
    await gateway.charge(payer('CPF', document), { idempotencyKey });
    const repeated = await gateway.charge(payer('CPF', document), { idempotencyKey });
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body.data.customer.document).toBe('***.654.321-**');
    expect(repeated.text).not.toContain(document);
    const list = await gateway.get('/transactions?take=100');
    expect(list.body.data.length).toBeGreaterThan(0);
    expect(list.text).not.toContain(document);
    expect(list.text).not.toContain('ana@example.com');
  });

  it('is not in the webhook, nor is other personal data of the payer', async () => {
    const postbackUrl = receiver.url;
    const created = await gateway.charge({ ...payer('CPF', '11144477735'), postbackUrl });
    const calls = receiver.received.length;
    await gateway.post(`/sandbox/transactions/${created.body.data.id}/pay`);
    await receiver.waitFor(calls + 1);
    const { text, headers } = receiver.received[calls] ?? { text: '', headers: {} };
    expect(JSON.parse(text).data.id).toBe(created.body.data.id);
    for (const personal of ['11144477735', '***.444.777-**', 'ana@example.com', '11987654321', 'Ana Souza']) {
      expect(text).not.toContain(personal);
      expect(JSON.stringify(headers)).not.toContain(personal);
    }
  });
});

describe('the seller’s document', () => {
  it.each([
    ['CPF', '52998224725', '***.982.247-**'],
    ['CNPJ', '11222333000181', '**.222.333/****-**'],
  ])('%s is also masked for the operator', async (documentType, document, masked) => {
    const token = await gateway.adminToken();
    const made = await gateway.post(
      '/admin/sellers',
      {
        name: 'Loja',
        documentType,
        document,
        ownerName: 'Ana',
        ownerEmail: `${randomUUID()}@example.com`,
        ownerPassword: 'a long enough password',
      },
      { token },
    );
    expect(made.body.data.document).toBe(masked);
    const read = await gateway.get(`/admin/sellers/${made.body.data.id}`, { token });
    expect(read.body.data.document).toBe(masked);
    const list = await gateway.get('/admin/sellers', { token });
    for (const response of [made, read, list]) {
      expect(response.text).not.toContain(document);
      expect(response.text).not.toContain('a long enough password');
      expect(response.text).not.toContain('argon2');
    }
  });
});

describe('an error response', () => {
  it('does not quote the request', async () => {
    const secrets = {
      document: '52998224725999',
      phone: '0011223344556677',
      email: 'not-an-email-of-ana',
      url: 'https://ana:url-password@example.com/hook',
      method: 'METHOD-SECRET',
    };
    const response = await gateway.charge({
      ...payer('CPF', secrets.document),
      method: secrets.method,
      customer: {
        ...goodCharge().customer,
        document: secrets.document,
        phone: secrets.phone,
        email: secrets.email,
      },
      postbackUrl: secrets.url,
    });
    expect(response.status).toBe(400);
    for (const text of Object.values(secrets)) expect(response.text).not.toContain(text);
    const malformed = await gateway.post('/transactions', '{"document":"52998224725",}', {
      idempotencyKey: randomUUID(),
    });
    expect(malformed.status).toBe(400);
    expect(malformed.text).not.toContain('52998224725');
    const address = await gateway.get('/transactions/52998224725/52998224725?document=52998224725');
    expect(address.status).toBe(404);
    expect(address.text).not.toContain('52998224725');
  });
});

describe('the secret of a webhook', () => {
  it('is shown on creation only, and is encrypted at rest', async () => {
    const registered = await gateway.post('/webhooks', { url: 'https://example.com/hook', eventType: 'ALL' });
    const { id, secret } = registered.body.data;
    expect(secret).toMatch(/^whsec_/);
    for (const response of [await gateway.get(`/webhooks/${id}`), await gateway.get('/webhooks')]) {
      expect(response.status).toBe(200);
      expect(response.text).not.toContain('whsec_');
      expect(response.text).not.toContain(String(secret).slice(6));
    }
    const rows = await gateway.database.query<{ text: string }>(
      'SELECT w::text AS text FROM webhooks w WHERE id = $1',
      [id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(String(secret).slice(6));
    expect(rows[0]?.text).not.toContain(Buffer.from(String(secret).slice(6), 'base64').toString('hex'));
  });
});
