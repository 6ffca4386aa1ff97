import { randomInt, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { exchange, type Exchange } from './wire.ts';

/** Bytes that no HTTP client sends, each on a separate connection. */

const TIMEOUT_MS = 60_000;

let gateway: TestGateway;
let port: number;

beforeAll(async () => {
  // Anonymous clients are counted by the address in the proxy's header.
  gateway = await startTestGateway({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  port = Number(new URL(gateway.baseUrl).port);
});
afterAll(() => gateway.stop());

const send = (text: string, options: { readonly end?: boolean } = {}): Promise<Exchange> =>
  exchange([{ bytes: Buffer.from(text, 'latin1') }], { port, timeoutMs: TIMEOUT_MS, ...options });

const statusesOf = ({ responses }: Exchange): readonly number[] => responses.map(({ status }) => status);

const HEALTH = 'GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n';
const LAST = HEALTH.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');

function chargeOf(idempotencyKey: string, framing: (body: string) => string): string {
  const body = JSON.stringify(goodCharge());
  const head =
    `POST /v1/transactions HTTP/1.1\r\nhost: x\r\nx-api-key: ${gateway.demo.apiKey}\r\n` +
    `idempotency-key: ${idempotencyKey}\r\ncontent-type: application/json\r\n`;
  return head + framing(body);
}
const inFull = (body: string): string => `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Another client each time. */
const forwardedFor = (): string =>
  `x-forwarded-for: 10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}\r\n`;

/** Whether a charge with this key exists. */
async function wasMade(idempotencyKey: string): Promise<boolean> {
  const again = await gateway.charge({}, { idempotencyKey });
  expect(again.status).toBe(201);
  return again.headers.get('idempotency-replayed') === 'true';
}

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const wrong = 'GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n';
    const got = await send(HEALTH + wrong + HEALTH.repeat(48) + LAST);
    expect(statusesOf(got)).toEqual([200, 404, ...Array.from({ length: 49 }, () => 200)]);
    expect(got.rest).toHaveLength(0);
  });

  it('followed by malformed data are answered in order, and the error comes last', async () => {
    const key = randomUUID();
    const got = await send(`${chargeOf(key, inFull)}\0\0\0\0`);
    expect(statusesOf(got).filter((status) => status === 400)).toEqual([]);
    expect(got.closed).toBe(true);
    await expect.poll(() => wasMade(key)).toBe(true);
  });

  it('that are all malformed are rejected once', async () => {
    const got = await send('\0\0\0\0\r\n\r\n'.repeat(10));
    expect(statusesOf(got)).toEqual([400]);
    expect(got.responses[0]?.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });
});

/**
 * A body that one server would end at its length and another at its last chunk, with a smuggled
 * request after it.
 */
const hiding = (headers: string) => (body: string) =>
  `${headers}\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n${HEALTH}`;

describe('a body with ambiguous framing', () => {
  it.each([
    ['Content-Length, then chunked encoding', 'content-length: 4\r\ntransfer-encoding: chunked\r\n'],
    ['chunked encoding, then Content-Length', 'transfer-encoding: chunked\r\ncontent-length: 4\r\n'],
    ['chunked encoding twice', 'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n'],
    ['chunked encoding followed by another one', 'transfer-encoding: chunked, identity\r\n'],
    ['a space before the colon', 'transfer-encoding : chunked\r\n'],
    ['an unknown encoding', 'transfer-encoding: xchunked\r\n'],
    ['a vertical tab before the encoding', 'transfer-encoding: \x0bchunked\r\n'],
    ['a folded header line', 'transfer-encoding:\r\n chunked\r\n'],
    ['two Content-Length headers', 'content-length: 4\r\ncontent-length: 5\r\n'],
    ['two lengths in one header', 'content-length: 4, 5\r\n'],
    ['a length with a plus sign', 'content-length: +4\r\n'],
    ['a negative length', 'content-length: -1\r\n'],
    ['a length in hex', 'content-length: 0x4\r\n'],
    ['a length beyond the number range', 'content-length: 99999999999999999999\r\n'],
    ['a line that ends with a bare line feed', 'x: y\ntransfer-encoding: chunked\r\n'],
    ['a line that ends with a bare carriage return', 'x: y\rtransfer-encoding: chunked\r\n'],
    ['a header name with NUL', 'x\0: y\r\ntransfer-encoding: chunked\r\n'],
    ['a header name with a space', 'x y: z\r\ntransfer-encoding: chunked\r\n'],
  ])('(%s) is rejected and not executed, nor is the smuggled request', async (_what, headers) => {
    const key = randomUUID();
    const got = await send(chargeOf(key, hiding(headers)), { end: true });
    // Chunked encoding that is specified twice is still chunked.
    const allowed =
      headers === 'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n'
        ? [[400], [201, 200]]
        : [[400]];
    expect(allowed).toContainEqual(statusesOf(got));
    expect(got.closed).toBe(true);
    if (statusesOf(got)[0] === 400) expect(await wasMade(key)).toBe(false);
  });

  it.each([
    ['an invalid chunk size', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a negative chunk size', '-2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size beyond the number range', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size that is too small', '1\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size that is too large', '5\r\n{}\r\n0\r\n\r\n'],
    ['bare line feeds', '2\n{}\n0\n\n'],
    ['a very long chunk extension', `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`],
  ])('with %s is rejected', async (_what, chunks) => {
    const got = await send(
      `POST /v1/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
        `transfer-encoding: chunked\r\n\r\n${chunks}`,
      { end: true },
    );
    expect([[400], [413]]).toContainEqual(statusesOf(got));
    expect(got.closed).toBe(true);
  });
});

