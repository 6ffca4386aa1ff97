import { request as httpRequest, STATUS_CODES } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { OverloadError } from '#platform/database/errors.ts';
import { ERRORS } from './error-codes.ts';
import { HttpError, ValidationError } from './errors.ts';
import { createServer, type App } from './server.ts';

let app: App;
let base: string;
let log: string[];

/** Completes a request that the test is holding. */
let release: () => void;
let arrived: Promise<void>;
/** The number of requests that failed. */
let failures: number;

const errors: Readonly<Record<string, () => Error>> = {
  plain: () => new Error('secret of the inside'),
  http: () => new HttpError('idempotency_key_reused'),
  list: () =>
    new ValidationError([
      { path: ['a'], rule: 'must be a string', code: 'invalid_type' },
      { path: ['b', '0'], rule: 'must be a string' },
    ]),
  header: () => new HttpError('rate_limited', { headers: { 'retry-after': '7' } }),
  message: () => new HttpError('too_many_webhooks', { message: 'A seller can have at most 3 webhooks' }),
  overload: () => new OverloadError(),
  away: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  refused: () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' }),
  poison: () => Object.assign(new Error('value "secret of the inside"'), { code: '22021' }),
  teapot: () => Object.assign(new Error('secret of the inside'), { statusCode: 418 }),
};

beforeEach(async () => {
  log = [];
  app = createServer(pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }));
  const arrival = Promise.withResolvers<void>();
  arrived = arrival.promise;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  failures = 0;
  app.addHook('onError', async () => void (failures += 1));
  app.get('/slow', async () => {
    arrival.resolve();
    await released;
    return { done: true };
  });
  app.get('/quick', async () => ({ quick: true }));
  app.post('/echo', async (request) => ({ body: request.body ?? null }));
  app.post('/checked', { schema: { body: Type.Object({ a: Type.Integer() }) } }, async () => ({ ok: true }));
  app.get('/throws/:name', { schema: { params: Type.Object({ name: Type.String() }) } }, async (request) => {
    throw errors[request.params.name]?.() ?? new Error('no such error');
  });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  release();
  app.server.closeAllConnections();
  await app.close();
});

const post = (path: string, body: string, type = 'application/json') =>
  fetch(base + path, { method: 'POST', body, headers: { 'content-type': type } });

const postCompressed = (path: string) =>
  fetch(base + path, {
    method: 'POST',
    body: gzipSync('{}'),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });

/** A JSON text of exactly this many bytes. */
const textOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
/** Whether a log line requires attention. */
const isAlarm = (line: string): boolean => JSON.parse(line).level >= 50;

