import { setTimeout as sleep } from 'node:timers/promises';

import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { checkLedger, type LedgerCheck } from './check.ts';
import { startCheck, finishCheck, updateCheckHeartbeat } from './store-check-runs.ts';

export { findLastCheck as findLastLedgerCheck, type CompletedLedgerCheck } from './store-check-runs.ts';

/** A statement that takes longer is cut off, and the check with it. */
const STATEMENT_TIMEOUT_MS = 3_600_000;
/** Far longer than it takes from one sign of a check that lives to the next, unless one seller has hundreds of millions of entries. */
const STALE_AFTER_MS = 900_000;
const RETENTION_MS = 90 * 24 * 3_600_000;

/** So many times as long as it works it rests, so that a check of an hour's work is not an hour without half a server. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 60_000;

export interface LedgerCheckDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/** Whoever stops meanwhile does not wait for it. */
const pauseAfter = (workedMs: number): Promise<void> =>
  sleep(Math.min(PAUSE_FACTOR * workedMs, MAX_PAUSE_MS), undefined, { ref: false });

/**
 * Recomputes the ledger and keeps what came of it, unless a check has begun in the last `everyMs`. Times are the machine's;
 * undefined where none was needed.
 */
export async function runStoredCheck(
  { db, secrets }: LedgerCheckDeps,
  everyMs: number,
): Promise<LedgerCheck | undefined> {
  const now = new Date();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const id = await startCheck(db, now, before(everyMs), before(STALE_AFTER_MS));
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
  await finishCheck(db, id, result, before(RETENTION_MS));
  return check;
}

export interface LedgerCheckJobOptions extends LedgerCheckDeps {
  readonly log: Logger;
  /** How often, over all processes together; 0 for never. */
  readonly everyHours: number;
  /** A process that has just started has better to do. */
  readonly startupDelayMs?: number;
}

/** The chore that recomputes the ledger now and then. What differs is logged, by its number alone. */
export function createLedgerCheckJob({
  log,
  everyHours,
  startupDelayMs = 300_000,
  ...deps
}: LedgerCheckJobOptions) {
  const begun = performance.now();
  return async (): Promise<boolean> => {
    if (everyHours === 0 || performance.now() - begun < startupDelayMs) return false;
    const check = await runStoredCheck(deps, everyHours * 3_600_000);
    if (check !== undefined && !check.balanced) {
      log.error({ discrepancies: check.discrepancies.length }, 'the ledger does not balance');
    }
    return false;
  };
}
