import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '#platform/kit/network.ts';
import type { CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let as: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway({
    environment: {
      TRUSTED_PROXIES: '127.0.0.1',
      CHECKOUT_UNPAID_PER_HOUR: '3',
      CHECKOUT_DECLINES_PER_ADDRESS: '2',
      CHECKOUT_DECLINES_PER_LINK: '4',
    },
  });
  as = { apiKey: (await newSeller(gateway)).apiKey };
});
afterAll(() => gateway.stop());

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};
const DECLINED = {
  method: 'CREDIT_CARD',
  installments: 1,
  card: {
    number: '4000000000000002',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2049,
    cvv: '123',
  },
};

const newLink = async () => {
  const body = { title: 'Caneca', amount: 1500 };
  return (await gateway.post('/payment-links', body, { ...as, idempotencyKey: randomUUID() })).body.data;
};
const pay = (code: string, address: string, changes: object = {}) =>
  gateway.post(
    `/public/payment-links/${code}/payments`,
    { method: 'PIX', customer: CUSTOMER, ...changes },
    {
      credential: 'none',
      idempotencyKey: randomUUID(),
      headers: { 'x-forwarded-for': address },
    },
  );

describe('the payment page', () => {
  it('limits the unpaid transactions of a link for each address, also concurrently', async () => {
    const link = await newLink();
    const responses = await Promise.all(Array.from({ length: 6 }, () => pay(link.code, '203.0.113.5')));
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 201, 429, 429, 429,
    ]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.code).toBe('too_many_unpaid_payments');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await pay(link.code, '203.0.113.6')).status).toBe(201);
    expect((await pay((await newLink()).code, '203.0.113.5')).status).toBe(201);
    // A paid charge counts no longer.
    const charges = await gateway.get(`/transactions?paymentLinkId=${link.id}`, as);
    for (const { id } of charges.body.data.slice(1))
      await gateway.post(`/sandbox/transactions/${id}/pay`, {}, as);
    expect((await pay(link.code, '203.0.113.5')).status).toBe(201);
  });

  it('refuses cards, and only cards, after a number of them were declined', async () => {
    const link = await newLink();
    const tested = await Promise.all(
      Array.from({ length: 5 }, () => pay(link.code, '2001:db8:1::1', DECLINED)),
    );
    expect(tested.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 429, 429, 429,
    ]);
    // The whole /64 of an address is one payer, on all links.
    const other = await newLink();
    expect((await pay(other.code, '2001:db8:1::2', DECLINED)).body.code).toBe('too_many_declined_cards');
    expect((await pay(link.code, '2001:db8:1::1')).status).toBe(201);
    for (const n of [1, 2, 3])
      expect((await pay(link.code, `198.51.100.${n}`, DECLINED)).status).toBe(n < 3 ? 201 : 429);
    expect((await pay(link.code, '198.51.100.9', DECLINED)).status).toBe(429);
    await gateway.advance(3_601);
    expect((await pay(link.code, '198.51.100.9', DECLINED)).status).toBe(201);
  });

  it('counts undecided cards, and no longer when they are accepted', async () => {
    const link = await newLink();
    const address = '198.51.100.77';
    const pending = { ...DECLINED, card: { ...DECLINED.card, number: '4000000000000101' } };
    for (const _ of [1, 2]) expect((await pay(link.code, address, pending)).body.data.status).toBe('PENDING');
    expect((await pay(link.code, address, pending)).body.code).toBe('too_many_declined_cards');
    const charges = await gateway.get(`/transactions?paymentLinkId=${link.id}`, as);
    const [first, second] = charges.body.data;
    const decide = (id: string, outcome: string) =>
      gateway.post(`/sandbox/transactions/${id}/${outcome}`, {}, as);
    expect((await decide(first.id, 'fail')).status).toBe(200);
    expect((await pay(link.code, address, pending)).status).toBe(429);
    expect((await decide(second.id, 'pay')).status).toBe(200);
    expect((await pay(link.code, address, pending)).status).toBe(201);
    expect((await pay(link.code, address, pending)).status).toBe(429);
  });

  it('counts guesses of the document of a customer', async () => {
    const customer = (await gateway.post('/customers', CUSTOMER, as)).body.data;
    const body = { title: 'Caneca', amount: 1500, customerId: customer.id };
    const link = (await gateway.post('/payment-links', body, { ...as, idempotencyKey: randomUUID() })).body
      .data;
    const guess = (document: string) =>
      pay(link.code, '198.51.100.80', { method: 'BOLETO', customer: undefined, document });
    for (const document of ['11144477735', '39053344705', '00000000191'])
      expect((await guess(document)).status).toBe(400);
    expect((await guess(CUSTOMER.document)).status).toBe(429);
  });

  it('counts the addresses of an IPv6 network together', () => {
    expect(networkOf('203.0.113.5')).toBe('203.0.113.5');
    expect(networkOf('::ffff:203.0.113.5')).toBe('203.0.113.5');
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  });
});
