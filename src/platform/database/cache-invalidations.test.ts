import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { MAX_UNCONFIRMED_MS } from '#platform/kit/record-cache.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts';
import { CacheInvalidations, invalidateCaches } from './cache-invalidations.ts';
import { openDatabase, type Database, type DatabaseTransaction } from './connect.ts';

let clone: TestDatabase;
let proxy: TcpProxy;
/** Of the process that changes records. */
let writer: Database;
/** Of the process that polls, through the proxy. */
let reader: Database;
let seen: string[];
let invalidations: CacheInvalidations;

beforeAll(async () => {
  clone = await cloneDatabase();
  proxy = await startTcpProxy(clone.url);
  writer = openDatabase({ url: clone.url, poolSize: 4, onError: () => undefined });
});
afterAll(async () => {
  await writer.close();
  await proxy.remove();
  await clone.drop();
});

beforeEach(async () => {
  reader = openDatabase({ url: proxy.url, poolSize: 1, onError: () => undefined });
  seen = [];
  invalidations = new CacheInvalidations(reader, (ids) => seen.push(...ids));
  await invalidations.poll();
});
afterEach(async () => {
  vi.useRealTimers();
  proxy.thaw();
  await reader.close();
});

const write = <T>(run: (trx: DatabaseTransaction) => Promise<T>): Promise<T> =>
  writer.db.transaction().execute(run);

const change = async (): Promise<string> => {
  const id = randomUUID();
  await write((trx) => invalidateCaches(trx, [id, id]));
  return id;
};

const isConfirmed = (readAt: number): boolean => invalidations.isConfirmed(readAt, performance.now());

const readRepeatedly = (): void => {
  isConfirmed(performance.now());
  isConfirmed(performance.now());
};

describe('CacheInvalidations', () => {
  it('returns each change once, to every process', async () => {
    const other = openDatabase({ url: clone.url, poolSize: 1, onError: () => undefined });
    const seenByOther: string[] = [];
    const ofOther = new CacheInvalidations(other, (ids) => seenByOther.push(...ids));
    await ofOther.poll();
    const ids = [await change(), await change()];
    for (let poll = 0; poll < 3; poll += 1) await Promise.all([invalidations.poll(), ofOther.poll()]);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(seenByOther.toSorted()).toEqual(ids.toSorted());
    await other.close();
  });

  it('returns the change of a transaction that began earlier and commits later than others', async () => {
    const late = randomUUID();
    const { promise: committing, resolve: commit } = Promise.withResolvers<void>();
    const { promise: written, resolve: isWritten } = Promise.withResolvers<void>();
    const transaction = write(async (trx) => {
      await invalidateCaches(trx, [late]);
      isWritten();
      await committing;
    });
    await written;
    const ids: string[] = [];
    for (let poll = 0; poll < 3; poll += 1) {
      ids.push(await change());
      await invalidations.poll();
    }
    expect(seen).toEqual(ids);
    commit();
    await transaction;
    await invalidations.poll();
    await invalidations.poll();
    expect(seen).toEqual([...ids, late]);
  });

  it('does not return a change that was rolled back', async () => {
    const rolledBack = write(async (trx) => {
      await invalidateCaches(trx, [randomUUID()]);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await invalidations.poll();
    expect(seen).toEqual([]);
    expect(isConfirmed(performance.now())).toBe(true);
  });

  it('returns rows of the cached tables that were updated by SQL', async () => {
    const [sellerId, other] = [await writeSeller(writer.db), await writeSeller(writer.db)];
    invalidations.watch([
      { table: 'sellers', idColumn: 'id' },
      { table: 'fee_schedules', idColumn: 'seller_id' },
    ]);
    // Past the next scan of the tables, which returns both as new.
    await sleep(500);
    await poll();
    seen = [];
    await clone.query('UPDATE fee_schedules SET pix_in_value = 7 WHERE seller_id = $1', [sellerId]);
    await expect.poll(poll).toContain(sellerId);
    expect(seen).not.toContain(other);

    async function poll(): Promise<readonly string[]> {
      await invalidations.poll();
      return seen;
    }
  });

  it('confirms what was read after the first poll, while polls get responses', async () => {
    const readAt = performance.now();
    await invalidations.poll();
    expect([isConfirmed(readAt), isConfirmed(readAt - 60_000)]).toEqual([true, false]);
    const [{ client_port: port } = { client_port: 0 }] = await clone.query<{ client_port: number }>(
      `SELECT client_port FROM pg_stat_activity
       WHERE application_name = 'gateway cache invalidations' AND datname = current_database()
       ORDER BY backend_start DESC LIMIT 1`,
    );
    proxy.freezeOne(port);
    const frozen = invalidations.poll().catch(String);
    await sleep(MAX_UNCONFIRMED_MS);
    expect(isConfirmed(readAt)).toBe(false);
    expect(await frozen).toContain('got no response');
    // Another connection says nothing about what was read before it.
    await invalidations.poll();
    await invalidations.poll();
    expect([isConfirmed(readAt), isConfirmed(performance.now())]).toEqual([false, true]);
  });

  it('pauses without reads, and confirms only what was read after it resumed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    invalidations = new CacheInvalidations(reader, (ids) => seen.push(...ids));
    await invalidations.poll();
    await invalidations.poll();
    const readAt = performance.now();
    expect(isConfirmed(readAt)).toBe(true);
    vi.advanceTimersByTime(10_000);
    await invalidations.poll();
    const missed = await change();
    expect(isConfirmed(readAt)).toBe(false);
    await invalidations.poll();
    await invalidations.poll();
    // A single read costs less than polls.
    expect(isConfirmed(performance.now())).toBe(false);
    await invalidations.poll();
    await invalidations.poll();
    expect(seen).not.toContain(missed);
    vi.advanceTimersByTime(1);
    await invalidations.poll();
    expect([isConfirmed(readAt), isConfirmed(performance.now())]).toEqual([false, true]);
    const next = await change();
    await invalidations.poll();
    expect(seen).toEqual([next]);
  });

  it('invalidates everything when too much has changed', async () => {
    await invalidations.poll();
    const readAt = performance.now();
    await write((trx) => invalidateCaches(trx, Array.from({ length: 10_001 }, randomUUID)));
    await invalidations.poll();
    expect([isConfirmed(readAt), isConfirmed(performance.now())]).toEqual([false, true]);
    expect(seen).toEqual([]);
  });

  it('deletes changes after a minute, and those of another server', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    invalidations = new CacheInvalidations(reader, () => undefined);
    await invalidations.poll();
    const count = async () => (await clone.query('SELECT 1 FROM cache_invalidations')).length;
    await clone.query('DELETE FROM cache_invalidations');
    await clone.query(
      `INSERT INTO cache_invalidations
       VALUES ('999999999999999', gen_random_uuid()), ('1', gen_random_uuid())`,
    );
    const recent = await change();
    for (const ms of [55_000, 4_000]) {
      vi.advanceTimersByTime(ms);
      readRepeatedly();
      await invalidations.poll();
    }
    expect(await count()).toBe(3);
    vi.advanceTimersByTime(1_000);
    await invalidations.poll();
    const rows = await clone.query('SELECT record_id FROM cache_invalidations');
    expect(rows).toEqual([{ record_id: recent }]);
    // A transaction of another database on this server may still be older.
    const later = async () => {
      vi.advanceTimersByTime(60_000);
      readRepeatedly();
      await invalidations?.poll();
      return count();
    };
    await expect.poll(later, { timeout: 20_000 }).toBe(0);
  });
});
