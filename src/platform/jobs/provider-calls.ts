import { setTimeout as sleep } from 'node:timers/promises';

import type { Clock } from '#platform/kit/clock.ts';
import type { Lease, Leased } from '#platform/database/leases.ts';
import type { LeaseHolder } from './lease-holder.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';

const MAX_CONCURRENT_CALLS = 20;
/** How long a run waits for its calls. Slower ones continue beside the next run. */
const ROUND_MS = 1_000;
/** Longer than any deadline, so that no call of a running worker is made twice at once. */
const LEASE_MS = 60_000;
/** The delay after a call without an outcome: 5 s, 10 s, 20 s … up to ten minutes. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 600_000;

/** The provider certainly did not execute the operation, so another provider may. */
export class NotExecutedError extends Error {
  override readonly name = 'NotExecutedError';
}

/** A call to a provider that is leased to this worker. */
export interface LeasedItem extends Leased {
  /** Our id. The provider executes each id once, however often it is called. */
  readonly id: string;
  /** The number of earlier calls. */
  readonly attempts: number;
}

/** One kind of calls: which are due, how they are made, and where their outcome is recorded. */
export interface ProviderCalls<Due extends LeasedItem, Result> {
  /** The name in logs. */
  readonly name: string;
  /** The prefix of its fail points. */
  readonly failPointPrefix:
    | 'payouts'
    | 'reversals'
    | 'operation-sweep'
    | 'verifications'
    | 'mails'
    | 'subscription-charges'
    | 'pix-authorizations';
  /** The timeout of one call, in milliseconds. Less than a minute. */
  readonly deadlineMs: number;
  /** Calls made at once. Defaults to 20. */
  readonly maxConcurrent?: number;
  /** Claims due items by a lease. A lease that has ended (its worker died) is claimed again. */
  lease(lease: Lease): Promise<readonly Due[]>;
  /** Returns the call to make. Returns undefined, and records it, if none is needed any more. */
  prepare(due: Due): Promise<((deadline: AbortSignal) => Promise<Result>) | undefined>;
  record(due: Due, response: Result): Promise<void>;
  /** The outcome is unknown, or the call was not executed. It is made again, under the same id. */
  postpone(due: Due, dueAt: Date, now: Date, error: unknown): Promise<void>;
}

export interface ProviderCallerDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
}

/**
 * Creates the job that leases due items, calls their provider outside any transaction and records
 * the outcome. After a crash between the two, the lease ends and the call is made again. A call that
 * hangs takes the place of one other call until its deadline. The job returns true if more may be
 * due.
 */
export function createProviderCaller<Due extends LeasedItem, Result>(
  { clock, log, leaseHolder }: ProviderCallerDeps,
  calls: ProviderCalls<Due, Result>,
): () => Promise<boolean> {
  async function processItem(due: Due): Promise<void> {
    const call = await calls.prepare(due);
    if (call === undefined) return;
    let response: Result;
    try {
      response = await withDeadline(AbortSignal.timeout(calls.deadlineMs), call);
    } catch (error) {
      const about = { err: error, kind: calls.name, id: due.id, attempts: due.attempts + 1 };
      log.error(about, 'provider call has no outcome');
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(due.attempts, 10));
      const now = clock.now();
      await calls.postpone(due, new Date(now.getTime() + delay), now, error);
      return;
    }
    failPoint(`${calls.failPointPrefix}.called`);
    await calls.record(due, response);
    failPoint(`${calls.failPointPrefix}.recorded`);
  }

  const limit = calls.maxConcurrent ?? MAX_CONCURRENT_CALLS;
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  function start(due: Due): Promise<void> {
    const work = processItem(due)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(work));
    running.add(work);
    leaseHolder.track(work);
    return work;
  }

  return async () => {
    if (running.size === limit) await Promise.race(running);
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const { id: leasedBy } = leaseHolder;
    if (leasedBy === undefined) return false;
    const free = limit - running.size;
    const due = await calls.lease({ now, leaseUntil, leasedBy, limit: free });
    if (due.length > 0) failPoint(`${calls.failPointPrefix}.leased`);
    await within(ROUND_MS, Promise.all(due.map(start)));
    if (failures.length > 0) throw failures.splice(0)[0];
    return due.length === free;
  };
}

/** Waits for the work, but not longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const elapsed = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([work, elapsed]).finally(() => timer.abort());
}

/** The time after the deadline in which the client can report whether it sent anything. */
const ABORT_GRACE_MS = 250;

/** Rejects soon after the deadline, even if the provider's client ignores it. */
export async function withDeadline<T>(
  deadline: AbortSignal,
  call: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const scheduleReject = () => {
    timer = setTimeout(() => reject(deadline.reason), ABORT_GRACE_MS);
  };
  deadline.throwIfAborted();
  deadline.addEventListener('abort', scheduleReject, { once: true });
  try {
    return await Promise.race([call(deadline), promise]);
  } finally {
    deadline.removeEventListener('abort', scheduleReject);
    clearTimeout(timer);
  }
}

/** Waits for all, then throws the first failure. */
export async function runAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
