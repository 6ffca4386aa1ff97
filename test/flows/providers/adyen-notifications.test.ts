import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cardOf, startAdyenGateway, type AdyenGateway, type Charged } from '#test/support/adyen-shop.ts';
import { startNode } from '#test/support/node.ts';

let shop: AdyenGateway;

beforeAll(async () => {
  shop = await startAdyenGateway();
});
afterAll(() => shop.stop());

const { stringify } = JSON;
const reportsOf = async () => (await shop.admin('/admin/provider-events?take=100')).data;

const unmatchedOf = async ({ id }: Charged) =>
  (await reportsOf())
    .filter(
      (one: { recordId: string; outcome: string }) => one.recordId === id && one.outcome === 'UNMATCHED',
    )
    .map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail]);

async function pending() {
  const response = await shop.pay({ card: cardOf('4111111111111111', { holderName: 'PENDING' }) });
  return shop.charged(response);
}

describe('a notification request', () => {
  it.each([
    ['another password', 'adyen:another password'],
    ['another user', 'nobody:a long notification password'],
    ['none', ''],
  ])('with %s is rejected and changes nothing', async (_what, login) => {
    const charged = await pending();
    const response = await shop.fake.send(shop.gateway.baseUrl, [shop.ofPayment(charged, 'AUTHORISATION')], {
      login,
    });
    expect(response.status).toBe(401);
    expect((await shop.read(charged.id)).status).toBe('PENDING');
  });

  it('with one wrong signature among valid ones is rejected as a whole', async () => {
    const [one, two] = [await pending(), await pending()];
    const before = await reportsOf();
    const good = shop.fake.item(shop.ofPayment(one, 'AUTHORISATION'));
    const signed = shop.fake.item(shop.ofPayment(two, 'AUTHORISATION'));
    for (const wrong of [
      { ...signed, success: 'false' },
      { ...signed, amount: { value: 1, currency: 'BRL' } },
      { ...signed, additionalData: {} },
      { ...signed, merchantReference: one.id },
    ]) {
      const response = await shop.fake.send(shop.gateway.baseUrl, [], { items: [good, wrong] });
      expect(response.status).toBe(401);
    }
    expect(await reportsOf()).toEqual(before);
    expect((await shop.read(one.id)).status).toBe('PENDING');
    const response = await shop.fake.send(shop.gateway.baseUrl, [], { items: [good, signed] });
    expect(response).toEqual({ status: 200, text: '[accepted]' });
    expect((await shop.read(two.id)).status).toBe('PAID');
  });

  it('that is not a notification is rejected', async () => {
    const response = await shop.fake.send(shop.gateway.baseUrl, [], { items: [{ eventCode: 'CAPTURE' }] });
    expect(response.status).toBe(400);
  });

  it('is not part of the API reference', async () => {
    for (const path of ['/../openapi.json', '/../openapi-operator.json']) {
      const document = await shop.gateway.call('GET', path, undefined, { credential: 'none' });
      expect(document.status).toBe(200);
      expect(document.text).not.toContain('/providers/adyen');
    }
  });
});

