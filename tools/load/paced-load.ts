import { setTimeout as sleep } from 'node:timers/promises';

import { Collector, type Measurement } from './measurements.ts';
import type { Operations } from './operations.ts';
import type { LoadOptions, Operation, Rates } from './options.ts';

const TICK_MS = 2;

export interface LoadResult {
  /** Of the measurement, without the warm-up. */
  readonly seconds: number;
  readonly operations: readonly Measurement[];
  /** Requests that were due while as many as `connections` were in flight, and were not sent. */
  readonly skipped: number;
}

export interface LiveReport {
  readonly second: number;
  readonly isWarmup: boolean;
  readonly operations: readonly Measurement[];
}

interface Schedule {
  readonly operation: Operation;
  readonly rate: number;
  due: number;
}

/**
 * Sends requests at fixed rates, whether or not earlier ones have returned, as independent clients
 * do. The time of a request starts when it is due, so that a stall counts for all that it delays.
 * Stops early when the signal is aborted.
 */
export async function runPacedLoad(
  options: LoadOptions,
  operations: Operations,
  onSecond: (report: LiveReport) => void,
  signal: AbortSignal,
): Promise<LoadResult> {
  const { rates, connections, warmupSeconds, seconds } = options;
  const schedules = schedulesOf(rates);
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  const measureFrom = started + warmupSeconds * 1_000;
  const end = measureFrom + seconds * 1_000;
  const total = new Collectors(schedules);
  let second = new Collectors(schedules);
  let skipped = 0;
  let secondsShown = 0;

  async function send({ operation }: Schedule, dueAt: number): Promise<void> {
    const outcome = await operations.run(operation);
    const elapsedMs = performance.now() - dueAt;
    second.of(operation).add(outcome, elapsedMs);
    if (dueAt >= measureFrom) total.of(operation).add(outcome, elapsedMs);
  }

  while (!signal.aborted && performance.now() < end) {
    const now = Math.min(performance.now(), end);
    for (const schedule of schedules) {
      for (; schedule.due <= ((now - started) / 1_000) * schedule.rate; schedule.due += 1) {
        const dueAt = started + (schedule.due / schedule.rate) * 1_000;
        if (pending.size >= connections) {
          if (dueAt >= measureFrom) skipped += 1;
          continue;
        }
        const sent: Promise<void> = send(schedule, dueAt).finally(() => pending.delete(sent));
        pending.add(sent);
      }
    }
    if (now - started >= (secondsShown + 1) * 1_000) {
      secondsShown += 1;
      const isWarmup = secondsShown <= warmupSeconds;
      onSecond({ second: secondsShown, isWarmup, operations: second.measure(1) });
      second = new Collectors(schedules);
    }
    await sleep(TICK_MS);
  }
  const measured = Math.max((Math.min(performance.now(), end) - measureFrom) / 1_000, 0);
  await Promise.all(pending);
  return { seconds: measured, operations: measured === 0 ? [] : total.measure(measured), skipped };
}

const schedulesOf = (rates: Rates): readonly Schedule[] =>
  OPERATIONS.filter((operation) => rates[operation] > 0).map((operation) => ({
    operation,
    rate: rates[operation],
    due: 0,
  }));

const OPERATIONS = ['creations', 'payments', 'reads', 'lists'] as const satisfies readonly Operation[];

class Collectors {
  readonly #byOperation: ReadonlyMap<Operation, Collector>;

  constructor(schedules: readonly Schedule[]) {
    this.#byOperation = new Map(schedules.map(({ operation }) => [operation, new Collector(operation)]));
  }

  of(operation: Operation): Collector {
    const found = this.#byOperation.get(operation);
    if (found === undefined) throw new Error(`${operation} is not part of the load`);
    return found;
  }

  measure(seconds: number): readonly Measurement[] {
    return [...this.#byOperation.values()].map((collector) => collector.measure(seconds));
  }
}
