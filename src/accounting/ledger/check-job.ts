import { setTimeout as sleep } from 'node:timers/promises';

import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { checkLedger, type LedgerCheck } from './check.ts';
import { finishCheck, startCheck, updateCheckHeartbeat } from './store-check-runs.ts';

/** The check fails when one of its statements takes longer. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
/**
 * Far longer than the time between two heartbeats of a check, unless a seller has 100 million
 * entries.
 */
const STALE_AFTER_MS = 900_000;
const RETENTION_MS = 90 * 24 * 3_600_000;

/** After each snapshot the check sleeps this many times as long as the snapshot took. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 60_000;

/** A process that has just started checks nothing for this long. */
const STARTUP_DELAY_MS = 300_000;

export interface LedgerCheckDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/**
 * Checks the ledger and records the result, unless a check has started in the last `intervalMs`;
 * then it returns undefined. Times are those of the machine's clock.
 */
export async function runScheduledCheck(
  { db, secrets }: LedgerCheckDeps,
  intervalMs: number,
): Promise<LedgerCheck | undefined> {
  const now = new Date();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const id = await startCheck(db, now, {
    unlessStartedAfter: ago(intervalMs),
    staleBefore: ago(STALE_AFTER_MS),
  });
  if (id === undefined) return undefined;
  const check = await checkLedger(db, secrets, {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    pauseAfter: async (workedMs) => {
      await updateCheckHeartbeat(db, id, new Date());
      await pauseAfter(workedMs);
    },
  });
  const finishedAt = new Date();
  const result = { finishedAt, entries: check.entries, discrepancies: check.discrepancies.length };
  await finishCheck(db, id, result, ago(RETENTION_MS));
  return check;
}

/** The timer does not keep the process alive. */
const pauseAfter = (workedMs: number): Promise<void> =>
  sleep(Math.min(PAUSE_FACTOR * workedMs, MAX_PAUSE_MS), undefined, { ref: false });

export interface LedgerCheckJobOptions extends LedgerCheckDeps {
  readonly log: Logger;
  /** The interval in hours, over all processes together; 0 for never. */
  readonly everyHours: number;
  readonly startupDelayMs?: number;
}

/** Returns the job that checks the ledger regularly. It logs only the number of discrepancies. */
export function createLedgerCheckJob({
  log,
  everyHours,
  startupDelayMs = STARTUP_DELAY_MS,
  ...deps
}: LedgerCheckJobOptions): () => Promise<boolean> {
  const startedMs = performance.now();
  return async () => {
    if (everyHours === 0 || performance.now() - startedMs < startupDelayMs) return false;
    const check = await runScheduledCheck(deps, everyHours * 3_600_000);
    if (check !== undefined && !check.balanced) {
      log.error({ discrepancies: check.discrepancies.length }, 'ledger check found discrepancies');
    }
    return false;
  };
}
