import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { subscriptionsOf } from '#test/flows/subscriptions/setup.ts';
import { cardOf, GOOD, SOON, startAdyenGateway, type AdyenGateway } from '#test/support/adyen-shop.ts';

let shop: AdyenGateway;

beforeAll(async () => {
  shop = await startAdyenGateway();
});
afterAll(() => shop.stop());

const authorize = async () => {
  const response = await shop.pay({ capture: false });
  expect(response.body.data.status).toBe('AUTHORIZED');
  return shop.charged(response);
};

const act = (id: string, action: string, body?: object) =>
  shop.gateway.post(`/transactions/${id}/${action}`, body);

const lastPayment = () => shop.fake.callsOf('payments').at(-1);

describe('a card transaction through Adyen', () => {
  it('is PAID at once, and sends Adyen all required data', async () => {
    const response = await shop.pay({
      installments: 3,
      card: cardOf(GOOD, {
        ip: '203.0.113.7',
        threeDS: { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', eci: '05', xid: 'ds-1', version: '2.2.0' },
      }),
    });
    expect(response.body.data).toMatchObject({ status: 'PAID', installments: 3 });
    expect(lastPayment()).toMatchObject({
      idempotencyKey: response.body.data.id,
      body: {
        merchantAccount: shop.fake.account,
        reference: response.body.data.id,
        amount: { currency: 'BRL', value: 10_000 },
        installments: { value: 3 },
        captureDelayHours: 0,
        additionalData: { manualCapture: 'false' },
        paymentMethod: {
          type: 'scheme',
          number: GOOD,
          expiryMonth: '12',
          expiryYear: '2049',
          cvc: '737',
          holderName: 'ANA SOUZA',
        },
        mpiData: {
          cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
          eci: '05',
          dsTransID: 'ds-1',
          threeDSVersion: '2.2.0',
          authenticationResponse: 'Y',
        },
        shopperEmail: 'ana@example.com',
        shopperName: { firstName: 'Ana', lastName: 'Souza' },
        socialSecurityNumber: '52998224725',
        shopperIP: '203.0.113.7',
        shopperReference: shop.gateway.demo.seller.id,
      },
    });
    await shop.expectBalanced();
  });

  it('passes the xid of a 3-D Secure 1 authentication, and requests none by default', async () => {
    const threeDS = { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', eci: '06', xid: 'x1', version: '1.0.2' };
    await shop.pay({ card: cardOf(GOOD, { threeDS }) });
    expect(lastPayment()?.body.mpiData).toMatchObject({ xid: 'x1', authenticationResponse: 'A' });
    expect(lastPayment()?.body.mpiData.dsTransID).toBeUndefined();
    await shop.pay();
    expect(lastPayment()?.body.mpiData).toBeUndefined();
    expect(lastPayment()?.body.authenticationData).toEqual({ attemptAuthentication: 'never' });
  });

  it.each([
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient funds'],
    ['4000000000000069', 'expired card'],
  ])('of %s fails with its reason', async (number, statusReason) => {
    const failed = await shop.pay({ card: cardOf(number) });
    expect(failed.status).toBe(201);
    expect(failed.body.data).toMatchObject({ status: 'FAILED', statusReason, paidAt: null });
  });

  it('whose issuer requires authentication fails with that reason', async () => {
    const failed = await shop.pay({ card: cardOf(GOOD, { holderName: 'CHALLENGE' }) });
    const statusReason = "the card's bank asks for authentication";
    expect(failed.body.data).toMatchObject({ status: 'FAILED', statusReason });
    expect(shop.fake.kept(failed.body.data.id)).toBe(0);
  });

  it.each([
    [{ status: 401 }, 'no provider accepted the transaction'],
    [{ status: 403 }, 'no provider accepted the transaction'],
    [{ status: 422, errorCode: '101' }, 'invalid card number'],
    [{ status: 422, errorCode: '999' }, 'refused by the card provider (999)'],
    [{ status: 400 }, 'refused by the card provider (no reason)'],
  ])('that Adyen responds to with %o fails without a debit', async (fault, statusReason) => {
    shop.fake.err('payments', fault);
    const failed = await shop.pay();
    expect(failed.body.data).toMatchObject({ status: 'FAILED', statusReason });
    expect(shop.fake.payments.filter(({ reference }) => reference === failed.body.data.id)).toEqual([]);
  });

  it('returns the same bytes to a repeat and charges once, also for twenty concurrent requests', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 20 }, () => shop.pay({}, key)));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const { id } = responses[0]?.body.data ?? {};
    expect(shop.fake.callsOf('payments', id)).toHaveLength(1);
    await shop.refund(id);
    expect((await shop.pay({}, key)).text).toBe(responses[0]?.text);
    expect((await shop.pay({ amount: 9_999 }, key)).status).toBe(409);
  });

  it('is rejected without a call to Adyen if its body is invalid', async () => {
    const before = shop.fake.callsOf('payments').length;
    expect((await shop.pay({ card: cardOf('4111111111111112') })).status).toBe(400);
    expect(shop.fake.callsOf('payments')).toHaveLength(before);
  });
});

