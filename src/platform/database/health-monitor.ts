import { setTimeout as sleep } from 'node:timers/promises';

import { isConnectionLimitReached } from './errors.ts';

/**
 * `read-only` is a server that answers and takes no writes: a standby that nobody has promoted. `full` is one that has no
 * connection left for us: those that are open are kept, since others would take them.
 */
export type Availability = 'ok' | 'full' | 'unreachable' | 'read-only';

/** Whether it is of no use to ask it anything. */
export const isUnavailable = (availability: Availability): boolean =>
  availability === 'unreachable' || availability === 'read-only';

/** How long to rest between two looks; whoever waits for its return looks sooner. */
const PROBE_INTERVAL_MS = 250;
const PROBE_UNAVAILABLE_INTERVAL_MS = 100;

/** Connections that must fail to open, one a moment after the other, before the server counts as away. */
const MAX_CONNECT_ATTEMPTS = 2;
const CONNECT_RETRY_DELAY_MS = 50;

/** A look waits in ticks and not by the clock, so that a process that stood still itself does not blame the server. */
const TICK_MS = 100;
/** Without any answer to anybody for so long, the server is away. */
const UNRESPONSIVE_TICKS = 10;
/** Where others are answered and only the look is not, it is its own connection that is broken. */
const CONNECTION_LOST_TICKS = 50;

/** A connection of the watch's own. */
export interface ProbeConnection {
  /** Whether the server takes writes. */
  isWritable(): Promise<boolean>;
  destroy(): void;
}

export interface HealthMonitorOptions {
  /** Opens a connection to where the database is believed to be now. */
  readonly open: () => Promise<ProbeConnection>;
  /** Goes up with every answer that the server gives to anybody. */
  readonly responseCount: () => number;
  /** Called at every change, before anybody is told. */
  readonly onChange: (availability: Availability, error: Error | undefined) => void;
  /** Called after each look that found no server that takes writes: the next one may try another address. */
  readonly onUnavailable: () => void;
}

/**
 * Knows whether the database is there, by asking it four times a second on a connection that does nothing else. So nobody
 * has to find out by waiting, and a statement that is merely slow is told from a server that is gone: while anybody is answered, it is there.
 */
export class HealthMonitor {
  readonly #options: HealthMonitorOptions;
  #availability: Availability = 'ok';
  #connection: ProbeConnection | undefined;
  #stopped = false;
  #wake: (() => void) | undefined;
  /** How many looks have begun. */
  #probesStarted = 0;
  /** The look that ends next, by its number. */
  #nextResult = Promise.withResolvers<number>();
  #done: Promise<void> = Promise.resolve();

  constructor(options: HealthMonitorOptions) {
    this.#options = options;
  }

  get availability(): Availability {
    return this.#availability;
  }

  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    this.#connection?.destroy();
    await this.#done;
    // One that was just being opened has come since, and would keep the process alive.
    this.#disconnect();
    this.#nextResult.resolve(this.#probesStarted);
  }

  /** What a look that begins from now on finds; known at once while the database is away. */
  async probe(): Promise<Availability> {
    const before = this.#probesStarted;
    let ended = before;
    // One that is under way may have had its answer already.
    while (ended <= before && !isUnavailable(this.#availability) && !this.#stopped) {
      this.#wake?.();
      ended = await this.#nextResult.promise;
    }
    return this.#availability;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#probesStarted += 1;
      const before = this.#options.responseCount();
      let error: Error | undefined;
      let availability: Availability = 'ok';
      try {
        if (!(await this.#checkWritable())) availability = 'read-only';
      } catch (caught) {
        error = caught instanceof Error ? caught : new Error('unknown');
        // While it answers others it is there, whatever has become of the connection that asks.
        const otherCallersAnswered =
          !(error instanceof UnresponsiveError) && this.#options.responseCount() !== before;
        if (
          isUnavailable(this.#availability) ||
          !(otherCallersAnswered || error instanceof ConnectionLostError)
        ) {
          availability = isConnectionLimitReached(error) ? 'full' : 'unreachable';
        }
      }
      if (this.#stopped) return;
      if (isUnavailable(availability)) {
        this.#disconnect();
        this.#options.onUnavailable();
      }
      if (availability !== this.#availability) {
        this.#availability = availability;
        this.#options.onChange(availability, error);
      }
      const { resolve } = this.#nextResult;
      this.#nextResult = Promise.withResolvers();
      resolve(this.#probesStarted);
      await this.#pause();
    }
  }

  /** A connection that broke says nothing of the server, and one that could not be opened little: a second one does. */
  async #checkWritable(): Promise<boolean> {
    for (let attempt = this.#availability === 'ok' ? 1 : MAX_CONNECT_ATTEMPTS; ; attempt += 1) {
      const fresh = this.#connection === undefined;
      try {
        this.#connection ??= await this.#open();
        return await this.#withTimeout(this.#connection.isWritable());
      } catch (error) {
        this.#disconnect();
        if (error instanceof UnresponsiveError || error instanceof ConnectionLostError || this.#stopped)
          throw error;
        if (attempt >= MAX_CONNECT_ATTEMPTS && fresh) throw error;
        await sleep(CONNECT_RETRY_DELAY_MS);
      }
    }
  }

  async #open(): Promise<ProbeConnection> {
    const opening = this.#options.open();
    try {
      return await this.#withTimeout(opening);
    } catch (error) {
      opening.then(
        (late) => late.destroy(),
        () => undefined,
      );
      throw error;
    }
  }

  #disconnect(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  async #withTimeout<T>(answer: Promise<T>): Promise<T> {
    const { responseCount } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let unresponsiveTicks = 0;
    let ticks = 0;
    let lastCount = responseCount();
    const timedOut = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        ticks += 1;
        const now = responseCount();
        unresponsiveTicks = now === lastCount ? unresponsiveTicks + 1 : 0;
        lastCount = now;
        if (unresponsiveTicks >= UNRESPONSIVE_TICKS) reject(new UnresponsiveError());
        else if (ticks >= CONNECTION_LOST_TICKS) reject(new ConnectionLostError());
      }, TICK_MS);
    });
    try {
      return await Promise.race([answer, timedOut]);
    } finally {
      clearInterval(timer);
      answer.catch(() => undefined);
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(
        finish,
        this.#availability === 'ok' ? PROBE_INTERVAL_MS : PROBE_UNAVAILABLE_INTERVAL_MS,
      );
      this.#wake = finish;
    });
  }
}

class UnresponsiveError extends Error {
  override readonly name = 'SilenceError';
  constructor() {
    super('it does not answer');
  }
}

class ConnectionLostError extends Error {
  override readonly name = 'LostError';
  constructor() {
    super('the connection that asks whether it is there is lost');
  }
}
