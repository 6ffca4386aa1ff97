import type { Logger } from '#platform/kit/log.ts';

/** Work that is looked for again and again. */
export interface Job {
  readonly name: string;
  /** How long to wait after a look that found nothing more to do. */
  readonly intervalMs: number;
  /** Does what is due; true where more may be due at once. */
  readonly run: () => Promise<boolean>;
  /**
   * A stop does not wait for a look under way: it takes long, changes nothing, and ends with its
   * connection.
   */
  readonly abandonOnStop?: boolean;
}

/** How a loop has been doing. */
export interface LoopState {
  readonly name: string;
  /** When it last looked, by the machine's clock in milliseconds since 1970. */
  readonly lastRunMs: number | undefined;
  /** When a look last ended well, by the same clock. */
  readonly lastSuccessMs: number | undefined;
  /** Looks that have failed in a row. */
  readonly failures: number;
}

/**
 * Runs one chore until it is stopped. A failure is logged and waited out; it never ends the loop.
 */
export class JobLoop {
  readonly #job: Job;
  readonly #log: Logger;
  #stopped = false;
  #woken = false;
  #lastRunMs: number | undefined;
  #lastSuccessMs: number | undefined;
  #failures = 0;
  #wake: (() => void) | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(job: Job, log: Logger) {
    this.#job = job;
    this.#log = log;
  }

  get state(): LoopState {
    const { name } = this.#job;
    return { name, lastRunMs: this.#lastRunMs, lastSuccessMs: this.#lastSuccessMs, failures: this.#failures };
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Looks now instead of at the next regular time; during a look, looks once more after it. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Lets the look under way end, unless it is left behind, and starts no other. */
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
      try {
        more = await this.#job.run();
        failures = 0;
        this.#lastSuccessMs = Date.now();
      } catch (error) {
        failures += 1;
        // The database may be away for minutes: the first failure is news, and then every
        // hundredth.
        const expected = this.#stopped && this.#job.abandonOnStop === true;
        if (failures % 100 === 1 && !expected)
          this.#log.error({ err: error, chore: this.#job.name, failures }, 'a chore failed');
      }
      this.#failures = failures;
      if (!more && !this.#woken && !this.#stopped) await this.#wait(failures);
    }
  }

  #wait(failures: number): Promise<void> {
    const ms = failures === 0 ? this.#job.intervalMs : Math.min(5_000, 100 * 2 ** Math.min(failures, 6));
    return new Promise((resolve) => {
      const timer = setTimeout(finish, ms);
      const wake = finish;
      function finish(): void {
        clearTimeout(timer);
        resolve();
      }
      this.#wake = wake;
    });
  }
}
