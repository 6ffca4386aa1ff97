import type { Logger } from '#platform/kit/log.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';
import { Loop, type Chore, type LoopState } from '#platform/jobs/loop.ts';

export interface WorkerDeps {
  readonly log: Logger;
  readonly deliverer: Deliverer;
  /** Everything else that is due by time. */
  readonly chores: readonly Chore[];
  /** Stands around each look of a loop; nothing does unless told. */
  readonly watchTask?: (name: string, run: () => Promise<boolean>) => Promise<boolean>;
}

export interface Worker {
  start(): void;
  /** Looks for deliveries now. */
  wakeDeliveries(): void;
  /** Begins nothing new until then, by the machine's clock in milliseconds since 1970; a time that has passed ends it. */
  restUntil(ms: number): void;
  /** Looks for everything now: the clock has moved. */
  wakeAll(): void;
  /** How each of its loops has been doing. */
  states(): readonly LoopState[];
  stop(graceMs: number): Promise<void>;
}

const LONGEST_REST_MS = 5 * 60_000;

/** Does the work that is due by time. Several workers may run side by side. */
export function createWorker({ log, deliverer, chores, watchTask }: WorkerDeps): Worker {
  let restUntilMs = 0;
  // A rest is asked for again and again; one that is far ahead was asked for by a clock that has been set back.
  const rests = (): boolean => restUntilMs > Date.now() && restUntilMs < Date.now() + LONGEST_REST_MS;
  const loopOf = (chore: Chore): Loop => {
    const { name, run } = chore;
    const watched = watchTask === undefined ? run : () => watchTask(name, run);
    return new Loop({ ...chore, run: async () => !rests() && watched() }, log);
  };
  const deliveries = loopOf({ name: 'deliveries', everyMs: 100, run: () => deliverer.claim() });
  const retries = loopOf({ name: 'retries', everyMs: 100, run: () => deliverer.ready() });
  const loops = [deliveries, retries, ...chores.map(loopOf)];
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wakeDeliveries: () => deliveries.wake(),
    restUntil: (ms) => {
      restUntilMs = ms;
    },
    wakeAll: () => {
      for (const loop of loops) loop.wake();
    },
    states: () => loops.map((loop) => loop.state),
    async stop(graceMs) {
      await Promise.all(loops.map((loop) => loop.stop()));
      await deliverer.stop(graceMs);
    },
  };
}

/** A chore of portions: `run` answers how many records it looked at; a whole portion means that more may wait. */
export function portionedChore(
  name: string,
  everyMs: number,
  run: (portion: number) => Promise<number>,
): Chore {
  return { name, everyMs, run: async () => (await run(PORTION)) === PORTION };
}

const PORTION = 500;
