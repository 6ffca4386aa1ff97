import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { deleteOldDeliveries, deleteOldEvents, type Place, type Sweep } from './store-retention.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface RetentionDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** How long events, deliveries and attempts are kept. */
  readonly days: number;
  /** Rows of one statement, 1000 unless told. */
  readonly portion?: number;
}

type Delete = (db: Db, place: Place, before: Date, portion: number) => Promise<Sweep>;

/**
 * Deletes what the log of webhooks keeps no longer, one short statement after the other: first deliveries that have ended, then
 * events that no delivery is left of. Each call makes a step through the sellers; true where more is left of this round.
 */
export function createRetention({ db, clock, days, portion = 1_000 }: RetentionDeps): () => Promise<boolean> {
  const rounds: readonly Delete[] = [deleteOldDeliveries, deleteOldEvents];
  let round = 0;
  let place: Place;

  return async () => {
    const before = new Date(clock.nowMs() - days * DAY_MS);
    const run = rounds[round] ?? deleteOldDeliveries;
    const { deleted, next } = await run(db, place, before, portion);
    // A full portion may have left something of the same sellers.
    if (deleted === portion) return true;
    place = next;
    if (next !== undefined) return true;
    round = (round + 1) % rounds.length;
    return round !== 0;
  };
}
