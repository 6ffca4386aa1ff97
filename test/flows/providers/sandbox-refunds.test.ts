import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/sellers.ts';
import { expectBalanced } from '#test/support/withdrawals.ts';
import { SAMPLE_CARD } from '#test/support/sample-card.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const customer = { ...SAMPLE_TRANSACTION.customer, email: 'Ana@Banco-Lento.example' };

async function paid(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { id, status } = (await gateway.charge({ customer, ...changes })).body.data;
  if (status !== 'PAID') await gateway.post(`/sandbox/transactions/${id}/pay`);
  return String(id);
}

const paidByCard = () => paid({ method: 'CREDIT_CARD', amount: 10_000, installments: 3, card: SAMPLE_CARD });

const refund = async (id: string, amount?: number) =>
  (await gateway.post(`/transactions/${id}/refund`, { amount }, { idempotencyKey: randomUUID() })).body.data;
/** The transactions with refunds in progress. */
const refunding = (query: string) => gateway.get(`/transactions?refunding=true&${query}`);
const refundsOf = async (id: string) => (await gateway.get(`/transactions/${id}/timeline`)).body.data.refunds;
const simulate = (id: string, what: string, options = {}) =>
  gateway.post(`/sandbox/refunds/${id}/${what}`, undefined, options);
const wallet = async () => (await gateway.get('/seller-wallet/gestao')).body.data.byOrigin;

describe('a refund to a bank that does not respond at once', () => {
  it('is PENDING, and DONE when the bank completes it', async () => {
    const id = await paid();
    const { amount } = SAMPLE_TRANSACTION;
    expect(await refund(id)).toMatchObject({ status: 'PAID', refundingAmount: amount, refundedAmount: 0 });
    const [pending] = await refundsOf(id);
    expect(pending).toMatchObject({ amount, status: 'PENDING' });
    await expectBalanced(gateway);
    expect((await refunding('status=PAID&take=1')).body.data).toMatchObject([
      { id, refundingAmount: amount },
    ]);
    expect((await refunding(`transactionId=${id}`)).body.count).toBe(1);
    expect((await refunding('status=FAILED')).body).toMatchObject({ data: [], count: 0 });
    expect((await refunding('export=true')).text).toContain(id);
    const response = await simulate(pending.id, 'complete');
    expect(response).toMatchObject({ status: 200, body: { data: { ...pending, status: 'DONE' } } });
    expect((await gateway.get(`/transactions/${id}`)).body.data).toMatchObject({
      status: 'REFUNDED',
      refundingAmount: 0,
      refundedAmount: amount,
    });
    expect((await refunding(`transactionId=${id}`)).body).toMatchObject({ data: [], count: 0 });
    expect(await simulate(pending.id, 'fail')).toMatchObject({
      status: 422,
      body: { code: 'invalid_transition', message: 'Refund cannot go from DONE to FAILED' },
    });
    await expectBalanced(gateway);
  });

  it('leaves nothing to dispute while it is PENDING', async () => {
    // The fee of an earlier payment is covered by this one.
    await paid();
    const id = await paid();
    expect(await refund(id)).toMatchObject({ refundingAmount: SAMPLE_TRANSACTION.amount });
    expect(await gateway.post(`/sandbox/transactions/${id}/dispute`)).toMatchObject({
      status: 422,
      body: { message: 'Amount must not be more than what has not been refunded' },
    });
  });

  it.each([
    ['Pix', paid],
    ['card, including retained parts', paidByCard],
  ])('returns the amount to its balances if it fails: %s', async (_what, pay) => {
    const id = await pay();
    const before = await wallet();
    expect(await refund(id, 1_000)).toMatchObject({ status: 'PAID', refundingAmount: 1_000 });
    const [pending] = await refundsOf(id);
    const failed = await Promise.all([simulate(pending.id, 'fail'), simulate(pending.id, 'fail')]);
    expect(failed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
    expect(await refundsOf(id)).toMatchObject([{ amount: 1_000, status: 'FAILED' }]);
    expect(await wallet()).toEqual(before);
    // It can be refunded again.
    await refund(id, 1_000);
    expect(await refundsOf(id)).toMatchObject([{ status: 'FAILED' }, { status: 'PENDING' }]);
    await expectBalanced(gateway);
  });

  it('is not called by the worker', async () => {
    const id = await paid();
    await refund(id);
    const [{ id: refundId }] = await refundsOf(id);
    const operations = await gateway.database.query(
      'SELECT kind, provider, state FROM provider_operations WHERE id = $1',
      [refundId],
    );
    expect(operations).toEqual([{ kind: 'REFUND', provider: 'sandbox', state: 'ACCEPTED' }]);
  });

  it('is unknown to another seller, and under another id', async () => {
    const id = await paid();
    await refund(id);
    const [{ id: refundId }] = await refundsOf(id);
    const { apiKey } = await newSeller(gateway);
    for (const response of [
      await simulate(refundId, 'complete', { apiKey }),
      await simulate(id, 'complete'),
      await simulate('x', 'fail'),
    ])
      expect(response).toMatchObject({ status: 404, body: { code: 'refund_not_found' } });
    expect(await refundsOf(id)).toMatchObject([{ status: 'PENDING' }]);
  });
});

describe('any other refund', () => {
  it('is completed at once, also that of a boleto, whose money no bank returns', async () => {
    const boleto = await paid({ method: 'BOLETO' });
    const pix = await paid({ customer: SAMPLE_TRANSACTION.customer });
    for (const id of [boleto, pix]) {
      expect(await refund(id)).toMatchObject({ status: 'REFUNDED' });
      const [{ id: refundId, status }] = await refundsOf(id);
      expect(status).toBe('DONE');
      expect(await simulate(refundId, 'complete')).toMatchObject({
        status: 422,
        body: { message: 'Refund cannot go from DONE to DONE' },
      });
    }
  });
});
