import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { goodCharge } from '#test/support/client.ts';
import { OPERATIONS } from '#test/support/operations.ts';
import { TIMEOUT, gateway, behindTls, origin, boletoToken, fetched, raw, setUp } from './browsers-setup.ts';

setUp();

const everySession = () =>
  gateway.database.query('SELECT token_hash, used_at FROM refresh_tokens ORDER BY token_hash');

describe('a page of another origin', () => {
  const EVIL = 'https://evil.example';

  it('gets no CORS permission for any operation', TIMEOUT, async () => {
    const wrong: string[] = [];
    for (const name of Object.keys(OPERATIONS)) {
      const [method = '', url = ''] = name.split(' ');
      const path = url.replaceAll(/:\w+/g, randomUUID()).replace('*', 'x');
      for (const from of [EVIL, 'null', `${origin}.evil.example`, 'https://pay.example.com.evil.example']) {
        const preflight = await fetched(path, {
          method: 'OPTIONS',
          headers: {
            origin: from,
            'access-control-request-method': method,
            'access-control-request-headers': 'authorization,content-type,x-api-key,x-requested-by',
            'access-control-request-private-network': 'true',
          },
        });
        const allowed = [...preflight.headers.keys()].filter((header) => header.startsWith('access-control'));
        if (allowed.length > 0 || preflight.status !== 404)
          wrong.push(`${name} from ${from}: ${preflight.status} ${allowed.join()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('cannot read simple requests, and requests without an origin get no CORS headers', async () => {
    for (const from of [EVIL, 'null']) {
      for (const path of ['/v1/health', '/openapi.json', '/dashboard/', `/boletos/${boletoToken}`]) {
        const { headers } = await fetch(origin + path, { headers: { origin: from } });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      }
    }
  });

  /** Mail clients send this form. It knows the payer by its address, not by a cookie. */
  const UNSUBSCRIBE = 'POST /unsubscribe/:id';
  /** The token in their path is the authorization, and no browser sends it by itself. */
  const BY_TOKEN = [
    'POST /pay/t/:paymentToken/renewal',
    'POST /v1/public/subscriptions/:subscriptionToken/cancel',
  ];

  function expectedStatuses(name: string, isPublic: boolean): readonly number[] {
    if (name === UNSUBSCRIBE || BY_TOKEN.includes(name)) return [400, 404, 415];
    return isPublic ? [400, 403, 415] : [401];
  }

  /** What a form or an image of another page can send, with all cookies of the browser. */
  const FORMS: readonly Readonly<Record<string, string>>[] = [
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'text/plain' },
    {},
    // What it could send with CORS permission.
    { 'content-type': 'application/json', 'x-requested-by': 'dashboard' },
  ];

  it(
    'cannot act for the signed-in user, because no operation accepts cookies alone (CSRF)',
    TIMEOUT,
    async () => {
      const signedIn = await gateway.post(
        '/login',
        { ...gateway.demo.seller, session: 'cookie' },
        { credential: 'none', headers: { 'x-requested-by': 'dashboard', 'sec-fetch-site': 'same-origin' } },
      );
      const cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      expect(cookie).toMatch(/refresh=.*device=/);
      const before = await everySession();
      const wrong: string[] = [];
      let forged = 0;
      for (const [name, { may }] of Object.entries(OPERATIONS)) {
        const [method = '', url = ''] = name.split(' ');
        if (method === 'GET') continue;
        for (const form of FORMS) {
          const response = await fetched(url.replaceAll(/:\w+/g, randomUUID()), {
            method,
            headers: {
              ...form,
              cookie,
              origin: EVIL,
              'sec-fetch-site': 'cross-site',
              'idempotency-key': randomUUID(),
            },
            ...(method !== 'DELETE' && { body: '{}' }),
          });
          forged += 1;
          if (
            !expectedStatuses(name, may === 'public').includes(response.status) ||
            response.headers.getSetCookie().length > 0
          ) {
            wrong.push(`${name} as ${form['content-type']}: ${response.status}`);
          }
        }
      }
      expect(forged).toBeGreaterThan(300);
      expect(wrong).toEqual([]);
      expect(await everySession()).toEqual(before);
    },
  );
});

describe('a URL path', () => {
  it.each([
    '//evil.example',
    '//evil.example/',
    '///evil.example',
    '/\\evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/https://evil.example',
    '/dashboard//evil.example',
    '/dashboard/..//evil.example',
    '/dashboard/%2e%2e/%2fevil.example',
    '/?next=https://evil.example',
    '/dashboard/login?redirect=https://evil.example',
    '/docs?url=https://evil.example/openapi.json',
    '/v1/login/',
    '/.',
    '/%0d%0aLocation:%20https://evil.example',
  ])('%s does not redirect to another origin', async (path) => {
    const response = await raw(
      behindTls.baseUrl,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const head = response.split('\r\n\r\n')[0] ?? '';
    const location = /^location: (.*)$/im.exec(head)?.[1];
    expect(['/dashboard/', undefined]).toContain(location);
    expect(head.toLowerCase()).not.toContain('evil.example');
  });

  it('does not affect generated URLs by its Host header', async () => {
    const boleto = `/boletos/${boletoToken}`;
    for (const path of ['/', '/openapi.json', '/docs', '/dashboard/', boleto, '/v1/nothing']) {
      const response = await raw(
        behindTls.baseUrl,
        `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n` +
          `Forwarded: host=evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 (200|302|404) /);
      expect(response).not.toContain('evil.example');
    }
    const charge = await behindTls.call('POST', '/transactions', goodCharge(), {
      idempotencyKey: randomUUID(),
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
    });
    expect(charge.status).toBe(201);
    expect(charge.text).toContain('https://pay.example.com/');
    expect(charge.text).not.toMatch(/evil\.example|gopher/);
  });
});
