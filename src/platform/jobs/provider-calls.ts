import type { Clock } from '#platform/kit/clock.ts';
import type { Lease } from '#platform/database/leases.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';

const MAX_CONCURRENT_CALLS = 20;
/** Longer than any deadline, so that a living worker's call is never made twice at once. */
const LEASE_MS = 60_000;
/**
 * How long after a call without an outcome the next one follows: 5 s, 10 s, 20 s … but never more
 * than ten minutes.
 */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 600_000;

/**
 * The provider certainly has not taken the order: nothing of it was sent, or it said that it took
 * nothing. Another may.
 */
export class NotExecutedError extends Error {
  override readonly name = 'NotExecutedError';
}

/** Something of which a provider must be told, and that is leased to this worker now. */
export interface LeasedItem {
  /** Our id of it, under which the provider does it once however often it is called. */
  readonly id: string;
  /** Calls made before this one. */
  readonly attempts: number;
}

/**
 * One kind of calls: where what is due comes from, how a provider is told, and where the outcome
 * goes.
 */
export interface ProviderCalls<Due extends LeasedItem, Answer> {
  /** What the log calls it. */
  readonly name: string;
  /** What its fail-points are called. */
  readonly failPointPrefix: 'payouts' | 'reversals' | 'operation-sweep';
  /** How long one call may take, in milliseconds; less than a minute. */
  readonly deadlineMs: number;
  /**
   * Takes what is due by writing a lease on it; a lease that has run out (its worker died) is taken
   * again.
   */
  lease(lease: Lease): Promise<readonly Due[]>;
  /** The call to make; undefined where none is needed any more, which is then recorded. */
  prepare(due: Due): Promise<((deadline: AbortSignal) => Promise<Answer>) | undefined>;
  record(due: Due, answer: Answer): Promise<void>;
  /**
   * What came of the call is not known, or certainly nothing did (`NotTaken`): it is made again
   * later, under the same id.
   */
  postpone(due: Due, dueAt: Date, now: Date, error: unknown): Promise<void>;
}

/**
 * Tells a provider what is due: leases it, calls outside any transaction, and records what came of
 * it. A crash between call and record leaves a lease that runs out, and the call is made again. The
 * chore answers true where more may be due at once.
 */
export function createProviderCaller<Due extends LeasedItem, Answer>(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  calls: ProviderCalls<Due, Answer>,
): () => Promise<boolean> {
  async function processItem(due: Due): Promise<void> {
    const call = await calls.prepare(due);
    if (call === undefined) return;
    let answer: Answer;
    try {
      answer = await withDeadline(AbortSignal.timeout(calls.deadlineMs), call);
    } catch (error) {
      const about = { err: error, kind: calls.name, id: due.id, attempts: due.attempts + 1 };
      log.error(about, 'a call of a provider has no outcome');
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(due.attempts, 10));
      const now = clock.now();
      await calls.postpone(due, new Date(now.getTime() + delay), now, error);
      return;
    }
    failPoint(`${calls.failPointPrefix}.called`);
    await calls.record(due, answer);
    failPoint(`${calls.failPointPrefix}.recorded`);
  }

  return async () => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const due = await calls.lease({ now, leaseUntil, limit: MAX_CONCURRENT_CALLS });
    if (due.length > 0) failPoint(`${calls.failPointPrefix}.leased`);
    await runAll(due, processItem);
    return due.length === MAX_CONCURRENT_CALLS;
  };
}

/**
 * After its deadline a client gets this long to say whether anything was sent, which it alone
 * knows.
 */
const ABORT_GRACE_MS = 250;

/** Ends soon after the deadline even where the provider's client does not heed it. */
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

/** Lets every one end, whatever becomes of the others, and then tells of the first that failed. */
export async function runAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
