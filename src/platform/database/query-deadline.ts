import { DeadlineExceededError } from './errors.ts';

/** How often the queues are checked for callers past the deadline. */
const CHECK_INTERVAL_MS = 100;

/** Callers that wait for the database. Times are milliseconds of `performance.now()`. */
export interface Queue {
  /** Rejects all callers that have waited since `since` or longer. */
  expire(since: number): void;
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
 * queues are checked ten times a second.
 */
export class QueryDeadline {
  readonly #ms: number;
  readonly #queues: Queue[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  addQueue(queue: Queue): void {
    this.#queues.push(queue);
    this.#timer ??= setInterval(() => this.#expireOverdue(), CHECK_INTERVAL_MS).unref();
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
    const since = performance.now() - this.#ms;
    for (const queue of this.#queues) queue.expire(since);
  }
}

export interface Waiter {
  readonly since: number;
  readonly reject: (error: Error) => void;
}

/** Callers in order of arrival, which leave in any order. */
export class WaitQueue implements Queue {
  readonly #waiters = new Set<Waiter>();
  readonly #started: boolean;

  /**
   * @param started whether the work of these callers has started, so that they wait for its end.
   */
  constructor(started: boolean) {
    this.#started = started;
  }

  enqueue(reject: (error: Error) => void): Waiter {
    const waiter = { since: performance.now(), reject };
    this.#waiters.add(waiter);
    return waiter;
  }

  remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
  }

  expire(since: number): void {
    for (const waiter of this.#waiters) {
      if (waiter.since > since) return;
      this.#waiters.delete(waiter);
      waiter.reject(new DeadlineExceededError());
    }
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
