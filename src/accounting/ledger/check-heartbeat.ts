import type { Db } from '#platform/database/connect.ts';
import { updateCheckHeartbeat, type CheckRun } from './store-check-runs.ts';

const INTERVAL_MS = 5_000;

/**
 * Shows that the process of a check is alive until `run` ends, however long one of its steps takes.
 */
export async function withHeartbeat<Result>(
  db: Db,
  check: CheckRun,
  run: () => Promise<Result>,
): Promise<Result> {
  const timer = setInterval(() => {
    // The next heartbeat is soon enough.
    updateCheckHeartbeat(db, check).catch(() => undefined);
  }, INTERVAL_MS);
  timer.unref();
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
