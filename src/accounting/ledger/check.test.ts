import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type Database } from '#platform/database/connect.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { runScheduledCheck } from './check-job.ts';
import { bookEntries, checkLedger } from './service.ts';
import { partitionSellers } from './store-discrepancies.ts';

const secrets = new SecretBox([Buffer.alloc(32)]);
const seller = (id: string, rows: number) => ({ id, rows });

describe('the ranges of sellers', () => {
  it('hold every id there could be, with sellers or without', () => {
    expect(partitionSellers([], 10)).toEqual([{}]);
    expect(partitionSellers([seller('a', 5)], 10)).toEqual([{}]);
    expect(partitionSellers([seller('a', 5), seller('b', 5)], 10)).toEqual([{}]);
  });

  it('end before they hold more than they may, and never within a seller', () => {
    const sellers = [seller('a', 6), seller('b', 5), seller('c', 99), seller('d', 0), seller('e', 10)];
    expect(partitionSellers(sellers, 10)).toEqual([
      { upTo: 'a' },
      { after: 'a', upTo: 'b' },
      { after: 'b', upTo: 'c' },
      { after: 'c' },
    ]);
  });
});

describe('a check of the ledger', () => {
  let clone: TestDatabase;
  let database: Database;
  const sellerIds: string[] = [];
  beforeAll(async () => {
    clone = await cloneDatabase();
    database = openDatabase({ url: clone.url, poolSize: 10, onError: () => undefined });
    for (let n = 0; n < 5; n += 1) sellerIds.push(await sellerWithMoney(database));
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });

  it('finds in many snapshots what it finds in one, and rests after each', async () => {
    const [, second = '', third = '', , last = ''] = sellerIds.toSorted();
    await clone.query(
      `UPDATE wallets SET available = available + 1 WHERE origin = 'PIX' AND seller_id = ANY ($1)`,
      [[second, last]],
    );
    await clone.query(
      `INSERT INTO transaction_counts (seller_id, method, status, writer, count) VALUES ($1, 'PIX', 'PAID', 0, 7)`,
      [third],
    );
    // Of sellers that there are not: before all others, between them, and behind.
    for (const nobody of [
      '00000000-0000-4000-8000-000000000000',
      besides(third),
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    ]) {
      await clone.query(
        `INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id, available_after, blocked_after, created_at)
         VALUES ($1, 'PIX', $2, 1, 'provider', 'available', 100, 'PAYMENT', $3, 100, 0, now())`,
        [nobody, randomUUID(), randomUUID()],
      );
    }
    const worked: number[] = [];
    const whole = await checkLedger(database.db, secrets);
    const parts = await checkLedger(database.db, secrets, {
      rowsPerRange: 1,
      pauseAfter: async (ms) => worked.push(ms),
    });
    expect(new Set(whole.discrepancies.map(({ kind }) => kind))).toEqual(
      new Set(['BALANCE', 'ENTRY', 'TRANSACTION', 'COUNT']),
    );
    expect(whole.discrepancies.filter(({ kind }) => kind === 'BALANCE')).toHaveLength(2 + 3);
    expect(parts).toEqual(whole);
    expect(worked).toHaveLength(5);
    expect(Math.min(...worked)).toBeGreaterThan(0);
  });

  it('is begun anew a quarter of an hour after the last sign of one that has no end, and not before', async () => {
    const hour = 3_600_000;
    const begun = (ago: string, seen: string | null) =>
      clone.query(
        `INSERT INTO ledger_checks (id, started_at, seen_at) VALUES ($1, now() - $2::interval, now() - $3::interval)`,
        [randomUUID(), ago, seen],
      );
    await begun('10 hours', '10 minutes');
    expect(await runScheduledCheck({ db: database.db, secrets }, 24 * hour)).toBeUndefined();
    await clone.query('DELETE FROM ledger_checks');
    await begun('10 minutes', null);
    expect(await runScheduledCheck({ db: database.db, secrets }, 24 * hour)).toBeUndefined();
    await clone.query('DELETE FROM ledger_checks');
    await begun('10 hours', '20 minutes');
    expect((await runScheduledCheck({ db: database.db, secrets }, 24 * hour))?.sellers).toBe(5);
    const ended = await clone.query<{ seen: boolean }>(
      'SELECT seen_at IS NOT NULL AS seen FROM ledger_checks WHERE finished_at IS NOT NULL',
    );
    expect(ended).toEqual([{ seen: true }]);
  });
});

/** An id that begins as another one does. */
const besides = (id: string): string => `${id.slice(0, -12)}ffffffffffff`;

async function sellerWithMoney(database: Database): Promise<string> {
  const at = new Date();
  const sellerId = await writeSeller(database.db, at);
  const entry = { origin: 'PIX', debit: 'provider', credit: 'available', amount: 500 } as const;
  await database.db.transaction().execute((trx) =>
    bookEntries(trx, secrets, {
      sellerId,
      recordId: randomUUID(),
      origin: 'PIX',
      entries: [{ ...entry, cause: 'RELEASE' }],
      at,
    }),
  );
  return sellerId;
}
