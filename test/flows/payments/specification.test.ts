import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

/** What an integrator with only the reference in hand stumbled over. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

/** A creation whose body is these bytes. */
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

  it('is a conflict with a body that breaks rules, too, and a free key is not (C3, C4)', async () => {
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

  it('is free again for broken bodies after 30 days (C4)', async () => {
    const idempotencyKey = randomUUID();
    await gateway.charge({}, { idempotencyKey });
    await gateway.advance(30 * 86_400 + 1);
    expect((await gateway.charge({ amount: 1 }, { idempotencyKey })).status).toBe(400);
  });
});

describe('bodies', () => {
  it('say one thing of a card that is no object (C3)', async () => {
    const made = await gateway.charge({ method: 'CREDIT_CARD', installments: 1, card: [] });
    expect(made.body.message).toEqual(['card must be an object']);
  });

  it('that are no UTF-8 are no JSON, and nothing is stored with replacement characters (C3)', async () => {
    const text = JSON.stringify(goodCharge({ description: 'José' }));
    const refused = await post(Buffer.from(text, 'latin1'));
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: 'Body must be valid JSON' },
    ]);
    expect((await post(Buffer.from(text, 'utf8'))).status).toBe(201);
  });
});

describe('answers', () => {
  it('of the API are not cached, and neither are errors (C1)', async () => {
    const paths = ['/transactions', '/webhooks/postback-secret', '/health', '/transactions/none'];
    for (const path of paths) {
      expect((await gateway.get(path)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await gateway.get('/health', { credential: 'none' })).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  it('of an exchange carry a new token, within the same second too (C5)', async () => {
    const signedIn = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    const { accessToken, refreshToken } = signedIn.body;
    const exchanged = await gateway.post('/auth/refresh', { refreshToken }, { credential: 'none' });
    expect(exchanged.body.token).not.toBe(accessToken);
    expect((await gateway.get('/transactions', { token: exchanged.body.token })).status).toBe(200);
  });
});

it('the search by metadata takes a key alone, as that of withdrawals does (C8, C10)', async () => {
  await gateway.charge({ metadata: { basket: 'B-1' } });
  await gateway.charge({ metadata: { other: 'B-1' } });
  const found = await gateway.get('/transactions/search?metadataKey=basket');
  expect([found.status, found.body.data.count]).toEqual([200, 1]);
});

describe('what a payer is served', () => {
  it('may be shown in pages of others and is asked for again only when its day is over (C1)', async () => {
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

  it('is a PDF with a name, asked for again each time, since it changes when it is paid (C1, C8)', async () => {
    const { id, boleto: addresses } = await boleto();
    const waiting = await fetch(addresses.pdf);
    expect(waiting.headers.get('content-disposition')).toMatch(/^inline; filename="boleto-\d+\.pdf"$/);
    expect(waiting.headers.get('cache-control')).toBe('private, no-cache');
    const headers = { 'if-none-match': waiting.headers.get('etag') ?? '' };
    expect((await fetch(addresses.pdf, { headers })).status).toBe(304);
    await gateway.post(`/sandbox/transactions/${id}/pay`);
    expect((await fetch(addresses.pdf, { headers })).status).toBe(200);
  });

  it('is a page that says so where there is no boleto, and the error body for programs (C1, C3)', async () => {
    const address = `${originOf()}/boletos/${randomUUID()}`;
    const page = await fetch(address, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('Boleto não encontrado')]);
    const error = await fetch(address);
    expect([error.status, await error.json()]).toMatchObject([404, { message: 'Transaction not found' }]);
  });

  it.each([
    ['pay', 'Pago'],
    ['processing', 'Em processamento'],
    ['fail', 'Indisponível'],
  ])('says so after %s, instead of offering payment (C1, C8)', async (play, word) => {
    const { id, boleto: addresses } = await boleto();
    await gateway.post(`/sandbox/transactions/${id}/${play}`);
    const html = await (await fetch(addresses.url)).text();
    expect(html).toContain(`>${word}</p>`);
    expect(html).not.toContain(addresses.digitableLine);
    expect(html).not.toContain('br.gov.bcb.pix');
  });
});
