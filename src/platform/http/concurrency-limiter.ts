import type { HttpError } from './errors.ts';

export interface ConcurrencyLimits {
  readonly maxRunning: number;
  readonly maxRunningPerOwner: number;
  readonly maxQueued: number;
  readonly maxQueuedPerOwner: number;
  readonly maxWaitMs: number;
  /** The error if the queue is full or the wait was too long. */
  readonly refusal: () => HttpError;
}

interface Queued {
  readonly owner: string;
  readonly start: () => void;
}

/** Limits how much runs at a time, for each owner and in all. What is above the limits waits. */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  readonly #running = new Map<string, number>();
  readonly #queue = new Set<Queued>();
  #runningCount = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /**
   * Waits until the owner may start. Returns the function that ends it, which may be called several
   * times.
   *
   * @throws HttpError the refusal, if too much is running and waiting.
   */
  async open(owner: string): Promise<() => void> {
    if (!this.hasCapacity(owner)) await this.#waitForCapacity(owner);
    else this.#count(owner, 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#count(owner, -1);
      this.#startNext();
    };
  }

  /** Runs a function when its owner may start. */
  async run<T>(owner: string, action: () => Promise<T>): Promise<T> {
    const close = await this.open(owner);
    try {
      return await action();
    } finally {
      close();
    }
  }

  async #waitForCapacity(owner: string): Promise<void> {
    const { maxQueued, maxQueuedPerOwner, maxWaitMs, refusal } = this.#limits;
    const queuedByOwner = [...this.#queue].filter((queued) => queued.owner === owner).length;
    if (this.#queue.size >= maxQueued || queuedByOwner >= maxQueuedPerOwner) throw refusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued: Queued = { owner, start: resolve };
    this.#queue.add(queued);
    const timer = setTimeout(() => {
      this.#queue.delete(queued);
      reject(refusal());
    }, maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Starts the first in the queue whose owner may start. */
  #startNext(): void {
    for (const queued of this.#queue) {
      if (!this.hasCapacity(queued.owner)) continue;
      this.#queue.delete(queued);
      this.#count(queued.owner, 1);
      queued.start();
      return;
    }
  }

  /** Whether the owner may start now. */
  hasCapacity(owner: string): boolean {
    const { maxRunning, maxRunningPerOwner } = this.#limits;
    return this.#runningCount < maxRunning && (this.#running.get(owner) ?? 0) < maxRunningPerOwner;
  }

  #count(owner: string, change: 1 | -1): void {
    const running = (this.#running.get(owner) ?? 0) + change;
    if (running === 0) this.#running.delete(owner);
    else this.#running.set(owner, running);
    this.#runningCount += change;
  }
}
