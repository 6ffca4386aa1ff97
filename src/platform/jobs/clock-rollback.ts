import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { clampFutureTimestamps, type LeasedTable } from '#platform/database/leases.ts';
import type { Logger } from '#platform/kit/log.ts';

/** A larger step back cannot be slewing: rows written before it are dated in the future. */
const ROLLBACK_THRESHOLD_MS = 5_000;
/** The check also runs without a step, because the clock of another machine may have been ahead. */
const CHECK_INTERVAL_MS = 5 * 60_000;
/** Clocks of machines differ by less than this, and no lease is longer. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** Rows updated by one statement. */
const CHUNK_SIZE = 1_000;

interface ClockRollbackDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Creates the job that repairs leases after the machine's clock was set back. Leases and due times
 * are timestamps: after a step back by a day, a lease of one minute would last a day, and what is
 * due now would be due tomorrow. The job dates such rows to now and preserves the delay until they
 * are due. At worst, another process repeats a call that is still in progress, under the same id.
 * The job returns true while more rows may be left.
 */
export function createClockRollbackJob(
  { db, clock, log }: ClockRollbackDeps,
  tables: readonly LeasedTable[],
): () => Promise<boolean> {
  let lastOffset = wallClockOffset();
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    // Read before the statements, so that the next run notices a step that happens during this one.
    const currentOffset = wallClockOffset();
    const rolledBack = currentOffset < lastOffset - ROLLBACK_THRESHOLD_MS;
    if (rolledBack)
      log.warn({ seconds: Math.round((lastOffset - currentOffset) / 1_000) }, 'clock moved backwards');
    if (!rolledBack && performance.now() - checkedAt < CHECK_INTERVAL_MS) {
      lastOffset = currentOffset;
      return false;
    }
    const rows = await clampAll(db, tables, await currentDomainTime(db, clock));
    if (rows > 0) log.warn({ rows }, 'rows with future timestamps are due now');
    if (rows >= CHUNK_SIZE) return true;
    lastOffset = currentOffset;
    checkedAt = performance.now();
    return false;
  };
}

/**
 * Reads the offset again: another process may have advanced the sandbox's clock, which is no
 * rollback.
 */
async function currentDomainTime(db: Db, clock: Clock): Promise<Date> {
  const { offsetMs } = await readDomainClock(db);
  return new Date(clock.wallClockMs() + Math.max(offsetMs, clock.offsetMs));
}

/** Returns the largest number of rows changed in one table. */
async function clampAll(db: Db, tables: readonly LeasedTable[], now: Date): Promise<number> {
  const futureAfter = new Date(now.getTime() + MAX_CLOCK_SKEW_MS);
  let maxRows = 0;
  for (const table of tables) {
    maxRows = Math.max(
      maxRows,
      await clampFutureTimestamps(db, table, { now, futureAfter, limit: CHUNK_SIZE }),
    );
  }
  return maxRows;
}

/** Constant while the machine's clock runs evenly. */
const wallClockOffset = (): number => Date.now() - performance.now();
