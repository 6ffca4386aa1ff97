import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { sleep } from '#test/support/process.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import { withdraw } from '#test/support/withdrawals.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Twice as long as a request waits. */
const LOCK_MS = 4_000;
/** Between two requests of a client. */
const PAUSE_MS = 100;

let receiver: Receiver;
let gateway: TestGateway;
let sellers: readonly TestSeller[];
let locker: pg.Client;
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startTestGateway({ receiverAuthorities: receiver.authority });
  sellers = await Promise.all(Array.from({ length: 6 }, () => newSeller(gateway)));
  locker = new pg.Client({ connectionString: gateway.database.ownerUrl });
  await locker.connect();
});
afterAll(async () => {
  await locker.end();
  await gateway.stop();
  await receiver.close();
});

interface Sample {
  readonly seller: TestSeller;
  readonly kind: 'create' | 'pay' | 'card';
  readonly status: number;
  readonly ms: number;
}

interface Trading {
  readonly samples: Sample[];
  isOver: boolean;
  /** The idempotency key of the next creation of a seller. */
  keyOf: (seller: TestSeller) => string;
}

const CARD = {
  method: 'CREDIT_CARD',
  installments: 1,
  card: {
    number: '4111111111111111',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2049,
    cvv: '123',
  },
};

/** Creates and pays charges of a seller until stopped, and charges cards. */
async function trade(seller: TestSeller, trading: Trading): Promise<void> {
  const { apiKey } = seller;
  const { samples } = trading;
  const measure = async (kind: Sample['kind'], call: () => Promise<ApiResponse>) => {
    const startedAt = performance.now();
    const response = await call();
    samples.push({ seller, kind, status: response.status, ms: performance.now() - startedAt });
    return response;
  };
  while (!trading.isOver) {
    const idempotencyKey = trading.keyOf(seller);
    const created = await measure('create', () => gateway.charge({}, { apiKey, idempotencyKey }));
    await sleep(PAUSE_MS);
    if (created.status !== 201) continue;
    const { id } = created.body.data;
    await measure('pay', () => gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey }));
    await sleep(PAUSE_MS);
    await measure('card', () => gateway.charge(CARD, { apiKey }));
    await sleep(PAUSE_MS);
  }
}

const percentile = (samples: readonly Sample[], share: number): number =>
  samples.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(samples.length * share)] ?? NaN;

const LOCKS = [
  {
    name: 'wallet',
    failing: ['pay', 'card'],
    sql: 'SELECT * FROM wallets WHERE seller_id = $1 FOR UPDATE',
  },
  {
    name: 'idempotency key',
    failing: ['create'],
    sql: `INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
      VALUES ($1, 'transactions.create', $2, '', gen_random_uuid(), now())`,
  },
] as const;

it.each(LOCKS)('fails only the requests of the seller whose $name is locked', async (lock) => {
  const [locked] = sellers;
  if (locked === undefined) throw new Error('no seller');
  const samples: Sample[] = [];
  const trading: Trading = { samples, isOver: false, keyOf: () => randomUUID() };
  const traders = sellers.flatMap((seller) => [1, 2].map(() => trade(seller, trading)));
  onTestFinished(async () => {
    trading.isOver = true;
    await Promise.all(traders);
    await locker.query('ROLLBACK');
  });
  await sleep(1_000);
  expect(samples.filter(({ status }) => status >= 300)).toEqual([]);

  await locker.query('BEGIN');
  // The key of a creation that another transaction has not committed yet.
  const key = randomUUID();
  const isKeyLocked = lock.name === 'idempotency key';
  await locker.query(lock.sql, isKeyLocked ? [locked.id, key] : [locked.id]);
  if (isKeyLocked) {
    trading.keyOf = (seller) => (seller === locked ? key : randomUUID());
  }
  // The requests that wait for the lock first are delayed once.
  await sleep(1_500);
  samples.length = 0;
  await sleep(LOCK_MS);
  const own = samples.filter(({ seller }) => seller === locked);
  const others = samples.filter(({ seller }) => seller !== locked);
  const metrics = await (await fetch(new URL('/metrics', gateway.baseUrl))).text();
  trading.keyOf = () => randomUUID();
  await locker.query('ROLLBACK');

  for (const failing of lock.failing)
    expect(own.filter(({ kind }) => kind === failing).map(({ status }) => status)).toContain(503);
  expect(own.filter(({ status, ms }) => status >= 300 && (status !== 503 || ms >= 2_000))).toEqual([]);
  expect(others.filter(({ status }) => status >= 300)).toEqual([]);
  expect(others.length).toBeGreaterThan(100);
  // Statements would wait for the lock for 500 ms.
  expect(percentile(others, 0.95)).toBeLessThan(500);
  expect(metrics).toMatch(/database_batch_locked_sellers\{[^}]*batch="(changes|creations)"[^}]*\} 1/);

  await sleep(2_000);
  samples.length = 0;
  await sleep(1_000);
  expect(samples.filter(({ seller }) => seller === locked).length).toBeGreaterThan(5);
  expect(samples.filter(({ status }) => status >= 300)).toEqual([]);
});

