import { randomInt, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { exchange, type Exchange } from './wire.ts';

/** What no HTTP client sends: each of these is bytes on a connection of their own. */

const PATIENCE_MS = 60_000;

let gateway: TestGateway;
let port: number;

beforeAll(async () => {
  // Anonymous clients are counted by the address that a proxy tells.
  gateway = await startTestGateway({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  port = Number(new URL(gateway.baseUrl).port);
});
afterAll(() => gateway.stop());

const send = (text: string, options: { readonly end?: boolean } = {}): Promise<Exchange> =>
  exchange([{ bytes: Buffer.from(text, 'latin1') }], { port, timeoutMs: PATIENCE_MS, ...options });

const statusesOf = ({ answers }: Exchange): readonly number[] => answers.map(({ status }) => status);

const HEALTH = 'GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n';
const LAST = HEALTH.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');

function chargeOf(idempotencyKey: string, framing: (body: string) => string): string {
  const body = JSON.stringify(goodCharge());
  const head = `POST /v1/transactions HTTP/1.1\r\nhost: x\r\nx-api-key: ${gateway.demo.apiKey}\r\nidempotency-key: ${idempotencyKey}\r\ncontent-type: application/json\r\n`;
  return head + framing(body);
}
const inFull = (body: string): string => `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Somebody else each time. */
const somebody = (): string =>
  `x-forwarded-for: 10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}\r\n`;

/** Whether a charge was made under this key before. */
async function wasMade(idempotencyKey: string): Promise<boolean> {
  const again = await gateway.charge({}, { idempotencyKey });
  expect(again.status).toBe(201);
  return again.headers.get('idempotency-replayed') === 'true';
}

describe('requests one after the other without waiting', () => {
  it('are answered in their order', async () => {
    const wrong = 'GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n';
    const got = await send(HEALTH + wrong + HEALTH.repeat(48) + LAST);
    expect(statusesOf(got)).toEqual([200, 404, ...Array.from({ length: 49 }, () => 200)]);
    expect(got.rest).toHaveLength(0);
  });

  it('and something that is no request: the refusal is not taken for the answer of the request before it', async () => {
    const key = randomUUID();
    const got = await send(`${chargeOf(key, inFull)}\0\0\0\0`);
    expect(statusesOf(got).filter((status) => status === 400)).toEqual([]);
    expect(got.closed).toBe(true);
    await expect.poll(() => wasMade(key)).toBe(true);
  });

  it('which are all no requests are refused once', async () => {
    const got = await send('\0\0\0\0\r\n\r\n'.repeat(10));
    expect(statusesOf(got)).toEqual([400]);
    expect(got.answers[0]?.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });
});

/** A body that one server would end at its length and another at its last chunk, with a request hidden behind it. */
const hiding = (headers: string) => (body: string) =>
  `${headers}\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n${HEALTH}`;

describe('a body that two servers would cut differently', () => {
  it.each([
    ['a length, then chunks', 'content-length: 4\r\ntransfer-encoding: chunked\r\n'],
    ['chunks, then a length', 'transfer-encoding: chunked\r\ncontent-length: 4\r\n'],
    ['chunks twice', 'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n'],
    ['chunks, and then something else', 'transfer-encoding: chunked, identity\r\n'],
    ['chunks behind a blank', 'transfer-encoding : chunked\r\n'],
    ['chunks in another spelling', 'transfer-encoding: xchunked\r\n'],
    ['chunks behind a vertical tab', 'transfer-encoding: \x0bchunked\r\n'],
    ['chunks in a folded line', 'transfer-encoding:\r\n chunked\r\n'],
    ['two lengths', 'content-length: 4\r\ncontent-length: 5\r\n'],
    ['two lengths in one', 'content-length: 4, 5\r\n'],
    ['a length with a sign', 'content-length: +4\r\n'],
    ['a length below nothing', 'content-length: -1\r\n'],
    ['a length in hex', 'content-length: 0x4\r\n'],
    ['a length beyond all numbers', 'content-length: 99999999999999999999\r\n'],
    ['a line that a bare line feed ends', 'x: y\ntransfer-encoding: chunked\r\n'],
    ['a line that a bare return ends', 'x: y\rtransfer-encoding: chunked\r\n'],
    ['a name with NUL', 'x\0: y\r\ntransfer-encoding: chunked\r\n'],
    ['a name with a blank', 'x y: z\r\ntransfer-encoding: chunked\r\n'],
  ])('(%s) is refused and not executed, nor is the request smuggled behind it', async (_what, headers) => {
    const key = randomUUID();
    const got = await send(chargeOf(key, hiding(headers)), { end: true });
    // Chunks that come twice are chunks.
    const allowed =
      headers === 'transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n'
        ? [[400], [201, 200]]
        : [[400]];
    expect(allowed).toContainEqual(statusesOf(got));
    expect(got.closed).toBe(true);
    if (statusesOf(got)[0] === 400) expect(await wasMade(key)).toBe(false);
  });

  it.each([
    ['no number', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a negative one', '-2\r\n{}\r\n0\r\n\r\n'],
    ['one beyond all numbers', 'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n'],
    ['too small', '1\r\n{}\r\n0\r\n\r\n'],
    ['too large', '5\r\n{}\r\n0\r\n\r\n'],
    ['in bare lines', '2\n{}\n0\n\n'],
    ['a very long extension', `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`],
  ])('a chunk whose size is %s', async (_what, chunks) => {
    const got = await send(
      `POST /v1/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`,
      { end: true },
    );
    expect([[400], [413]]).toContainEqual(statusesOf(got));
    expect(got.closed).toBe(true);
  });
});

describe('a head without end', () => {
  it.each([
    ['one long line', `x: ${'a'.repeat(100_000)}\r\n`],
    ['many lines', 'x: y\r\n'.repeat(20_000)],
    ['a long address', ''],
  ])('(%s) is refused at a bound', async (_what, lines) => {
    const path = lines === '' ? `/${'a'.repeat(100_000)}` : '/v1/health';
    const got = await send(`GET ${path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`);
    expect(statusesOf(got)).toEqual([431]);
    expect(got.answers[0]?.body.toString()).toContain('Header fields are too large');
  });
});

describe('an address', () => {
  /** Ways up, and files that lie there. */
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

  it.each(FOLDERS)('below %s leads to no other file', async (folder) => {
    const targets = WAYS.flatMap((way) =>
      FILES.flatMap((file) => [1, 3, 8].map((ups) => folder + way.repeat(ups) + file)),
    );
    const absolute = FILES.map((file) => `${folder}/${file}`);
    const led: string[] = [];
    for (const target of [...targets, ...absolute]) {
      const got = await send(`GET ${target} HTTP/1.1\r\nhost: x\r\n${somebody()}connection: close\r\n\r\n`);
      const [answer] = got.answers;
      const text = answer?.body.toString() ?? '';
      // What is found is the dashboard's page, which stands at every address of its own.
      const isOurs =
        answer?.status === 200 ? /^<!doctype html>/i.test(text) : [400, 404].includes(answer?.status ?? 0);
      if (!isOurs || /devDependencies|root:|startGateway|"apiKey"|CREATE TABLE/.test(text)) led.push(target);
    }
    expect(led).toEqual([]);
  });
});

/** A little at a time, for longer than the timeout. */
const trickle = (first: string, drop: string) =>
  exchange(
    [
      { bytes: Buffer.from(first) },
      ...Array.from({ length: 120 }, () => ({ bytes: Buffer.from(drop), afterMs: 500 })),
    ],
    {
      port,
      timeoutMs: PATIENCE_MS,
    },
  );

const loginOf = (): string =>
  `POST /v1/login HTTP/1.1\r\nhost: x\r\n${somebody()}content-type: application/json\r\n`;

describe('a caller who is never done', () => {
  it('is closed within 40 seconds, and delays no other client', { timeout: 90_000 }, async () => {
    const crowd = Array.from({ length: 60 }, () => [
      trickle('GET /v1/health HTTP/1.1\r\n', 'x: y\r\n'),
      trickle('GET /v1/health HTTP/1.1\r\nhost: x\r\nx: ', 'y'),
      trickle(`${loginOf()}content-length: 10000\r\n\r\n{`, ' '),
      trickle(`${loginOf()}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      trickle('POST /v1/log', ''),
    ]).flat();
    const begun = performance.now();
    let slowest = 0;
    const over = Promise.all(crowd);
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
