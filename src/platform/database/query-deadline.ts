import { DeadlineExceededError } from './errors.ts';

/** How often it is looked who has waited too long. */
const CHECK_INTERVAL_MS = 100;

/** Callers that wait, each since a time of the machine's clock. */
export interface Queue {
  /** Lets go of everybody who has waited since `since` or longer. */
  expire(since: number): void;
  /** Since when the first one waits that nothing has been begun for; undefined where nobody does. */
  waitingSince(): number | undefined;
  /** Whether all that is begun takes too long. */
  isStuck(): boolean;
}

/**
 * How long callers wait for the database. One timer for all of them, since each of them having one would cost the hot
 * path more than it gains: whoever waits is in a queue, in the order of coming, and the queues are looked at ten times a second.
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

  /** How long the first caller has waited for something to be begun, in milliseconds. */
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

/** One caller of those that wait for an answer. */
export interface Waiter {
  readonly since: number;
  readonly reject: (error: Error) => void;
}

/** Callers that wait, in the order of coming; they leave in any. */
export class WaitQueue implements Queue {
  readonly #waiters = new Set<Waiter>();
  readonly #started: boolean;

  /** @param started whether what they wait for has been begun, and not only its beginning is waited for. */
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
