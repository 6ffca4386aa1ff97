import { setTimeout as sleep } from 'node:timers/promises';

import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { HttpError } from './errors.ts';

/** A client that reads slowly keeps its export open. */
const LIMITS = { maxRunning: 12, maxRunningPerOwner: 2, maxQueued: 60, maxQueuedPerOwner: 6 } as const;
const MAX_WAIT_MS = 20_000;
const RETRY_AFTER_SECONDS = 10;
/** The longest pause after a step. */
const MAX_PAUSE_MS = 250;

/**
 * Limits what reads any number of records, so that other requests stay fast. What is above the
 * limits waits; what would wait too long gets a 429. Open exports take turns to read and format
 * records: one at a time, on at most one database connection, and at most half of the time.
 */
export class ExportLimiter extends ConcurrencyLimiter {
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(maxWaitMs = MAX_WAIT_MS) {
    super({ ...LIMITS, maxWaitMs, refusal: tooManyReads });
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
}

/** The error of a read of many records that would wait too long. */
export const tooManyReads = (): HttpError =>
  new HttpError('rate_limited', { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
