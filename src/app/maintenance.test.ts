import { randomUUID } from 'node:crypto';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { createCleanupJob } from '#platform/jobs/cleanup.ts';
import { CLEANUP_TARGETS } from './maintenance.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const store = useDatabase();
let userId: string;
const clock = new Clock();

beforeAll(async () => {
  await writeSeller(store.db, clock.now());
  const users = await store.query<{ id: string }>('SELECT id FROM users');
  userId = users[0]?.id ?? '';
});
beforeEach(async () => {
  await store.query('DELETE FROM idempotency_keys');
  await store.query('DELETE FROM sessions');
});

const cleanupJob = (at: Clock = clock) => createCleanupJob({ db: store.db, clock: at }, CLEANUP_TARGETS);

const daysAgo = (days: number) => new Date(clock.nowMs() - days * DAY);

async function insertKeys(count: number, ageMs: number): Promise<void> {
  await store.query(
    `INSERT INTO idempotency_keys (seller_id, operation, key, body_hash, record_id, created_at)
     SELECT $1, 'test', gen_random_uuid(), '\\x00', gen_random_uuid(), $2 FROM generate_series(1, $3)`,
    [randomUUID(), new Date(clock.nowMs() - ageMs), count],
  );
}

async function insertTokens(count: number, expiredForMs: number, used = false): Promise<void> {
  await store.query(
    `WITH made AS (
       INSERT INTO sessions (id, user_id, transport, created_at, last_used_at, verified_at, expires_at)
       SELECT gen_random_uuid(), $1, 'BODY', $2, $2, $2, $2 FROM generate_series(1, $4) RETURNING id
     )
     INSERT INTO refresh_tokens (token_hash, family_id, user_id, expires_at, used_at, created_at)
     SELECT decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), id, $1, $2, $3, $2 FROM made`,
    [userId, new Date(clock.nowMs() - expiredForMs), used ? clock.now() : null, count],
  );
}

async function left(table: 'idempotency_keys' | 'refresh_tokens' | 'sessions'): Promise<number> {
  const rows = await store.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

describe('cleanup job', () => {
  it('deletes only idempotency keys older than 30 days', async () => {
    await insertKeys(3, 30 * DAY + HOUR);
    await insertKeys(5, 30 * DAY - HOUR);
    await insertKeys(2, 0);
    const cleanUp = cleanupJob();
    expect(await cleanUp()).toBe(false);
    expect(await left('idempotency_keys')).toBe(7);
  });

  it('deletes expired refresh tokens only, including used ones', async () => {
    await insertTokens(3, HOUR);
    await insertTokens(2, HOUR, true);
    await insertTokens(4, -HOUR);
    await insertTokens(1, -HOUR, true);
    const cleanUp = cleanupJob();
    expect(await cleanUp()).toBe(false);
    expect(await left('refresh_tokens')).toBe(5);
  });

  it('deletes only sessions without tokens', async () => {
    await insertTokens(3, HOUR);
    await insertTokens(4, -HOUR);
    await cleanupJob()();
    expect(await left('sessions')).toBe(4);
  });

  it('deletes only cards that expired more than a month ago', async () => {
    const [seller] = await store.query<{ id: string }>('SELECT id FROM sellers');
    const ends = [daysAgo(70), daysAgo(0), daysAgo(-400)];
    for (const [place, date] of ends.entries()) {
      await store.query(
        `INSERT INTO card_tokens (seller_id, id, encrypted_number, last_four, expiration_month,
           expiration_year, created_at)
         VALUES ($1, gen_random_uuid(), 'encrypted', $2, $3, $4, $5)`,
        [seller?.id, String(place), date.getUTCMonth() + 1, date.getUTCFullYear(), clock.now()],
      );
    }
    await cleanupJob()();
    const rows = await store.query<{ last_four: string }>(
      'SELECT last_four FROM card_tokens ORDER BY last_four',
    );
    expect(rows.map((row) => row.last_four)).toEqual(['1', '2']);
  });

  it.each([
    ['idempotency_keys', () => insertKeys(2_300, 31 * DAY)],
    ['refresh_tokens', () => insertTokens(2_300, HOUR)],
  ] as const)('processes %s in chunks and reports completion', async (table, insert) => {
    await insert();
    const cleanUp = cleanupJob();
    expect(await cleanUp()).toBe(true);
    expect(await left(table)).toBe(1_300);
    expect(await cleanUp()).toBe(true);
    expect(await cleanUp()).toBe(false);
    expect(await left(table)).toBe(0);
  });

  it('uses the domain clock', async () => {
    await insertKeys(2, 0);
    const moved = new Clock();
    moved.advanceTo(30 * DAY + HOUR);
    await cleanupJob(moved)();
    expect(await left('idempotency_keys')).toBe(0);
  });
});
