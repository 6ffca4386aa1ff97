import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import { advanceDomainClock, readDomainClock } from '#platform/database/domain-clock.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Worker } from './worker.ts';

/** How often a process reads the clock's offset, which another process may have changed. */
const POLL_INTERVAL_MS = 500;

export interface SandboxClockDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Undefined in a process without a worker. */
  readonly worker: () => Worker | undefined;
}

/** Returns the job that applies the offset and the pause that other processes have stored. */
export const createClockSyncJob = (deps: SandboxClockDeps): Job => ({
  name: 'clock',
  intervalMs: POLL_INTERVAL_MS,
  async run() {
    const { offsetMs, workersPausedUntilMs } = await readDomainClock(deps.db);
    deps.worker()?.pauseUntil(workersPausedUntilMs);
    applyOffset(deps, offsetMs);
    return false;
  },
});

/** Advances the clock of all processes and records it in the audit log. */
export async function advanceSandboxClock(
  deps: SandboxClockDeps,
  seconds: number,
  actor: AuditActor,
): Promise<void> {
  const offsetMs = await deps.db.transaction().execute(async (trx) => {
    const at = deps.clock.now();
    const advancedMs = await advanceDomainClock(trx, seconds * 1_000);
    const offsetSeconds = advancedMs / 1_000;
    await recordAudit(trx, actor, {
      action: 'sandbox.clock-advanced',
      recordType: 'clock',
      recordId: null,
      sellerId: null,
      before: { offsetSeconds: offsetSeconds - seconds },
      after: { offsetSeconds },
      at,
    });
    return advancedMs;
  });
  applyOffset(deps, offsetMs);
}

/** Advances the clock of this process, whose jobs then look for what has become due. */
function applyOffset({ clock, worker }: SandboxClockDeps, offsetMs: number): void {
  if (offsetMs <= clock.offsetMs) return;
  clock.advanceTo(offsetMs);
  worker()?.wakeAll();
}
