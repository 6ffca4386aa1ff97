import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

import type { Outcome } from './operations.ts';
import type { Operation } from './options.ts';

/** What one operation did in a period. Times in milliseconds. */
export interface Measurement {
  readonly operation: Operation;
  /** 2xx responses per second. */
  readonly rate: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Other results by status code or reason. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Collects the results of one operation. */
export class Collector {
  readonly #operation: Operation;
  readonly #times: RecordableHistogram = createHistogram();
  readonly #failures = new Map<string, number>();
  #succeeded = 0;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /** Response times include failures: the caller of a rejected request has waited, too. */
  add(outcome: Outcome, elapsedMs: number): void {
    if (outcome === 'nothing to do') return;
    this.#times.record(Math.max(1, Math.round(elapsedMs * 1_000)));
    if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) this.#succeeded += 1;
    else this.#failures.set(String(outcome), (this.#failures.get(String(outcome)) ?? 0) + 1);
  }

  measure(seconds: number): Measurement {
    const at = (percentile: number) =>
      this.#times.count === 0 ? 0 : this.#times.percentile(percentile) / 1_000;
    return {
      operation: this.#operation,
      rate: this.#succeeded / seconds,
      p50: at(50),
      p95: at(95),
      p99: at(99),
      max: this.#times.count === 0 ? 0 : this.#times.max / 1_000,
      failures: Object.fromEntries(this.#failures),
    };
  }
}
