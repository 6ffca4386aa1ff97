import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { findBalancesBehindTotals, addNextEntriesToTotals } from './store-daily-totals.ts';

/** Fewer than these behind the mark are read as quickly as they would be summed. */
const MIN_ENTRIES = 1_000;
const BALANCES_PER_RUN = 100;
const ENTRIES_PER_STATEMENT = 5_000;

/** Sums entries by day, so that reports need not read them one by one; true while more may wait. */
export function createDailyTotalsJob(
  db: Db,
  { worthwhile: minEntries = MIN_ENTRIES, portion: chunkSize = ENTRIES_PER_STATEMENT } = {},
): () => Promise<boolean> {
  return async () => {
    const waiting = await findBalancesBehindTotals(db, minEntries, BALANCES_PER_RUN);
    let more = waiting.length === BALANCES_PER_RUN;
    for (const balance of waiting) {
      const summed = await db.transaction().execute(async (trx) => {
        const entries = await addNextEntriesToTotals(trx, balance, chunkSize);
        failPoint('daily-totals.updated');
        return entries;
      });
      more ||= summed === chunkSize;
    }
    return more;
  };
}
