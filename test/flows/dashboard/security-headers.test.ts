import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { goodCharge } from '#test/support/client.ts';
import {
  TIMEOUT,
  gateway,
  behindTls,
  origin,
  boletoToken,
  pixAddress,
  type Kind,
  key,
  json,
  ask,
  raw,
  setUp,
} from './browsers-setup.ts';

setUp();

const HTML = /^text\/html/;

const JSON_TYPE = /^application\/json; charset=utf-8$/;

/** Every kind of response, successful or not. */
const kinds = (): readonly Kind[] => [
  { name: 'an API response', path: '/v1/transactions', headers: key(), status: 200, type: JSON_TYPE },
  {
    name: 'a creation',
    path: '/v1/transactions',
    method: 'POST',
    headers: { ...key(), ...json, 'idempotency-key': randomUUID() },
    body: JSON.stringify(goodCharge()),
    status: 201,
    type: JSON_TYPE,
  },
  {
    name: 'a sign-in',
    path: '/v1/login',
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...gateway.demo.seller }),
    status: 200,
    type: JSON_TYPE,
  },
  {
    name: 'an export',
    path: '/v1/transactions?export=true',
    headers: key(),
    status: 200,
    type: /^text\/csv/,
  },
  {
    name: 'a response to HEAD',
    path: '/v1/transactions',
    method: 'HEAD',
    headers: key(),
    status: 200,
    type: JSON_TYPE,
  },
  { name: 'health', path: '/v1/health', status: 200, type: JSON_TYPE },
  { name: 'metrics', path: '/metrics', status: 200, type: /^text\/plain/ },
  { name: 'an OpenAPI document', path: '/openapi.json', status: 200, type: JSON_TYPE, kept: 'no-cache' },
  {
    name: 'the operator document',
    path: '/openapi-operator.json',
    status: 200,
    type: JSON_TYPE,
    kept: 'no-cache',
  },
  { name: 'an invalid query', path: '/v1/transactions?take=x', headers: key(), status: 400, type: JSON_TYPE },
  {
    name: 'a malformed body',
    path: '/v1/login',
    method: 'POST',
    headers: json,
    body: '{',
    status: 400,
    type: JSON_TYPE,
  },
  {
    name: 'a body of another type',
    path: '/v1/login',
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
    status: 415,
    type: JSON_TYPE,
  },
  {
    name: 'a body that is too large',
    path: '/v1/login',
    method: 'POST',
    headers: json,
    body: JSON.stringify('x'.repeat(300_000)),
    status: 413,
    type: JSON_TYPE,
  },
  { name: 'a missing credential', path: '/v1/transactions', status: 401, type: JSON_TYPE },
  { name: 'a missing permission', path: '/v1/admin/sellers', headers: key(), status: 403, type: JSON_TYPE },
  { name: 'an unknown record', path: '/v1/transactions/x', headers: key(), status: 404, type: JSON_TYPE },
  { name: 'an unknown route', path: '/v1/nothing', status: 404, type: JSON_TYPE },
  { name: 'an unknown page', path: '/nothing', status: 404, type: JSON_TYPE },
  { name: 'an unsupported method', path: '/v1/transactions', method: 'PUT', status: 404, type: JSON_TYPE },
  { name: 'a malformed URL', path: '/v1/transactions/%E0%A4%A', status: 400, type: JSON_TYPE },
  { name: 'the redirect to the dashboard', path: '/', status: 302, type: /^$/ },
  {
    name: 'the dashboard',
    path: '/dashboard/transactions',
    status: 200,
    type: HTML,
    kept: 'no-cache',
    runs: "script-src 'self'",
  },
  { name: 'an unknown file of the dashboard', path: '/dashboard/assets/no.js', status: 404, type: JSON_TYPE },
  {
    name: 'the reference',
    path: '/docs',
    status: 200,
    type: HTML,
    kept: 'no-cache',
    runs: "script-src 'self'",
  },
  { name: 'a style', path: '/assets/style.css', status: 200, type: /^text\/css/, kept: 'no-cache' },
  { name: 'a script', path: '/assets/boleto.js', status: 200, type: /^text\/javascript/, kept: 'no-cache' },
  {
    name: 'a large script',
    path: '/assets/swagger-ui-bundle.js',
    status: 200,
    type: /^text\/javascript/,
    kept: 'public, max-age=3600',
  },
  {
    name: 'a boleto',
    path: `/boletos/${boletoToken}`,
    headers: { accept: 'text/html' },
    status: 200,
    type: HTML,
    runs: "script-src 'self'",
  },
  {
    name: 'an unknown boleto',
    path: `/boletos/${randomUUID()}`,
    headers: { accept: 'text/html' },
    status: 404,
    type: HTML,
    runs: "script-src 'self'",
  },
  {
    name: 'an unknown payment link',
    path: '/pay/AAAAAAAAAAAA',
    status: 404,
    type: HTML,
    runs: "script-src 'self'",
  },
  {
    name: 'a boleto PDF',
    path: `/boletos/${boletoToken}.pdf`,
    status: 200,
    type: /^application\/pdf$/,
    kept: 'private, no-cache',
  },
  {
    name: 'a barcode image',
    path: `/boletos/${boletoToken}/barcode.png`,
    status: 200,
    type: /^image\/png$/,
    kept: 'public, max-age=86400',
  },
  {
    name: 'a Pix QR code',
    path: pixAddress,
    status: 200,
    type: /^image\/png$/,
    kept: 'public, max-age=86400',
  },
];

