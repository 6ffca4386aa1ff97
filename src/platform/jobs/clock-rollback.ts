import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import { pullBack } from './store.ts';

/** The machine's clock was set back by more than any slewing: what was written before is dated in the future now. */
const STEP_MS = 5_000;
/** Also without such a step, since another machine's clock may have been ahead. */
const LOOK_MS = 5 * 60_000;
/** Clocks of machines differ by less than this, and no lease is longer. */
const AHEAD_MS = 5 * 60_000;
/** Rows of one statement. */
const PORTION = 1_000;

interface SteppedClockDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Lets go what a clock that was ahead holds. Leases and due times are moments; where the clock goes back by a day, a lease of a
 * minute would last a day, and what is due now would be due tomorrow. Rows that were dated in the future are dated now, with the
 * wait that they had. A call that is under way is made again by another process at worst, under the same id.
 */
export function createSteppedClock({ db, clock, log }: SteppedClockDeps): () => Promise<boolean> {
  let drift = aheadOfUptime();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    // Seen before the look: a step during it is noticed by the next one.
    const seen = aheadOfUptime();
    const stepped = seen < drift - STEP_MS;
    if (stepped) log.warn({ seconds: Math.round((drift - seen) / 1_000) }, 'the clock was set back');
    if (!stepped && performance.now() - lookedAt < LOOK_MS) {
      drift = seen;
      return false;
    }
    // Another process may have moved the sandbox's clock, which is no step.
    const { offsetMs } = await readDomainClock(db);
    const now = new Date(clock.nowMs() - clock.offsetMs + Math.max(offsetMs, clock.offsetMs));
    const rows = await pullBack(db, now, new Date(now.getTime() + AHEAD_MS), PORTION);
    if (rows > 0) log.warn({ rows }, 'rows were dated in the future, and are due now');
    if (rows >= PORTION) return true;
    drift = seen;
    lookedAt = performance.now();
    return false;
  };
}

/** Constant as long as the machine's clock runs evenly. */
const aheadOfUptime = (): number => Date.now() - performance.now();
