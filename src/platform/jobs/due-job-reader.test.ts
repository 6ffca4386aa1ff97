import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { dueLeases, DueJobReader } from './due-job-reader.ts';

const opened = useDatabase();
let watch: DueJobReader;
beforeEach(async () => {
  await opened.query('DELETE FROM payouts');
  watch = new DueJobReader({
    db: opened.db,
    clock: new Clock(),
    name: 'find-due-test-jobs',
    conditions: new Map([
      ['payouts', dueLeases({ table: 'payouts', pending: sql`submitted_at IS NULL` })],
      ['always', () => sql`1`],
    ]),
    distributed: false,
  });
});

async function insertPayout(dueIn: string, leaseIn: string | null = null): Promise<void> {
  await opened.query(
    `INSERT INTO payouts (seller_id, withdrawal_id, provider, attempts, due_at, lease_until, created_at,
       updated_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'bank', 0, now() + $1::interval, now() + $2::interval,
       now(), now())`,
    [dueIn, leaseIn],
  );
}

it('includes the jobs that have a condition', () => {
  expect([watch.includes('payouts'), watch.includes('other')]).toEqual([true, false]);
});

it.each([
  { title: 'nothing waits', rows: [], due: false },
  { title: 'a row is due', rows: [['-1 second', null]], due: true },
  { title: 'a row is due later', rows: [['1 minute', null]], due: false },
  { title: 'a due row is leased', rows: [['-1 second', '1 minute']], due: false },
  { title: 'the lease of a due row has ended', rows: [['-1 second', '-1 second']], due: true },
] as const)('reads whether rows can be leased: $title', async ({ rows, due }) => {
  for (const [dueIn, leaseIn] of rows) await insertPayout(dueIn, leaseIn);
  expect(await watch.isDue('payouts')).toBe(due);
});

it('reads all conditions at once, and again when a job checks again', async () => {
  expect(await Promise.all([watch.isDue('always'), watch.isDue('payouts')])).toEqual([true, false]);
  await insertPayout('-1 second');
  expect(await watch.isDue('always')).toBe(true);
  // The result of the last read, which the other job has caused.
  expect(await watch.isDue('payouts')).toBe(true);
});

it('does not use an outdated result', async () => {
  expect(await watch.isDue('always')).toBe(true);
  await insertPayout('-1 second');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await watch.isDue('payouts')).toBe(true);
});

it('reads again after a failure', async () => {
  await opened.query('ALTER TABLE payouts RENAME TO payouts_away');
  await expect(watch.isDue('payouts')).rejects.toThrow(/payouts/);
  await opened.query('ALTER TABLE payouts_away RENAME TO payouts');
  expect(await watch.isDue('payouts')).toBe(false);
});
