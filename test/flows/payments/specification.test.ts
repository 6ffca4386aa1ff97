import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

/** Tests of the API from the perspective of an integrator who knows only the reference. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

/** A creation with these bytes as its body. */
const post = (body: Buffer) =>
  fetch(`${gateway.baseUrl}/transactions`, {
    method: 'POST',
    headers: {
      'x-api-key': gateway.demo.apiKey,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: new Uint8Array(body),
  });
const boleto = async () => (await gateway.charge({ method: 'BOLETO' })).body.data;
const originOf = () => new URL(gateway.baseUrl).origin;

describe('a used Idempotency-Key', () => {
  const withdrawal = { amount: 100, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };

  it('returns a conflict even for an invalid body, unlike an unused key', async () => {
    const idempotencyKey = randomUUID();
    const paid = await gateway.charge({}, { idempotencyKey });
    await gateway.post(`/sandbox/transactions/${paid.body.data.id}/pay`);
    await gateway.post('/withdrawals', withdrawal, { idempotencyKey });
    const refund = `/transactions/${paid.body.data.id}/refund`;
    await gateway.post(refund, { amount: 100 }, { idempotencyKey });
    const broken = [
      ['/transactions', goodCharge({ amount: 1 }), 'amount must not be less than 100'],
      ['/withdrawals', { ...withdrawal, amount: 0 }, 'amount must not be less than 1'],
      [refund, { amount: 0 }, 'amount must not be less than 1'],
    ] as const;
    for (const [path, body, rule] of broken) {
      const used = await gateway.post(path, body, { idempotencyKey });
      expect([used.status, used.body.message]).toEqual([
        409,
        'Idempotency-Key already used with a different body',
      ]);
      const free = await gateway.post(path, body, { idempotencyKey: randomUUID() });
      expect([free.status, free.body.message]).toEqual([400, [rule]]);
    }
  });

  it('can be used again for invalid bodies after 30 days', async () => {
    const idempotencyKey = randomUUID();
    await gateway.charge({}, { idempotencyKey });
    await gateway.advance(30 * 86_400 + 1);
    expect((await gateway.charge({ amount: 1 }, { idempotencyKey })).status).toBe(400);
  });
});

describe('request bodies', () => {
  it('return one error for a card that is not an object', async () => {
    const made = await gateway.charge({ method: 'CREDIT_CARD', installments: 1, card: [] });
    expect(made.body.message).toEqual(['card must be an object']);
  });

  it('that are not UTF-8 are rejected as invalid JSON, and nothing is stored', async () => {
    const text = JSON.stringify(goodCharge({ description: 'José' }));
    const refused = await post(Buffer.from(text, 'latin1'));
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: 'Body must be valid JSON' },
    ]);
    expect((await post(Buffer.from(text, 'utf8'))).status).toBe(201);
  });
});

describe('responses', () => {
  it('of the API are not cached, including errors', async () => {
    const paths = ['/transactions', '/webhooks/postback-secret', '/health', '/transactions/none'];
    for (const path of paths) {
      expect((await gateway.get(path)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await gateway.get('/health', { credential: 'none' })).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  it('of a refresh contain a new token, even within the same second', async () => {
    const signedIn = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    const { accessToken, refreshToken } = signedIn.body;
    const exchanged = await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' });
    expect(exchanged.body.token).not.toBe(accessToken);
    expect((await gateway.get('/transactions', { token: exchanged.body.token })).status).toBe(200);
  });
});

it('the metadata search accepts a key without a value, like that of withdrawals', async () => {
  await gateway.charge({ metadata: { basket: 'B-1' } });
  await gateway.charge({ metadata: { other: 'B-1' } });
  const found = await gateway.get('/transactions/search?metadataKey=basket');
  expect([found.status, found.body.data.count]).toEqual([200, 1]);
});

describe('public payment resources', () => {
  it('that are images may be embedded by other origins and are cached for a day', async () => {
    const { data: pix } = (await gateway.charge()).body;
    const { boleto: addresses } = await boleto();
    for (const address of [pix.pix.qrcodeUrl, addresses.barcode, addresses.qrcode]) {
      const picture = await fetch(address);
      expect(picture.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      const etag = picture.headers.get('etag') ?? '';
      const again = await fetch(address, { headers: { 'if-none-match': `"x", W/${etag}` } });
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
      expect((await fetch(address, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    }
    const page = await fetch(addresses.url);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const style = await fetch(`${originOf()}/assets/boleto.css`);
    expect(style.headers.get('cache-control')).toBe('no-cache');
    const etag = style.headers.get('etag') ?? '';
    expect((await fetch(style.url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('include a PDF with a file name, which is revalidated, since a payment changes it', async () => {
    const { id, boleto: addresses } = await boleto();
    const waiting = await fetch(addresses.pdf);
    expect(waiting.headers.get('content-disposition')).toMatch(/^inline; filename="boleto-\d+\.pdf"$/);
    expect(waiting.headers.get('cache-control')).toBe('private, no-cache');
    const headers = { 'if-none-match': waiting.headers.get('etag') ?? '' };
    expect((await fetch(addresses.pdf, { headers })).status).toBe(304);
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    expect((await fetch(addresses.pdf, { headers })).status).toBe(200);
  });

  it('return a page for an unknown boleto, and the error body to programs', async () => {
    const address = `${originOf()}/boletos/${randomUUID()}`;
    const page = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Boleto não encontrado')]);
    const english = await fetch(address, { headers: { accept: 'text/html', 'accept-language': 'en' } });
    expect(await english.text()).toContain('Boleto not found');
    const error = await fetch(address);
    expect([error.status, await error.json()]).toMatchObject([404, { message: 'Transaction not found' }]);
  });

  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR', 'Aguardando pagamento'],
    ['en-US,en;q=0.9', 'en', 'Waiting for payment'],
  ])('show a boleto in the language of the browser, %s', async (header, language, status) => {
    const { boleto: addresses } = await boleto();
    const page = await fetch(addresses.url, { headers: { 'accept-language': header } });
    expect(page.headers.get('content-language')).toBe(language);
    expect(page.headers.get('vary')).toBe('accept-language');
    const html = await page.text();
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain(`>${status}</p>`);
  });

  it.each([
    ['pay', 'Pago'],
    ['processing', 'Em processamento'],
    ['fail', 'Indisponível'],
  ])('show the status after %s instead of payment options', async (action, word) => {
    const { id, boleto: addresses } = await boleto();
    await gateway.post(`/sandbox/transactions/${id}/${action}`);
    const html = await (await fetch(addresses.url)).text();
    expect(html).toContain(`>${word}</p>`);
    expect(html).not.toContain(addresses.digitableLine);
    expect(html).not.toContain('br.gov.bcb.pix');
  });
});
