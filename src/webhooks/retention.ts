import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import {
  deleteOldDeliveries,
  deleteOldEvents,
  type RetentionChunk,
  type RetentionCursor,
} from './store-retention.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface RetentionDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** How long events, deliveries and attempts are kept. */
  readonly getDays: () => Promise<number>;
  /** Rows deleted by one statement. Defaults to 1000. */
  readonly chunkSize?: number;
}

type DeleteChunk = (db: Db, cursor: RetentionCursor, before: Date, limit: number) => Promise<RetentionChunk>;

/**
 * Creates a job that deletes old rows of the webhook log in short statements: first deliveries that
 * have ended, then events without deliveries. Each call processes the next sellers, and returns
 * whether the pass over all sellers continues.
 */
export function createRetention({
  db,
  clock,
  getDays,
  chunkSize = 1_000,
}: RetentionDeps): () => Promise<boolean> {
  const passes: readonly DeleteChunk[] = [deleteOldDeliveries, deleteOldEvents];
  let pass = 0;
  let cursor: RetentionCursor;

  return async () => {
    const before = new Date(clock.nowMs() - (await getDays()) * DAY_MS);
    const deleteChunk = passes[pass] ?? deleteOldDeliveries;
    const { deleted, next } = await deleteChunk(db, cursor, before, chunkSize);
    // After a full chunk the same sellers may have more old rows.
    if (deleted === chunkSize) return true;
    cursor = next;
    if (next !== undefined) return true;
    pass = (pass + 1) % passes.length;
    return pass !== 0;
  };
}
