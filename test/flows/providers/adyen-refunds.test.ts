import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { SOON, startAdyenGateway, type AdyenGateway, type Charged } from '#test/support/adyen-shop.ts';

let shop: AdyenGateway;

beforeAll(async () => {
  shop = await startAdyenGateway();
});
afterAll(() => shop.stop());

const paid = async (changes = {}) => shop.charged(await shop.pay(changes));
const notificationOf = (charged: Charged, eventCode: string, changes = {}) =>
  shop.ofModification(charged, 'refunds', eventCode, changes);

const dayOf = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The refunded amount in the report of these days. */
async function refundedOfLate(): Promise<number> {
  const response = await shop.gateway.get(`/reports/summary?startDate=${dayOf(-1)}&endDate=${dayOf(1)}`);
  expect(response.status).toBe(200);
  return response.body.data.current.total.refundedAmount;
}

describe('a refund of a card', () => {
  it('of a payment simulated by the sandbox completes at once, without a provider call', async () => {
    shop.fake.err('payments', 'early');
    const key = randomUUID();
    const asked = shop.pay({}, key);
    const id = await vi.waitFor(async () => {
      const { data } = (await shop.gateway.get('/transactions?take=1')).body;
      expect(data[0]?.status).toBe('PENDING');
      return String(data[0].id);
    }, SOON);
    expect((await shop.refund(id)).status).toBe(422);
    const simulated = await shop.gateway.post(`/sandbox/transactions/${id}/pay`);
    expect(simulated.body.data).toMatchObject({ status: 'PAID' });
    expect((await shop.refund(id)).body.data).toMatchObject({ status: 'REFUNDED' });
    shop.fake.release();
    await asked;
    await shop.expectBalanced();
  });

  it('is pending until Adyen completes it, and then REFUNDED', async () => {
    const before = await shop.wallet();
    const charged = await paid();
    const response = await shop.refund(charged.id);
    expect(response.body.data).toMatchObject({ status: 'PAID', refundingAmount: 10_000, refundedAmount: 0 });
    await shop.expectBalanced();
    // Nothing remains for a second refund.
    expect(await shop.refund(charged.id)).toMatchObject({
      status: 422,
      body: { code: 'amount_not_allowed' },
    });
    const done = await notificationOf(charged, 'REFUND');
    await Promise.all([shop.notify(done), shop.notify(done)]);
    const refunded = { status: 'REFUNDED', refundingAmount: 0, refundedAmount: 10_000 };
    expect(await shop.read(charged.id)).toMatchObject(refunded);
    expect(shop.fake.kept(charged.id)).toBe(0);
    expect((await shop.wallet()).totalBalance).toBe(before.totalBalance - 399);
    // The reference by which reconciliation finds the entries of the refund.
    const booked = await shop.gateway.database.query(
      `SELECT r.id FROM refunds r JOIN ledger_entries e ON e.seller_id = r.seller_id
         AND e.record_id = r.transaction_id AND e.cause = 'REFUND' AND e.created_at = r.booked_at
         WHERE r.transaction_id = $1`,
      [charged.id],
    );
    expect(booked).toHaveLength(1);
    await shop.expectBalanced();
  });

  it('in parts never exceeds the payment, even with concurrent requests', async () => {
    const charged = await paid();
    const responses = await Promise.all(Array.from({ length: 6 }, () => shop.refund(charged.id, 4_000)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 422, 422, 422, 422,
    ]);
    expect((await shop.refund(charged.id)).body.data).toMatchObject({ refundingAmount: 10_000 });
    await vi.waitFor(() => expect(shop.fake.callsOf('refunds', charged.psp)).toHaveLength(3), SOON);
    for (const { pspReference, body } of shop.fake.callsOf('refunds', charged.psp)) {
      await shop.notify(
        await notificationOf(charged, 'REFUND', {
          pspReference: pspReference ?? '',
          merchantReference: body.reference,
          value: body.amount.value,
        }),
      );
    }
    expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 10_000 });
    await shop.expectBalanced();
  });

  it.each([
    ['that Adyen does not execute', [['REFUND', false]]],
    ['that fails later', [['REFUND_FAILED', true]]],
    [
      'that fails after it completed',
      [
        ['REFUND', true],
        ['REFUND_FAILED', true],
      ],
    ],
    [
      'that is returned after it completed',
      [
        ['REFUND', true],
        ['REFUNDED_REVERSED', true],
      ],
    ],
    [
      'whose failure is reported first',
      [
        ['REFUND_FAILED', true],
        ['REFUND', true],
      ],
    ],
  ] as const)('%s returns the amount to its balances, including retained parts', async (_what, steps) => {
    const before = await shop.wallet();
    const charged = await paid({ installments: 3 });
    const after = await shop.wallet();
    await shop.refund(charged.id, 7_000);
    for (const [eventCode, success] of [...steps, ...steps.slice(-1)]) {
      await shop.notify(await notificationOf(charged, eventCode, { success }));
      await shop.expectBalanced();
    }
    expect(await shop.read(charged.id)).toMatchObject({
      status: 'PAID',
      refundingAmount: 0,
      refundedAmount: 0,
    });
    expect(await shop.wallet()).toEqual(after);
    expect(after.blockedBalance).toBe(before.blockedBalance + 9_383);
    const left = (await shop.refund(charged.id)).body.data;
    expect(left).toMatchObject({ refundingAmount: 10_000 });
    await shop.expectBalanced();
  });

  it('that is returned after it completed stays REFUNDED and credits the seller', async () => {
    const charged = await paid();
    const after = await shop.wallet();
    const refundedBefore = await refundedOfLate();
    await shop.refund(charged.id);
    await shop.notify(await notificationOf(charged, 'REFUND'));
    expect(await refundedOfLate()).toBe(refundedBefore + 10_000);
    await shop.notify(await notificationOf(charged, 'REFUNDED_REVERSED'));
    expect(await refundedOfLate()).toBe(refundedBefore);
    expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 0 });
    expect(await shop.wallet()).toEqual(after);
    await shop.expectBalanced();
  });

  it('that fails after its release date makes the amount available', async () => {
    const charged = await paid();
    const { availableBalance, blockedBalance } = await shop.wallet();
    await shop.refund(charged.id);
    await shop.gateway.advance(31 * 86_400);
    await vi.waitFor(
      async () => expect((await shop.wallet()).blockedBalance).toBeLessThan(blockedBalance),
      SOON,
    );
    await shop.notify(await notificationOf(charged, 'REFUND_FAILED'));
    await vi.waitFor(async () => {
      const wallet = await shop.wallet();
      expect(wallet.totalBalance).toBe(availableBalance + blockedBalance);
    }, SOON);
    await shop.expectBalanced();
  });

  it('is requested once if Adyen’s responses are lost', async () => {
    const charged = await paid();
    shop.fake.err('refunds', 'cut', 'broken');
    await shop.refund(charged.id);
    for (let time = 1; time <= 2; time += 1) {
      const asked = () => expect(shop.fake.callsOf('refunds', charged.psp)).toHaveLength(time);
      await vi.waitFor(asked, SOON);
      await shop.gateway.advance(60);
    }
    await vi.waitFor(() => expect(shop.fake.callsOf('refunds', charged.psp)).toHaveLength(3), SOON);
    expect(new Set(shop.fake.callsOf('refunds', charged.psp).map((call) => call.idempotencyKey)).size).toBe(
      1,
    );
    expect(shop.fake.kept(charged.id)).toBe(0);
    await shop.notify(await notificationOf(charged, 'REFUND'));
    expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED' });
  });

  it('that Adyen refuses returns the amount at once', async () => {
    const charged = await paid();
    const after = await shop.wallet();
    shop.fake.err('refunds', { status: 422, errorCode: '167' });
    await shop.refund(charged.id);
    await shop.until(charged.id, { status: 'PAID', refundingAmount: 0 });
    expect(await shop.wallet()).toEqual(after);
    await shop.expectBalanced();
  });

  it('is reported before the response to its request, which changes nothing', async () => {
    const charged = await paid();
    shop.fake.err('refunds', 'held');
    await shop.refund(charged.id);
    await shop.notify(await notificationOf(charged, 'REFUND'));
    expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED' });
    shop.fake.release();
    await shop.expectBalanced();
    expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 10_000 });
  });

  it('that the gateway did not request is stored for the operator', async () => {
    const charged = await paid();
    const pspReference = shop.fake.newReference();
    const byHand = { pspReference, originalReference: charged.psp, merchantReference: charged.id };
    await shop.notify({ eventCode: 'REFUND', value: 10_000, ...byHand });
    expect(await shop.read(charged.id)).toMatchObject({ status: 'PAID', refundedAmount: 0 });
    const { data } = await shop.admin('/admin/provider-events?outcome=UNMATCHED&take=100');
    expect(data).toContainEqual(
      expect.objectContaining({ reportId: pspReference, kind: 'REFUND', recordId: charged.id }),
    );
  });

  it('of another amount or currency is stored for the operator', async () => {
    const charged = await paid();
    await shop.refund(charged.id, 5_000);
    await shop.notify(await notificationOf(charged, 'REFUND', { value: 4_999 }));
    await shop.notify(await notificationOf(charged, 'REFUND', { currency: 'USD' }));
    expect(await shop.read(charged.id)).toMatchObject({ refundingAmount: 5_000, refundedAmount: 0 });
    await shop.notify(await notificationOf(charged, 'REFUND'));
    expect(await shop.read(charged.id)).toMatchObject({ refundingAmount: 0, refundedAmount: 5_000 });
  });
});