describe('an endless request head', () => {
  it.each([
    ['one long line', `x: ${'a'.repeat(100_000)}\r\n`],
    ['many lines', 'x: y\r\n'.repeat(20_000)],
    ['a long URL', ''],
  ])('(%s) is rejected at a limit', async (_what, lines) => {
    const path = lines === '' ? `/${'a'.repeat(100_000)}` : '/v1/health';
    const got = await send(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`);
    expect(statusesOf(got)).toEqual([431]);
    expect(got.responses[0]?.body.toString()).toContain('Header fields are too large');
  });
});

describe('a path', () => {
  /** Path traversals, and files that they would reach. */
  const WAYS = [
    '../',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..\\',
    '..%5c',
    '%252e%252e%252f',
    '..%c0%af',
    '..%ef%bc%8f',
    '....//',
    '.%00./',
    '..;/',
    '%2e%2e%5c',
  ];
  const FILES = [
    'package.json',
    'src/main.ts',
    '.data/demo.json',
    'etc/passwd',
    'migrations/0001-platform.sql',
  ];
  const FOLDERS = [
    '/dashboard/',
    '/dashboard/assets/',
    '/assets/',
    '/docs/',
    '/docs/static/',
    '/',
    '/v1/',
    '/pix/',
    '/boletos/',
  ];

  it.each(FOLDERS)('below %s does not reach other files', async (folder) => {
    const targets = WAYS.flatMap((way) =>
      FILES.flatMap((file) => [1, 3, 8].map((ups) => folder + way.repeat(ups) + file)),
    );
    const absolute = FILES.map((file) => `${folder}/${file}`);
    const led: string[] = [];
    for (const target of [...targets, ...absolute]) {
      const got = await send(
        `GET ${target} HTTP/1.1\r\nhost: x\r\n${forwardedFor()}connection: close\r\n\r\n`,
      );
      const [response] = got.responses;
      const text = response?.body.toString() ?? '';
      // A found page is the dashboard's, which is served at every path below its own.
      const isOurs =
        response?.status === 200
          ? /^<!doctype html>/i.test(text)
          : [400, 404].includes(response?.status ?? 0);
      if (!isOurs || /devDependencies|root:|startGateway|"apiKey"|CREATE TABLE/.test(text)) led.push(target);
    }
    expect(led).toEqual([]);
  });
});

/** Sends a few bytes at a time, for longer than the timeout. */
const trickle = (first: string, drop: string) =>
  exchange(
    [
      { bytes: Buffer.from(first) },
      ...Array.from({ length: 120 }, () => ({ bytes: Buffer.from(drop), afterMs: 500 })),
    ],
    {
      port,
      timeoutMs: TIMEOUT_MS,
    },
  );

const loginOf = (): string =>
  `POST /v1/login HTTP/1.1\r\nhost: x\r\n${forwardedFor()}content-type: application/json\r\n`;

describe('a client that never completes its request', () => {
  it('is disconnected within 40 seconds, and delays no other client', { timeout: 90_000 }, async () => {
    const clients = Array.from({ length: 60 }, () => [
      trickle('GET /v1/health HTTP/1.1\r\n', 'x: y\r\n'),
      trickle('GET /v1/health HTTP/1.1\r\nhost: x\r\nx: ', 'y'),
      trickle(`${loginOf()}content-length: 10000\r\n\r\n{`, ' '),
      trickle(`${loginOf()}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      trickle('POST /v1/log', ''),
    ]).flat();
    const begun = performance.now();
    let slowest = 0;
    const over = Promise.all(clients);
    const done = new AbortController();
    void over.finally(() => done.abort());
    while (!done.signal.aborted) {
      const asked = performance.now();
      expect((await gateway.get('/transactions')).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const exchanges = await over;
    expect(exchanges.filter(({ closed }) => !closed)).toEqual([]);
    expect([...new Set(exchanges.flatMap(statusesOf))].filter((status) => status !== 408)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(50_000);
    expect(Math.max(...exchanges.map(({ ms }) => ms))).toBeLessThan(45_000);
    expect(slowest).toBeLessThan(5_000);
  });
});
