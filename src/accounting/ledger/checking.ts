import { setTimeout as sleep } from 'node:timers/promises';

import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import { checkLedger, type LedgerCheck } from './check.ts';
import { beginCheck, endCheck, touchCheck } from './store-checks.ts';

export { findLastCheck as lastCheck, type KeptCheck } from './store-checks.ts';

/** A statement that takes longer is cut off, and the check with it. */
const PATIENCE_MS = 3_600_000;
/** Far longer than it takes from one sign of a check that lives to the next, unless one seller has hundreds of millions of entries. */
const GONE_MS = 900_000;
const KEPT_MS = 90 * 24 * 3_600_000;

/** So many times as long as it works it rests, so that a check of an hour's work is not an hour without half a server. */
const REST = 3;
const LONGEST_REST_MS = 60_000;

export interface CheckingDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/** Whoever stops meanwhile does not wait for it. */
const rest = (workedMs: number): Promise<void> =>
  sleep(Math.min(REST * workedMs, LONGEST_REST_MS), undefined, { ref: false });

/**
 * Recomputes the ledger and keeps what came of it, unless a check has begun in the last `everyMs`. Times are the machine's;
 * undefined where none was needed.
 */
export async function checkAndKeep(
  { db, secrets }: CheckingDeps,
  everyMs: number,
): Promise<LedgerCheck | undefined> {
  const now = new Date();
  const before = (ms: number): Date => new Date(now.getTime() - ms);
  const id = await beginCheck(db, now, before(everyMs), before(GONE_MS));
  if (id === undefined) return undefined;
  const check = await checkLedger(db, secrets, {
    patienceMs: PATIENCE_MS,
    rest: async (workedMs) => {
      await touchCheck(db, id, new Date());
      await rest(workedMs);
    },
  });
  const finishedAt = new Date();
  const found = { finishedAt, entries: check.entries, discrepancies: check.discrepancies.length };
  await endCheck(db, id, found, before(KEPT_MS));
  return check;
}

export interface CheckingOptions extends CheckingDeps {
  readonly log: Logger;
  /** How often, over all processes together; 0 for never. */
  readonly everyHours: number;
  /** A process that has just started has better to do. */
  readonly restMs?: number;
}

/** The chore that recomputes the ledger now and then. What differs is logged, by its number alone. */
export function createLedgerChecking({ log, everyHours, restMs = 300_000, ...deps }: CheckingOptions) {
  const begun = performance.now();
  return async (): Promise<boolean> => {
    if (everyHours === 0 || performance.now() - begun < restMs) return false;
    const check = await checkAndKeep(deps, everyHours * 3_600_000);
    if (check !== undefined && !check.balanced) {
      log.error({ discrepancies: check.discrepancies.length }, 'the ledger does not balance');
    }
    return false;
  };
}
