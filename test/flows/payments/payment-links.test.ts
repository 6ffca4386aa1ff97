import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { bodyOf } from '#test/support/errors.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller } from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let as: CallOptions;

beforeAll(async () => {
  gateway = await startTestGateway();
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
const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
  cvv: '123',
};
const PUBLIC = { credential: 'none' } as const;
const INACTIVE = bodyOf(422, 'Payment link is not active');

const post = (body: object, options: CallOptions = as) =>
  gateway.post('/payment-links', body, { ...options, idempotencyKey: randomUUID() });
const newLink = async (changes: object = {}) =>
  (await post({ title: 'Caneca', amount: 1500, ...changes })).body.data;
const read = async (id: string) => (await gateway.get(`/payment-links/${id}`, as)).body.data;
const pay = (
  code: string,
  changes: object = {},
  idempotencyKey: string = randomUUID(),
): Promise<ApiResponse> =>
  gateway.post(
    `/public/payment-links/${code}/payments`,
    { method: 'PIX', customer: CUSTOMER, ...changes },
    { ...PUBLIC, idempotencyKey },
  );
const settle = (id: string) => gateway.post(`/sandbox/transactions/${id}/pay`, {}, as);
const chargesOf = async (linkId: string, query = '') =>
  (await gateway.get(`/transactions?paymentLinkId=${linkId}&take=100${query}`, as)).body.data;
async function pdfText(response: Response): Promise<string> {
  const reading = promisify(execFile)('pdftotext', ['-', '-']);
  reading.child.stdin?.end(Buffer.from(await response.arrayBuffer()));
  return (await reading).stdout;
}
const payment = (token: string, query = '') => gateway.get(`/public/payments/${token}${query}`, PUBLIC);

describe('payment links', () => {
  it('are created once, listed, changed, and shown to payers without data of the seller', async () => {
    const key = randomUUID();
    const body = {
      title: 'Caneca',
      amount: 1500,
      maxPayments: 3,
      externalRef: 'order-1',
      metadata: { a: 1 },
    };
    const created = await gateway.post('/payment-links', body, { ...as, idempotencyKey: key });
    expect(created.status).toBe(201);
    expect((await gateway.post('/payment-links', body, { ...as, idempotencyKey: key })).text).toBe(
      created.text,
    );
    const { id, code, url, ...link } = created.body.data;
    expect(link).toMatchObject({ ...body, status: 'ACTIVE', paymentsCount: 0, paidAmount: 0 });
    expect(url).toBe(`${gateway.baseUrl.replace(/\/v1$/, '')}/pay/${code}`);
    expect((await gateway.get('/payment-links', as)).body).toMatchObject({ count: 1, data: [{ id }] });
    expect((await gateway.get(`/payment-links/${randomUUID()}`, as)).body).toMatchObject(
      bodyOf(404, 'Payment link not found'),
    );

    const shown = await gateway.get(`/public/payment-links/${code}`, PUBLIC);
    expect(shown.body.data).toMatchObject({ code, title: 'Caneca', amount: 1500, seller: { name: 'Loja' } });
    expect(shown.text).not.toContain(id);
    expect(shown.text).not.toMatch(/@|order-1/);
    expect((await gateway.get('/public/payment-links/AAAAAAAAAAAA', PUBLIC)).status).toBe(404);
    expect((await gateway.get(`/public/payment-links/${code}/qrcode.svg`, PUBLIC)).text).toContain('<svg');

    const shownPage = await fetch(new URL(`/pay/${code}`, gateway.baseUrl));
    const html = await shownPage.text();
    expect(html).toContain('AMBIENTE DE TESTES · sem dinheiro real');
    expect(html).toContain('Pagamento processado por Vereda');

    const changes = { title: 'Caneca azul', status: 'INACTIVE' };
    expect((await gateway.patch(`/payment-links/${id}`, changes, as)).body.data).toMatchObject(changes);
    expect((await pay(code)).body).toMatchObject(INACTIVE);
    const expired = await newLink({ expiresAt: '2020-01-01' });
    expect(expired.status).toBe('EXPIRED');
    expect((await pay(expired.code)).body).toMatchObject(INACTIVE);
  });

  it('expire at the end of a day or at a time, which is one of São Paulo without an offset', async () => {
    const { id } = await newLink();
    const put = async (expiresAt: string) =>
      (await gateway.patch(`/payment-links/${id}`, { expiresAt }, as)).body;
    expect((await put('2027-03-01')).data.expiresAt).toBe('2027-03-02T03:00:00.000Z');
    expect((await put('2027-03-01T10:00:00')).data.expiresAt).toBe('2027-03-01T13:00:00.000Z');
    expect((await put('2027-03-01T10:00:00Z')).data.expiresAt).toBe('2027-03-01T10:00:00.000Z');
    for (const text of ['2027-02-31', '2027-03-01 10:00:00 PST', '2027-03-01T10:00:00 (foo)'])
      expect((await put(text)).message).toEqual(['expiresAt must be a valid ISO 8601 date string']);
  });

  it('refuse a payment without an idempotency key before its body is read', async () => {
    const { code } = await newLink();
    const path = `/public/payment-links/${code}/payments`;
    const send = async (options: CallOptions = {}) =>
      (await gateway.post(path, { method: 'X' }, { ...PUBLIC, ...options })).body;
    expect(await send()).toMatchObject(bodyOf(400, 'Idempotency-Key header is required'));
    const wrong = await send({ idempotencyKey: 'order-1' });
    expect(wrong).toMatchObject(bodyOf(400, 'Idempotency-Key must be a UUID'));
  });

  it('ignore members of a payment that only the seller may set', async () => {
    const { code } = await newLink();
    const cardPayment = { method: 'CREDIT_CARD', card: CARD, installments: 1 };
    const notCaptured = await pay(code, { ...cardPayment, capture: false, global: true });
    expect([notCaptured.status, notCaptured.body.data?.status]).toEqual([201, 'PAID']);
    const inDollars = await pay(code, { ...cardPayment, card: { ...CARD, currency: 'USD', token: 'x' } });
    expect([inDollars.status, inDollars.body.data?.status]).toEqual([201, 'PAID']);
    const { cvv: _cvv, ...withoutCvv } = CARD;
    const byToken = await pay(code, { ...cardPayment, card: { ...withoutCvv, token: randomUUID() } });
    expect(byToken.body).toMatchObject({ statusCode: 400, message: ['card.cvv must be 3 or 4 digits'] });

    const usual = await pay(code);
    const usualMs = Date.parse(usual.body.data.pix.expirationDate);
    for (const expiration of ['soon', -5, 30_000_000_000, 1e15]) {
      const { status, body } = await pay(code, { expiration });
      expect(status).toBe(201);
      expect(Date.parse(body.data.pix.expirationDate) - usualMs).toBeLessThan(60_000);
      expect(Date.parse(body.data.pix.expirationDate)).toBeGreaterThanOrEqual(usualMs);
    }
  });

  it('accept payments by every method, whose status requires the token', async () => {
    const link = await newLink({ maxInstallments: 3, externalRef: 'order-2', metadata: { orderId: '2' } });
    const key = randomUUID();
    const pix = await pay(link.code, {}, key);
    expect(pix.status).toBe(201);
    expect((await pay(link.code, {}, key)).text).toBe(pix.text);
    const { paymentToken, paymentUrl, status } = pix.body.data;
    expect([status, pix.body.data.pix.qrcode.slice(0, 6)]).toEqual(['PENDING', '000201']);
    const boleto = await pay(link.code, { method: 'BOLETO' });
    expect(boleto.body.data.boleto.digitableLine).toMatch(/^\d{47}$/);
    const card = await pay(link.code, { method: 'CREDIT_CARD', card: CARD, installments: 3 });
    expect(card.body.data.status).toBe('PAID');

    const charges = await chargesOf(link.id);
    expect(charges.map(({ method }: { method: string }) => method)).toEqual(['CREDIT_CARD', 'BOLETO', 'PIX']);
    const { id } = charges[2];
    const charge = (await gateway.get(`/transactions/${id}`, as)).body.data;
    expect(charge).toMatchObject({ paymentLinkId: link.id, paymentUrl, externalRef: 'order-2' });
    expect(paymentToken).not.toContain(id);

    const waited = payment(paymentToken, '?wait=25');
    const startMs = performance.now();
    await settle(id);
    expect((await waited).body.data).toMatchObject({
      status: 'PAID',
      amount: 1500,
      seller: { name: 'Loja' },
    });
    expect(performance.now() - startMs).toBeLessThan(20_000);
    const state = (await payment(paymentToken)).text;
    for (const secret of [id, link.id, CUSTOMER.document, CUSTOMER.email])
      expect(state).not.toContain(secret);
    const receipt = await gateway.get(`/public/payments/${paymentToken}/receipt`, PUBLIC);
    expect(receipt.body.data).toMatchObject({ amount: 1500, payer: { document: '***.982.247-**' } });
    const pdf = await fetch(`${gateway.baseUrl}/public/payments/${paymentToken}/receipt.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await pdfText(pdf)).toMatch(/Recebedor\s+Loja, CNPJ 11\.222\.333\/0001-81/);
    const forged = `${paymentToken.slice(0, 30)}${paymentToken.endsWith('A') ? 'B' : 'A'.repeat(13)}`;
    for (const token of [id, forged, 'none'])
      expect((await payment(token)).body).toMatchObject(bodyOf(404, 'Payment not found'));
    expect(await read(link.id)).toMatchObject({ paymentsCount: 2, paidAmount: 3000 });
  });

  it('validate the payer’s input against the link', async () => {
    const link = await newLink({ amount: undefined, minAmount: 500, maxAmount: 2000, methods: ['PIX'] });
    expect((await pay(link.code)).body.message).toEqual(['amount must be an integer number']);
    expect((await pay(link.code, { amount: 499 })).body.message).toEqual([
      'amount must not be less than 500',
    ]);
    expect((await pay(link.code, { amount: 2001 })).body.message).toEqual([
      'amount must not be greater than 2000',
    ]);
    expect((await pay(link.code, { amount: 600, method: 'BOLETO' })).body.message).toEqual([
      'method must be one of the following values: PIX',
    ]);
    expect((await pay(link.code, { amount: 600, customer: undefined })).body.message).toEqual([
      'customer must be an object',
    ]);
    expect((await pay(link.code, { amount: 600 })).body.data.amount).toBe(600);
    expect((await post({ title: 'Caneca', amount: 500, minAmount: 500 })).body.message).toEqual([
      'minAmount must not be sent together with amount',
    ]);
    expect((await post({ title: '4111111111111111' })).body.message).toEqual([
      'title must not contain a card number',
    ]);
    const { body } = await gateway.post('/customers', CUSTOMER, as);
    const own = await newLink({ customerId: body.data.id });
    const paid = await pay(own.code, { customer: undefined });
    expect(paid.status).toBe(201);
    expect(await chargesOf(own.id)).toMatchObject([{ customerName: 'Ana Souza' }]);
  });

  it('of a deleted customer ask payers for their data, and a repeated creation is answered', async () => {
    const customer = { ...CUSTOMER, document: '11144477735' };
    const { id: customerId } = (await gateway.post('/customers', customer, as)).body.data;
    const body = { title: 'Caneca', amount: 1500, customerId };
    const idempotencyKey = randomUUID();
    const created = await gateway.post('/payment-links', body, { ...as, idempotencyKey });
    const { code } = created.body.data;
    const page = async () => (await fetch(`${gateway.baseUrl.replace(/\/v1$/, '')}/pay/${code}`)).text();
    expect(await page()).not.toContain('name="email"');
    await gateway.delete(`/customers/${customerId}`, as);
    expect((await gateway.post('/payment-links', body, { ...as, idempotencyKey })).text).toBe(created.text);
    expect((await post(body)).body).toMatchObject(bodyOf(404, 'Customer not found'));
    expect(await page()).toContain('name="email"');
    expect((await pay(code, { customer: undefined })).status).toBe(400);
    expect((await pay(code)).status).toBe(201);
  });

  it('of a customer show the stored document on a boleto only to a payer who enters it', async () => {
    const customer = { ...CUSTOMER, document: '39053344705' };
    const { id: customerId } = (await gateway.post('/customers', customer, as)).body.data;
    const { id, code } = await newLink({ customerId });
    const boleto = { method: 'BOLETO', customer: undefined };
    expect((await pay(code, boleto)).body.message).toEqual(['document must be a string']);
    for (const document of ['52998224725', '00000000000', ''])
      expect((await pay(code, { ...boleto, document })).body.message).toEqual([
        'document must be the document of the customer',
      ]);
    expect(await chargesOf(id)).toEqual([]);
    const shown = [
      await fetch(`${gateway.baseUrl.replace(/\/v1$/, '')}/pay/${code}`).then((response) => response.text()),
      (await gateway.get(`/public/payment-links/${code}`, PUBLIC)).text,
      (await pay(code, { customer: undefined })).text,
    ].join('\n');
    expect(shown).not.toMatch(/39053344705|390\.533|Ana|ana@example/);
    expect(shown).toContain('name="document"');
    expect((await pay(code, { ...boleto, document: '39053344705' })).status).toBe(201);
  });

  it('are found by a part of the title or the reference, and by status', async () => {
    const seller = { apiKey: (await newSeller(gateway)).apiKey };
    const make = async (body: object) =>
      String((await post({ amount: 1500, title: 'x', ...body }, seller)).body.data.id);
    const cafe = await make({ title: 'Café da manhã' });
    const order = await make({ title: 'Pão', externalRef: 'PED-77', expiresAt: '2020-01-01' });
    const inactive = await make({ title: 'cafe frio' });
    await gateway.patch(`/payment-links/${inactive}`, { status: 'INACTIVE' }, seller);
    const found = async (query: string) => {
      const { body } = await gateway.get(`/payment-links?${query}`, seller);
      expect(body.count).toBe(body.data.length);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await found('search=CAFE')).toEqual([inactive, cafe]);
    expect(await found('search=ped-7')).toEqual([order]);
    expect(await found(`search=${encodeURIComponent('%')}`)).toEqual([]);
    expect(await found('status=ACTIVE')).toEqual([cafe]);
    expect(await found('status=EXPIRED')).toEqual([order]);
    expect(await found('status=INACTIVE&search=caf')).toEqual([inactive]);
    expect(await found('status=COMPLETED')).toEqual([]);
    expect((await gateway.get('/payment-links?status=OPEN', seller)).status).toBe(400);
    const page = await gateway.get('/payment-links?search=caf&take=1', seller);
    expect(page.body).toMatchObject({ count: 2, data: [{ id: inactive }] });
    expect(
      await gateway.get(`/payment-links?search=caf&cursor=${page.body.nextCursor}`, seller),
    ).toMatchObject({ body: { data: [{ id: cafe }] } });
  });

  it('wait for the capture of an authorized card', async () => {
    const card = { method: 'CREDIT_CARD', card: CARD, installments: 1, capture: false };
    const { id, paymentUrl } = (await gateway.charge(card, as)).body.data;
    const waited = payment(String(paymentUrl).split('/').at(-1) ?? '', '?wait=25');
    expect(await Promise.race([waited, new Promise((resolve) => setTimeout(resolve, 700, 'waits'))])).toBe(
      'waits',
    );
    await gateway.post(`/transactions/${id}/capture`, {}, as);
    expect((await waited).body.data.status).toBe('PAID');
  });

  it('that are completed cancel a payment that its provider is processing', async () => {
    const link = await newLink({ maxPayments: 1 });
    await pay(link.code);
    await pay(link.code);
    const [first, second] = await chargesOf(link.id);
    const processing = await gateway.post(`/sandbox/transactions/${first.id}/processing`, {}, as);
    expect(processing.body.data.status).toBe('PROCESSING');
    expect((await settle(second.id)).body.data.status).toBe('PAID');
    await expect
      .poll(async () => (await gateway.get(`/transactions/${first.id}`, as)).body.data, { timeout: 20_000 })
      .toMatchObject({ status: 'FAILED', statusReason: 'cancelled' });
    // Its money is returned.
    expect((await settle(first.id)).body.data.status).toBe('FAILED');
  });

  it('that are completed cancel the authorization of a card in review', async () => {
    const { id: sellerId, apiKey } = await newSeller(gateway);
    const shop = { apiKey };
    const operator = { token: await gateway.adminToken() };
    const when = { methods: ['CREDIT_CARD'], amountAbove: 1000 };
    const rule = { name: 'Cards', enabled: true, sellerId, when, action: 'REVIEW' };
    expect((await gateway.post('/admin/risk-rules', rule, operator)).status).toBe(201);
    const { id, code } = (await post({ title: 'Caneca', amount: 1500, maxPayments: 1 }, shop)).body.data;
    const byCard = await pay(code, { method: 'CREDIT_CARD', card: CARD, installments: 1 });
    expect(byCard.status).toBe(201);
    await pay(code);
    const path = `/transactions?paymentLinkId=${id}`;
    const [pix, card] = (await gateway.get(path, shop)).body.data;
    expect([pix.status, card.status]).toEqual(['PENDING', 'AUTHORIZED']);
    const paid = await gateway.post(`/sandbox/transactions/${pix.id}/pay`, {}, shop);
    expect(paid.body.data.status).toBe('PAID');
    await expect
      .poll(async () => (await gateway.get(`/transactions/${card.id}`, shop)).body.data, { timeout: 20_000 })
      .toMatchObject({ status: 'FAILED', statusReason: 'cancelled' });
    const decide = `/admin/transactions/${card.id}/review`;
    expect((await gateway.post(decide, { decision: 'APPROVE' }, operator)).status).toBe(422);
  });

  it('accept one last payment of 20 concurrent ones, and return the money of the others', async () => {
    const link = await newLink({ maxPayments: 1 });
    const created = await Promise.all(Array.from({ length: 20 }, () => pay(link.code)));
    expect(created.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const charges: { id: string }[] = await chargesOf(link.id);
    expect(charges).toHaveLength(20);
    await Promise.all(charges.map(({ id }) => settle(id)));
    expect(await chargesOf(link.id, '&status=PAID')).toHaveLength(1);
    expect(await read(link.id)).toMatchObject({ status: 'COMPLETED', paymentsCount: 1, paidAmount: 1500 });
    await vi.waitFor(async () => expect(await chargesOf(link.id, '&status=FAILED')).toHaveLength(19), {
      timeout: 30_000,
      interval: 100,
    });
    const reversals = await gateway.database.query(
      'SELECT 1 FROM payment_reversals WHERE transaction_id = ANY ($1)',
      [charges.map(({ id }) => id)],
    );
    expect(reversals).toHaveLength(19);
    expect((await pay(link.code)).body).toMatchObject(INACTIVE);
    const [late] = await chargesOf(link.id, '&status=FAILED');
    expect((await settle(late.id)).body.data.status).toBe('FAILED');
    const reopened = await gateway.patch(`/payment-links/${link.id}`, { maxPayments: 2 }, as);
    expect(reopened.body.data.status).toBe('ACTIVE');
    const byCard = { method: 'CREDIT_CARD', card: CARD, installments: 1 };
    const cards = await Promise.all(Array.from({ length: 4 }, () => pay(link.code, byCard)));
    expect(cards.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 422, 422, 422,
    ]);
    expect(await read(link.id)).toMatchObject({ status: 'COMPLETED', paymentsCount: 2 });
  });
});
