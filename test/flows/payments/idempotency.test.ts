import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readConfig } from '#app/config.ts';
import { startGateway } from '#app/gateway.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createClient, goodCharge, type Answer, type Client } from '#test/support/client.ts';
import { freePort, startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller as newSellerAt } from '#test/support/sellers.ts';
import { run, untilHealthy } from '#test/support/process.ts';
import { errorBody } from '#test/support/errors.ts';

const DAY = 24 * 3600;
const REPLAYED = 'idempotency-replayed';

/** Shared by every process of these tests, as several nodes of one gateway share them. */
const SECRETS = { JWT_SECRET: 'j'.repeat(64), ENCRYPTION_KEY: randomBytes(32).toString('hex') };

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: SECRETS });
  token = await gateway.adminToken();
});
afterAll(async () => {
  await gateway.stop();
});

interface Seller {
  readonly id: string;
  readonly apiKey: string;
}

/** Moves the clock; a token lives an hour of it. */
async function advance(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  token = await gateway.adminToken();
}

const newSeller = (): Promise<Seller> => newSellerAt(gateway);

async function setLimits(id: string, limits: Readonly<Record<string, unknown>>): Promise<void> {
  const changed = await gateway.patch(`/admin/sellers/${id}`, limits, { token });
  expect(changed.status).toBe(200);
}

/** Takes effect within a second on every node, since each keeps what it read for a moment. */
async function setPixFee(sellerId: string, type: 'FIXED' | 'PERCENTAGE', value: number): Promise<void> {
  await gateway.database.query(
    'UPDATE fee_schedules SET pix_in_type = $2, pix_in_value = $3 WHERE seller_id = $1',
    [sellerId, type, value],
  );
}

interface Node {
  readonly client: Client;
  stop(): Promise<void>;
}

/** One more node on the same database, under an address of its own. */
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

async function nodeEnvironment(): Promise<Record<string, string>> {
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    // Never written: the secrets are given and the database has its demo seller.
    DATA_DIR: join(tmpdir(), 'gateway-second-node'),
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'silent',
    ...SECRETS,
  };
}

async function recordsOf(sellerId: string): Promise<number> {
  const rows = await gateway.database.query<{ count: string }>(
    'SELECT count(*) FROM transactions WHERE seller_id = $1',
    [sellerId],
  );
  return Number(rows[0]?.count);
}

/** Rows of a creation that lack their counterpart. All of them together make one record. */
async function halfWritten(): Promise<number> {
  const parts = ['transaction_customers', 'transaction_items', 'pix_payments', 'transaction_history'];
  const rows = await gateway.database.query<{ missing: string }>(`
    SELECT sum(n) AS missing FROM (
      SELECT count(*) AS n FROM idempotency_keys k WHERE NOT EXISTS
        (SELECT FROM transactions t WHERE t.seller_id = k.seller_id AND t.id = k.record_id)
      UNION ALL
      SELECT count(*) FROM transactions t WHERE (SELECT count(*) FROM idempotency_keys k
        WHERE k.seller_id = t.seller_id AND k.record_id = t.id) <> 1
      ${parts
        .map(
          (part) => `
      UNION ALL
      SELECT count(*) FROM transactions t WHERE NOT EXISTS
        (SELECT FROM ${part} p WHERE p.seller_id = t.seller_id AND p.transaction_id = t.id)
      UNION ALL
      SELECT count(*) FROM ${part} p WHERE NOT EXISTS
        (SELECT FROM transactions t WHERE p.seller_id = t.seller_id AND p.transaction_id = t.id)`,
        )
        .join('')}
    ) AS parts`);
  return Number(rows[0]?.missing);
}

function expectRepeat(repeat: Answer, first: Answer): void {
  expect(repeat.status).toBe(201);
  expect(repeat.text).toBe(first.text);
  expect(repeat.headers.get(REPLAYED)).toBe('true');
}

function expectCreated(answer: Answer): void {
  expect(answer.status).toBe(201);
  expect(answer.headers.get(REPLAYED)).toBeNull();
}

