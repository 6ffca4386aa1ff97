import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';

import { SecretBox } from '#platform/crypto/secret-box.ts';
import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { checkLedger, resultOf, type CheckOptions, type CheckState } from './check.ts';
import { createLedgerCheckJob } from './check-job.ts';
import { planRange } from './check-steps.ts';
import { findLatestFullCheck, runFullCheck, startFullCheck } from './full-check.ts';
import { bookEntries, getLedgerCheckSummary } from './service.ts';
import { createLedgerChainJob } from './chain.ts';

const secrets = new SecretBox([Buffer.alloc(32)]);
const log = pino({ level: 'silent' });

const seller = (id: string, rows: number) => ({ id, rows });

const plan = (sellers: readonly ReturnType<typeof seller>[], isEnd = true) =>
  planRange(sellers, { after: '0', maxRows: 10, isEnd });

describe('planRange', () => {
  it('covers all sellers that are left, and every possible id', () => {
    expect(plan([])).toEqual({ range: { after: '0' }, rows: 0, next: undefined });
    expect(plan([seller('a', 5), seller('b', 5)])).toMatchObject({ range: { after: '0' }, rows: 10 });
  });

  it('limits the rows of a range', () => {
    const next = { after: 'a' };
    expect(plan([seller('a', 6), seller('b', 5)])).toEqual({
      range: { after: '0', upTo: 'a' },
      rows: 6,
      next,
    });
  });

  it('ends before a seller with more rows, which is checked in slices', () => {
    expect(plan([seller('a', 6), seller('b', 11)])).toMatchObject({
      range: { after: '0', before: 'b' },
      next: { after: 'a', seller: { id: 'b', part: 'records' } },
    });
    expect(plan([seller('a', 11)])).toMatchObject({ range: { after: '0', before: 'a' }, rows: 0 });
  });

  it('ends with the last seller that was read', () => {
    expect(plan([seller('a', 1)], false)).toEqual({
      range: { after: '0', upTo: 'a' },
      rows: 1,
      next: { after: 'a' },
    });
  });
});

