import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';

/** Deletes rows that have expired by `now`, at most `limit`. Returns how many it deleted. */
export type DeleteExpired = (db: Db, now: Date, limit: number) => Promise<number>;

/** Rows deleted by one statement. Short statements hold their locks briefly. */
const CHUNK_SIZE = 1_000;

/**
 * Creates the job that deletes one chunk of each kind of expired rows. It returns true while more
 * may be left.
 */
export function createCleanupJob(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  targets: readonly DeleteExpired[],
): () => Promise<boolean> {
  return async () => {
    const now = clock.now();
    let more = false;
    for (const deleteExpired of targets)
      more = (await deleteExpired(db, now, CHUNK_SIZE)) === CHUNK_SIZE || more;
    return more;
  };
}