describe('errors', () => {
  it.each([
    ['http', 409, 'idempotency_key_reused', 'Idempotency-Key already used with a different body', 'Conflict'],
    ['header', 429, 'rate_limited', 'Rate limit exceeded', 'Too Many Requests'],
    ['message', 422, 'too_many_webhooks', 'A seller can have at most 3 webhooks', 'Unprocessable Entity'],
    ['overload', 503, 'service_unavailable', 'Service unavailable', 'Service Unavailable'],
    ['away', 503, 'service_unavailable', 'Service unavailable', 'Service Unavailable'],
    ['refused', 503, 'service_unavailable', 'Service unavailable', 'Service Unavailable'],
    ['teapot', 400, 'bad_request', 'Bad Request', 'Bad Request'],
    ['plain', 500, 'internal_error', 'Internal server error', 'Internal Server Error'],
    ['poison', 500, 'internal_error', 'Internal server error', 'Internal Server Error'],
  ])('%s has status %i and code %s in the common body', async (name, statusCode, code, message, error) => {
    const response = await fetch(`${base}/throws/${name}`);
    expect(response.status).toBe(statusCode);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const requestId = response.headers.get('x-request-id');
    expect(requestId).not.toBeNull();
    expect(await response.json()).toEqual({ statusCode, message, error, code, requestId });
  });

  it('list all violations by field, in the order of the messages', async () => {
    const response = await fetch(`${base}/throws/list`);
    expect(await response.json()).toEqual({
      statusCode: 400,
      message: ['a must be a string', 'b.0 must be a string'],
      error: 'Bad Request',
      code: 'validation_failed',
      requestId: response.headers.get('x-request-id'),
      errors: [
        { path: 'a', code: 'invalid_type', message: 'a must be a string' },
        { path: 'b.0', code: 'invalid_value', message: 'b.0 must be a string' },
      ],
    });
  });

  it('include the headers of their status', async () => {
    expect((await fetch(`${base}/throws/header`)).headers.get('retry-after')).toBe('7');
    expect((await fetch(`${base}/throws/away`)).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('that need an operator are logged with the request id, others are not', async () => {
    for (const name of ['http', 'list', 'header', 'message', 'teapot']) await fetch(`${base}/throws/${name}`);
    expect(log.filter(isAlarm)).toEqual([]);
    const response = await fetch(`${base}/throws/plain`);
    const alarms = log.filter(isAlarm);
    expect(alarms).toHaveLength(1);
    expect(alarms[0]).toContain(String(response.headers.get('x-request-id')));
  });
});

describe('request ids', () => {
  it('are generated unless the caller sends a valid one', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(`${base}/quick`)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
    const given = await fetch(`${base}/quick`, { headers: { 'x-request-id': 'order_42-a' } });
    expect(given.headers.get('x-request-id')).toBe('order_42-a');
  });

  it.each(['', 'a b', 'x'.repeat(65), '{"level":60}', 'a,b', 'á'])(
    'that could forge a log line are replaced: %j',
    async (sent) => {
      const response = await fetch(`${base}/quick`, {
        headers: { 'x-request-id': encodeURI(sent) === sent ? sent : 'a b' },
      });
      const id = response.headers.get('x-request-id');
      expect(id).toMatch(/^[\w-]{8,64}$/);
      expect(id).not.toBe(sent);
    },
  );
});

describe('bodies', () => {
  it('are JSON, and may be empty', async () => {
    expect(await (await post('/echo', '{"a":[1,"é",null]}')).json()).toEqual({ body: { a: [1, 'é', null] } });
    expect(await (await post('/echo', '')).json()).toEqual({ body: null });
    expect((await post('/echo', '{')).status).toBe(400);
    expect((await post('/echo', 'a=1', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  it('are rejected if they contain __proto__', async () => {
    for (const text of ['{"__proto__":{}}', '{"a":[{"__proto__":1}]}', String.raw`{"__pr\u006fto__":1}`]) {
      expect((await post('/echo', text)).status).toBe(400);
    }
    for (const text of ['{"constructor":{"prototype":{}}}', '{"a":{"constructor":{"prototype":1}}}']) {
      expect((await post('/echo', text)).status).toBe(400);
    }
    expect((await post('/echo', '{"constructor":"x","proto":1}')).status).toBe(200);
  });

  it('of 256 KiB are read and larger ones are not', async () => {
    expect((await post('/echo', textOf(256 * 1024))).status).toBe(200);
    expect((await post('/echo', textOf(256 * 1024 + 1))).status).toBe(413);
  });

  it('are rejected if nested deeper than 32 levels', async () => {
    expect((await post('/echo', nested(32))).status).toBe(200);
    expect((await post('/echo', nested(33))).status).toBe(400);
    expect((await post('/echo', nested(100_000))).status).toBe(400);
  });

  it('that violate the schema are reported as a list', async () => {
    const response = await post('/checked', '{"a":"1"}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: ['a must be an integer number'] });
  });
});

/** Sends the bytes, disconnects after this time, and returns what was received until then. */
const sendRaw = (text: string, forMs: number): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    setTimeout(() => socket.destroy(), forMs);
  });

/** The status lines of two requests on one connection. */
const statusLinesOf = async (hosts: string) => {
  const request = `GET /quick HTTP/1.1\r\n${hosts}\r\n\r\n`;
  // The second request has no response if the first one closed the connection.
  return (await sendRaw(request.repeat(2), 300)).match(/HTTP\/1\.1 \d+/g);
};

describe('a Host header', () => {
  it.each(['a b', 'a/b', 'u@a', 'a, b', 'a:b', '[::1', 'x\r\nHost: x'])(
    'with the invalid value %j is refused, and the connection closes',
    async (host) => {
      expect(await statusLinesOf(`Host: ${host}`)).toEqual(['HTTP/1.1 400']);
    },
  );

  it.each(['x', 'x:', 'pay.example.com:8443', '127.0.0.1:80', '[::1]:80', ''])(
    'with the valid value %j is served, and the connection stays open',
    async (host) => {
      expect(await statusLinesOf(`Host: ${host}`)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    },
  );
});

describe('an error before any route', () => {
  it.each([
    ['malformed_request', 400, 'GET /quick HTTP/1.1\r\nhost: x\r\nbroken header\r\n\r\n'],
    ['malformed_request', 400, 'GET /quick HTTP/1.1\r\n\r\n'],
    ['malformed_request', 400, 'GET /quick HTTP/1.1\r\nhost: x\r\nHost: x\r\n\r\n'],
    ['malformed_request', 400, 'GET /quick HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n'],
    ['malformed_request', 400, 'GET /quick HTTP/1.1\r\nhost: a b\r\n\r\n'],
    [
      'malformed_request',
      400,
      'POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'unsupported_transfer_encoding',
      501,
      'POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'unsupported_transfer_encoding',
      501,
      'POST /echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\nTransfer-Encoding: ' +
        'chunked\r\n\r\n0\r\n\r\n',
    ],
    ['malformed_request', 400, 'NONSENSE /quick HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['malformed_url', 400, 'GET /throws/%E0%A4%A HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['route_not_found', 404, 'GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['route_not_found', 404, 'DELETE /quick HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['expectation_failed', 417, 'GET /quick HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n\r\n'],
    ['headers_too_large', 431, `GET /quick HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`],
  ] as const)('has the code %s and the common body', async (code, statusCode, text) => {
    const [head = '', body = ''] = (await sendRaw(text, 500)).split('\r\n\r\n');
    const requestId = /^x-request-id: (\S+)$/im.exec(head)?.[1];
    const { message, status } = ERRORS[code];
    expect(status).toBe(statusCode);
    const error = STATUS_CODES[statusCode];
    // Each chunk begins with its length.
    const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
    expect(JSON.parse(json)).toEqual({ statusCode, message, error, code, requestId });
  });

  it('of a request that waited too long for capacity has the code service_unavailable', async () => {
    const busy = createServer(pino({ level: 'silent' }), {
      // A wait that neither increases nor decreases the limit.
      admission: { databaseWaitMs: () => 100, onRejected: () => undefined },
    });
    const held = Promise.withResolvers<void>();
    busy.get('/held', () => held.promise.then(() => ({ done: true })));
    const origin = await busy.listen({ host: '127.0.0.1', port: 0 });
    const holding = Array.from({ length: 192 }, () => fetch(`${origin}/held`).then((one) => one.text()));
    const rejected = await fetch(`${origin}/held`, { headers: { 'x-request-id': 'late' } });
    expect(await rejected.json()).toEqual({
      statusCode: 503,
      message: 'Service unavailable',
      error: 'Service Unavailable',
      code: 'service_unavailable',
      requestId: 'late',
    });
    held.resolve();
    await Promise.all(holding);
    await busy.close();
  });

  it.each([
    ['malformed_json', () => post('/echo', '{')],
    ['body_too_large', () => post('/echo', textOf(300_000))],
    ['unsupported_media_type', () => post('/echo', 'a=1', 'application/x-www-form-urlencoded')],
    ['unsupported_content_encoding', () => postCompressed('/echo')],
  ] as const)('of the body has the code %s', async (code, send) => {
    const response = await send();
    expect(await response.json()).toMatchObject({ code, statusCode: ERRORS[code].status });
  });
});

describe('a client', () => {
  it('that disconnects in the middle of a body causes no error and no alert', async () => {
    const head = 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    await sendRaw(`${head}content-length: 100\r\n\r\n{`, 50);
    await sendRaw(`${head}transfer-encoding: chunked\r\n\r\n5\r\n{`, 50);
    await expect.poll(() => failures).toBe(2);
    // Everything that follows the error in the same turn has happened when another request is
    // answered.
    await fetch(`${base}/quick`);
    expect(log.filter(isAlarm)).toEqual([]);
  });

  it('that sends malformed HTTP gets an error body', async () => {
    const received = await sendRaw(
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        'transfer-encoding: chunked\r\n\r\nzz\r\n',
      5_000,
    );
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that sends malformed HTTP gets an outstanding response first', async () => {
    const received = sendRaw('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n\0\0', 5_000);
    await arrived;
    release();
    expect(await received).toBe('');
  });
});

describe('every response', () => {
  it('has headers that prevent content sniffing', async () => {
    const { headers } = await fetch(`${base}/quick`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('the request log', () => {
  it('contains the route of a response and never its URL', async () => {
    await fetch(`${base}/throws/http?document=52998224725`, { headers: { 'x-api-key': 'sk_test_secret' } });
    await expect.poll(() => log.some((line) => line.includes('"request completed"'))).toBe(true);
    const text = log.join('');
    expect(text).toContain('/throws/:name');
    expect(text).not.toContain('52998224725');
    expect(text).not.toContain('sk_test_secret');
  });
});

describe('shutdown', () => {
  it('completes requests in flight, accepts no new ones, and ends with the last response', async () => {
    const slow = fetch(`${base}/slow`);
    await arrived;
    let closed = false;
    const closing = app.close().finally(() => {
      closed = true;
    });
    const quick = () =>
      fetch(`${base}/quick`).then(
        () => 'answered',
        () => 'refused',
      );
    await expect.poll(quick).toBe('refused');
    expect(closed).toBe(false);
    release();
    const response = await slow;
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ done: true });
    // The client would keep the connection for its next request, which shutdown must not wait for.
    await expect.poll(() => closed, { timeout: 3_000 }).toBe(true);
    await closing;
  });

  it('does not wait for idle connections', async () => {
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(
        `${base}/quick`,
        { agent: false, headers: { connection: 'keep-alive' } },
        (response) => {
          response.resume();
          response.on('end', resolve);
        },
      );
      request.on('error', reject);
      request.end();
    });
    const started = performance.now();
    await app.close();
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

/** Sends a complete request, and starts to read after everything was written. */
async function sendAll(head: string, body: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.pause();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${head}\r\n`);
    socket.write(body, () => resolve());
  });
  // Closes the connection after its response.
  socket.write('GET /quick HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  return received;
}

describe('a body above the limit', () => {
  const LARGE = textOf(32 * 1024 * 1024);

  it('gets a 413 while the client is still sending, and keeps the connection', async () => {
    const received = await sendAll(`content-length: ${LARGE.length}\r\n`, LARGE);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('without a length gets a 413', async () => {
    const chunks = `${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`;
    const received = await sendAll('transfer-encoding: chunked\r\n', chunks);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});

function* endlessText() {
  for (;;) yield 'x'.repeat(64 * 1024);
}

describe('a client that does not read its response', () => {
  let slow: ReturnType<typeof createServer>;
  let port: number;

  beforeAll(async () => {
    slow = createServer(pino({ level: 'silent' }), { stalledResponseMs: 1_000 });
    slow.get('/buffer', async () => 'x'.repeat(64 * 1024 * 1024));
    slow.get('/stream', (_request, reply) => reply.send(Readable.from(endlessText())));
    slow.get('/poll', async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return { done: true };
    });
    port = Number(new URL(await slow.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterAll(() => slow.close());

  const openConnections = () =>
    new Promise<number>((resolve) => slow.server.getConnections((_error, count) => resolve(count)));

  it.each(['/buffer', '/stream'])('is disconnected (%s)', async (path) => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await expect.poll(openConnections).toBe(1);
    await expect.poll(openConnections, { timeout: 10_000 }).toBe(0);
    socket.destroy();
  });

  it('is not disconnected while it reads slowly', { timeout: 20_000 }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /buffer HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
      socket.pause();
    });
    const reader = setInterval(() => socket.resume(), 1);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 4_000))]);
    clearInterval(reader);
    socket.resume();
    await closed;
    expect(received).toBeGreaterThan(64 * 1024 * 1024);
  });

  it('is not disconnected while the response is not ready', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/poll`);
    expect(await response.json()).toEqual({ done: true });
  });
});
