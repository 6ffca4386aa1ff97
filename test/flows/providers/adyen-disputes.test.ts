import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startAdyenGateway, type AdyenGateway, type Charged } from '#test/support/adyen-shop.ts';
import type { AdyenNotification } from '#test/support/fake-adyen.ts';

let shop: AdyenGateway;

beforeAll(async () => {
  shop = await startAdyenGateway();
});
afterAll(() => shop.stop());

const paid = async () => shop.charged(await shop.pay());

const disputeOf = async ({ id }: Charged) =>
  (await shop.gateway.get(`/disputes?transactionId=${id}`)).body.data.data;

const kept = async (reportId: string) =>
  (await shop.admin('/admin/provider-events?outcome=UNMATCHED&take=100')).data.filter(
    (one: { reportId: string }) => one.reportId === reportId,
  );

/** Sends the notifications of one dispute. */
async function notifyDispute(
  charged: Charged,
  steps: readonly string[],
  changes: Partial<AdyenNotification> = {},
): Promise<string> {
  const reference = shop.fake.newReference();
  for (const eventCode of steps) {
    await shop.notify(shop.ofDispute(charged, reference, eventCode, changes));
    await shop.expectBalanced();
  }
  return reference;
}

describe('a dispute that Adyen reports', () => {
  it('is opened once, with Adyen’s deadline and reason', async () => {
    const charged = await paid();
    const until = new Date(Date.now() + 12 * 86_400_000).toISOString();
    const additionalData = { defensePeriodEndsAt: until };
    const steps = ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK', 'NOTIFICATION_OF_CHARGEBACK'];
    await notifyDispute(charged, steps, { additionalData });
    expect((await shop.read(charged.id)).status).toBe('DISPUTE');
    const disputes = await disputeOf(charged);
    expect(disputes).toHaveLength(1);
    expect(disputes[0]).toMatchObject({
      status: 'OPEN',
      amount: 10_000,
      reason: 'Goods/Services Not Received',
      appealUntil: until,
      createdBy: 'adyen',
    });
  });

  it('is opened once by twenty concurrent notifications', async () => {
    const charged = await paid();
    const reported = shop.ofDispute(charged, shop.fake.newReference(), 'CHARGEBACK');
    await Promise.all(Array.from({ length: 20 }, () => shop.notify(reported)));
    expect(await disputeOf(charged)).toHaveLength(1);
    expect(await kept(reported.pspReference)).toEqual([]);
  });

  it('of a part blocks the part', async () => {
    const charged = await paid();
    await notifyDispute(charged, ['CHARGEBACK'], { value: 2_500 });
    expect((await disputeOf(charged))[0]).toMatchObject({ amount: 2_500 });
  });

  it.each([
    [['CHARGEBACK', 'CHARGEBACK_REVERSED'], 'PAID'],
    [['CHARGEBACK_REVERSED', 'CHARGEBACK'], 'PAID'],
    [['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED', 'CHARGEBACK_REVERSED'], 'PAID'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK'], 'CHARGEDBACK'],
    [['SECOND_CHARGEBACK', 'CHARGEBACK', 'SECOND_CHARGEBACK'], 'CHARGEDBACK'],
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'], 'CHARGEDBACK'],
    [
      ['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'SECOND_CHARGEBACK', 'CHARGEBACK'],
      'CHARGEDBACK',
    ],
    [['CHARGEBACK', 'PREARBITRATION_LOST'], 'CHARGEDBACK'],
    [['CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED'], 'CHARGEDBACK'],
    [['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'CHARGEBACK'], 'CHARGEDBACK'],
  ] as const)('reported as %j ends %s', async (steps, status) => {
    const before = await shop.wallet();
    const charged = await paid();
    await notifyDispute(charged, steps);
    expect((await shop.read(charged.id)).status).toBe(status);
    const { totalBalance } = await shop.wallet();
    expect(totalBalance).toBe(before.totalBalance + (status === 'PAID' ? 9_601 : -399));
  });

  it('with an appeal is decided by the bank, not by its deadline', async () => {
    const charged = await paid();
    const reference = await notifyDispute(charged, ['CHARGEBACK']);
    const [{ id }] = await disputeOf(charged);
    const appeal = { disputeId: id, appealReason: 'it was delivered, see the carrier’s proof' };
    const appealed = await shop.gateway.post('/disputes/appeal', appeal);
    expect(appealed.status).toBe(200);
    await shop.notify(shop.ofDispute(charged, reference, 'DISPUTE_DEFENSE_PERIOD_ENDED'));
    expect((await shop.read(charged.id)).status).toBe('DISPUTE');
    await shop.notify(shop.ofDispute(charged, reference, 'SECOND_CHARGEBACK'));
    expect((await shop.read(charged.id)).status).toBe('CHARGEDBACK');
    expect((await disputeOf(charged))[0]).toMatchObject({ status: 'REJECTED', resolvedBy: 'PROVIDER' });
  });

  it('is lost when Adyen’s deadline passes without an appeal', async () => {
    const charged = await paid();
    const additionalData = { defensePeriodEndsAt: new Date(Date.now() + 3_600_000).toISOString() };
    await notifyDispute(charged, ['CHARGEBACK'], { additionalData });
    await shop.gateway.advance(3_700);
    await shop.until(charged.id, { status: 'CHARGEDBACK' });
    expect((await disputeOf(charged))[0]).toMatchObject({ status: 'REJECTED', resolvedBy: 'deadline' });
    await shop.expectBalanced();
  });

  it('that was lost and then reversed is stored for the operator', async () => {
    const charged = await paid();
    const reference = await notifyDispute(charged, [
      'CHARGEBACK',
      'DISPUTE_DEFENSE_PERIOD_ENDED',
      'CHARGEBACK_REVERSED',
    ]);
    expect((await shop.read(charged.id)).status).toBe('CHARGEDBACK');
    expect(await kept(reference)).toMatchObject([{ kind: 'CHARGEBACK_REVERSED', recordId: charged.id }]);
  });

  it.each([
    ['too large an amount', { value: 10_001 }],
    ['another currency', { currency: 'USD' }],
    ['another payment', { originalReference: 'ABCDEF0123456789' }],
    ['an unknown charge', { merchantReference: randomUUID() }],
  ])('of %s is stored for the operator', async (_what, changes) => {
    const charged = await paid();
    const reference = await notifyDispute(charged, ['CHARGEBACK'], changes);
    expect((await shop.read(charged.id)).status).toBe('PAID');
    expect(await kept(reference)).toMatchObject([{ kind: 'CHARGEBACK' }]);
  });

  it('of an amount that is being refunded in full is stored for the operator', async () => {
    const charged = await paid();
    await shop.refund(charged.id);
    const reference = await notifyDispute(charged, ['CHARGEBACK']);
    expect(await kept(reference)).toHaveLength(1);
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND'));
    expect((await shop.read(charged.id)).status).toBe('REFUNDED');
  });

  it('of an amount that is being refunded opens when the refund has failed', async () => {
    const charged = await paid();
    await shop.refund(charged.id);
    const reference = await notifyDispute(charged, ['CHARGEBACK', 'CHARGEBACK']);
    expect(await kept(reference)).toMatchObject([
      {
        kind: 'CHARGEBACK',
        detail: 'the amount is refunded: the dispute opens if the refund fails and the status is PAID',
      },
    ]);
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND_FAILED'));
    await shop.until(charged.id, { status: 'DISPUTE', refundingAmount: 0 });
    await shop.notify(shop.ofDispute(charged, reference, 'SECOND_CHARGEBACK'));
    expect((await shop.read(charged.id)).status).toBe('CHARGEDBACK');
    const waiting = () => shop.gateway.database.query('SELECT 1 FROM waiting_disputes');
    await expect.poll(waiting).toEqual([]);
    await shop.expectBalanced();
  });

  it.each([
    ['CHARGEBACK_REVERSED', 'PAID'],
    ['SECOND_CHARGEBACK', 'CHARGEDBACK'],
  ])('of an amount that is being refunded ends by %s as %s', async (eventCode, status) => {
    const charged = await paid();
    await shop.refund(charged.id);
    await notifyDispute(charged, ['CHARGEBACK', eventCode]);
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND_FAILED'));
    await expect
      .poll(() => disputeOf(charged), { timeout: 5_000 })
      .toMatchObject([{ status: status === 'PAID' ? 'RESOLVED' : 'REJECTED' }]);
    await shop.until(charged.id, { status, refundingAmount: 0 });
    await shop.expectBalanced();
  });

  it('of an amount that was refunded is dropped when the refund completes', async () => {
    const charged = await paid();
    await shop.refund(charged.id);
    await notifyDispute(charged, ['CHARGEBACK']);
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND'));
    const waiting = () => shop.gateway.database.query('SELECT 1 FROM waiting_disputes');
    await expect.poll(waiting, { timeout: 5_000 }).toEqual([]);
    expect((await shop.read(charged.id)).status).toBe('REFUNDED');
  });

  it('of a partially refunded amount opens when the completed refund is reversed', async () => {
    const charged = await paid();
    await shop.refund(charged.id, 4_000);
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND'));
    await notifyDispute(charged, ['CHARGEBACK']);
    expect((await shop.read(charged.id)).status).toBe('PAID');
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUNDED_REVERSED'));
    await shop.until(charged.id, { status: 'DISPUTE', refundedAmount: 0 });
    await shop.expectBalanced();
  });

  it('of an amount that is being refunded opens after an equal one is won', async () => {
    const charged = await paid();
    await shop.refund(charged.id);
    const references = [
      await notifyDispute(charged, ['CHARGEBACK']),
      await notifyDispute(charged, ['CHARGEBACK']),
    ];
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND_FAILED'));
    await expect.poll(() => disputeOf(charged), { timeout: 5_000 }).toHaveLength(1);
    for (const reference of references) {
      await shop.until(charged.id, { status: 'DISPUTE' });
      await shop.notify(shop.ofDispute(charged, reference, 'CHARGEBACK_REVERSED'));
    }
    await expect
      .poll(() => disputeOf(charged), { timeout: 5_000 })
      .toMatchObject([{ status: 'RESOLVED' }, { status: 'RESOLVED' }]);
    await shop.until(charged.id, { status: 'PAID' });
    await shop.expectBalanced();
  });

  it('during a refund that fails is corrected together with it', async () => {
    const charged = await paid();
    await shop.refund(charged.id, 4_000);
    const reference = await notifyDispute(charged, ['CHARGEBACK'], { value: 6_000 });
    await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND_FAILED'));
    await shop.expectBalanced();
    await shop.notify(shop.ofDispute(charged, reference, 'CHARGEBACK_REVERSED', { value: 6_000 }));
    expect(await shop.read(charged.id)).toMatchObject({
      status: 'PAID',
      refundingAmount: 0,
      refundedAmount: 0,
    });
    await shop.expectBalanced();
  });
});
