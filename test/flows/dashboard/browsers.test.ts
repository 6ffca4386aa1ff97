import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { OPERATIONS } from '#test/support/operations.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';

/** What a browser makes of answers, whatever they are of. */

const PATIENCE = { timeout: 60_000 };

let gateway: TestGateway;
/** The same, behind TLS. */
let behindTls: TestNode;
let origin: string;
let boletoId: string;
let pixAddress: string;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  const apiKey = gateway.demo.apiKey;
  behindTls = await startNode({
    databaseUrl: gateway.database.url,
    apiKey,
    environment: { PUBLIC_URL: 'https://pay.example.com' },
  });
  origin = new URL(gateway.baseUrl).origin;
  const charge = await gateway.charge();
  const boleto = await gateway.charge({ method: 'BOLETO' });
  boletoId = String(boleto.body.data.id);
  pixAddress = new URL(String(charge.body.data.pix.qrcodeUrl)).pathname;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  nextMinute();
});
afterAll(async () => {
  vi.useRealTimers();
  await behindTls.stop();
  await gateway.stop();
});

/** an anonymous client's address may ask so often in a minute. */
const STRANGERS_A_MINUTE = 100;
let asked = 0;

/** Anonymous clients are counted by the machine's clock, so that this gives them a new allowance. */
function nextMinute(): void {
  asked = 0;
  vi.setSystemTime(Date.now() + 61_000);
}

/** Asks as an anonymous client, who is never refused for asking too often. */
async function fetched(path: string, init: RequestInit): Promise<Response> {
  asked += 1;
  if (asked > STRANGERS_A_MINUTE) nextMinute();
  const response = await fetch(origin + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  return response;
}

interface Kind {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly type: RegExp;
  /** What may keep it, where anything may. */
  readonly kept?: string;
  /** What its page may run, where it is one. */
  readonly runs?: string;
}

const HTML = /^text\/html/;
const JSON_TYPE = /^application\/json; charset=utf-8$/;
const key = (): Readonly<Record<string, string>> => ({ 'x-api-key': gateway.demo.apiKey });
const json = { 'content-type': 'application/json' };

/** Every kind of answer, good and bad. */
const kinds = (): readonly Kind[] => [
  { name: 'an answer of the API', path: '/v1/transactions', headers: key(), status: 200, type: JSON_TYPE },
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
    name: 'the answer to HEAD',
    path: '/v1/transactions',
    method: 'HEAD',
    headers: key(),
    status: 200,
    type: JSON_TYPE,
  },
  { name: 'health', path: '/v1/health', status: 200, type: JSON_TYPE },
  { name: 'metrics', path: '/metrics', status: 200, type: /^text\/plain/ },
  { name: 'an OpenAPI document', path: '/openapi.json', status: 200, type: JSON_TYPE },
  { name: 'the operator document', path: '/openapi-operator.json', status: 200, type: JSON_TYPE },
  { name: 'a broken rule', path: '/v1/transactions?take=x', headers: key(), status: 400, type: JSON_TYPE },
  {
    name: 'a broken body',
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
  { name: 'no credential', path: '/v1/transactions', status: 401, type: JSON_TYPE },
  { name: 'no permission', path: '/v1/admin/sellers', headers: key(), status: 403, type: JSON_TYPE },
  { name: 'no record', path: '/v1/transactions/x', headers: key(), status: 404, type: JSON_TYPE },
  { name: 'no route', path: '/v1/nothing', status: 404, type: JSON_TYPE },
  { name: 'no page', path: '/nothing', status: 404, type: JSON_TYPE },
  { name: 'no method', path: '/v1/transactions', method: 'PUT', status: 404, type: JSON_TYPE },
  { name: 'an address that is malformed', path: '/v1/transactions/%E0%A4%A', status: 400, type: JSON_TYPE },
  { name: 'the way to the dashboard', path: '/', status: 302, type: /^$/ },
  {
    name: 'the dashboard',
    path: '/dashboard/transactions',
    status: 200,
    type: HTML,
    kept: 'no-cache',
    runs: "script-src 'self'",
  },
  { name: 'no file of the dashboard', path: '/dashboard/assets/no.js', status: 404, type: JSON_TYPE },
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
    path: `/boletos/${boletoId}`,
    headers: { accept: 'text/html' },
    status: 200,
    type: HTML,
    runs: "script-src 'self'",
  },
  {
    name: 'no boleto',
    path: `/boletos/${randomUUID()}`,
    headers: { accept: 'text/html' },
    status: 404,
    type: HTML,
    runs: "script-src 'self'",
  },
  {
    name: 'a boleto to print',
    path: `/boletos/${boletoId}.pdf`,
    status: 200,
    type: /^application\/pdf$/,
    kept: 'private, no-cache',
  },
  {
    name: 'a picture of a barcode',
    path: `/boletos/${boletoId}/barcode.png`,
    status: 200,
    type: /^image\/png$/,
    kept: 'public, max-age=86400',
  },
  {
    name: 'a picture of a code',
    path: pixAddress,
    status: 200,
    type: /^image\/png$/,
    kept: 'public, max-age=86400',
  },
];

