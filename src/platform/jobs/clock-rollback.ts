import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import { clampFutureTimestamps } from './store.ts';

/** The machine's clock was set back by more than any slewing: what was written before is dated in the future now. */
const ROLLBACK_THRESHOLD_MS = 5_000;
/** Also without such a step, since another machine's clock may have been ahead. */
const CHECK_INTERVAL_MS = 5 * 60_000;
/** Clocks of machines differ by less than this, and no lease is longer. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** Rows of one statement. */
const CHUNK_SIZE = 1_000;

interface ClockRollbackDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Lets go what a clock that was ahead holds. Leases and due times are moments; where the clock goes back by a day, a lease of a
 * minute would last a day, and what is due now would be due tomorrow. Rows that were dated in the future are dated now, with the
 * wait that they had. A call that is under way is made again by another process at worst, under the same id.
 */
export function createClockRollbackJob({ db, clock, log }: ClockRollbackDeps): () => Promise<boolean> {
  let lastOffset = wallClockOffset();
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    // Seen before the look: a step during it is noticed by the next one.
    const currentOffset = wallClockOffset();
    const rolledBack = currentOffset < lastOffset - ROLLBACK_THRESHOLD_MS;
    if (rolledBack)
      log.warn({ seconds: Math.round((lastOffset - currentOffset) / 1_000) }, 'the clock was set back');
    if (!rolledBack && performance.now() - checkedAt < CHECK_INTERVAL_MS) {
      lastOffset = currentOffset;
      return false;
    }
    // Another process may have moved the sandbox's clock, which is no step.
    const { offsetMs } = await readDomainClock(db);
    const now = new Date(clock.nowMs() - clock.offsetMs + Math.max(offsetMs, clock.offsetMs));
    const rows = await clampFutureTimestamps(
      db,
      now,
      new Date(now.getTime() + MAX_CLOCK_SKEW_MS),
      CHUNK_SIZE,
    );
    if (rows > 0) log.warn({ rows }, 'rows were dated in the future, and are due now');
    if (rows >= CHUNK_SIZE) return true;
    lastOffset = currentOffset;
    checkedAt = performance.now();
    return false;
  };
}

/** Constant as long as the machine's clock runs evenly. */
const wallClockOffset = (): number => Date.now() - performance.now();
