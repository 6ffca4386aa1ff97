import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import { runStatementIn } from '#platform/database/statements.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import {
  claimDeliveries,
  findQueueStats,
  markDeliveriesReady,
  type ClaimLimits,
} from './store-deliveries.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const LEASE_MS = 30_000;
const after = (ms: number) => new Date(NOW.getTime() + ms);

const opened = useDatabase();
beforeEach(async () => {
  await opened.query('DELETE FROM deliveries');
});

interface Wanted {
  readonly endpoint: string;
  readonly count?: number;
  readonly sellerId?: string;
  readonly dueAt?: Date;
  readonly ready?: boolean;
}

async function add({
  endpoint,
  count = 1,
  sellerId = randomUUID(),
  dueAt = after(-1_000),
  ready = true,
}: Wanted) {
  await opened.query(
    `WITH made AS (SELECT gen_random_uuid() AS event_id FROM generate_series(1, $3::integer)),
     inserted_events AS (INSERT INTO events (seller_id, id, type, record_id, payload, created_at)
       SELECT $1, event_id, 'PING', event_id, '{}', $4 FROM made)
     INSERT INTO deliveries (seller_id, id, event_id, event, record_id, endpoint, url, status,
       attempts, due_at, ready, created_at, updated_at)
     SELECT $1, gen_random_uuid(), event_id, 'PING', event_id, $2, 'https://example.com/', 'PENDING', 0,
       $4, $5, $4, $4 FROM made`,
    [sellerId, endpoint, count, dueAt, ready],
  );
}

const claim = (changes: Partial<ClaimLimits> = {}) =>
  claimDeliveries(runStatementIn(opened.db), {
    now: NOW,
    leaseUntil: after(LEASE_MS),
    leasedBy: randomUUID(),
    after: '',
    maxEndpoints: 512,
    maxDeliveries: 256,
    maxPerEndpoint: 8,
    maxPerSeller: 64,
    activePerEndpoint: new Map(),
    activePerSeller: new Map(),
    ...changes,
  });

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

describe('claimDeliveries', () => {
  it('limits the deliveries of each endpoint by its free capacity', async () => {
    await add({ endpoint: 'busy', count: 5_000, dueAt: after(-100_000) });
    await add({ endpoint: 'full', count: 20, dueAt: after(-90_000) });
    await add({ endpoint: 'quiet' });
    const { deliveries, lastEndpoint } = await claim({
      activePerEndpoint: new Map([
        ['full', 8],
        ['busy', 5],
      ]),
    });
    expect(counted(deliveries.map(({ endpoint }) => endpoint))).toEqual({ busy: 3, quiet: 1 });
    expect(lastEndpoint).toBeNull();
  });

  it('limits the deliveries of each seller across endpoints', async () => {
    const [busy, quiet] = [randomUUID(), randomUUID()];
    for (let n = 0; n < 20; n += 1) await add({ endpoint: `busy ${n}`, count: 8, sellerId: busy });
    await add({ endpoint: 'quiet', count: 3, sellerId: quiet });
    const first = await claim();
    expect(counted(first.deliveries.map(({ sellerId }) => sellerId))).toEqual({ [busy]: 64, [quiet]: 3 });
    const second = await claim({ activePerSeller: new Map([[busy, 60]]) });
    expect(second.deliveries).toHaveLength(4);
  });

  it('returns the oldest first, and none that is not due or is leased', async () => {
    await add({ endpoint: 'a', count: 3, dueAt: after(1) });
    expect((await claim()).deliveries).toEqual([]);
    await add({ endpoint: 'a', count: 12, dueAt: after(-5_000) });
    await add({ endpoint: 'a', count: 4, dueAt: after(-9_000) });
    const first = await claim();
    expect(first.deliveries).toHaveLength(8);
    const old = await opened.query<{ count: string }>(
      'SELECT count(*) FROM deliveries WHERE due_at = $1 AND lease_until IS NOT NULL',
      [after(-9_000)],
    );
    expect(Number(old[0]?.count)).toBe(4);
    const second = await claim();
    const ids = new Set([...first.deliveries, ...second.deliveries].map(({ id }) => id));
    expect(ids.size).toBe(16);
    expect((await claim()).deliveries).toEqual([]);
    // The process that leased them has died.
    const later = await claim({ now: after(LEASE_MS + 1), leaseUntil: after(2 * LEASE_MS) });
    expect(later.deliveries.every(({ id }) => ids.has(id))).toBe(true);
    expect(later.deliveries).toHaveLength(8);
  });

  it('iterates over all endpoints in steps and claims each delivery once', async () => {
    for (let n = 0; n < 40; n += 1)
      await add({ endpoint: `endpoint ${String(n).padStart(2, '0')}`, count: 2 });
    const seen: string[] = [];
    let steps = 0;
    for (let reached: string | null = ''; reached !== null; steps += 1) {
      const step = await claim({ after: reached, maxEndpoints: 7 });
      expect(step.deliveries.length).toBeLessThanOrEqual(14);
      seen.push(...step.deliveries.map(({ id }) => id));
      ({ lastEndpoint: reached } = step);
    }
    expect(steps).toBe(6);
    expect([seen.length, new Set(seen).size]).toEqual([80, 80]);
  });

  it('never claims a delivery twice when called concurrently', async () => {
    for (let n = 0; n < 30; n += 1) await add({ endpoint: `endpoint ${n}`, count: 8 });
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim({ maxDeliveries: 60 })));
    const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
  });

  it('does not claim a delivery until it is marked ready', async () => {
    await add({ endpoint: 'a', count: 3, dueAt: after(-1), ready: false });
    await add({ endpoint: 'a', count: 2, dueAt: after(1_000), ready: false });
    expect((await claim()).deliveries).toEqual([]);
    expect(await findQueueStats(opened.db)).toEqual({ depth: 0, waiting: 5, oldest: null });
    expect(await markDeliveriesReady(opened.db, NOW, 2)).toBe(2);
    expect(await markDeliveriesReady(opened.db, NOW, 2)).toBe(1);
    expect(await markDeliveriesReady(opened.db, NOW, 2)).toBe(0);
    expect(await findQueueStats(opened.db)).toEqual({ depth: 3, waiting: 2, oldest: after(-1) });
    expect((await claim()).deliveries).toHaveLength(3);
  });
});
