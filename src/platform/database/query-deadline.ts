import { DeadlineExceededError } from './errors.ts';

/** How often the queues are checked for callers past the deadline. */
const CHECK_INTERVAL_MS = 100;

/** Callers that wait for the database. Times are milliseconds of `performance.now()`. */
export interface Queue {
  /**
   * Rejects all callers that have waited since `since` or longer. Returns whether others wait.
   */
  expire(since: number): boolean;
  /**
   * Since when the first caller has waited whose work has not started; undefined if there is none.
   */
  waitingSince(): number | undefined;
  /** Whether all work in progress is past the deadline. */
  isStuck(): boolean;
}

/**
 * Limits how long callers wait for the database. All callers share one timer, because a timer for
 * each would cost the hot path too much. Callers wait in queues, in order of arrival, and the
 * queues are checked ten times a second while anybody waits.
 */
export class QueryDeadline {
  readonly #ms: number;
  readonly #queues: Queue[] = [];
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  addQueue(queue: Queue): void {
    this.#queues.push(queue);
  }

  /** Must be called for each caller that begins to wait. */
  notice(): void {
    if (this.#timer !== undefined) return;
    this.#checkedAt = performance.now();
    this.#timer = setInterval(() => this.#expireOverdue(), CHECK_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** How long the first caller has waited for its work to start, in milliseconds. */
  longestWaitMs(): number {
    const now = performance.now();
    return Math.max(0, ...this.#queues.map((queue) => now - (queue.waitingSince() ?? now)));
  }

  isStuck(): boolean {
    return this.#queues.some((queue) => queue.isStuck());
  }

  #expireOverdue(): void {
    const now = performance.now();
    // After a pause of the process or its machine, timers run before the responses that have arrived
    // are read. So the time by which a check is late does not count.
    const late = Math.max(0, now - this.#checkedAt - CHECK_INTERVAL_MS);
    this.#checkedAt = now;
    const since = now - this.#ms - late;
    let isAwaited = false;
    for (const queue of this.#queues) isAwaited = queue.expire(since) || isAwaited;
    if (isAwaited) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export interface Waiter {
  readonly since: number;
  readonly reject: (error: Error) => void;
}

/** Callers in order of arrival, which leave in any order. */
export class WaitQueue implements Queue {
  readonly #waiters = new Set<Waiter>();
  readonly #deadline: QueryDeadline | undefined;
  readonly #started: boolean;

  /** `started` says whether the work of these callers has started, so that they wait for its end. */
  constructor(deadline: QueryDeadline | undefined, { started }: { readonly started: boolean }) {
    this.#deadline = deadline;
    this.#started = started;
    deadline?.addQueue(this);
  }

  enqueue(reject: (error: Error) => void): Waiter {
    this.#deadline?.notice();
    const waiter = { since: performance.now(), reject };
    this.#waiters.add(waiter);
    return waiter;
  }

  remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  expire(since: number): boolean {
    for (const waiter of this.#waiters) {
      if (waiter.since > since) return true;
      this.#waiters.delete(waiter);
      waiter.reject(new DeadlineExceededError());
    }
    return false;
  }

  waitingSince(): number | undefined {
    if (this.#started) return undefined;
    const [first] = this.#waiters;
    return first?.since;
  }

  isStuck(): boolean {
    return false;
  }
}
