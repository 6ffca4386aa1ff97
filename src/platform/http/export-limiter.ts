import { setTimeout as sleep } from 'node:timers/promises';

import { HttpError } from './errors.ts';

/** Exports that are open at a time. A client that reads slowly keeps its export open. */
const MAX_OPEN = 12;
const MAX_OPEN_PER_OWNER = 2;
const MAX_QUEUED = 60;
const MAX_QUEUED_PER_OWNER = 6;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 10;
/** The longest pause after a step. */
const MAX_PAUSE_MS = 250;

interface QueuedExport {
  readonly owner: string;
  readonly start: () => void;
}

/**
 * Limits exports, which read any number of records, so that other requests stay fast. Exports above
 * the limits wait; those that would wait too long get a 429. Open exports take turns to read and
 * format records: one at a time, on at most one database connection, and at most half of the time.
 */
export class ExportLimiter {
  readonly #maxWaitMs: number;
  readonly #open = new Map<string, number>();
  readonly #queue = new Set<QueuedExport>();
  #openCount = 0;
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Waits until the owner may open an export. Returns the function that closes it, which may be
   * called several times.
   *
   * @throws HttpError 429 if too many exports are open.
   */
  async open(owner: string): Promise<() => void> {
    if (!this.#hasCapacity(owner)) await this.#waitForCapacity(owner);
    else this.#count(owner, 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#count(owner, -1);
      this.#startNext();
    };
  }

  /** Runs one step of an export after those that were requested before. */
  runStep<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#lastStep.then(async () => {
      const startedAt = performance.now();
      try {
        return await step();
      } finally {
        await sleep(Math.min(MAX_PAUSE_MS, performance.now() - startedAt));
      }
    });
    this.#lastStep = result.catch(() => undefined);
    return result;
  }

  async #waitForCapacity(owner: string): Promise<void> {
    const queuedByOwner = [...this.#queue].filter((queued) => queued.owner === owner).length;
    if (this.#queue.size >= MAX_QUEUED || queuedByOwner >= MAX_QUEUED_PER_OWNER) throw tooManyExports();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued: QueuedExport = { owner, start: resolve };
    this.#queue.add(queued);
    const timer = setTimeout(() => {
      this.#queue.delete(queued);
      reject(tooManyExports());
    }, this.#maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Starts the first export in the queue whose owner may open one. */
  #startNext(): void {
    for (const queued of this.#queue) {
      if (!this.#hasCapacity(queued.owner)) continue;
      this.#queue.delete(queued);
      this.#count(queued.owner, 1);
      queued.start();
      return;
    }
  }

  #hasCapacity(owner: string): boolean {
    return this.#openCount < MAX_OPEN && (this.#open.get(owner) ?? 0) < MAX_OPEN_PER_OWNER;
  }

  #count(owner: string, change: 1 | -1): void {
    const open = (this.#open.get(owner) ?? 0) + change;
    if (open === 0) this.#open.delete(owner);
    else this.#open.set(owner, open);
    this.#openCount += change;
  }
}

const tooManyExports = (): HttpError =>
  new HttpError('rate_limited', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
