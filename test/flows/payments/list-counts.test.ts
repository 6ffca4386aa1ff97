import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '#platform/database/connect.ts';
import { checkLedger } from '#accounting/ledger/check.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { compactSellerCounts, findSellersToCompact } from '#payments/transactions/store-counts.ts';

/**
 * Two nodes on one database, each with a worker, and clients that concurrently create, pay, cancel
 * and refund charges of every method.
 */
let gateway: TestGateway;
let other: TestNode;
let database: Database;

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  const { demo } = gateway;
  const databaseUrl = gateway.database.url;
  other = await startNode({ databaseUrl, apiKey: demo.apiKey, environment: SHARED_SECRETS, worker: true });
  database = openDatabase({ url: databaseUrl, poolSize: 4, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await other.stop();
  await gateway.stop();
});

const CARD = { holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2049, cvv: '123' };

/** Distributes a count of zero over the rows of several writers. */
async function insertWriters(sellerId: string, count: number): Promise<void> {
  await gateway.database.query(
    `INSERT INTO transaction_counts (seller_id, method, status, writer, count)
     SELECT $1, 'PIX', 'REFUSED', -n, 0 FROM generate_series(1, $2::integer) AS n`,
    [sellerId, count],
  );
}

/**
 * One charge from its creation to its final status, with concurrent requests; it does not matter
 * which one wins.
 */
async function live(index: number): Promise<void> {
  const [here, there] = index % 2 === 0 ? [gateway, other] : [other, gateway];
  const post = (node: typeof here, path: string) => node.post(path, {}, { idempotencyKey: randomUUID() });
  const kind = index % 5;
  const made = await here.charge(
    kind === 0
      ? { method: 'BOLETO', amount: 10_000 }
      : kind === 1
        ? {
            method: 'CREDIT_CARD',
            amount: 10_000,
            installments: 2,
            capture: index % 2 === 0,
            card: { ...CARD, number: '4111111111111111' },
          }
        : { amount: 10_000 },
  );
  expect(made.status).toBe(201);
  const id = String(made.body.data.id);
  const steps: (() => Promise<unknown>)[] = [
    () => post(there, `/sandbox/transactions/${id}/pay`),
    () => post(here, `/transactions/${id}/cancel`),
    () => post(there, `/transactions/${id}/capture`),
    () => post(here, `/transactions/${id}/refund`),
  ];
  // At once, sequentially, or not at all.
  if (kind === 2) await Promise.all(steps.map((step) => step()));
  else if (kind !== 4) for (const step of steps) await step();
}

interface Rows {
  readonly method: string;
  readonly status: string;
  readonly count: string;
}

describe('the count of a list', () => {
  it('is exact at any time during concurrent changes and compaction', async () => {
    const stop = new AbortController();
    const secrets = new SecretBox([Buffer.alloc(32)]);
    const wrong: string[] = [];
    let looks = 0;
    const auditor = (async () => {
      while (!stop.signal.aborted) {
        const { checked } = await checkLedger({ db: database.db, secrets });
        // The chain is authenticated with the gateway's key.
        const others = checked.discrepancies.filter(({ kind }) => kind !== 'CHAIN');
        wrong.push(...others.map(({ message }) => message));
        looks += 1;
      }
    })();
    let gathered = 0;
    const gatherers = [0, 1, 2].map(async () => {
      while (!stop.signal.aborted) {
        await compactSellerCounts(database.db, gateway.demo.seller.id);
        gathered += 1;
      }
    });
    let next = 0;
    const callers = Array.from({ length: 16 }, async () => {
      while (next < 250) await live((next += 1));
    });
    await Promise.all(callers);
    stop.abort();
    await Promise.all([auditor, ...gatherers]);

    expect(wrong).toEqual([]);
    expect(looks).toBeGreaterThan(5);
    expect(gathered).toBeGreaterThan(50);

    const rows = await gateway.database.query<Rows>(
      'SELECT method, status, count(*) FROM transactions WHERE seller_id = $1 GROUP BY method, status',
      [gateway.demo.seller.id],
    );
    // The races have led to several outcomes in several ways.
    expect(rows.length).toBeGreaterThan(6);
    for (const { method, status, count } of rows) {
      const listed = await other.get(`/transactions?method=${method}&status=${status}`);
      expect(listed.body.count, `${method} ${status}`).toBe(Number(count));
    }
    expect((await gateway.get('/transactions')).body.count).toBe(250);
  }, 60_000);

  it('has one row for each kind after compaction, with the same total', async () => {
    const before = await gateway.get('/transactions?method=PIX');
    await compactSellerCounts(database.db, gateway.demo.seller.id);
    const rows = await gateway.database.query<{ writer: number }>(
      'SELECT DISTINCT writer FROM transaction_counts WHERE seller_id = $1',
      [gateway.demo.seller.id],
    );
    expect(rows).toEqual([{ writer: 0 }]);
    expect((await gateway.get('/transactions?method=PIX')).body.count).toBe(before.body.count);
  });

  it('is compacted when it has rows of more than 16 writers, not before', async () => {
    const [few, many] = [randomUUID(), randomUUID()];
    await insertWriters(few, 16);
    await insertWriters(many, 17);
    const found = await findSellersToCompact(database.db, 1_000);
    expect([found.includes(few), found.includes(many)]).toEqual([false, true]);
    await compactSellerCounts(database.db, many);
    expect(await findSellersToCompact(database.db, 1_000)).not.toContain(many);
  });

  it('is not blocked by an open transaction that has counted', async () => {
    const { seller } = gateway.demo;
    const before = await gateway.get('/transactions?method=PIX');
    const count = (number: number) =>
      gateway.database.query(
        `INSERT INTO transaction_counts AS kept (seller_id, method, status, writer, count)
         VALUES ($1, 'PIX', 'PENDING', pg_backend_pid(), $2)
         ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = kept.count + excluded.count`,
        [seller.id, number],
      );
    await count(0);
    await gateway.database.query('BEGIN');
    try {
      await count(1);
      // Neither creations nor the compaction wait for it.
      const made = await Promise.all(Array.from({ length: 20 }, () => gateway.charge()));
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
      await compactSellerCounts(database.db, seller.id);
      expect((await gateway.get('/transactions?method=PIX')).body.count).toBe(before.body.count + 20);
    } finally {
      await gateway.database.query('ROLLBACK');
    }
    expect((await gateway.get('/transactions?method=PIX')).body.count).toBe(before.body.count + 20);
  });
});
