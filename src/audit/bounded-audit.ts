import type { Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Logger } from '#platform/kit/log.ts';
import { recordAudit, type AuditedChange } from './service.ts';

const WINDOW_SECONDS = 3_600;

interface BoundedAuditDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rates: RateLimiter;
  readonly log: Logger;
}

type Entry = Omit<AuditedChange, 'at' | 'before'>;

/**
 * Entries that belong to no change: refusals and reads. Anybody can cause them, so their number is
 * bounded.
 */
export type BoundedAudit = ReturnType<typeof createBoundedAudit>;

export const createBoundedAudit = (deps: BoundedAuditDeps) =>
  bindDeps(deps, { admit, record, recordRefusal });

/** Whether an entry with this key may be written: the first `limit` in an hour. */
async function admit({ rates }: BoundedAuditDeps, key: string, limit = 1): Promise<boolean> {
  return !(await rates.consume(`audit:${key}`, limit, WINDOW_SECONDS)).exceeded;
}

/** Records a read once in an hour for each key. The read must fail if this does. */
async function record(deps: BoundedAuditDeps, key: string, actor: AuditActor, entry: Entry): Promise<void> {
  if (!(await admit(deps, key))) return;
  try {
    await write(deps, actor, entry);
  } catch (error) {
    await deps.rates.release(`audit:${key}`, WINDOW_SECONDS);
    throw error;
  }
}

/** Records a refusal. A failure is logged: the request is refused all the same. */
async function recordRefusal(deps: BoundedAuditDeps, actor: AuditActor, entry: Entry): Promise<void> {
  await write(deps, actor, entry).catch((err: unknown) =>
    deps.log.error({ err, action: entry.action }, 'could not write the audit log'),
  );
}

const write = ({ db, clock }: BoundedAuditDeps, actor: AuditActor, entry: Entry): Promise<void> =>
  db.transaction().execute((trx) => recordAudit(trx, actor, { ...entry, before: null, at: clock.now() }));
