import { randomUUID } from 'node:crypto';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goodCharge, type ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { chargeWith, METHOD_RULE, refused, resultOf, TYPE_RULE } from '#test/support/invalid-requests.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
  return gateway.post('/transactions', body, { idempotencyKey: randomUUID(), headers });
}

/** A valid charge of exactly this many bytes. */
function chargeOf(bytes: number): string {
  const empty = JSON.stringify(goodCharge({ padding: '' }));
  return JSON.stringify(goodCharge({ padding: 'x'.repeat(bytes - empty.length) }));
}

/** Sends exactly these headers, which fetch would not. */
function raw(text: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = rawRequest(
      `${gateway.baseUrl}/transactions`,
      {
        method: 'POST',
        headers: {
          'x-api-key': gateway.demo.apiKey,
          'idempotency-key': randomUUID(),
          ...('transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
          resolve({ status: response.statusCode ?? 0, body });
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

/** Everything that the gateway sends in response to these bytes until it closes the connection. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(gateway.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('malformed input', () => {
  it.each([
    ['cut off', '{"amount":1500'],
    ['in single quotes', "{'amount':1500}"],
    ['not JSON at all', 'amount=1500'],
    ['more than one value', '{} {}'],
    ['a bare NaN', '{"amount":NaN}'],
    ['a trailing comma', '{"amount":1500,}'],
  ])('a body %s returns 400', async (_name, body) => {
    expect(resultOf(await post(body))).toEqual(refused(400, 'Body must be valid JSON'));
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
  ])('a body of type %s returns 415', async (type) => {
    const response = await post(JSON.stringify(goodCharge()), { 'content-type': type });
    expect(resultOf(response)).toEqual(refused(415, 'Content-Type must be application/json'));
  });

  it('a body without a type returns 415', async () => {
    const { status, body } = await raw(JSON.stringify(goodCharge()), {});
    expect(status).toBe(415);
    expect(body).toMatchObject({ statusCode: 415, error: 'Unsupported Media Type' });
  });

  it('a type with a charset is accepted as JSON', async () => {
    const response = await post(JSON.stringify(goodCharge()), {
      'content-type': 'application/json; charset=utf-8',
    });
    expect(response.status).toBe(201);
  });

  it('a body of 256 KiB is accepted, one more byte returns 413', async () => {
    expect((await post(chargeOf(256 * 1024))).status).toBe(201);
    expect(resultOf(await post(chargeOf(256 * 1024 + 1)))).toEqual(
      refused(413, 'Body must not be larger than 256 KiB'),
    );
  });

  it('a large body without a length returns 413', async () => {
    const text = JSON.stringify(goodCharge({ padding: 'x'.repeat(256 * 1024) }));
    const { status, body } = await raw(text, {
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    expect(status).toBe(413);
    expect(body).toMatchObject({ statusCode: 413, error: 'Payload Too Large' });
  });

  it.each([
    ['NUL', String.raw`"a\u0000b"`],
    ['half a pair', String.raw`"a\ud800b"`],
    ['a low surrogate', String.raw`"\udc00"`],
  ])('text with %s is rejected with the name of its field', async (_name, text) => {
    const body = (name: string) => JSON.stringify(chargeWith({ [name]: '@@' })).replace('"@@"', text);
    for (const name of ['customer.name', 'items.0.title', 'description', 'postbackUrl', 'unknown']) {
      const response = await post(body(name));
      expect(response.status).toBe(400);
      expect(response.body.message).toHaveLength(1);
      expect(response.body.message[0]).toMatch(new RegExp(`^${name} must `));
    }
  });

  it.each([
    ['NUL', String.raw`{"a\u0000":1}`],
    ['half a pair', String.raw`{"a":[{"\ud800":1}]}`],
    ['NUL in a value', String.raw`{"a":{"b":["\u0000"]}}`],
  ])('metadata with %s is rejected', async (_name, text) => {
    const body = JSON.stringify(goodCharge({ metadata: '@@' })).replace('"@@"', text);
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(response.body.message[0]).toMatch(/^metadata/);
  });

  it('text of NUL only is rejected with the name of its field', async () => {
    const response = await post(String.raw`"\u0000"`);
    expect(response.status).toBe(400);
    expect(response.body.message[0]).toMatch(/^\S/);
  });

  it.each([
    ['lists', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    [
      'lists under metadata',
      JSON.stringify(goodCharge({ metadata: { a: '@@' } })).replace('"@@"', '['.repeat(40) + ']'.repeat(40)),
    ],
  ])('deep nesting of %s is rejected', async (_name, body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body.message)).toContain('nested deeper than 32 levels');
  });

  it.each(['%00', 'a%00b'])('NUL in a query, %s, is rejected and not sent to the database', async (text) => {
    for (const query of [`metadataKey=${text}&metadataValue=x`, `metadataKey=x&metadataValue=${text}`]) {
      const response = await gateway.get(`/transactions?${query}`);
      expect(response.status).toBe(400);
      expect(response.body.error).toBe('Bad Request');
    }
  });

  it('a query with a malformed escape sequence is accepted', async () => {
    const response = await gateway.get('/transactions?metadataKey=%E0%A4%A&metadataValue=%');
    expect([200, 400]).toContain(response.status);
  });

  it('a path with a malformed escape sequence returns 400 with the error body', async () => {
    const response = await gateway.get('/transactions/%E0%A4%A');
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorBody('malformed_url'));
    expect(response.headers.get('x-request-id')).not.toBeNull();
  });

  it('malformed HTTP returns 400 with the error body and a request id', async () => {
    const text = await sendRaw('GET /v1/health HTTP/1.1\r\nHost: x\r\nbroken header\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    const requestId = /x-request-id: (\S+)/.exec(text)?.[1];
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n')));
    expect(body).toEqual({ ...errorBody('malformed_request'), requestId });
  });
});

describe('names of JavaScript object properties', () => {
  it.each([
    ['as a field', '{"__proto__":{"amount":1500},"amount":1500}'],
    ['in metadata', JSON.stringify(goodCharge({ metadata: { x: 1 } })).replace('"x"', '"__proto__"')],
    ['escaped', String.raw`{"\u005f_proto__":{"isAdmin":true}}`],
    ['as constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ])('with __proto__ %s are rejected', async (_name, body) => {
    const response = await post(body);
    expect(resultOf(response)).toEqual(
      refused(400, ['a member name must not be __proto__ or constructor.prototype']),
    );
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect((await gateway.charge()).status).toBe(201);
  });

  it('are accepted as metadata keys', async () => {
    const metadata = {
      constructor: 'x',
      toString: 1,
      hasOwnProperty: null,
      valueOf: { length: 3 },
      toJSON: 'y',
    };
    const created = await gateway.charge({ metadata });
    expect(created.status).toBe(201);
    expect(created.body.data.metadata).toEqual(metadata);
    const read = await gateway.get(`/transactions/${created.body.data.id}`);
    expect(read.body.data.metadata).toEqual(metadata);
  });

  it('are rejected as enum values', async () => {
    const broken = {
      method: 'constructor',
      customer: { ...goodCharge().customer, documentType: 'toString' },
    };
    expect(resultOf(await post(goodCharge(broken)))).toEqual(refused(400, [METHOD_RULE, TYPE_RULE]));
  });

  it('are ignored as query parameters and not found as ids', async () => {
    expect((await gateway.get('/transactions?constructor=1&__proto__=2&toString=3')).status).toBe(200);
    expect(resultOf(await gateway.get('/transactions/constructor'))).toEqual(
      refused(404, 'Transaction not found'),
    );
  });
});

describe('numbers', () => {
  it.each(['1e400', '-1e400', '1e21', '123456789012345678901234567890'])(
    'outside the safe range such as %s are rejected',
    async (text) => {
      for (const [member, path] of [
        ['amount', 'amount'],
        ['items.0.quantity', 'items\\.0\\.quantity'],
        ['expiration', 'expiration'],
      ] as const) {
        const body = JSON.stringify(chargeWith({ [member]: '@@' })).replace('"@@"', text);
        const response = await post(body);
        expect(response.status).toBe(400);
        expect(response.body.message).toHaveLength(1);
        expect(response.body.message[0]).toMatch(new RegExp(`^${path} must `));
      }
    },
  );

  it.each(['1.5e3', '1500.0', '15e2'])('written as %s are accepted as integers', async (text) => {
    const response = await post(JSON.stringify(goodCharge({ amount: '@@' })).replace('"@@"', text));
    expect(response.status).toBe(201);
    expect(response.body.data.amount).toBe(1500);
  });
});

describe('unknown resources', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', ''],
    ['DELETE', '/transactions'],
    ['PUT', '/health'],
    ['GET', '/transactions/a/b'],
    ['GET', '/../../etc/passwd'],
  ])('%s %s returns 404 with the error body', async (method, path) => {
    const response = await gateway.call(method, path);
    expect(resultOf(response)).toEqual(refused(404, expect.any(String)));
  });

  it.each([
    'not-a-uuid',
    '1',
    '00000000-0000-4000-8000-000000000000',
    '00000000000040008000000000000000',
    "'%20OR%201=1--",
    '%00',
    'ç',
    'a'.repeat(190),
  ])('a transaction with the id %s returns 404', async (id) => {
    expect(resultOf(await gateway.get(`/transactions/${id}`))).toEqual(refused(404, 'Transaction not found'));
    const paid = await gateway.post(`/sandbox/transactions/${id}/pay`);
    expect(resultOf(paid)).toEqual(refused(404, 'Transaction not found'));
  });

  it('a transaction with a very long id returns 404', async () => {
    const response = await gateway.get(`/transactions/${'a'.repeat(500)}`);
    expect(resultOf(response)).toEqual(refused(404, 'Transaction not found'));
  });

  it.each(['nope', '00000000-0000-4000-8000-000000000000'])(
    'a webhook with the id %s returns 404',
    async (id) => {
      expect(resultOf(await gateway.get(`/webhooks/${id}`))).toEqual(refused(404, 'Webhook not found'));
      expect(resultOf(await gateway.delete(`/webhooks/${id}`))).toEqual(refused(404, 'Webhook not found'));
    },
  );

  it('a transaction is found by its id in upper case', async () => {
    const created = await gateway.charge();
    const read = await gateway.get(`/transactions/${String(created.body.data.id).toUpperCase()}`);
    expect(read.status).toBe(200);
    expect(read.body.data.id).toBe(created.body.data.id);
  });
});

describe('the Idempotency-Key', () => {
  it.each([
    ['an invalid body', '{"amount":1}', 'application/json'],
    ['no JSON', '{', 'application/json'],
    ['another content type', 'x', 'text/plain'],
  ])('is checked before %s is validated', async (_name, body, type) => {
    const response = await gateway.post('/transactions', body, { headers: { 'content-type': type } });
    expect(resultOf(response)).toEqual(refused(400, 'Idempotency-Key header is required'));
  });

  it.each([
    'x',
    '11111111-1111-1111-8111-111111111111',
    '018f3c5e-7b7a-7c5e-8a1b-2c3d4e5f6a7b',
    '11111111111141118111111111111111',
    '11111111-1111-4111-c111-111111111111',
    `${randomUUID()}, ${randomUUID()}`,
  ])('%s is not a UUID v4', async (idempotencyKey) => {
    const response = await gateway.post('/transactions', { amount: 1 }, { idempotencyKey });
    expect(resultOf(response)).toEqual(refused(400, 'Idempotency-Key must be a UUID'));
  });

  it('is checked after the credential', async () => {
    const response = await gateway.post('/transactions', {}, { credential: 'none' });
    expect(resultOf(response)).toEqual(refused(401, 'Unauthorized'));
  });
});

describe('every response', () => {
  it('has a unique request id', async () => {
    const responses = await Promise.all([
      gateway.get('/health'),
      gateway.get('/nothing'),
      gateway.get('/transactions'),
      gateway.get('/transactions', { credential: 'none' }),
      gateway.get('/transactions?take=0'),
      post('{'),
      post('x', { 'content-type': 'text/plain' }),
      post('x'.repeat(300_000)),
      gateway.charge(),
    ]);
    const ids = responses.map((response) => response.headers.get('x-request-id'));
    expect(ids.every((id) => id !== null && /^[\w-]{8,64}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(responses.length);
  });

  it('uses the client’s request id if it is plain text', async () => {
    const named = await gateway.get('/health', { headers: { 'x-request-id': 'order-42_a' } });
    expect(named.headers.get('x-request-id')).toBe('order-42_a');
    for (const forged of ['a b', 'x'.repeat(65), '{"level":"error"}', '<script>']) {
      const response = await gateway.get('/health', { headers: { 'x-request-id': forged } });
      expect(response.headers.get('x-request-id')).not.toBe(forged);
    }
  });

  it('with status 500 contains the request id and no internals', async () => {
    await gateway.database.query('ALTER TABLE webhooks RENAME TO webhooks_lost');
    try {
      const response = await gateway.get('/webhooks');
      expect(response.status).toBe(500);
      expect(response.body).toEqual({
        statusCode: 500,
        message: 'Internal server error',
        error: 'Internal Server Error',
        code: 'internal_error',
        requestId: response.headers.get('x-request-id'),
      });
      expect(response.body.requestId).toMatch(/^[\w-]{8,64}$/);
    } finally {
      await gateway.database.query('ALTER TABLE webhooks_lost RENAME TO webhooks');
    }
    expect((await gateway.get('/webhooks')).status).toBe(200);
  });
});

describe('query strings', () => {
  it.each([
    ['take=0', ['take must not be less than 1']],
    ['take=101', ['take must not be greater than 100']],
    ['take=-1', ['take must not be less than 1']],
    ['take=ten', ['take must be an integer number']],
    ['take=1.5', ['take must be an integer number']],
    ['take=', ['take must be an integer number']],
    ['take=1&take=2', ['take must be an integer number']],
    ['skip=-1', ['skip must not be less than 0']],
    ['skip=100001', ['skip must not be greater than 100000']],
    ['skip=x', ['skip must be an integer number']],
    ['take=Infinity', ['take must be an integer number']],
    ['take=1e999', ['take must be an integer number']],
    ['skip=Infinity', ['skip must be an integer number']],
    ['skip=-1e999', ['skip must be an integer number']],
    ['take=0&skip=-1', ['take must not be less than 1', 'skip must not be less than 0']],
    ['skip=-1&take=0', ['take must not be less than 1', 'skip must not be less than 0']],
    ['cursor=nonsense', ['cursor must be the nextCursor of a previous page']],
    ['method=CASH', ['method must be one of the following values: PIX, BOLETO, CREDIT_CARD, CRYPTO']],
    ['transactionId=7', ['transactionId must be a UUID']],
    [
      'status=PAID,LOST',
      [
        'status must be one of the following values: ' +
          'PENDING, WAITING_PAYMENT, PROCESSING, AUTHORIZED, PAID, FAILED, ' +
          'REFUSED, REFUNDED, CHARGEDBACK, DISPUTE',
      ],
    ],
    ['status=PAID&status=FAILED', ['status must be a string']],
  ])('%s is rejected', async (query, message) => {
    expect(resultOf(await gateway.get(`/transactions?${query}`))).toEqual(refused(400, message));
  });

  it('are parsed by the types of their parameters, and unknown parameters are ignored', async () => {
    const response = await gateway.get('/transactions?take=1&skip=0&colour=blue&Take=0');
    expect(response.status).toBe(200);
    expect(response.body.data).toHaveLength(1);
  });
});