describe('a notification', () => {
  it('that is informational is accepted and not listed', async () => {
    const charged = await pending();
    await shop.notify(shop.ofPayment(charged, 'REPORT_AVAILABLE'));
    await shop.notify(shop.ofPayment(charged, 'OFFER_CLOSED', { success: false }));
    const { merchantReference: _none, ...ofNone } = shop.fake.item(
      shop.ofPayment(charged, 'REPORT_AVAILABLE', { merchantReference: '' }),
    );
    const response = await shop.fake.send(shop.gateway.baseUrl, [], { items: [ofNone] });
    expect(response.text).toBe('[accepted]');
    expect((await shop.read(charged.id)).status).toBe('PENDING');
    expect(await unmatchedOf(charged)).toEqual([]);
  });

  it.each([
    ['is unknown', () => ({ merchantReference: randomUUID() })],
    ['has a malformed id', () => ({ merchantReference: 'TestPayment-1407325143704' })],
    ['belongs to another account', () => ({ merchantAccountCode: 'SomebodyElse' })],
  ])('of a charge that %s is accepted and stored for the operator', async (_what, changes) => {
    const charged = await pending();
    const reported = shop.ofPayment(charged, 'AUTHORISATION', {
      pspReference: shop.fake.newReference(),
      ...changes(),
    });
    await shop.notify(reported);
    await shop.notify(reported);
    expect((await shop.read(charged.id)).status).toBe('PENDING');
    const found = (await reportsOf()).filter(
      (one: { reportId: string }) => one.reportId === reported.pspReference,
    );
    expect(found).toMatchObject([{ outcome: 'UNMATCHED', provider: 'adyen', kind: 'AUTHORISATION' }]);
  });

  it('of another amount or currency pays nothing and is stored for the operator', async () => {
    const charged = await pending();
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', { value: 9_999 }));
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', { currency: 'USD' }));
    expect((await shop.read(charged.id)).status).toBe('PENDING');
    const found = (await reportsOf()).filter((one: { reportId: string }) => one.reportId === charged.psp);
    expect(found).toMatchObject([
      { outcome: 'UNMATCHED', amount: null, detail: 'other amount or currency: 10000 USD' },
      { outcome: 'UNMATCHED', amount: 9_999 },
    ]);
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
    expect((await shop.read(charged.id)).status).toBe('PAID');
  });

  it('that repeats the response pays once and reverses nothing, also twenty times at once', async () => {
    const before = await shop.wallet();
    const charged = shop.charged(await shop.pay());
    const reported = shop.ofPayment(charged, 'AUTHORISATION');
    await Promise.all(Array.from({ length: 20 }, () => shop.notify(reported)));
    expect((await shop.wallet()).totalBalance).toBe(before.totalBalance + 9_601);
    const { data } = await shop.admin(`/admin/reversals?transactionId=${charged.id}`);
    expect(data).toEqual([]);
  });

  it('of a second authorization of a paid transaction is a DUPLICATE and reversed', async () => {
    const charged = shop.charged(await shop.pay());
    const pspReference = shop.fake.newReference();
    for (let time = 0; time < 2; time += 1) {
      await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', { pspReference }));
    }
    const { data } = await shop.admin(`/admin/reversals?transactionId=${charged.id}`);
    expect(data).toMatchObject([{ reason: 'DUPLICATE', amount: 10_000 }]);
    expect((await shop.read(charged.id)).status).toBe('PAID');
  });

  it.each([
    ['AUTHORISATION', { success: false, reason: 'Refused' }, 'refused, but the transaction is PAID'],
    ['CANCEL_OR_REFUND', {}, 'not requested by this gateway'],
    ['CANCEL_OR_REFUND', { success: false }, 'the reversal of the payment failed'],
    ['CAPTURE', { value: 5_000 }, 'other amount or currency: 5000 BRL'],
    ['CAPTURE', { currency: 'USD' }, 'other amount or currency: 10000 USD'],
    ['EXPIRE', {}, 'unknown kind of notification'],
    ['PAIDOUT_REVERSED', {}, 'unknown kind of notification'],
    ['chargeback', {}, 'unknown kind of notification'],
  ] as const)('%s %j of a paid transaction is listed and changes nothing', async (kind, changes, detail) => {
    const charged = shop.charged(await shop.pay());
    const event = shop.ofPayment(charged, kind, { originalReference: charged.psp, ...changes });
    await shop.notify(event);
    await shop.notify(event);
    expect(await unmatchedOf(charged)).toEqual([[kind, detail]]);
    expect((await shop.read(charged.id)).status).toBe('PAID');
  });

  it('CAPTURE of the whole amount of an automatic capture is not listed', async () => {
    const charged = shop.charged(await shop.pay());
    await shop.notify(shop.ofPayment(charged, 'CAPTURE', { originalReference: charged.psp }));
    expect(await unmatchedOf(charged)).toEqual([]);
  });

  it('during the payment request settles the transaction once; a repeat returns the same bytes', async () => {
    const before = await shop.wallet();
    const key = randomUUID();
    shop.fake.err('payments', 'held');
    const calls = shop.fake.callsOf('payments').length;
    const answering = shop.pay({}, key);
    const call = (await shop.fake.called('payments', calls + 1)).at(-1);
    const charged = { id: String(call?.body.reference), psp: call?.pspReference ?? '' };
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION'));
    expect((await shop.read(charged.id)).status).toBe('PAID');
    shop.fake.release();
    const response = await answering;
    expect(response.body.data).toMatchObject({ id: charged.id, status: 'PAID' });
    await shop.refund(charged.id, 1_000);
    expect((await shop.pay({}, key)).text).toBe(response.text);
    expect((await shop.wallet()).totalBalance).toBe(before.totalBalance + 9_601);
  });
});