describe('ledger check', () => {
  const store = useDatabase(10);
  const sellerIds: string[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 5; n += 1) {
      sellerIds.push(await writeSeller(store.db, new Date()));
      await book(sellerIds[n] ?? '');
    }
  });

  /** Books a payment of 500 without a fee, with its records. */
  const book = async (sellerId: string): Promise<void> => {
    const [recordId, at] = [randomUUID(), new Date()];
    const entry = { origin: 'PIX', debit: 'provider', credit: 'available', amount: 500 } as const;
    const entries = [{ ...entry, cause: 'PAYMENT' as const }];
    await store.db.transaction().execute(async (trx) => {
      await sql`
        INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount,
          paid_at, created_at, updated_at)
        VALUES (${sellerId}, ${recordId}, 'PIX', 'PAID', 2, 500, 0, 0, ${at}, ${at}, ${at})`.execute(trx);
      await sql`
        INSERT INTO transaction_counts (seller_id, method, status, writer, count)
        VALUES (${sellerId}, 'PIX', 'PAID', 0, 1) ON CONFLICT (seller_id, method, status, writer)
        DO UPDATE SET count = transaction_counts.count + 1`.execute(trx);
      await sql`
        INSERT INTO provider_events (seller_id, provider, provider_event_id, kind, record_id, occurred_at,
          received_at, outcome, id)
        VALUES (${sellerId}, 'sandbox', ${recordId}, 'PAYMENT', ${recordId}, ${at}, ${at},
          'APPLIED', ${recordId})
      `.execute(trx);
      await bookEntries(trx, secrets, { sellerId, recordId, origin: 'PIX', entries, at });
    });
  };
  const deps = () => ({ db: store.db, secrets, onError: () => undefined });
  const run = async (options?: CheckOptions) => resultOf((await checkLedger(deps(), options)).checked);
  const damage = (sellerId: string, change: number) =>
    store.query(`UPDATE wallets SET available = available + $2 WHERE origin = 'PIX' AND seller_id = $1`, [
      sellerId,
      change,
    ]);
  const checks = (kind: string) =>
    store.query<{ discrepancies: number; done: boolean; interrupted: boolean; cursor: unknown }>(
      `SELECT discrepancies, finished_at IS NOT NULL AS done, interrupted, cursor FROM ledger_checks
       WHERE kind = $1 ORDER BY id`,
      [kind],
    );
  const job = () => createLedgerCheckJob({ db: store.db, secrets, log, everyHours: 24, startupDelayMs: 0 });

  it('finds the same discrepancies in many steps as in one', async () => {
    const [, second = '', third = '', , last = ''] = sellerIds.toSorted();
    await book(third);
    for (const id of [second, last]) await damage(id, 1);
    await store.query(`UPDATE transaction_counts SET count = count + 5 WHERE seller_id = $1`, [third]);
    // Of unknown sellers: before all others, between them, and after them.
    const unknownIds = [
      '00000000-0000-4000-8000-000000000000',
      siblingId(third),
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    ];
    for (const unknownId of unknownIds) {
      await store.query(
        `INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause,
           record_id, available_after, blocked_after, created_at)
         VALUES ($1, 'PIX', $2, 1, 'provider', 'available', 100, 'PAYMENT', $3, 100, 0, now())`,
        [unknownId, randomUUID(), randomUUID()],
      );
    }
    const worked: number[] = [];
    const whole = await run();
    const parts = await run({
      rowsPerStep: 1,
      afterStep: async (_state, ms) => worked.push(ms) > 0,
    });
    expect(new Set(whole.discrepancies.map(({ kind }) => kind))).toEqual(
      new Set(['BALANCE', 'ENTRY', 'TRANSACTION', 'COUNT']),
    );
    expect(whole.discrepancies.filter(({ kind }) => kind === 'BALANCE')).toHaveLength(2 + 3);
    expect(parts).toEqual(whole);
    // Each has two rows or more, and slices of its own.
    expect(worked.length).toBeGreaterThan(5);
    expect(Math.min(...worked)).toBeGreaterThan(0);

    await store.query('DELETE FROM ledger_entries WHERE seller_id = ANY ($1)', [unknownIds]);
    await store.query('UPDATE transaction_counts SET count = count - 5 WHERE seller_id = $1', [third]);
    for (const id of [second, last]) await damage(id, -1);
    expect(await run()).toMatchObject({ balanced: true, sellers: 5, entries: 6 });
  });

  it('continues from the stored state of another check', async () => {
    const stopped = await checkLedger(deps(), { rowsPerStep: 1, afterStep: async () => false });
    expect(stopped.cursor).toBeDefined();
    const stored: CheckState = JSON.parse(JSON.stringify(stopped));
    expect(await run({ from: stored, rowsPerStep: 1 })).toEqual(await run());
  });

  it('on demand reports its progress, and only one runs at a time', async () => {
    const running = newId(Date.now());
    await store.query(
      `INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, total_rows, checked)
       VALUES ($1, 'FULL', $1, now(), now(), 10, '{"rows": 4, "discrepancies": []}')`,
      [running],
    );
    expect(await startFullCheck(deps())).toMatchObject({
      id: running,
      status: 'RUNNING',
      progress: 40,
      result: null,
    });
    const waited = runFullCheck(deps(), { waitMs: 10_000 });
    expect(await runFullCheck(deps(), { waitMs: 0 })).toBeUndefined();
    await store.query('UPDATE ledger_checks SET finished_at = now()');
    // The one that was running at the call does not count.
    expect(await waited).toMatchObject({ balanced: true, sellers: 5 });
    const latest = await findLatestFullCheck(deps());
    expect(latest).toMatchObject({ status: 'COMPLETED', progress: 100, result: await waited });
    expect(latest?.id).not.toBe(running);
  });

  it('on demand covers changes before the call, with many callers', async () => {
    const [id = ''] = sellerIds;
    await startFullCheck(deps());
    await damage(id, 1);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => runFullCheck(deps(), { waitMs: 10_000 })),
    );
    expect(results.map((result) => result?.discrepancies.length)).toEqual(Array(8).fill(1));
    await damage(id, -1);
    expect(await runFullCheck(deps(), { waitMs: 10_000 })).toMatchObject({ balanced: true });
  });

  it('on demand is INTERRUPTED after its process is killed, and can be started again', async () => {
    await store.query('DELETE FROM ledger_checks');
    await store.query(
      `INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, total_rows)
       VALUES ($1, 'FULL', $1, now(), now() - interval '2 seconds', 10)`,
      [newId(Date.now())],
    );
    expect(await runFullCheck(deps(), { waitMs: 200 })).toBeUndefined();
    await store.query(`UPDATE ledger_checks SET seen_at = now() - interval '20 seconds'`);
    expect(await findLatestFullCheck(deps())).toMatchObject({ status: 'INTERRUPTED', result: null });
    expect(await runFullCheck(deps(), { waitMs: 10_000 })).toMatchObject({ balanced: true });
    expect(await checks('FULL')).toMatchObject([{ interrupted: true }, { interrupted: false, done: true }]);
  });

  it('runs routinely once per interval over all processes', async () => {
    await store.query('DELETE FROM ledger_checks');
    await Promise.all([job()(), job()()]);
    expect(await checks('ROUTINE')).toMatchObject([{ discrepancies: 0, done: true }]);
    expect(await checks('NEW')).toMatchObject([{ discrepancies: 0, done: true }]);
    await job()();
    expect(await checks('ROUTINE')).toHaveLength(1);
    await store.query(`UPDATE ledger_checks SET started_at = started_at - interval '25 hours'`);
    await job()();
    expect(await checks('ROUTINE')).toHaveLength(2);
  });

  it('is continued by another process when its process is killed', async () => {
    await store.query('DELETE FROM ledger_checks');
    const stopped = await checkLedger(deps(), { rowsPerStep: 1, afterStep: async () => false });
    const holder = randomUUID();
    const insert = (seen: string) =>
      store.query(
        `INSERT INTO ledger_checks (id, kind, holder, started_at, seen_at, total_rows, checked, cursor)
         VALUES ($1, 'ROUTINE', $1, now(), now() - $2::interval, 12, $3, $4)`,
        [holder, seen, JSON.stringify(stopped.checked), JSON.stringify(stopped.cursor)],
      );
    await insert('2 seconds');
    await job()();
    expect(await checks('ROUTINE')).toMatchObject([{ done: false }]);
    await store.query(
      `UPDATE ledger_checks SET seen_at = now() - interval '20 seconds' WHERE kind = 'ROUTINE'`,
    );
    await job()();
    expect(await checks('ROUTINE')).toMatchObject([{ done: true, interrupted: false }]);
    const [row] = await store.query<{ sellers: number }>(
      `SELECT (checked->>'sellers')::int AS sellers FROM ledger_checks WHERE kind = 'ROUTINE'`,
    );
    expect(row?.sellers).toBe(5);
  });

  it('of new entries reads those since the last, and starts a full check after a discrepancy', async () => {
    const [first = '', second = ''] = sellerIds;
    await createLedgerChainJob({ db: store.db, secrets, log, clock: new Clock() })();
    const newlyChecked = async () => {
      await store.query(
        `UPDATE ledger_checks SET started_at = started_at - interval '1 hour' WHERE kind = 'NEW'`,
      );
      await job()();
      const [row] = await store.query<{ entries: number; found: number }>(
        `SELECT coalesce((checked->>'entries')::int, 0) AS entries, discrepancies AS found
         FROM ledger_checks WHERE kind = 'NEW' ORDER BY id DESC LIMIT 1`,
      );
      return row;
    };
    await newlyChecked();
    expect(await newlyChecked()).toEqual({ entries: 0, found: 0 });
    await book(first);
    expect(await newlyChecked()).toEqual({ entries: 1, found: 0 });
    await damage(second, 1);
    await book(second);
    // The new entry has the balance of the wallet, which its entries contradict. So the whole
    // ledger is checked again, before its time.
    const before = (await checks('ROUTINE')).length;
    expect((await newlyChecked())?.found).toBeGreaterThan(0);
    expect(await checks('ROUTINE')).toHaveLength(before + 1);
    expect((await getLedgerCheckSummary(store.db)).discrepancies).toBeGreaterThan(0);
    // Once is enough while the damage is known.
    expect((await newlyChecked())?.found).toBeGreaterThan(0);
    expect(await checks('ROUTINE')).toHaveLength(before + 1);

    await store.query(
      `UPDATE ledger_entries SET available_after = available_after - 1 WHERE seller_id = $1 AND position = (
        SELECT max(position) FROM ledger_entries WHERE seller_id = $1)`,
      [second],
    );
    await damage(second, -1);
    expect(await newlyChecked()).toMatchObject({ found: 0 });
    expect(await runFullCheck(deps(), { waitMs: 10_000 })).toMatchObject({ balanced: true });
    expect((await getLedgerCheckSummary(store.db)).discrepancies).toBe(0);
  });

  it('finds no discrepancies during concurrent bookings', async () => {
    const booking = Promise.all(
      sellerIds.map(async (id) => {
        for (let times = 0; times < 30; times += 1) await book(id);
      }),
    );
    const booked = new AbortController();
    void booking.finally(() => booked.abort());
    do {
      expect((await run({ rowsPerStep: 10 })).discrepancies).toEqual([]);
    } while (!booked.signal.aborted);
    await booking;
  });
});

/** An id with the same prefix as another. */
const siblingId = (id: string): string => `${id.slice(0, -12)}ffffffffffff`;