describe('a lost response', () => {
  it.each(['cut', 'broken'] as const)(
    '(%s) leaves the transaction PENDING until Adyen reports it, and charges once',
    async (fault) => {
      shop.fake.err('payments', fault);
      const key = randomUUID();
      const first = await shop.pay({}, key);
      expect(first.body.data.status).toBe('PENDING');
      const charged = shop.charged(first);
      expect((await shop.pay({}, key)).text).toBe(first.text);
      await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
      expect(await shop.read(charged.id)).toMatchObject({ status: 'PAID' });
      expect((await shop.pay({}, key)).text).toBe(first.text);
      expect(shop.fake.callsOf('payments', charged.id)).toHaveLength(1);
      // It can be refunded by the id of the event.
      expect((await shop.refund(charged.id)).body).toMatchObject({ data: { refundingAmount: 10_000 } });
      await shop.notify(await shop.ofModification(charged, 'refunds', 'REFUND'));
      expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED' });
    },
  );

  it('fails the transaction if Adyen reports nothing, and cancels it by our own id', async () => {
    shop.fake.err('payments', 'cut');
    const { id } = shop.charged(await shop.pay({ capture: false }));
    await shop.gateway.advance(200);
    const statusReason = 'the card provider did not respond in time';
    await shop.until(id, { status: 'FAILED', statusReason });
    await vi.waitFor(() => expect(shop.fake.payment(id).cancelled).toBe(true), SOON);
    const [cancel] = shop.fake.callsOf('cancels').filter(({ body }) => body.paymentReference === id);
    expect(cancel).toMatchObject({ payment: null, idempotencyKey: `abandon-${id}` });
  });

  it('followed by a payment event is LATE and reversed', async () => {
    shop.fake.err('payments', 'cut');
    const charged = shop.charged(await shop.pay());
    await shop.gateway.advance(200);
    await shop.until(charged.id, { status: 'FAILED' });
    const late = shop.ofPayment(charged, 'AUTHORISATION');
    await Promise.all([shop.notify(late), shop.notify(late)]);
    expect((await shop.read(charged.id)).status).toBe('FAILED');
    await vi.waitFor(() => expect(shop.fake.kept(charged.id)).toBe(0), SOON);
    expect(shop.fake.callsOf('reversals', charged.psp)).toHaveLength(1);
    const { data } = await shop.admin(`/admin/reversals?transactionId=${charged.id}`);
    expect(data).toMatchObject([{ reason: 'LATE', amount: 10_000, provider: 'adyen' }]);
    const reversed = await shop.ofModification(charged, 'reversals', 'CANCEL_OR_REFUND');
    expect(reversed.merchantReference).toBe(data[0].id);
    await shop.notify(reversed);
    const unmatched = await shop.admin('/admin/provider-events?outcome=UNMATCHED&take=100');
    const reportIds = unmatched.data.map(({ reportId }: { reportId: string }) => reportId);
    expect(reportIds).not.toContain(reversed.pspReference);
    await shop.expectBalanced();
  });

  it('followed by an authorization event is voided once', async () => {
    shop.fake.err('payments', 'cut');
    shop.fake.err('cancels', { status: 422, errorCode: '167' });
    const charged = shop.charged(await shop.pay({ capture: false }));
    await shop.gateway.advance(200);
    await shop.until(charged.id, { status: 'FAILED' });
    for (let time = 0; time < 2; time += 1) await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
    await vi.waitFor(() => expect(shop.fake.payment(charged.id).cancelled).toBe(true), SOON);
    expect(shop.fake.callsOf('cancels', charged.psp)).toHaveLength(1);
  });

  it('followed by an event during abandonment is PAID and kept, or FAILED and reversed', async () => {
    const charges = [];
    for (let time = 0; time < 12; time += 1) {
      charges.push(await shop.pay({ card: cardOf(GOOD, { holderName: 'PENDING' }) }));
    }
    const open = charges.map((response) => shop.charged(response));
    const moved = shop.gateway.advance(3_700);
    await Promise.all(
      open.map(async (charged, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 25));
        await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
      }),
    );
    await moved;
    for (const { id, psp } of open) {
      const { status } = await shop.read(id);
      expect(['PAID', 'FAILED']).toContain(status);
      await vi.waitFor(() => expect(shop.fake.kept(id)).toBe(status === 'PAID' ? 10_000 : 0), SOON);
      const cancels = shop.fake.callsOf('cancels', psp).length;
      expect(status === 'PAID' ? cancels : 0).toBe(0);
    }
    await shop.expectBalanced();
  });

  it('of a refusal fails the transaction when it is reported', async () => {
    const pending = await shop.pay({ card: cardOf(GOOD, { holderName: 'PENDING' }) });
    expect(pending.body.data.status).toBe('PENDING');
    const charged = shop.charged(pending);
    const reported = { success: false, reason: 'Not enough balance' };
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', reported));
    expect(await shop.read(charged.id)).toMatchObject({
      status: 'FAILED',
      statusReason: 'insufficient funds',
    });
  });
});

