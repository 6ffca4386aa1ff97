import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { failPoint } from '#platform/kit/fail-points.ts';
import { checkLedger, resultOf, type LedgerCheck } from './check.ts';
import { withHeartbeat } from './check-heartbeat.ts';
import { NOTHING_CHECKED, type CheckDeps } from './check-steps.ts';
import {
  findCheckById,
  findLatestCheck,
  finishCheck,
  interruptCheck,
  saveCheck,
  startCheck,
  type CheckRow,
  type CheckRun,
} from './store-check-runs.ts';
import { countStoredRows } from './store-discrepancies.ts';

/**
 * The check of the whole ledger on demand. It runs in the process that starts it, one at a time
 * over all processes. If that process ends, the check counts as interrupted, and another can be
 * started.
 */

export interface FullCheck {
  readonly id: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'INTERRUPTED';
  /** How much of the ledger is checked, in percent. */
  readonly progress: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Null unless it is completed. */
  readonly result: LedgerCheck | null;
}

export interface FullCheckDeps extends CheckDeps {
  /** Receives the failure of a check that nobody waits for. */
  readonly onError: (error: unknown) => void;
}

const POLL_MS = 100;

/** Starts a check, unless one is running, and returns without waiting for it. */
export async function startFullCheck(deps: FullCheckDeps): Promise<FullCheck> {
  const own = await begin(deps);
  own?.ended.catch(deps.onError);
  const check = await findLatestFullCheck(deps);
  if (check === undefined) throw new Error('the ledger check that was started is gone');
  return check;
}

/** Returns the full check that started last. */
export async function findLatestFullCheck({ db }: CheckDeps): Promise<FullCheck | undefined> {
  const row = await findLatestCheck(db, 'FULL');
  return row && toFullCheck(row);
}

export interface FullCheckWait {
  readonly waitMs: number;
  /** Called from time to time with the check that is waited for. */
  readonly onProgress?: (check: FullCheck) => void;
}

/**
 * Returns the result of a check that starts after the call: its own, or one that another caller
 * started meanwhile. Returns undefined if it has not ended in time; it then continues.
 */
export async function runFullCheck(
  deps: FullCheckDeps,
  { waitMs, onProgress }: FullCheckWait,
): Promise<LedgerCheck | undefined> {
  const endsAt = performance.now() + waitMs;
  // A check that was running at the call has not seen what changed since it started.
  let earlier: string | undefined;
  for (;;) {
    const own = await begin(deps);
    own?.ended.catch(() => undefined);
    const id = own?.id ?? (await findLatestFullCheck(deps))?.id;
    let check = id === undefined ? undefined : await findFullCheck(deps, id);
    while (check?.status === 'RUNNING') {
      if (performance.now() > endsAt) {
        own?.ended.catch(deps.onError);
        return undefined;
      }
      onProgress?.(check);
      await Promise.race([sleep(POLL_MS), own?.ended ?? sleep(POLL_MS)]);
      check = await findFullCheck(deps, check.id);
    }
    await own?.ended;
    const isNew = own !== undefined || (earlier !== undefined && earlier !== check?.id);
    if (isNew && check?.result) return check.result;
    earlier ??= check?.id;
  }
}

async function findFullCheck({ db }: CheckDeps, id: string): Promise<FullCheck | undefined> {
  const row = await findCheckById(db, id);
  return row && toFullCheck(row);
}

interface OwnCheck {
  readonly id: string;
  /** Rejects if the check fails. */
  readonly ended: Promise<void>;
}

async function begin(deps: CheckDeps): Promise<OwnCheck | undefined> {
  const totalRows = await countStoredRows(deps.db);
  const run = await startCheck(deps.db, { kind: 'FULL', holder: randomUUID(), now: new Date(), totalRows });
  return run && { id: run.id, ended: execute(deps, run) };
}

async function execute(deps: CheckDeps, run: CheckRun): Promise<void> {
  const { db } = deps;
  try {
    await withHeartbeat(db, run, async () => {
      await checkLedger(deps, {
        // The cursor is not stored, because a writer to the database could move it.
        async afterStep({ checked }) {
          const { isHeld } = await saveCheck(db, run, { checked, cursor: undefined });
          if (!isHeld) throw new Error('another process has ended the ledger check');
          failPoint('ledger-check.saved');
          return true;
        },
      });
    });
    await finishCheck(db, run, new Date());
  } catch (error) {
    await interruptCheck(db, run, new Date()).catch(() => undefined);
    throw error;
  }
}

function toFullCheck({ id, startedAt, finishedAt, interrupted, totalRows, checked }: CheckRow): FullCheck {
  const status = interrupted ? 'INTERRUPTED' : finishedAt === null ? 'RUNNING' : 'COMPLETED';
  const percent = Math.floor((100 * (checked?.rows ?? 0)) / Math.max(1, totalRows));
  return {
    id,
    status,
    progress: status === 'COMPLETED' ? 100 : Math.min(99, percent),
    startedAt,
    finishedAt,
    result: status === 'COMPLETED' ? resultOf(checked ?? NOTHING_CHECKED) : null,
  };
}
