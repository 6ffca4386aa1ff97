import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from '#platform/kit/log.ts';
import { checkLedger, NEW_CHECK, type CheckState } from './check.ts';
import { withHeartbeat } from './check-heartbeat.ts';
import type { CheckDeps } from './check-steps.ts';
import { checkNewEntries } from './new-entries-check.ts';
import {
  findCheckSummary,
  finishCheck,
  interruptCheck,
  resumeCheck,
  saveCheck,
  startCheck,
  type CheckRun,
} from './store-check-runs.ts';
import { countStoredRows } from './store-discrepancies.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/** After each step the check sleeps this many times as long as the step took. */
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 60_000;

/** Delay of the first check after the process has started. */
const STARTUP_DELAY_MS = 300_000;
/** How often new entries are checked, over all processes together. */
const NEW_ENTRIES_INTERVAL_MS = 600_000;
/** A longer check continues in the next run, so that each run reports success. */
const RUN_MS = 60_000;

export interface LedgerCheckJobOptions extends CheckDeps {
  readonly log: Logger;
  /** How often the whole ledger is checked, over all processes together; 0 for never. */
  readonly everyHours: number;
  readonly startupDelayMs?: number;
}

interface RoutineCheck extends CheckDeps {
  readonly log: Logger;
  readonly intervalMs: number;
  /** Identifies this process. */
  readonly holder: string;
}

/**
 * Returns the job that checks new entries every few minutes and the whole ledger at an interval,
 * one step after the other. A check whose process ends is continued by another one. It logs only
 * the number of discrepancies.
 */
export function createLedgerCheckJob({
  log,
  everyHours,
  startupDelayMs = STARTUP_DELAY_MS,
  ...deps
}: LedgerCheckJobOptions): () => Promise<boolean> {
  const startedMs = performance.now();
  const check = { ...deps, log, intervalMs: everyHours * 3_600_000, holder: randomUUID() };
  let next: string | undefined;
  return async () => {
    if (everyHours === 0 || performance.now() - startedMs < startupDelayMs) return false;
    const newEntries = await runNewEntriesCheck(check, next ?? MIN_ID);
    ({ next } = newEntries);
    const isUnfinished = await runRoutineCheck(check, newEntries.isWrong);
    return isUnfinished || next !== undefined;
  };
}

interface NewEntriesRun {
  /** The seller after which the next run continues; undefined if there is no more to check. */
  readonly next: string | undefined;
  /** Whether it found discrepancies after a check of the whole ledger that found none. */
  readonly isWrong: boolean;
}

async function runNewEntriesCheck(check: RoutineCheck, from: string): Promise<NewEntriesRun> {
  const { db, holder, intervalMs } = check;
  const now = new Date();
  const unlessStartedAfter = new Date(now.getTime() - Math.min(NEW_ENTRIES_INTERVAL_MS, intervalMs));
  const run = await startCheck(db, { kind: 'NEW', holder, now, unlessStartedAfter, totalRows: 0 });
  if (run === undefined) return { next: undefined, isWrong: false };
  const { discrepancies: knownBefore } = await findCheckSummary(db);
  const endsAt = performance.now() + RUN_MS;
  const { checked, next } = await withHeartbeat(db, run, () =>
    checkNewEntries(check, from, async (soFar, workedMs) => {
      const isHeld = await save(check, run, { checked: soFar, cursor: undefined });
      await rest(workedMs);
      return isHeld && performance.now() < endsAt;
    }),
  );
  // Another run starts at once after one that was interrupted.
  await (next === undefined ? finishCheck : interruptCheck)(db, run, new Date());
  return { next, isWrong: checked.discrepancies.length > 0 && knownBefore === 0 };
}

/**
 * Continues the check of the whole ledger, or starts it if it is due. Resolves to true if it goes
 * on.
 */
async function runRoutineCheck(check: RoutineCheck, isDue: boolean): Promise<boolean> {
  const { db, holder, intervalMs } = check;
  const run =
    (await resumeCheck(db, 'ROUTINE', holder)) ?? (await startRoutineCheck(check, isDue ? 0 : intervalMs));
  if (run === undefined) return false;
  const endsAt = performance.now() + RUN_MS;
  let isHeld = true;
  const { cursor } = await withHeartbeat(db, run, () =>
    checkLedger(check, {
      from: run.state,
      async afterStep(state, workedMs) {
        isHeld = await save(check, run, state);
        await rest(workedMs);
        return isHeld && performance.now() < endsAt;
      },
    }),
  );
  if (isHeld && cursor === undefined) await finishCheck(db, run, new Date());
  return isHeld && cursor !== undefined;
}

async function startRoutineCheck(
  { db, holder }: RoutineCheck,
  intervalMs: number,
): Promise<(CheckRun & { readonly state: CheckState }) | undefined> {
  const now = new Date();
  const unlessStartedAfter = new Date(now.getTime() - intervalMs);
  const totalRows = await countStoredRows(db);
  const run = await startCheck(db, { kind: 'ROUTINE', holder, now, unlessStartedAfter, totalRows });
  return run && { ...run, state: NEW_CHECK };
}

/** Records the state of a check and logs that it has found something. */
async function save({ db, log }: RoutineCheck, run: CheckRun, state: CheckState): Promise<boolean> {
  const { isHeld, hasFound } = await saveCheck(db, run, state);
  const discrepancies = state.checked.discrepancies.length;
  if (hasFound) log.error({ discrepancies }, 'ledger check found discrepancies');
  return isHeld;
}

/** The timer does not keep the process alive. */
const rest = (workedMs: number): Promise<void> =>
  sleep(Math.min(PAUSE_FACTOR * workedMs, MAX_PAUSE_MS), undefined, { ref: false });
