import { setTimeout as sleep } from 'node:timers/promises';

import { isFull } from './errors.ts';

/**
 * `read-only` is a server that answers and takes no writes: a standby that nobody has promoted. `full` is one that has no
 * connection left for us: those that are open are kept, since others would take them.
 */
export type Reach = 'ok' | 'full' | 'unreachable' | 'read-only';

/** Whether it is of no use to ask it anything. */
export const isAway = (reach: Reach): boolean => reach === 'unreachable' || reach === 'read-only';

/** How long to rest between two looks; whoever waits for its return looks sooner. */
const LOOK_EVERY_MS = 250;
const LOOK_AWAY_EVERY_MS = 100;

/** Connections that must fail to open, one a moment after the other, before the server counts as away. */
const OPENINGS = 2;
const OPENING_PAUSE_MS = 50;

/** A look waits in ticks and not by the clock, so that a process that stood still itself does not blame the server. */
const TICK_MS = 100;
/** Without any answer to anybody for so long, the server is away. */
const SILENT_TICKS = 10;
/** Where others are answered and only the look is not, it is its own connection that is broken. */
const LOST_TICKS = 50;

/** A connection of the watch's own. */
export interface Probe {
  /** Whether the server takes writes. */
  ask(): Promise<boolean>;
  destroy(): void;
}

export interface WatchOptions {
  /** Opens a connection to where the database is believed to be now. */
  readonly open: () => Promise<Probe>;
  /** Goes up with every answer that the server gives to anybody. */
  readonly answers: () => number;
  /** Called at every change, before anybody is told. */
  readonly onChange: (reach: Reach, error: Error | undefined) => void;
  /** Called after each look that found no server that takes writes: the next one may try another address. */
  readonly onMissed: () => void;
}

/**
 * Knows whether the database is there, by asking it four times a second on a connection that does nothing else. So nobody
 * has to find out by waiting, and a statement that is merely slow is told from a server that is gone: while anybody is answered, it is there.
 */
export class Watch {
  readonly #options: WatchOptions;
  #reach: Reach = 'ok';
  #probe: Probe | undefined;
  #stopped = false;
  #wake: (() => void) | undefined;
  /** How many looks have begun. */
  #looks = 0;
  /** The look that ends next, by its number. */
  #looked = Promise.withResolvers<number>();
  #done: Promise<void> = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get reach(): Reach {
    return this.#reach;
  }

  start(): void {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    this.#probe?.destroy();
    await this.#done;
    // One that was just being opened has come since, and would keep the process alive.
    this.#drop();
    this.#looked.resolve(this.#looks);
  }

  /** What a look that begins from now on finds; known at once while the database is away. */
  async look(): Promise<Reach> {
    const before = this.#looks;
    let ended = before;
    // One that is under way may have had its answer already.
    while (ended <= before && !isAway(this.#reach) && !this.#stopped) {
      this.#wake?.();
      ended = await this.#looked.promise;
    }
    return this.#reach;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#looks += 1;
      const before = this.#options.answers();
      let error: Error | undefined;
      let reach: Reach = 'ok';
      try {
        if (!(await this.#ask())) reach = 'read-only';
      } catch (caught) {
        error = caught instanceof Error ? caught : new Error('unknown');
        // While it answers others it is there, whatever has become of the connection that asks.
        const answered = !(error instanceof SilenceError) && this.#options.answers() !== before;
        if (isAway(this.#reach) || !(answered || error instanceof LostError)) {
          reach = isFull(error) ? 'full' : 'unreachable';
        }
      }
      if (this.#stopped) return;
      if (isAway(reach)) {
        this.#drop();
        this.#options.onMissed();
      }
      if (reach !== this.#reach) {
        this.#reach = reach;
        this.#options.onChange(reach, error);
      }
      const { resolve } = this.#looked;
      this.#looked = Promise.withResolvers();
      resolve(this.#looks);
      await this.#rest();
    }
  }

  /** A connection that broke says nothing of the server, and one that could not be opened little: a second one does. */
  async #ask(): Promise<boolean> {
    for (let attempt = this.#reach === 'ok' ? 1 : OPENINGS; ; attempt += 1) {
      const fresh = this.#probe === undefined;
      try {
        this.#probe ??= await this.#open();
        return await this.#inTime(this.#probe.ask());
      } catch (error) {
        this.#drop();
        if (error instanceof SilenceError || error instanceof LostError || this.#stopped) throw error;
        if (attempt >= OPENINGS && fresh) throw error;
        await sleep(OPENING_PAUSE_MS);
      }
    }
  }

  async #open(): Promise<Probe> {
    const opening = this.#options.open();
    try {
      return await this.#inTime(opening);
    } catch (error) {
      opening.then(
        (late) => late.destroy(),
        () => undefined,
      );
      throw error;
    }
  }

  #drop(): void {
    this.#probe?.destroy();
    this.#probe = undefined;
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { answers } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let silent = 0;
    let ticks = 0;
    let heard = answers();
    const silence = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        ticks += 1;
        const now = answers();
        silent = now === heard ? silent + 1 : 0;
        heard = now;
        if (silent >= SILENT_TICKS) reject(new SilenceError());
        else if (ticks >= LOST_TICKS) reject(new LostError());
      }, TICK_MS);
    });
    try {
      return await Promise.race([answer, silence]);
    } finally {
      clearInterval(timer);
      answer.catch(() => undefined);
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(finish, this.#reach === 'ok' ? LOOK_EVERY_MS : LOOK_AWAY_EVERY_MS);
      this.#wake = finish;
    });
  }
}

class SilenceError extends Error {
  override readonly name = 'SilenceError';
  constructor() {
    super('it does not answer');
  }
}

class LostError extends Error {
  override readonly name = 'LostError';
  constructor() {
    super('the connection that asks whether it is there is lost');
  }
}
