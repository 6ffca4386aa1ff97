import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#app/config.ts';
import { startGateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, goodCharge, type Client } from '#test/support/client.ts';
import { errorBody } from '#test/support/errors.ts';
import { countWaiting, lockTable } from '#test/support/lock-table.ts';
import {
  REPLAYED,
  gateway,
  advance,
  newSeller,
  nodeEnvironment,
  recordsOf,
  halfWritten,
  expectRepeat,
  expectCreated,
  setUp,
} from './idempotency-setup.ts';

setUp();

interface Node {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Another node on the same database, with another URL. */
async function startNode(apiKey = gateway.demo.apiKey): Promise<Node> {
  const environment = await nodeEnvironment();
  const config = readConfig(environment);
  const node = await startGateway({
    config,
    databaseUrl: gateway.database.url,
    log: createLogger('silent'),
    api: true,
    worker: false,
  });
  return { client: createClient(`${config.publicUrl}/v1`, apiKey), stop: () => node.stop() };
}

describe('the Idempotency-Key header', () => {
  it.each([['no header', undefined] as const, ['an empty one', ''] as const])(
    'is required, and a creation with %s is rejected',
    async (_name, key) => {
      const seller = await newSeller();
      const response = await gateway.post('/transactions', goodCharge(), {
        apiKey: seller.apiKey,
        ...(key === undefined ? {} : { idempotencyKey: key }),
      });
      expect(response.status).toBe(400);
      expect(response.body).toEqual(errorBody('idempotency_key_required'));
      expect(await recordsOf(seller.id)).toBe(0);
    },
  );

  it.each([
    ['words', 'order-1234'],
    ['a UUID of version 1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
    ['a UUID of version 7', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['a wrong variant', '9b2d5a34-1e02-4f5e-c2a1-3f1f8a1f7c11'],
    ['no hyphens', '9b2d5a341e024f5e82a13f1f8a1f7c11'],
    ['braces', '{9b2d5a34-1e02-4f5e-82a1-3f1f8a1f7c11}'],
    ['two keys', '9b2d5a34-1e02-4f5e-82a1-3f1f8a1f7c11, 1b2d5a34-1e02-4f5e-82a1-3f1f8a1f7c11'],
  ])('must be a UUID v4, and %s is rejected', async (_name, key) => {
    const response = await gateway.charge({}, { idempotencyKey: key });
    expect(response.status).toBe(400);
    expect(response.body).toEqual(errorBody('idempotency_key_invalid'));
  });

  it('is the same key in either letter case', async () => {
    const key = randomUUID();
    const first = await gateway.charge({}, { idempotencyKey: key });
    const repeat = await gateway.charge({}, { idempotencyKey: key.toUpperCase() });
    expect(repeat.text).toBe(first.text);
    expectRepeat(repeat, first);
  });
});

describe('a repeated request', () => {
  /** Every optional field, and everything that an inexact copy would change. */
  const rich = {
    amount: 9_999_999_999,
    customer: {
      externalRef: 'cliente-1',
      document: '11222333000181',
      documentType: 'CNPJ',
      phone: '5511987654321',
      email: 'Compras+Loja@Example.com',
      name: 'Padaria São João — "O Pão" \\ & Cia \u2028 🥖',
    },
    items: Array.from({ length: 12 }, (_, index) => ({
      title: `Item ${12 - index}`,
      amount: index * 100,
      quantity: index + 1,
      tangible: index % 2 === 0,
      ...(index % 3 === 0 ? { externalRef: `ref-${index}` } : {}),
    })),
    metadata: {
      zebra: 1,
      '10': 'ten',
      '2': 'two',
      alpha: { z: [3, 1, 2, { y: null, b: true }], a: -0.5, '7': 1e21, '1': 0.1 },
      'with "quotes" and ção': '\u0001\t\\/\u007f',
      empty: '',
      none: null,
      list: [],
      nothing: {},
      big: 9_007_199_254_740_991,
    },
    description: 'Pedido 42 — <b>"frágil"</b>',
    postbackUrl: 'https://example.com/hook?a=1&b=ç#x',
    expiration: 86_399,
  };

  it('returns the first status and body byte for byte, marked as a replay', async () => {
    const key = randomUUID();
    const first = await gateway.charge({}, { idempotencyKey: key });
    expect(first.status).toBe(201);
    expect(first.headers.get(REPLAYED)).toBeNull();
    for (let round = 0; round < 3; round += 1) {
      expectRepeat(await gateway.charge({}, { idempotencyKey: key }), first);
    }
  });

  it('returns a body with every field and unordered metadata byte for byte', async () => {
    const key = randomUUID();
    const first = await gateway.charge(rich, { idempotencyKey: key });
    expectCreated(first);
    expect(first.body.data.metadata).toEqual(rich.metadata);
    expect(first.body.data.items.map((item: { title: string }) => item.title)).toEqual(
      rich.items.map((item) => item.title),
    );
    expectRepeat(await gateway.charge(rich, { idempotencyKey: key }), first);
  });

  it('returns metadata that JavaScript would reorder or round byte for byte', async () => {
    const key = randomUUID();
    const metadata = '{"b":1.0,"2":-0,"1":1e3,"a":12345678901234567890,"c":"\\u00e7\\/"}';
    const body = JSON.stringify(goodCharge()).replace(/\}$/, `,"metadata":${metadata}}`);
    const send = () => gateway.post('/transactions', body, { idempotencyKey: key });
    const first = await send();
    expect(first.status).toBe(201);
    expectRepeat(await send(), first);
  });

  it.each(['pay', 'fail', 'refuse', 'processing'])(
    'returns the first response after the provider reported %s',
    async (action) => {
      const key = randomUUID();
      const first = await gateway.charge(rich, { idempotencyKey: key });
      const simulated = await gateway.post(`/sandbox/transactions/${first.body.data.id}/${action}`);
      expect(simulated.status).toBe(200);
      expect(simulated.body.data.status).not.toBe('PENDING');
      expectRepeat(await gateway.charge(rich, { idempotencyKey: key }), first);
    },
  );

  it('returns the first response after the transaction has expired', async () => {
    const key = randomUUID();
    const changes = { expiration: 60 };
    const first = await gateway.charge(changes, { idempotencyKey: key });
    await advance(61);
    await expect
      .poll(async () => (await gateway.get(`/transactions/${first.body.data.id}`)).body.data.status)
      .toBe('FAILED');
    expectRepeat(await gateway.charge(changes, { idempotencyKey: key }), first);
  });

  it('returns the first response after a restart with another public URL', async () => {
    const [key, richKey] = [randomUUID(), randomUUID()];
    const before = await startNode();
    const first = await before.client.charge({}, { idempotencyKey: key });
    const firstRich = await before.client.charge(rich, { idempotencyKey: richKey });
    await before.stop();
    const after = await startNode();
    try {
      expect(after.client.baseUrl).not.toBe(before.client.baseUrl);
      expectRepeat(await after.client.charge({}, { idempotencyKey: key }), first);
      expectRepeat(await after.client.charge(rich, { idempotencyKey: richKey }), firstRich);
    } finally {
      await after.stop();
    }
  });

  it('matches an equivalent JSON body', async () => {
    const key = randomUUID();
    const first = await gateway.post('/transactions', goodCharge({ metadata: { a: 1, b: [1, 2] } }), {
      idempotencyKey: key,
    });
    expect(first.status).toBe(201);
    const spelled = `
      { "metadata" : { "b" : [ 1.0, 2e0 ], "a" : 1 },
        "items":[{"tangible":true,"quantity":1,"amount":1500,"title":"Canec\\u0061"}],\r\n\t
        "customer": {"document":"52998224725","documentType":"CPF","phone":"11987654321",
          "email":"ana@example.com","name":"Ana Souza"},
        "method":"PIX", "amount": 1.5e3 }`;
    expectRepeat(await gateway.post('/transactions', spelled, { idempotencyKey: key }), first);
  });

  it('waits for a first request in progress', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const other = await startNode();
    // Blocks every creation while it is being written.
    const unlock = await lockTable(gateway.database, 'pix_payments');
    try {
      const responses = [
        gateway.charge({}, options),
        gateway.charge({}, options),
        other.client.charge({}, options),
        other.client.charge({ amount: 1600 }, options),
      ];
      let answered = 0;
      for (const response of responses) void response.then(() => (answered += 1));
      // All four have reached the database or the process, and none has passed the lock.
      await expect.poll(() => countWaiting(gateway.database)).toBeGreaterThanOrEqual(2);
      expect(answered).toBe(0);
      await unlock();
      const [first, second, third, fourth] = await Promise.all(responses);
      // The body that arrived first is used; the other is rejected on either node.
      const created = [first, second, third, fourth].filter((response) => response?.status === 201);
      const refused = [first, second, third, fourth].filter((response) => response?.status === 409);
      expect(created.length + refused.length).toBe(4);
      expect(new Set(created.map((response) => response?.text)).size).toBe(1);
      expect(created.filter((response) => response?.headers.get(REPLAYED) === null)).toHaveLength(1);
      expect([1, 3]).toContain(refused.length);
      expect(await recordsOf(seller.id)).toBe(1);
    } finally {
      await unlock();
      await other.stop();
    }
  });
});

describe('identical concurrent requests', () => {
  it('create one record, and all twenty receive its bytes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const seller = await newSeller();
      const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
      const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.charge({}, options)));
      expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(new Set(responses.map((response) => response.text)).size).toBe(1);
      expect(responses.filter((response) => response.headers.get(REPLAYED) === null)).toHaveLength(1);
      expect(await recordsOf(seller.id)).toBe(1);
    }
    expect(await halfWritten()).toBe(0);
  });

  it('with two bodies create one record and reject the other body', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const amount = index % 2 === 0 ? 1500 : 1600;
        return { amount, response: await gateway.charge({ amount }, options) };
      }),
    );
    const winner = responses.find(
      ({ response }) => response.headers.get(REPLAYED) === null && response.status === 201,
    );
    expect(winner).toBeDefined();
    for (const { amount, response } of responses) {
      expect(response.status).toBe(amount === winner?.amount ? 201 : 409);
    }
    expect(await recordsOf(seller.id)).toBe(1);
  });

  it('create one record on two nodes', async () => {
    const seller = await newSeller();
    const other = await startNode(seller.apiKey);
    try {
      const keys = Array.from({ length: 30 }, () => randomUUID());
      await Promise.all(
        keys.map(async (idempotencyKey) => {
          const options = { apiKey: seller.apiKey, idempotencyKey };
          const responses = await Promise.all(
            Array.from({ length: 4 }, (_, index) =>
              (index % 2 === 0 ? gateway : other.client).charge({}, options),
            ),
          );
          expect(responses.map((response) => response.status)).toEqual([201, 201, 201, 201]);
          expect(new Set(responses.map((response) => response.text)).size).toBe(1);
          expect(responses.filter((response) => response.headers.get(REPLAYED) === null)).toHaveLength(1);
        }),
      );
      expect(await recordsOf(seller.id)).toBe(keys.length);
      expect(await halfWritten()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});