it('writes card number and security code to no table and no log line', async () => {
  const node = await startNode({
    databaseUrl: shop.gateway.database.url,
    apiKey: shop.gateway.demo.apiKey,
    environment: { ...shop.fake.settings, LOG_LEVEL: 'info' },
  });
  const card = cardOf('378282246310005', { cvv: '7391' });
  const body = { method: 'CREDIT_CARD', amount: 10_000, installments: 2, card };
  shop.fake.err('payments', 'cut', 'broken', { status: 422, errorCode: '101' }, { status: 401 });
  for (let time = 0; time < 5; time += 1) {
    expect((await node.charge(body)).status).toBe(201);
  }
  expect(shop.fake.callsOf('payments').filter((call) => call.body.paymentMethod.cvc === '7391')).toHaveLength(
    5,
  );
  const tables = await shop.gateway.database.query<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const secret = /378282246310005|(?<![\w.:-])7391(?![\w.:-])/;
  const base64 = Buffer.from('378282246310005').toString('base64').slice(0, 18);
  for (const { name } of tables) {
    const rows = await shop.gateway.database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    for (const { row } of rows) {
      expect(row).not.toMatch(secret);
      expect(row).not.toContain(base64);
    }
  }
  expect(node.logged.length).toBeGreaterThan(3);
  expect(stringify(node.logged)).not.toMatch(secret);
  await node.stop();
});

it('the ledger balances', async () => {
  expect(await shop.ledger()).toMatchObject({ balanced: true, discrepancies: [] });
});

describe('an event that contradicts an earlier one', () => {
  it('is listed if it reports a capture that was reported as failed', async () => {
    const charged = shop.charged(await shop.pay({ capture: false }));
    await shop.gateway.post(`/transactions/${charged.id}/capture`, {});
    const failed = await shop.ofModification(charged, 'captures', 'CAPTURE_FAILED');
    await shop.notify(failed);
    expect((await shop.read(charged.id)).status).toBe('FAILED');
    const captured = { ...failed, eventCode: 'CAPTURE' };
    await shop.notify(captured);
    await shop.notify(captured);
    const listed = (await reportsOf()).filter(
      ({ reportId }: { reportId: string }) => reportId === failed.pspReference,
    );
    expect(listed).toMatchObject([
      {
        outcome: 'UNMATCHED',
        kind: 'CAPTURE',
        recordId: charged.id,
        detail: 'done, but reported as failed before',
      },
    ]);
    await shop.notify(failed);
    expect(await shop.read(charged.id)).toMatchObject({ status: 'FAILED' });
  });

  it('is listed for each wrong amount and currency', async () => {
    const charged = await pending();
    const wrong = [{ value: 1 }, { value: 2 }, { value: 3 }, { value: 3, currency: 'USD' }];
    for (const changes of [...wrong, ...wrong]) {
      await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', changes));
    }
    const listed = (await reportsOf()).filter(
      ({ recordId }: { recordId: string }) => recordId === charged.id,
    );
    expect(listed.map(({ amount }: { amount: number | null }) => amount)).toEqual([null, 3, 2, 1]);
    expect((await shop.read(charged.id)).status).toBe('PENDING');
  });

  it.each([1e20, -1e20, 1.5, Number.MAX_SAFE_INTEGER])('is listed with an amount of %d', async (value) => {
    const charged = shop.charged(await shop.pay());
    const reference = shop.fake.newReference();
    await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', { value }));
    await shop.notify(shop.ofDispute(charged, reference, 'CHARGEBACK', { value }));
    await shop.notify(
      shop.ofDispute(charged, reference, 'CHARGEBACK_REVERSED', {
        value,
        additionalData: { defensePeriodEndsAt: '-100000-01-01T00:00:00Z' },
      }),
    );
    const kinds = (await reportsOf())
      .filter(({ recordId }: { recordId: string }) => recordId === charged.id)
      .map(({ kind }: { kind: string }) => kind);
    expect(kinds.toSorted()).toEqual(['AUTHORISATION', 'CHARGEBACK', 'CHARGEBACK_REVERSED', 'PAYMENT']);
    expect((await shop.read(charged.id)).status).toBe('PAID');
  });
});