describe('the header', () => {
  it.each([['no header', undefined] as const, ['an empty one', ''] as const])(
    'refuses a creation with %s (C4)',
    async (_name, key) => {
      const seller = await newSeller();
      const answer = await gateway.post('/transactions', goodCharge(), {
        apiKey: seller.apiKey,
        ...(key === undefined ? {} : { idempotencyKey: key }),
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(errorBody('idempotency_key_required'));
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
  ])('refuses %s as a key (C4)', async (_name, key) => {
    const answer = await gateway.charge({}, { idempotencyKey: key });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(errorBody('idempotency_key_invalid'));
  });

  it('reads a key in either case as the same key (C4)', async () => {
    const key = randomUUID();
    const first = await gateway.charge({}, { idempotencyKey: key });
    const repeat = await gateway.charge({}, { idempotencyKey: key.toUpperCase() });
    expect(repeat.text).toBe(first.text);
    expectRepeat(repeat, first);
  });
});

describe('a repeat', () => {
  /** Every optional member, and all that a careless copy would change. */
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

  it('answers the first status and body byte for byte, marked as a repeat (C4)', async () => {
    const key = randomUUID();
    const first = await gateway.charge({}, { idempotencyKey: key });
    expect(first.status).toBe(201);
    expect(first.headers.get(REPLAYED)).toBeNull();
    for (let round = 0; round < 3; round += 1) {
      expectRepeat(await gateway.charge({}, { idempotencyKey: key }), first);
    }
  });

  it('answers a body with every member and metadata in odd order byte for byte (C4)', async () => {
    const key = randomUUID();
    const first = await gateway.charge(rich, { idempotencyKey: key });
    expectCreated(first);
    expect(first.body.data.metadata).toEqual(rich.metadata);
    expect(first.body.data.items.map((item: { title: string }) => item.title)).toEqual(
      rich.items.map((item) => item.title),
    );
    expectRepeat(await gateway.charge(rich, { idempotencyKey: key }), first);
  });

  it('answers byte for byte a body whose metadata JavaScript would reorder or round (C4)', async () => {
    const key = randomUUID();
    const metadata = '{"b":1.0,"2":-0,"1":1e3,"a":12345678901234567890,"c":"\\u00e7\\/"}';
    const body = JSON.stringify(goodCharge()).replace(/\}$/, `,"metadata":${metadata}}`);
    const send = () => gateway.post('/transactions', body, { idempotencyKey: key });
    const first = await send();
    expect(first.status).toBe(201);
    expectRepeat(await send(), first);
  });

  it.each(['pay', 'fail', 'refuse', 'processing'])(
    'answers as at first after the provider reported %s (C4)',
    async (action) => {
      const key = randomUUID();
      const first = await gateway.charge(rich, { idempotencyKey: key });
      const played = await gateway.post(`/sandbox/transactions/${first.body.data.id}/${action}`);
      expect(played.status).toBe(200);
      expect(played.body.data.status).not.toBe('PENDING');
      expectRepeat(await gateway.charge(rich, { idempotencyKey: key }), first);
    },
  );

  it('answers as at first after the charge has expired (C4)', async () => {
    const key = randomUUID();
    const changes = { expiration: 60 };
    const first = await gateway.charge(changes, { idempotencyKey: key });
    await advance(61);
    await expect
      .poll(async () => (await gateway.get(`/transactions/${first.body.data.id}`)).body.data.status)
      .toBe('FAILED');
    expectRepeat(await gateway.charge(changes, { idempotencyKey: key }), first);
  });

  it('answers as at first after a restart under another address (C4)', async () => {
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

  it('does not care how the JSON is written (C4)', async () => {
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

  it('waits for a first request that is still running (C4)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const other = await startNode();
    const holder = new pg.Client({ connectionString: gateway.database.ownerUrl });
    await holder.connect();
    // Holds every creation up in the middle of its writing.
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE pix_payments IN SHARE ROW EXCLUSIVE MODE');
    try {
      const answers = [
        gateway.charge({}, options),
        gateway.charge({}, options),
        other.client.charge({}, options),
        other.client.charge({ amount: 1600 }, options),
      ];
      let settled = 0;
      for (const answer of answers) void answer.then(() => (settled += 1));
      // All four have reached the database, or the process, and none has got past the lock.
      await expect
        .poll(async () => {
          const rows = await gateway.database.query<{ waiting: number }>(
            `SELECT count(*)::integer AS waiting FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return rows[0]?.waiting;
        })
        .toBeGreaterThanOrEqual(2);
      expect(settled).toBe(0);
      await holder.query('COMMIT');
      const [first, second, third, fourth] = await Promise.all(answers);
      // Whichever body came first was the one that counted; the other is refused on either node.
      const created = [first, second, third, fourth].filter((answer) => answer?.status === 201);
      const refused = [first, second, third, fourth].filter((answer) => answer?.status === 409);
      expect(created.length + refused.length).toBe(4);
      expect(new Set(created.map((answer) => answer?.text)).size).toBe(1);
      expect(created.filter((answer) => answer?.headers.get(REPLAYED) === null)).toHaveLength(1);
      expect([1, 3]).toContain(refused.length);
      expect(await recordsOf(seller.id)).toBe(1);
    } finally {
      await holder.end();
      await other.stop();
    }
  });
});

describe('identical requests at once', () => {
  it('makes one record of twenty and gives all of them its bytes (C4)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const seller = await newSeller();
      const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
      const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.charge({}, options)));
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
      expect(answers.filter((answer) => answer.headers.get(REPLAYED) === null)).toHaveLength(1);
      expect(await recordsOf(seller.id)).toBe(1);
    }
    expect(await halfWritten()).toBe(0);
  });

  it('lets one of two bodies win and refuses the other, whichever came first (C4)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const amount = index % 2 === 0 ? 1500 : 1600;
        return { amount, answer: await gateway.charge({ amount }, options) };
      }),
    );
    const winner = answers.find(
      ({ answer }) => answer.headers.get(REPLAYED) === null && answer.status === 201,
    );
    expect(winner).toBeDefined();
    for (const { amount, answer } of answers) {
      expect(answer.status).toBe(amount === winner?.amount ? 201 : 409);
    }
    expect(await recordsOf(seller.id)).toBe(1);
  });

  it('makes one record of one key on two nodes (C4)', async () => {
    const seller = await newSeller();
    const other = await startNode(seller.apiKey);
    try {
      const keys = Array.from({ length: 30 }, () => randomUUID());
      await Promise.all(
        keys.map(async (idempotencyKey) => {
          const options = { apiKey: seller.apiKey, idempotencyKey };
          const answers = await Promise.all(
            Array.from({ length: 4 }, (_, index) =>
              (index % 2 === 0 ? gateway : other.client).charge({}, options),
            ),
          );
          expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201]);
          expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
          expect(answers.filter((answer) => answer.headers.get(REPLAYED) === null)).toHaveLength(1);
        }),
      );
      expect(await recordsOf(seller.id)).toBe(keys.length);
      expect(await halfWritten()).toBe(0);
    } finally {
      await other.stop();
    }
  });
});

describe('the same key with another body', () => {
  const key = randomUUID();
  const base = goodCharge({ metadata: { order: 'A1' }, description: 'one' });
  let first: Answer;
  beforeAll(async () => {
    first = await gateway.post('/transactions', base, { idempotencyKey: key });
    expectCreated(first);
  });

  const [item] = base.items;
  it.each([
    ['another amount', { ...base, amount: 1501 }],
    ['another payer', { ...base, customer: { ...base.customer, name: 'Bia Souza' } }],
    ['other metadata', { ...base, metadata: { order: 'A2' } }],
    ['metadata of another type', { ...base, metadata: { order: ['A1'] } }],
    ['a member less', { ...base, description: undefined }],
    ['a member more', { ...base, expiration: 3600 }],
    ['an unknown member more', { ...base, color: 'red' }],
    ['one more item', { ...base, items: [item, item] }],
  ])('refuses %s and keeps the first record (C4)', async (_name, body) => {
    const answer = await gateway.post('/transactions', body, { idempotencyKey: key });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(errorBody('idempotency_key_reused'));
    expect(answer.headers.get(REPLAYED)).toBeNull();
    expectRepeat(await gateway.post('/transactions', base, { idempotencyKey: key }), first);
  });

  it('counts the order of a list as part of the body (C4)', async () => {
    const items = [
      { title: 'A', amount: 700, quantity: 1, tangible: true },
      { title: 'B', amount: 800, quantity: 1, tangible: true },
    ];
    const idempotencyKey = randomUUID();
    expectCreated(await gateway.charge({ items }, { idempotencyKey }));
    const turned = await gateway.charge({ items: items.toReversed() }, { idempotencyKey });
    expect(turned.status).toBe(409);
  });

  it('belongs to the seller: two sellers use one key for two records (C4)', async () => {
    const [one, two] = [await newSeller(), await newSeller()];
    const idempotencyKey = randomUUID();
    const ofOne = await gateway.charge({}, { apiKey: one.apiKey, idempotencyKey });
    const ofTwo = await gateway.charge({ amount: 2000 }, { apiKey: two.apiKey, idempotencyKey });
    expectCreated(ofOne);
    expectCreated(ofTwo);
    expect(ofTwo.body.data.id).not.toBe(ofOne.body.data.id);
    expectRepeat(await gateway.charge({}, { apiKey: one.apiKey, idempotencyKey }), ofOne);
    expectRepeat(await gateway.charge({ amount: 2000 }, { apiKey: two.apiKey, idempotencyKey }), ofTwo);
  });

  it('is shared by all credentials of the seller (C4)', async () => {
    const signedIn = await gateway.post('/login', gateway.demo.seller, { credential: 'none' });
    expect(signedIn.status).toBe(200);
    const again = await gateway.post('/transactions', base, {
      token: String(signedIn.body.accessToken),
      idempotencyKey: key,
    });
    expectRepeat(again, first);
  });
});

describe('only a created record takes the key', () => {
  it.each([['400 for a rule', { amount: 99 }, 400]])(
    'frees it after %s (C4)',
    async (_name, changes, status) => {
      const seller = await newSeller();
      const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
      expect((await gateway.charge(changes, options)).status).toBe(status);
      expectCreated(await gateway.charge({}, options));
      expect(await recordsOf(seller.id)).toBe(1);
    },
  );

  it('frees it after 400 for malformed JSON (C4)', async () => {
    const options = { idempotencyKey: randomUUID() };
    expect((await gateway.post('/transactions', '{"amount":', options)).status).toBe(400);
    expectCreated(await gateway.charge({}, options));
  });

  it('frees it after 401 (C4)', async () => {
    const idempotencyKey = randomUUID();
    expect((await gateway.charge({}, { credential: 'none', idempotencyKey })).status).toBe(401);
    expectCreated(await gateway.charge({}, { idempotencyKey }));
  });

  it('frees it after 422 for a fee that eats the amount (C4, C8)', async () => {
    const seller = await newSeller();
    await setPixFee(seller.id, 'FIXED', 100);
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const refused = await gateway.charge({ amount: 100 }, options);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toBe('Amount does not cover the fee');
    expectCreated(await gateway.charge({ amount: 101 }, options));
  });

  it('frees it after 403 while the seller is not active (C4, C5)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await setLimits(seller.id, { status: 'SUSPENDED' });
    const refused = await gateway.charge({}, options);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe('Seller is not active');
    await setLimits(seller.id, { status: 'ACTIVE' });
    expectCreated(await gateway.charge({ amount: 2000 }, options));
  });

  it('frees it after 429 (C4, C6)', async () => {
    const seller = await newSeller();
    await setLimits(seller.id, { creationsPerMinute: 1 });
    expectCreated(await gateway.charge({}, { apiKey: seller.apiKey }));
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    expect((await gateway.charge({}, options)).status).toBe(429);
    await setLimits(seller.id, { creationsPerMinute: 1000 });
    expectCreated(await gateway.charge({ amount: 2000 }, options));
  });

  it('frees it after 500, and nothing of the record stays behind (C4)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await gateway.database.query('ALTER TABLE transaction_history RENAME TO gone');
    try {
      const failed = await gateway.charge({}, options);
      expect(failed.status).toBe(500);
      expect(failed.body).toMatchObject({ statusCode: 500, message: 'Internal server error' });
    } finally {
      await gateway.database.query('ALTER TABLE gone RENAME TO transaction_history');
    }
    expect(await recordsOf(seller.id)).toBe(0);
    expectCreated(await gateway.charge({ amount: 2000 }, options));
    expect(await halfWritten()).toBe(0);
  });
});

describe('a fee plan that changed since', () => {
  it('answers a repeat whose amount no longer covers the fee as at first (C4, C8)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    expectCreated(first);
    await setPixFee(seller.id, 'FIXED', 5000);
    await expect
      .poll(async () => (await gateway.charge({}, { apiKey: seller.apiKey })).status, { timeout: 3_000 })
      .toBe(422);
    expectRepeat(await gateway.charge({}, options), first);
    expect((await gateway.charge({ amount: 1600 }, options)).status).toBe(409);
  });

  it('answers a repeat under a cheaper plan with the first fee (C4, C8)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    await setPixFee(seller.id, 'FIXED', 0);
    await expect
      .poll(async () => (await gateway.charge({}, { apiKey: seller.apiKey })).body.data.feeAmount, {
        timeout: 3_000,
      })
      .toBe(0);
    expectRepeat(await gateway.charge({}, options), first);
  });
});

describe('crashes', () => {
  it('keeps record and key together when the database cuts connections off in mid-load (C4)', async () => {
    const seller = await newSeller();
    const done = new AbortController();
    const cut = async (): Promise<void> => {
      while (!done.signal.aborted) {
        await gateway.database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'gateway create%'`,
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const keys = Array.from({ length: 400 }, () => randomUUID());
    const cutting = cut();
    const firsts = new Map<string, Answer>();
    await inLanes(16, keys, async (idempotencyKey) => {
      firsts.set(idempotencyKey, await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey }));
    });
    done.abort();
    await cutting;
    for (const answer of firsts.values()) expect([201, 503]).toContain(answer.status);
    expect(await halfWritten()).toBe(0);
    await inLanes(16, keys, async (idempotencyKey) => {
      const again = await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey });
      const first = firsts.get(idempotencyKey);
      expect(again.status).toBe(201);
      if (first?.status === 201) expectRepeat(again, first);
    });
    expect(await recordsOf(seller.id)).toBe(keys.length);
  });

  it('keeps record and key together when the process is killed in mid-load (C4)', async () => {
    const seller = await newSeller();
    const environment = await nodeEnvironment();
    const program = run(['api'], environment);
    await untilHealthy(program, Number(environment['PORT']));
    const client = createClient(`http://127.0.0.1:${environment['PORT']}/v1`, seller.apiKey);
    const asked: string[] = [];
    const firsts = new Map<string, Answer>();
    const createUntilKilled = async (): Promise<void> => {
      for (;;) {
        const idempotencyKey = randomUUID();
        asked.push(idempotencyKey);
        try {
          firsts.set(idempotencyKey, await client.charge({}, { idempotencyKey }));
        } catch {
          return;
        }
        if (firsts.size === 150) program.signal('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 24 }, createUntilKilled));
    expect(await program.exit()).toMatchObject({ signal: 'SIGKILL' });
    expect(firsts.size).toBeGreaterThanOrEqual(150);
    expect(await halfWritten()).toBe(0);

    await inLanes(16, asked, async (idempotencyKey) => {
      const again = await gateway.charge({}, { apiKey: seller.apiKey, idempotencyKey });
      const first = firsts.get(idempotencyKey);
      expect(again.status).toBe(201);
      if (first !== undefined) expectRepeat(again, first);
    });
    expect(await recordsOf(seller.id)).toBe(asked.length);
  });
});

// Last in the file: these move the clock by months.
describe('the life of a key', () => {
  it('is thirty days: a repeat within them, a new record after them (C4)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    const first = await gateway.charge({}, options);
    await advance(30 * DAY - 60);
    expectRepeat(await gateway.charge({}, options), first);
    expect((await gateway.charge({ amount: 1600 }, options)).status).toBe(409);
    await advance(61);
    const second = await gateway.charge({ amount: 1600 }, options);
    expectCreated(second);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expectRepeat(await gateway.charge({ amount: 1600 }, options), second);
  });

  it('makes one record of twenty requests that find a key past its life (C4)', async () => {
    const seller = await newSeller();
    const options = { apiKey: seller.apiKey, idempotencyKey: randomUUID() };
    await gateway.charge({}, options);
    await advance(30 * DAY + 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.charge({}, options)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(await recordsOf(seller.id)).toBe(2);
  });

  it('ends on time where no worker cleans up (C4)', async () => {
    const idle = await startTestGateway({ worker: false });
    try {
      const idempotencyKey = randomUUID();
      const first = await idle.charge({}, { idempotencyKey });
      await idle.advance(30 * DAY + 1);
      const second = await idle.charge({}, { idempotencyKey });
      expectCreated(second);
      expect(second.body.data.id).not.toBe(first.body.data.id);
    } finally {
      await idle.stop();
    }
  });

  it('ends on time under a plan that would refuse the amount now (C4, C8)', async () => {
    const idle = await startTestGateway({ worker: false });
    try {
      const idempotencyKey = randomUUID();
      await idle.charge({}, { idempotencyKey });
      await idle.advance(30 * DAY + 1);
      await idle.database.query("UPDATE fee_schedules SET pix_in_type = 'FIXED', pix_in_value = 5000");
      await expect.poll(async () => (await idle.charge()).status, { timeout: 3_000 }).toBe(422);
      // No repeat any more: the plan of today counts, as it does for any new request.
      expect((await idle.charge({}, { idempotencyKey })).status).toBe(422);
    } finally {
      await idle.stop();
    }
  });
});

async function inLanes<T>(lanes: number, all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const lane = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await run(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
