import { AsyncLocalStorage } from 'node:async_hooks';

import { Clock } from '#platform/kit/clock.ts';

/**
 * A clock on which every piece of work has its own time, so that a history can be written out of
 * order.
 */
export class HistoryClock extends Clock {
  readonly #times = new AsyncLocalStorage<{ ms: number }>();

  override nowMs(): number {
    const time = this.#times.getStore();
    if (time === undefined) throw new Error('history has no present');
    return time.ms;
  }

  /** Runs the work at the given time. */
  at<T>(ms: number, work: () => Promise<T>): Promise<T> {
    return this.#times.run({ ms }, work);
  }
}
