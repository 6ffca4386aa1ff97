import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { createAdyenAdapter } from '#providers/adyen/adapter.ts';
import { readAdyenSettings } from '#providers/adyen/settings.ts';
import { SettingsReader } from '#platform/config/settings-reader.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { CardAuthorizationRequest, CardProvider } from '#payments/operations/payment-provider.ts';
import { cardOf, GOOD, shopAt } from '#test/support/adyen-shop.ts';
import { startFakeAdyen, type FakeAdyen } from '#test/support/fake-adyen.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway } from '#test/support/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';

/** Failures of calls to Adyen, and what is known after each. */

let fake: FakeAdyen;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  fake = await startFakeAdyen();
});
afterAll(async () => {
  await Promise.all(opened.map((adapter) => adapter.close()));
  await fake.close();
});

function railWith(changes: Readonly<Record<string, string | undefined>> = {}): CardProvider {
  const reader = new SettingsReader({ ...fake.settings, ...changes });
  const settings = readAdyenSettings(reader, 'ADYEN', 'sandbox');
  expect(reader.errors).toEqual([]);
  const deps = {
    name: 'adyen',
    clock: new Clock(),
    log: createLogger('silent'),
    publicUrl: 'https://pay.example',
  };
  const adapter = createAdyenAdapter(settings, deps);
  opened.push(adapter);
  if (adapter.card === undefined) throw new Error('no cards');
  return adapter.card;
}

const order = (): CardAuthorizationRequest => ({
  transactionId: randomUUID(),
  sellerId: randomUUID(),
  sellerName: 'Café & Pão — Loja do João, Filial 2',
  amountCents: 10_000,
  card: { ...cardOf(GOOD), holderName: 'ANA', cvv: null },
  installments: 1,
  capture: true,
  threeDS: null,
  payerIp: null,
  recurring: null,
  payer: { name: 'Ana', email: 'ana@example.com', document: '52998224725', phone: '11987654321' },
});

const inTime = (ms = 5_000) => AbortSignal.timeout(ms);

describe('a request to Adyen', () => {
  it('contains the seller in a statement text that card schemes can print', async () => {
    const wanted = order();
    expect(await railWith().authorize(wanted, inTime())).toMatchObject({ kind: 'decided' });
    const body = fake.callsOf('payments', wanted.transactionId)[0]?.body;
    expect(body).toMatchObject({
      shopperStatement: 'Cafe  Pao - Loja do Jo',
      returnUrl: 'https://pay.example/',
    });
    expect(body.paymentMethod.cvc).toBeUndefined();
  });

  it('without the client certificate is not executed', async () => {
    const wanted = order();
    const rail = railWith({ ADYEN_CERT_FILE: undefined, ADYEN_KEY_FILE: undefined });
    await expect(rail.authorize(wanted, inTime())).rejects.toBeInstanceOf(Error);
    expect(fake.callsOf('payments', wanted.transactionId)).toEqual([]);
  });

  it('to an untrusted server is not executed', async () => {
    const rail = railWith({ ADYEN_CA_FILE: undefined });
    await expect(rail.authorize(order(), inTime())).rejects.toBeInstanceOf(NotExecutedError);
  });

  it('to a closed port is not executed', async () => {
    const rail = railWith({ ADYEN_URL: `https://localhost:${await freePort()}` });
    await expect(rail.authorize(order(), inTime())).rejects.toBeInstanceOf(NotExecutedError);
  });

  it.each([401, 403, 404, 429])('with response %i is not executed', async (status) => {
    fake.err('payments', { status });
    await expect(railWith().authorize(order(), inTime())).rejects.toBeInstanceOf(NotExecutedError);
  });

  it.each([
    ['disconnected', 'cut'],
    ['answered 500', 'broken'],
    ['answered 503', { status: 503 }],
    ['answered 422 since its key is in use', { status: 422, errorCode: '704' }],
    ['answered with a redirect', { status: 302 }],
  ] as const)(
    '%s has an unknown outcome, and its error quotes nothing of the request',
    async (_what, fault) => {
      fake.err('payments', fault);
      const error: unknown = await railWith()
        .authorize(order(), inTime())
        .then(
          () => undefined,
          (why: unknown) => why,
        );
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(NotExecutedError);
      expect(String(error) + JSON.stringify(error)).not.toContain(GOOD);
    },
  );

  it('that is slow ends at its deadline with an unknown outcome', async () => {
    fake.err('payments', 'held');
    const error: unknown = await railWith()
      .authorize(order(), inTime(300))
      .then(
        () => undefined,
        (why: unknown) => why,
      );
    expect(error).not.toBeInstanceOf(NotExecutedError);
    expect(error).toMatchObject({ name: 'TimeoutError' });
    fake.release();
  });
});

it('a payment that the first account did not execute uses the next one, as does its refund', async () => {
  const [first, second] = [fake, await startFakeAdyen()];
  const ofSecond = Object.fromEntries(
    Object.entries(second.settings).map(([name, value]) => [name.replace('ADYEN_', 'ADYEN2_'), value]),
  );
  const environment = { ...first.settings, ...ofSecond, CARD_PROVIDER: 'adyen,adyen2' };
  const gateway = await startTestGateway({ environment });
  const shop = shopAt(gateway, second);
  first.err('payments', { status: 401 });
  const charged = shop.charged(await shop.pay());
  expect(await shop.read(charged.id)).toMatchObject({ status: 'PAID' });
  expect(first.payments.filter(({ reference }) => reference === charged.id)).toEqual([]);
  // An event of the first account does not refer to a payment of the gateway.
  await shop.notify(shop.ofPayment(charged, 'AUTHORISATION', { success: false }));
  await shop.refund(charged.id);
  const reported = await shop.ofModification(charged, 'refunds', 'REFUND');
  await shop.notify(reported);
  expect(await shop.read(charged.id)).toMatchObject({ status: 'PAID', refundingAmount: 10_000 });
  expect(await second.send(gateway.baseUrl, [reported], { at: 'adyen2' })).toMatchObject({ status: 200 });
  expect(await shop.read(charged.id)).toMatchObject({ status: 'REFUNDED' });
  await gateway.stop();
  await second.close();
});
