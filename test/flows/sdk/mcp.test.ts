import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function connected<T>(
  apiKey: string,
  args: readonly string[],
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', VEREDA_API_KEY: apiKey, VEREDA_URL: gateway.baseUrl };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args], env }),
  );
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON
async function call(client: Client, name: string, input: Record<string, unknown>): Promise<any> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one text
  const [{ text }] = content as [{ text: string }];
  return isError === true ? { error: text } : JSON.parse(text);
}

const toolNames = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe('vereda mcp', () => {
  it('finds, pays and refunds a charge in the sandbox, and explains its webhook', async () => {
    const url = 'https://shop.example/hook';
    await gateway.post('/webhooks', { url, eventType: 'ALL' });
    const { id, amount } = (await gateway.charge({ externalRef: 'order-7' })).body.data;
    await connected(gateway.demo.apiKey, [], async (client) => {
      expect(await call(client, 'search_charges', { externalRef: 'order-7' })).toMatchObject([{ id }]);
      expect((await call(client, 'draft_refund', { id })).error).toContain('this one is PENDING');
      expect(await call(client, 'simulate_payment', { id })).toMatchObject({ status: 'PAID' });
      expect((await call(client, 'get_charge', { id })).charge.status).toBe('PAID');
      expect(await call(client, 'explain_deliveries', { recordId: id })).toMatchObject([{ url }]);
      expect(await call(client, 'draft_refund', { id })).toMatchObject({ body: { amount }, executed: false });
      expect((await gateway.get(`/transactions/${id}`)).body.data.status).toBe('PAID');
      const refund = { id, amount, idempotencyKey: randomUUID() };
      expect(await call(client, 'refund_charge', refund)).toMatchObject({ status: 'REFUNDED' });
      expect((await call(client, 'get_charge', { id: randomUUID() })).error).toContain(
        'transaction_not_found',
      );
    });
  });

  it('drafts refunds of what has not been refunded yet', async () => {
    const { id, amount } = (await gateway.charge()).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    await connected(gateway.demo.apiKey, [], async (client) => {
      await call(client, 'refund_charge', { id, amount: 400, idempotencyKey: randomUUID() });
      const remaining = amount - 400;
      expect((await call(client, 'draft_refund', { id })).body).toEqual({ amount: remaining });
      const tooMuch = await call(client, 'draft_refund', { id, amount: remaining + 1 });
      expect(tooMuch.error).toBe(`only ${remaining} cents can still be refunded`);
    });
    const customer = { ...SAMPLE_TRANSACTION.customer, email: 'ana@banco-lento.example' };
    const slow = (await gateway.charge({ customer })).body.data.id;
    await gateway.post(`/sandbox/transactions/${slow}/pay`);
    await connected(gateway.demo.apiKey, [], async (client) => {
      await call(client, 'refund_charge', { id: slow, amount, idempotencyKey: randomUUID() });
      const drafted = await call(client, 'draft_refund', { id: slow });
      expect(drafted.error).toBe('only 0 cents can still be refunded');
    });
  });

  it('searches charges by status, method and date of creation', async () => {
    const { id } = (await gateway.charge({ externalRef: 'order-8' })).body.data;
    await gateway.charge({ externalRef: 'order-8' });
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    await connected(gateway.demo.apiKey, [], async (client) => {
      const search = (filters: Record<string, string>) =>
        call(client, 'search_charges', { externalRef: 'order-8', ...filters });
      const now = new Date().toISOString();
      expect(await search({ status: 'PAID' })).toMatchObject([{ id, status: 'PAID' }]);
      expect(await search({ method: 'PIX', endDate: now })).toHaveLength(2);
      expect(await search({ startDate: '2100-01-01' })).toEqual([]);
      expect(await search({ endDate: '2020-01-01' })).toEqual([]);
      expect((await search({ startDate: 'yesterday' })).error).toContain('validation_failed');
    });
  });

  it('offers a key of production nothing that moves money without --allow-writes', async () => {
    const key = 'sk_live_0000000000000000000000000000000000000000';
    const reads = ['search_charges', 'get_charge', 'draft_refund', 'explain_deliveries'];
    expect(await connected(key, [], toolNames)).toEqual(reads);
    expect(await connected(key, ['--allow-writes'], toolNames)).toEqual([...reads, 'refund_charge']);
  });

  it('a key that may only read cannot refund', async () => {
    const session = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    const token = String(session.body.accessToken);
    const created = await gateway.post('/api-keys', { name: 'viewer', role: 'VIEWER' }, { token });
    const { id, amount } = (await gateway.charge()).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    const refund = { id, amount, idempotencyKey: randomUUID() };
    const refused = await connected(String(created.body.data.key), ['--allow-writes'], (client) =>
      call(client, 'refund_charge', refund),
    );
    expect(refused.error).toMatch(/permission|forbidden/i);
    expect((await gateway.get(`/transactions/${id}`)).body.data.status).toBe('PAID');
  });
});
