import type { Db } from '#database/connect.ts';
import type { Logger } from '#log.ts';
import type { SecretBox } from '#secrets.ts';
import { checkLedger, type LedgerCheck } from './check.ts';
import { beginCheck, endCheck } from './store-checks.ts';

export { findLastCheck as lastCheck, type KeptCheck } from './store-checks.ts';

/** A check that takes longer is cut off, as its statements are. */
const PATIENCE_MS = 3_600_000;
const KEPT_MS = 90 * 24 * 3_600_000;

export interface CheckingDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

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
  const id = await beginCheck(db, now, before(everyMs), before(PATIENCE_MS));
  if (id === undefined) return undefined;
  const check = await checkLedger(db, secrets, PATIENCE_MS);
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