const thinking = () => shop.pay({ card: cardOf(GOOD, { holderName: 'PENDING' }) });

describe('a transaction that is pending at Adyen', () => {
  it('is PENDING, and PAID when Adyen reports it', async () => {
    const pending = await thinking();
    expect(pending.body.data.status).toBe('PENDING');
    const charged = shop.charged(pending);
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
    expect((await shop.read(charged.id)).status).toBe('PAID');
  });

  it('is abandoned if Adyen never does', async () => {
    const charged = shop.charged(await thinking());
    await shop.gateway.advance(3_700);
    await shop.until(charged.id, { status: 'FAILED' });
    await vi.waitFor(() => expect(shop.fake.callsOf('cancels', charged.psp)).toHaveLength(1), SOON);
  });

  it('that is cancelled in the meantime is reversed', async () => {
    const charged = shop.charged(await thinking());
    expect((await act(charged.id, 'cancel')).body.data.status).toBe('FAILED');
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
    expect((await shop.read(charged.id)).status).toBe('FAILED');
    await vi.waitFor(() => expect(shop.fake.kept(charged.id)).toBe(0), SOON);
  });
});

describe('an authorization', () => {
  it('is PAID when Adyen has captured it, and is captured once', async () => {
    const charged = await authorize();
    const asked = await act(charged.id, 'capture');
    expect(asked.body.data.status).toBe('AUTHORIZED');
    expect((await act(charged.id, 'capture')).body.data.status).toBe('AUTHORIZED');
    const reported = await shop.ofModification(charged, 'captures', 'CAPTURE');
    for (let time = 0; time < 2; time += 1) await shop.notify(reported);
    expect(await shop.read(charged.id)).toMatchObject({ status: 'PAID', amount: 10_000 });
    expect(shop.fake.callsOf('captures', charged.psp)).toHaveLength(1);
    expect((await act(charged.id, 'capture')).status).toBe(422);
    expect(shop.fake.kept(charged.id)).toBe(10_000);
    await shop.expectBalanced();
  });

  it('is captured in part, with the amount and fee of the part', async () => {
    const charged = await authorize();
    expect((await act(charged.id, 'capture', { amount: 4_000 })).status).toBe(200);
    expect((await act(charged.id, 'capture', { amount: 4_000 })).status).toBe(200);
    for (const body of [{ amount: 9_000 }, {}])
      expect((await act(charged.id, 'capture', body)).body).toMatchObject({
        statusCode: 422,
        message: 'Amount differs from that of the capture in progress',
      });
    await shop.notify(await shop.ofModification(charged, 'captures', 'CAPTURE'));
    const paid = await shop.read(charged.id);
    expect(paid).toMatchObject({ status: 'PAID', amount: 4_000 });
    expect(shop.fake.kept(charged.id)).toBe(4_000);
    expect((await act((await authorize()).id, 'capture', { amount: 10_001 })).status).toBe(422);
    await shop.expectBalanced();
  });

  it('whose capture fails is FAILED and voided', async () => {
    const charged = await authorize();
    await act(charged.id, 'capture');
    const reported = await shop.ofModification(charged, 'captures', 'CAPTURE_FAILED');
    await shop.notify(reported);
    const statusReason = 'capture refused: the provider did not complete the operation';
    expect(await shop.read(charged.id)).toMatchObject({ status: 'FAILED', statusReason });
    await vi.waitFor(() => expect(shop.fake.callsOf('cancels', charged.psp)).toHaveLength(1), SOON);
  });

  it('is voided at once for the seller, and then at Adyen', async () => {
    const charged = await authorize();
    expect((await act(charged.id, 'void')).body.data).toMatchObject({
      status: 'FAILED',
      statusReason: 'voided',
    });
    await shop.notify(await shop.ofModification(charged, 'cancels', 'CANCELLATION'));
    expect(shop.fake.payment(charged.id).cancelled).toBe(true);
    expect(shop.fake.callsOf('cancels', charged.psp)).toHaveLength(1);
  });

  it('that is voided during its capture has the captured amount reversed', async () => {
    const charged = await authorize();
    await act(charged.id, 'capture');
    const reported = await shop.ofModification(charged, 'captures', 'CAPTURE');
    await act(charged.id, 'void');
    for (let time = 0; time < 2; time += 1) await shop.notify(reported);
    expect((await shop.read(charged.id)).status).toBe('FAILED');
    await vi.waitFor(() => expect(shop.fake.kept(charged.id)).toBe(0), SOON);
    expect(shop.fake.callsOf('reversals', charged.psp)).toHaveLength(1);
    await shop.expectBalanced();
  });

  it('expires after five days and is canceled at Adyen, unless a capture is done or pending', async () => {
    const [left, captured] = [await authorize(), await authorize()];
    await act(captured.id, 'capture');
    const reported = await shop.ofModification(captured, 'captures', 'CAPTURE');
    await shop.gateway.advance(5 * 86_400 + 60);
    await shop.until(left.id, { status: 'FAILED', statusReason: 'authorization expired' });
    await vi.waitFor(() => expect(shop.fake.payment(left.id).cancelled).toBe(true), SOON);
    expect((await shop.read(captured.id)).status).toBe('AUTHORIZED');
    await shop.notify(reported);
    expect((await shop.read(captured.id)).status).toBe('PAID');
  });

  it('is captured once if Adyen’s responses are lost', async () => {
    const charged = await authorize();
    shop.fake.err('captures', 'cut', 'broken', { status: 401 });
    await act(charged.id, 'capture');
    for (let time = 1; time <= 3; time += 1) {
      const asked = () => expect(shop.fake.callsOf('captures', charged.psp)).toHaveLength(time);
      await vi.waitFor(asked, SOON);
      await shop.gateway.advance(60);
    }
    await vi.waitFor(
      () => expect(shop.fake.callsOf('captures', charged.psp).length).toBeGreaterThanOrEqual(4),
      SOON,
    );
    expect(new Set(shop.fake.callsOf('captures', charged.psp).map((call) => call.idempotencyKey)).size).toBe(
      1,
    );
    await shop.notify(await shop.ofModification(charged, 'captures', 'CAPTURE'));
    expect((await shop.read(charged.id)).status).toBe('PAID');
    expect(shop.fake.kept(charged.id)).toBe(10_000);
  });
});

