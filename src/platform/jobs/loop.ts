import type { Logger } from '#platform/kit/log.ts';
import { alignedPauseMs } from '#platform/kit/aligned-pause.ts';
import type { PollingPace } from './polling-pace.ts';

/** Work that is done repeatedly. */
export interface Job {
  readonly name: string;
  /** The pause after a run that left no work. */
  readonly intervalMs: number;
  /** Does the due work. Returns true if more may be due. */
  readonly run: () => Promise<boolean>;
  /**
   * A stop does not wait for the current run: it is long, changes nothing, and ends with its
   * connection.
   */
  readonly abandonOnStop?: boolean;
  /**
   * A run that left work is followed by a pause of this many times its duration, so that much work
   * does not delay requests. Defaults to 0.
   */
  readonly pauseFactor?: number;
}

/** The recent history of a loop. */
export interface LoopState {
  readonly name: string;
  /** The start of the last run, in milliseconds since 1970 by the machine's clock. */
  readonly lastRunMs: number | undefined;
  /** The end of the last successful run, by the same clock. */
  readonly lastSuccessMs: number | undefined;
  /** Consecutive failures. */
  readonly failures: number;
}

/** Runs one job until it is stopped. A failure is logged and delays the next run. */
export class JobLoop {
  readonly #job: Job;
  readonly #log: Logger;
  readonly #pace: PollingPace | undefined;
  #stopped = false;
  #woken = false;
  #lastRunMs: number | undefined;
  #lastSuccessMs: number | undefined;
  #failures = 0;
  #wake: (() => void) | undefined;
  #done: Promise<void> = Promise.resolve();

  /** @param pace stretches the intervals of an idle process. */
  constructor(job: Job, log: Logger, pace?: PollingPace) {
    this.#job = job;
    this.#log = log;
    this.#pace = pace;
  }

  get state(): LoopState {
    const { name } = this.#job;
    return { name, lastRunMs: this.#lastRunMs, lastSuccessMs: this.#lastSuccessMs, failures: this.#failures };
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Runs the job now, or again after the current run. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Waits for the current run, unless the job is abandoned on stop. No other run starts. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    if (this.#job.abandonOnStop !== true) await this.#done;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopped) {
      this.#woken = false;
      let more = false;
      this.#lastRunMs = Date.now();
      const startedMs = performance.now();
      try {
        more = await this.#job.run();
        failures = 0;
        this.#lastSuccessMs = Date.now();
      } catch (error) {
        failures += 1;
        // The database may be unavailable for minutes, so only every hundredth failure is logged.
        const expected = this.#stopped && this.#job.abandonOnStop === true;
        if (failures % 100 === 1 && !expected)
          this.#log.error({ err: error, job: this.#job.name, failures }, 'job failed');
      }
      this.#failures = failures;
      const { intervalMs, pauseFactor = 0 } = this.#job;
      const idleMs =
        failures === 0
          ? (this.#pace?.pauseMs(intervalMs) ?? alignedPauseMs(intervalMs))
          : Math.min(5_000, 100 * 2 ** Math.min(failures, 6));
      const pauseMs = more ? pauseFactor * (performance.now() - startedMs) : idleMs;
      if (pauseMs > 0 && !this.#woken && !this.#stopped) await this.#wait(pauseMs);
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        forget?.();
        resolve();
      };
      const timer = setTimeout(finish, ms);
      const forget = this.#pace?.onActivity(finish);
      this.#wake = finish;
    });
  }
}
