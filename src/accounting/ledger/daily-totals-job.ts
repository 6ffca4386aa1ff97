import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { addNextEntriesToTotals, findBalancesBehindTotals } from './store-daily-totals.ts';

/** Fewer entries after the cursor are read as fast as their totals would be. */
const MIN_ENTRIES = 1_000;
const BALANCES_PER_RUN = 100;
const ENTRIES_PER_STATEMENT = 5_000;

/**
 * Returns the job that adds entries to daily totals, so that reports do not read them one by one.
 * Resolves to true while more may wait.
 */
export function createDailyTotalsJob(
  db: Db,
  { minEntries = MIN_ENTRIES, chunkSize = ENTRIES_PER_STATEMENT } = {},
): () => Promise<boolean> {
  return async () => {
    const balances = await findBalancesBehindTotals(db, minEntries, BALANCES_PER_RUN);
    let more = balances.length === BALANCES_PER_RUN;
    for (const balance of balances) {
      const added = await db.transaction().execute(async (trx) => {
        const entries = await addNextEntriesToTotals(trx, balance, chunkSize);
        failPoint('daily-totals.updated');
        return entries;
      });
      more ||= added === chunkSize;
    }
    return more;
  };
}