it('the ledger balances', async () => {
  expect(await shop.ledger()).toMatchObject({ balanced: true, discrepancies: [] });
});

describe('the cycles of a subscription through Adyen', () => {
  it('are merchant-initiated, and name the network’s reference of the card’s first payment', async () => {
    const { createCard, untilStatuses, advance, newToken, today } = subscriptionsOf(shop.gateway, {});
    // The clock of the gateway has moved.
    const { id } = await createCard({ startDate: today(20) });
    await advance(20);
    await untilStatuses(id, ['PAID']);
    const sent = () =>
      shop.fake.callsOf('payments').map(({ body, pspReference }) => ({
        interaction: body.shopperInteraction,
        model: body.recurringProcessingModel,
        pspReference,
        reference: body.additionalData.networkTxReference,
      }));
    const first = sent().at(-1);
    expect(first).toMatchObject({ interaction: 'ContAuth', model: 'Subscription', reference: undefined });
    await advance(32);
    await untilStatuses(id, ['PAID', 'PAID']);
    expect(sent().at(-1)).toMatchObject({ interaction: 'ContAuth', reference: `MCC${first?.pspReference}` });
    await shop.gateway.patch(`/subscriptions/${id}`, { cardTokenId: await newToken() });
    await advance(31);
    await untilStatuses(id, ['PAID', 'PAID', 'PAID']);
    // Another card has another first payment.
    expect(sent().at(-1)).toMatchObject({ interaction: 'ContAuth', reference: undefined });
  });
});
