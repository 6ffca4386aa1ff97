import { setTimeout as sleep } from 'node:timers/promises';

import { alignedPauseMs } from '#platform/kit/aligned-pause.ts';
import { isConnectionLimitReached } from './errors.ts';

/**
 * `read-only`: the server responds but rejects writes, like a standby that has not been promoted.
 * `full`: the server has no connection left for the gateway; open connections stay open, because
 * others would take them.
 */
export type Availability = 'ok' | 'full' | 'unreachable' | 'read-only';

/** Whether statements would fail or time out. */
export const isUnavailable = (availability: Availability): boolean =>
  availability === 'unreachable' || availability === 'read-only';

/** The pause between two probes. A caller of `probe` ends it early. */
const PROBE_INTERVAL_MS = 250;
/**
 * While the server responds to others, or no caller waits, this many pauses pass without a probe.
 */
const MAX_SKIPPED_PROBES = 3;
const PROBE_UNAVAILABLE_INTERVAL_MS = 100;

/** After this many failures to connect in a row, the server is unreachable. */
const MAX_CONNECT_ATTEMPTS = 2;
const CONNECT_RETRY_DELAY_MS = 50;

/**
 * Timeouts count ticks, not time, so that a pause of this process is not attributed to the server.
 */
const TICK_MS = 100;
/** After this many ticks without a response to any caller, the server is unreachable. */
const UNRESPONSIVE_TICKS = 10;
/**
 * If the server responds to other callers for this long but not to the probe, the probe's
 * connection is lost.
 */
const CONNECTION_LOST_TICKS = 50;

/** The connection that the monitor uses for its probes. */
export interface ProbeConnection {
  /** Whether the server accepts writes. */
  isWritable(): Promise<boolean>;
  destroy(): void;
}

export interface HealthMonitorOptions {
  /** Connects to the server that is current. */
  readonly open: () => Promise<ProbeConnection>;
  /** The number of responses of the server to any caller so far. */
  readonly responseCount: () => number;
  /** Whether a caller waits for a response. */
  readonly isAwaited: () => boolean;
  /** Called at each change, before `availability` callers can act on it. */
  readonly onChange: (availability: Availability, error: Error | undefined) => void;
  /**
   * Called after each probe that found no writable server, so that the next one can try another
   * server.
   */
  readonly onUnavailable: () => void;
}

interface ProbeResult {
  readonly availability: Availability;
  readonly error?: Error;
}

/**
 * Probes the database on a connection of its own, four times a second if callers wait and none gets
 * a response, and once a second otherwise, so that callers need not wait to learn that it is
 * unavailable. A server that responds to any caller is reachable, so a slow statement does not
 * count as a lost server.
 */
export class HealthMonitor {
  readonly #options: HealthMonitorOptions;
  #availability: Availability = 'ok';
  #connection: ProbeConnection | undefined;
  #stopped = false;
  #wake: (() => void) | undefined;
  #probesStarted = 0;
  /** Resolves with the number of the next probe that ends. */
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
    // A connection that was being opened would keep the process alive.
    this.#disconnect();
    this.#nextResult.resolve(this.#probesStarted);
  }

  /**
   * Returns the result of a probe that starts from now on. Returns at once while the database is
   * unavailable.
   */
  async probe(): Promise<Availability> {
    const before = this.#probesStarted;
    let ended = before;
    // The probe in progress may have received its response before this call.
    while (ended <= before && !isUnavailable(this.#availability) && !this.#stopped) {
      this.#wake?.();
      ended = await this.#nextResult.promise;
    }
    return this.#availability;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#probesStarted += 1;
      const result = await this.#probeOnce();
      if (this.#stopped) return;
      this.#apply(result);
      const { resolve } = this.#nextResult;
      this.#nextResult = Promise.withResolvers();
      resolve(this.#probesStarted);
      await this.#untilNextProbe();
    }
  }

  async #untilNextProbe(): Promise<void> {
    for (let skipped = 0; ; skipped += 1) {
      const before = this.#options.responseCount();
      const isRequested = await this.#pause();
      const isResponsive = this.#options.responseCount() !== before || !this.#options.isAwaited();
      const isDue = this.#availability !== 'ok' || !isResponsive || skipped === MAX_SKIPPED_PROBES;
      if (isRequested || isDue) return;
    }
  }

  async #probeOnce(): Promise<ProbeResult> {
    const before = this.#options.responseCount();
    try {
      return { availability: (await this.#checkWritable()) ? 'ok' : 'read-only' };
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error('unknown');
      const respondedToOthers =
        !(error instanceof UnresponsiveError) && this.#options.responseCount() !== before;
      const onlyProbeFailed = respondedToOthers || error instanceof ConnectionLostError;
      if (onlyProbeFailed && !isUnavailable(this.#availability)) return { availability: 'ok', error };
      return { availability: isConnectionLimitReached(error) ? 'full' : 'unreachable', error };
    }
  }

  #apply({ availability, error }: ProbeResult): void {
    if (isUnavailable(availability)) {
      this.#disconnect();
      this.#options.onUnavailable();
    }
    if (availability === this.#availability) return;
    this.#availability = availability;
    this.#options.onChange(availability, error);
  }

  /**
   * One failed connection says little about the server, so the check is repeated on a second one.
   */
  async #checkWritable(): Promise<boolean> {
    for (let attempt = this.#availability === 'ok' ? 1 : MAX_CONNECT_ATTEMPTS; ; attempt += 1) {
      const isNewConnection = this.#connection === undefined;
      try {
        this.#connection ??= await this.#open();
        return await this.#withTimeout(this.#connection.isWritable());
      } catch (error) {
        this.#disconnect();
        if (error instanceof UnresponsiveError || error instanceof ConnectionLostError || this.#stopped)
          throw error;
        if (attempt >= MAX_CONNECT_ATTEMPTS && isNewConnection) throw error;
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
        (connection) => connection.destroy(),
        () => undefined,
      );
      throw error;
    }
  }

  #disconnect(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  async #withTimeout<T>(response: Promise<T>): Promise<T> {
    const { responseCount } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let ticks = 0;
    let unresponsiveTicks = 0;
    let lastCount = responseCount();
    const timedOut = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        ticks += 1;
        const count = responseCount();
        unresponsiveTicks = count === lastCount ? unresponsiveTicks + 1 : 0;
        lastCount = count;
        if (unresponsiveTicks >= UNRESPONSIVE_TICKS) reject(new UnresponsiveError());
        else if (ticks >= CONNECTION_LOST_TICKS) reject(new ConnectionLostError());
      }, TICK_MS);
    });
    try {
      return await Promise.race([response, timedOut]);
    } finally {
      clearInterval(timer);
      response.catch(() => undefined);
    }
  }

  /** Resolves with true if it ended early. */
  #pause(): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isRequested: boolean): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(isRequested);
      };
      const intervalMs = this.#availability === 'ok' ? PROBE_INTERVAL_MS : PROBE_UNAVAILABLE_INTERVAL_MS;
      const timer = setTimeout(finish, alignedPauseMs(intervalMs), false);
      this.#wake = () => finish(true);
    });
  }
}

class UnresponsiveError extends Error {
  override readonly name = 'UnresponsiveError';
  constructor() {
    super('the database does not respond');
  }
}

class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  constructor() {
    super('the connection of the health check is lost');
  }
}