const deliveries = async ({ id }: TestSeller, status: string) => {
  const sql = 'SELECT count(*)::integer AS count FROM deliveries WHERE seller_id = $1 AND status = $2';
  const [row] = await gateway.database.query<{ count: number }>(sql, [id, status]);
  return row?.count;
};
const pay = async ({ apiKey }: TestSeller) => {
  const { id } = (await gateway.charge({}, { apiKey })).body.data;
  await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey });
};

it('delivers and records the deliveries of other sellers while those of one are locked', async () => {
  const [locked, other] = sellers;
  if (locked === undefined || other === undefined) throw new Error('no sellers');
  for (const { apiKey } of [locked, other]) {
    const webhook = { url: receiver.url, eventType: 'TRANSACTION' };
    expect((await gateway.post('/webhooks', webhook, { apiKey })).status).toBe(201);
  }
  const held: (() => void)[] = [];
  receiver.respondWith((_request, response) => held.push(() => response.end()));
  // More than the concurrent requests to one endpoint, so that some are not claimed.
  await Promise.all(Array.from({ length: 12 }, () => pay(locked)));
  await expect.poll(() => held.length).toBe(8);

  await locker.query('BEGIN');
  await locker.query('SELECT * FROM deliveries WHERE seller_id = $1 FOR UPDATE', [locked.id]);
  receiver.respondWith((_request, response) => response.end());
  for (const respond of held) respond();
  await Promise.all(Array.from({ length: 12 }, () => pay(other)));
  await expect.poll(() => deliveries(other, 'DELIVERED'), { timeout: 5_000 }).toBe(12);
  expect(await deliveries(locked, 'PENDING')).toBe(12);

  await locker.query('ROLLBACK');
  await expect.poll(() => deliveries(locked, 'DELIVERED'), { timeout: 45_000 }).toBe(12);
});

it('leaves database connections to other sellers while withdrawals wait for a locked wallet', async () => {
  const [locked, ...others] = sellers;
  if (locked === undefined) throw new Error('no seller');
  onTestFinished(async () => {
    await locker.query('ROLLBACK');
  });
  await locker.query('BEGIN');
  await locker.query('SELECT * FROM wallets WHERE seller_id = $1 FOR UPDATE', [locked.id]);
  const refused = Promise.all(Array.from({ length: 100 }, () => withdraw(gateway, locked)));
  const state = { over: false };
  const waiting = refused.finally(() => {
    state.over = true;
  });
  const statuses: number[] = [];
  while (!state.over) {
    const responses = await Promise.all(
      others.map(({ apiKey }) => gateway.get('/seller-wallet/gestao', { apiKey })),
    );
    statuses.push(...responses.map(({ status }) => status));
    await sleep(50);
  }
  expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([503]));
  expect(statuses.length).toBeGreaterThan(others.length);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});
