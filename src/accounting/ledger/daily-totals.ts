import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { findUnsummed, sumNextEntries } from './store-daily-totals.ts';

/** Fewer than these behind the mark are read as quickly as they would be summed. */
const WORTHWHILE = 1_000;
const BALANCES_A_LOOK = 100;
const ENTRIES_A_STATEMENT = 5_000;

/** Sums entries by day, so that reports need not read them one by one; true while more may wait. */
export function createDaySummer(
  db: Db,
  { worthwhile = WORTHWHILE, portion = ENTRIES_A_STATEMENT } = {},
): () => Promise<boolean> {
  return async () => {
    const waiting = await findUnsummed(db, worthwhile, BALANCES_A_LOOK);
    let more = waiting.length === BALANCES_A_LOOK;
    for (const balance of waiting) {
      const summed = await db.transaction().execute(async (within) => {
        const entries = await sumNextEntries(within, balance, portion);
        failPoint('day-sums.summed');
        return entries;
      });
      more ||= summed === portion;
    }
    return more;
  };
}
