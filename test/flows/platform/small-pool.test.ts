import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

const AT_ONCE = 12;

let gateway: TestGateway;
let sellers: readonly TestSeller[];
let token: string;
beforeAll(async () => {
  // An operation that held one connection and waited for another would deadlock here.
  gateway = await startTestGateway({ environment: { DATABASE_POOL: '2' } });
  token = await gateway.adminToken();
  const made: TestSeller[] = [];
  for (let i = 0; i < AT_ONCE; i += 1) made.push(await newSeller(gateway));
  sellers = made;
});
afterAll(async () => {
  await gateway.stop();
});

const key = () => ({ idempotencyKey: randomUUID() });

async function paid(seller: TestSeller): Promise<string> {
  const { id } = (await gateway.charge({ amount: 10_000 }, seller)).body.data;
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
  return String(id);
}

/** One request for each seller, all at once, without cached seller data. */
async function all(call: (seller: TestSeller) => Promise<ApiResponse>): Promise<readonly number[]> {
  await new Promise((resolve) => setTimeout(resolve, 600));
  const responses = await Promise.all(sellers.map(call));
  return [...new Set(responses.map(({ status }) => status))];
}

describe('a pool of two database connections', () => {
  it('serves many concurrent operations that need a transaction', { timeout: 60_000 }, async () => {
    const charges = new Map<TestSeller, string[]>();
    for (const seller of sellers)
      charges.set(seller, [await paid(seller), await paid(seller), await paid(seller)]);
    const charge = (seller: TestSeller, index: number) => charges.get(seller)?.[index] ?? '';

    const refund = (seller: TestSeller) =>
      gateway.post(`/transactions/${charge(seller, 0)}/refund`, { amount: 100 }, { ...seller, ...key() });
    expect(await all(refund)).toEqual([200]);
    const dispute = (seller: TestSeller) =>
      gateway.post(`/sandbox/transactions/${charge(seller, 1)}/dispute`, undefined, seller);
    expect(await all(dispute)).toEqual([200]);
    const card = (seller: TestSeller) =>
      gateway.charge({ method: 'CREDIT_CARD', installments: 2, card: SAMPLE_CARD }, seller);
    expect(await all(card)).toEqual([201]);
    const withdrawals = new Map<TestSeller, string>();
    const withdraw = async (seller: TestSeller) => {
      const body = { amount: 500, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
      const response = await gateway.post('/withdrawals', body, { ...seller, ...key() });
      withdrawals.set(seller, String(response.body.data.id));
      return response;
    };
    expect(await all(withdraw)).toEqual([201]);
    const approve = (seller: TestSeller) =>
      gateway.post(`/admin/withdrawals/${withdrawals.get(seller)}/approve`, undefined, { token });
    expect(await all(approve)).toEqual([200]);
    const appeal = async (seller: TestSeller) => {
      const { id } = (await gateway.get(`/disputes?transactionId=${charge(seller, 1)}`, seller)).body.data
        .data[0];
      return gateway.post('/disputes/appeal', { disputeId: id, appealReason: 'delivered' }, seller);
    };
    expect(await all(appeal)).toEqual([200]);
    const disputes = new Map<TestSeller, string>();
    for (const seller of sellers) {
      const found = await gateway.get(`/disputes?transactionId=${charge(seller, 1)}`, seller);
      disputes.set(seller, String(found.body.data.data[0].id));
    }
    const resolve = (seller: TestSeller) =>
      gateway.post(`/admin/disputes/${disputes.get(seller)}/resolve`, { outcome: 'RESOLVED' }, { token });
    expect(await all(resolve)).toEqual([200]);
    const late = (seller: TestSeller) =>
      gateway.post(`/sandbox/transactions/${charge(seller, 2)}/pay`, { reportId: randomUUID() }, seller);
    expect(await all(late)).toHaveLength(1);
    const hook = (seller: TestSeller) =>
      gateway.post('/webhooks', { url: 'https://shop.example.com/hook', eventType: 'DISPUTE' }, seller);
    expect(await all(hook)).toEqual([201]);
    const apiKey = (seller: TestSeller) =>
      gateway.post(`/admin/sellers/${seller.id}/api-keys`, { name: 'more' }, { token });
    expect(await all(apiKey)).toEqual([201]);
    const limits = (seller: TestSeller) =>
      gateway.patch(`/admin/sellers/${seller.id}`, { cardDelayDays: 14 }, { token });
    expect(await all(limits)).toEqual([200]);
    const resend = (seller: TestSeller) =>
      gateway.post('/webhooks/resend-transaction-event', { transactionIds: charges.get(seller) }, seller);
    expect(await all(resend)).toEqual([200]);
    const check = await gateway.get('/admin/ledger/check', { token });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
  });
});