async function ask(base: string, { path, method = 'GET', headers = {}, body }: Kind): Promise<Response> {
  const response = await fetch(base + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  await response.arrayBuffer();
  return response;
}

/** What every answer says to a browser. */
function wrongIn(kind: Kind, headers: Headers, tls: boolean): readonly string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const policies = policy.split(';');
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(`${kind.name}: ${what}`);
  };
  must(headers.get('x-content-type-options') === 'nosniff', 'may be taken for another type');
  must(headers.get('x-frame-options') === 'DENY', 'may be framed (X-Frame-Options)');
  must(policies.includes("frame-ancestors 'none'"), 'may be framed');
  must(policies.includes("default-src 'none'"), `is allowed more than it needs: ${policy}`);
  must(policies.includes("base-uri 'none'"), 'may be given another base');
  must(!/unsafe-eval|script-src[^;]*unsafe-inline|\*|https?:/.test(policy), `lets others in: ${policy}`);
  must(
    kind.runs === undefined ? !policy.includes('script-src') : policies.includes(kind.runs),
    `runs ${policy}`,
  );
  must(headers.get('referrer-policy') === 'no-referrer', 'tells where its reader comes from');
  must(headers.get('cross-origin-opener-policy') === 'same-origin', 'may be held by a page that opened it');
  must(
    headers.get('cache-control') === (kind.kept ?? 'no-store'),
    `is kept: ${headers.get('cache-control')}`,
  );
  must(/^[\w-]+$/.test(headers.get('x-request-id') ?? ''), 'has no id');
  const remembered = tls ? 'max-age=31536000' : null;
  must(headers.get('strict-transport-security') === remembered, 'says otherwise of TLS');
  for (const name of ['x-powered-by', 'server']) must(headers.get(name) === null, `tells its ${name}`);
  for (const name of headers.keys())
    must(!name.startsWith('access-control'), `lets other origins in: ${name}`);
  return wrong;
}

describe('every kind of answer', () => {
  it('tells browsers to guess, frame, keep and run nothing that it does not need', PATIENCE, async () => {
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

  it('says the same where it is a refusal for too many requests', async () => {
    const kind = { name: 'a refused rate', path: '/v1/nothing', status: 429, type: JSON_TYPE };
    let last = await ask(origin, kind);
    for (let time = 0; time < 130 && last.status !== 429; time += 1) last = await ask(origin, kind);
    expect([last.status, wrongIn(kind, last.headers, false)]).toEqual([429, []]);
  });

  // Sent as they are: no client would.
  it.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['a method that is none', 'STEAL /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header with a line in it', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n', 400],
    [
      'two lengths',
      'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      400,
    ],
    [
      'a length beside chunks',
      'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: refresh=x\r\n\r\n', 404],
    ['OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    [
      'an address that is a whole one',
      'GET http://evil.example/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      404,
    ],
    [
      'an expectation',
      'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      417,
    ],
    ['no host', 'GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'another protocol to change to',
      'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n',
      404,
    ],
  ])('%s is refused with the same headers', async (name, text, status) => {
    const answer = await raw(behindTls.baseUrl, text);
    const lines = answer.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect([name, lines[0]]).toEqual([name, expect.stringMatching(new RegExp(`^HTTP/1.1 (${status}|429) `))]);
    const headers = new Headers(
      lines
        .slice(1)
        .map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ').slice(1).join(': ')]),
    );
    expect(wrongIn({ name, path: '', status, type: JSON_TYPE }, headers, true)).toEqual([]);
    expect(answer).not.toContain('refresh=x');
  });
});

/** Sends bytes and reads until the other side has nothing more to say. */
function raw(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8').setTimeout(2_000, done);
    socket.on('data', (part: string) => (answer += part));
    socket.on('end', done);
    socket.on('error', (error) => (answer === '' ? reject(error) : done()));
  });
}

const everySession = () =>
  gateway.database.query('SELECT token_hash, used_at FROM refresh_tokens ORDER BY token_hash');

describe('a page of another origin', () => {
  const EVIL = 'https://evil.example';

  it(
    'is let in by no operation: a browser that asks first is reported nothing (CORS)',
    PATIENCE,
    async () => {
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
          const allowed = [...preflight.headers.keys()].filter((header) =>
            header.startsWith('access-control'),
          );
          if (allowed.length > 0 || preflight.status !== 404)
            wrong.push(`${name} from ${from}: ${preflight.status} ${allowed.join()}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it('reads no answer of a request that needs no asking, and neither does one without an origin', async () => {
    for (const from of [EVIL, 'null']) {
      for (const path of ['/v1/health', '/openapi.json', '/dashboard/', `/boletos/${boletoId}`]) {
        const { headers } = await fetch(origin + path, { headers: { origin: from } });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      }
    }
  });

  /** What a form or a picture of another page can send, with all cookies that the browser has. */
  const FORMS: readonly Readonly<Record<string, string>>[] = [
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'text/plain' },
    {},
    // What it could send if it were let in.
    { 'content-type': 'application/json', 'x-requested-by': 'dashboard' },
  ];

  it(
    'does nothing in the name of who is signed in here: no operation goes by a cookie alone (CSRF)',
    PATIENCE,
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
          const right = may === 'anybody' ? [400, 403, 415] : [401];
          if (!right.includes(response.status) || response.headers.getSetCookie().length > 0) {
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

describe('an address', () => {
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
  ])('%s leads nowhere else', async (path) => {
    const answer = await raw(
      behindTls.baseUrl,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const head = answer.split('\r\n\r\n')[0] ?? '';
    const location = /^location: (.*)$/im.exec(head)?.[1];
    expect(['/dashboard/', undefined]).toContain(location);
    expect(head.toLowerCase()).not.toContain('evil.example');
  });

  it('is never made of what a request calls its host', async () => {
    const boleto = `/boletos/${boletoId}`;
    for (const path of ['/', '/openapi.json', '/docs', '/dashboard/', boleto, '/v1/nothing']) {
      const answer = await raw(
        behindTls.baseUrl,
        `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 (200|302|404) /);
      expect(answer).not.toContain('evil.example');
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
