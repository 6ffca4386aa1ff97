import { randomUUID } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { createRetention } from './retention.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;
const clock = new Clock();

const store = useDatabase();
const sellers = [randomUUID(), randomUUID(), randomUUID()] as const;

beforeAll(async () => {
  for (const id of sellers) {
    await store.query(
      `INSERT INTO sellers (id, name, document_type, document, status, requests_per_minute,
         creations_per_minute, boleto_delay_days, card_delay_days, auto_approve_up_to,
         negative_balance_up_to, created_at, updated_at)
       VALUES ($1, 'Loja', 'CPF', '52998224725', 'ACTIVE', 1, 1, 1, 1, 0, 0, $2, $2)`,
      [id, clock.now()],
    );
  }
});
beforeEach(async () => {
  for (const table of ['events', 'deliveries', 'delivery_attempts'])
    await store.query(`DELETE FROM ${table}`);
});

/** An event of that age with a delivery in each status, each with two attempts. */
async function insertEvents(
  seller: string,
  ageMs: number,
  statuses: readonly string[],
  copies = 1,
): Promise<void> {
  const at = new Date(clock.nowMs() - ageMs);
  for (let copy = 0; copy < copies; copy += 1) {
    const event = newId(at.getTime());
    const record = randomUUID();
    await store.query(
      `INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
       VALUES ($1, $2, 'T', $3, '{}', $4)`,
      [seller, event, record, at],
    );
    for (const status of statuses) {
      const id = newId(at.getTime());
      await store.query(
        `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, endpoint, url, status,
           attempts, due_at, created_at, updated_at)
         VALUES ($1, $2, $3, 'PING', $4, 'x', 'x', $5, 2, $6, $6, $6)`,
        [seller, id, event, record, status, at],
      );
      await store.query(
        `INSERT INTO delivery_attempts (seller_id, delivery_id, number, at, latency_ms)
         SELECT $1, $2, number, $3, 1 FROM generate_series(1, 2) AS number`,
        [seller, id, at],
      );
    }
  }
}

async function left(): Promise<Record<string, number>> {
  const [row] = await store.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM deliveries) AS deliveries,
       (SELECT count(*) FROM delivery_attempts) AS attempts`,
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
}

/** Runs until the job is complete; returns the number of statements. */
async function wholeRound(chunkSize?: number): Promise<number> {
  const retention = createRetention({
    db: store.db,
    clock,
    getDays: async () => DAYS,
    ...(chunkSize === undefined ? {} : { chunkSize }),
  });
  let steps = 1;
  while (await retention()) steps += 1;
  return steps;
}

describe('retention of the webhook log', () => {
  it('deletes events, deliveries and attempts after the retention period, and no others', async () => {
    await insertEvents(sellers[0], DAYS * DAY_MS + 60_000, ['DELIVERED', 'FAILED', 'HELD']);
    await insertEvents(sellers[1], DAYS * DAY_MS + 60_000, []);
    await insertEvents(sellers[2], DAYS * DAY_MS - 60_000, ['DELIVERED', 'FAILED']);
    await wholeRound();
    expect(await left()).toEqual({ events: 1, deliveries: 2, attempts: 4 });
  });

  it('keeps pending deliveries of any age', async () => {
    await insertEvents(sellers[0], 400 * DAY_MS, ['PENDING', 'DELIVERED']);
    await insertEvents(sellers[1], 400 * DAY_MS, ['PENDING']);
    await wholeRound();
    expect(await left()).toEqual({ events: 2, deliveries: 2, attempts: 4 });
    const statuses = await store.query('SELECT DISTINCT status FROM deliveries');
    expect(statuses).toEqual([{ status: 'PENDING' }]);
  });

  it('deletes in chunks, for all sellers', async () => {
    for (const seller of sellers) await insertEvents(seller, 100 * DAY_MS, ['DELIVERED', 'PENDING'], 8);
    for (const seller of sellers) await insertEvents(seller, 101 * DAY_MS, ['DELIVERED'], 8);
    const retention = createRetention({ db: store.db, clock, getDays: async () => DAYS, chunkSize: 10 });
    expect(await retention()).toBe(true);
    expect(await left()).toEqual({ events: 48, deliveries: 62, attempts: 124 });
    expect(await wholeRound(10)).toBeGreaterThanOrEqual(4 + 3);
    expect(await left()).toEqual({ events: 24, deliveries: 24, attempts: 48 });
  });

  it('reads only the beginning of each seller’s index, however many events are recent', async () => {
    await store.query(
      `INSERT INTO deliveries (seller_id, id, event_id, event, record_id, endpoint, url, status,
         attempts, due_at, created_at, updated_at)
       SELECT $1, (left($2, 13) || substr(gen_random_uuid()::text, 14))::uuid, gen_random_uuid(),
         'PING', gen_random_uuid(), 'x', 'x',
         'DELIVERED', 1, $3, $3, $3 FROM generate_series(1, 20000)`,
      [sellers[0], newId(clock.nowMs()), clock.now()],
    );
    await store.query('ANALYZE deliveries');
    const plan = await store.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT d.id FROM deliveries d
       WHERE d.seller_id = $1 AND d.id < $2
         AND d.status <> 'PENDING' ORDER BY d.id LIMIT 1000`,
      [sellers[0], newId(clock.nowMs() - DAYS * DAY_MS)],
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).toContain('deliveries_pkey');
    expect(text).not.toContain('Seq Scan');
  });
});
