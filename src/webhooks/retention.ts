import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { deleteOldDeliveries, deleteOldEvents, type SellerCursor, type Sweep } from './store-retention.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface RetentionDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** How long events, deliveries and attempts are kept. */
  readonly days: number;
  /** Rows of one statement, 1000 unless told. */
  readonly chunkSize?: number;
}

type Delete = (db: Db, cursor: SellerCursor, before: Date, limit: number) => Promise<Sweep>;

/**
 * Deletes what the log of webhooks keeps no longer, one short statement after the other: first deliveries that have ended, then
 * events that no delivery is left of. Each call makes a step through the sellers; true where more is left of this round.
 */
export function createRetention({
  db,
  clock,
  days,
  chunkSize = 1_000,
}: RetentionDeps): () => Promise<boolean> {
  const passes: readonly Delete[] = [deleteOldDeliveries, deleteOldEvents];
  let pass = 0;
  let cursor: SellerCursor;

  return async () => {
    const before = new Date(clock.nowMs() - days * DAY_MS);
    const run = passes[pass] ?? deleteOldDeliveries;
    const { deleted, next } = await run(db, cursor, before, chunkSize);
    // A full portion may have left something of the same sellers.
    if (deleted === chunkSize) return true;
    cursor = next;
    if (next !== undefined) return true;
    pass = (pass + 1) % passes.length;
    return pass !== 0;
  };
}