/** The headers that every response must have. */
function wrongIn(kind: Kind, headers: Headers, tls: boolean): readonly string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const policies = policy.split(';');
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(`${kind.name}: ${what}`);
  };
  must(headers.get('x-content-type-options') === 'nosniff', 'allows content sniffing');
  must(headers.get('x-frame-options') === 'DENY', 'allows framing (X-Frame-Options)');
  must(policies.includes("frame-ancestors 'none'"), 'allows framing');
  must(policies.includes("default-src 'none'"), `has no default-src 'none': ${policy}`);
  must(policies.includes("base-uri 'none'"), 'allows another base URI');
  must(
    !/unsafe-eval|script-src[^;]*unsafe-inline|\*|https?:/.test(policy),
    `allows other origins: ${policy}`,
  );
  must(
    kind.runs === undefined ? !policy.includes('script-src') : policies.includes(kind.runs),
    `has an unexpected script-src: ${policy}`,
  );
  must(headers.get('referrer-policy') === 'no-referrer', 'sends a referrer');
  must(headers.get('cross-origin-opener-policy') === 'same-origin', 'shares its opener');
  must(
    headers.get('cache-control') === (kind.kept ?? 'no-store'),
    `has Cache-Control ${headers.get('cache-control')}`,
  );
  must(/^[\w-]+$/.test(headers.get('x-request-id') ?? ''), 'has no request id');
  const remembered = tls ? 'max-age=31536000' : null;
  must(
    headers.get('strict-transport-security') === remembered,
    'has an unexpected Strict-Transport-Security',
  );
  for (const name of ['x-powered-by', 'server']) must(headers.get(name) === null, `has a ${name} header`);
  for (const name of headers.keys())
    must(!name.startsWith('access-control'), `allows other origins: ${name}`);
  return wrong;
}

describe('responses of every kind', () => {
  it('disallow sniffing, framing, caching and scripts of other origins', TIMEOUT, async () => {
    const wrong: string[] = [];
    for (const [base, tls] of [
      [origin, false],
      [new URL(behindTls.baseUrl).origin, true],
    ] as const) {
      for (const kind of kinds()) {
        const response = await ask(base, kind);
        const type = response.headers.get('content-type') ?? '';
        if (response.status !== kind.status || !kind.type.test(type)) {
          wrong.push(`${kind.name}: ${response.status} ${type}`);
        }
        wrong.push(...wrongIn(kind, response.headers, tls));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('have the same headers with status 429', async () => {
    const kind = { name: 'an exceeded rate limit', path: '/v1/nothing', status: 429, type: JSON_TYPE };
    let last = await ask(origin, kind);
    for (let time = 0; time < 130 && last.status !== 429; time += 1) last = await ask(origin, kind);
    expect([last.status, wrongIn(kind, last.headers, false)]).toEqual([429, []]);
  });

  // Sent as raw bytes, because no client would send them.
  it.each([
    ['data that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['an unknown method', 'STEAL /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header with a line break', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'Content-Length with chunked encoding',
      'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '0\r\n\r\n',
      400,
    ],
    ['too large headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: refresh=x\r\n\r\n', 404],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an absolute URL', 'GET http://evil.example/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    [
      'an Expect header',
      'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      417,
    ],
    ['a missing Host header', 'GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'an Upgrade header',
      'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n',
      404,
    ],
  ])('to %s have the same headers', async (name, text, status) => {
    const response = await raw(behindTls.baseUrl, text);
    const lines = response.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect([name, lines[0]]).toEqual([name, expect.stringMatching(new RegExp(`^HTTP/1.1 (${status}|429) `))]);
    const headers = new Headers(
      lines
        .slice(1)
        .map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ').slice(1).join(': ')]),
    );
    expect(wrongIn({ name, path: '', status, type: JSON_TYPE }, headers, true)).toEqual([]);
    expect(response).not.toContain('refresh=x');
  });
});
