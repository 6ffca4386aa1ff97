import type { Logger } from '#log.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';
import { Loop, type Chore } from './loop.ts';

export interface WorkerDeps {
  readonly log: Logger;
  readonly deliverer: Deliverer;
  /** Everything else that is due by time. */
  readonly chores: readonly Chore[];
}

export interface Worker {
  start(): void;
  /** Looks for deliveries now. */
  wakeDeliveries(): void;
  /** Looks for everything now: the clock has moved. */
  wakeAll(): void;
  stop(graceMs: number): Promise<void>;
}

/** Does the work that is due by time. Several workers may run side by side. */
export function createWorker({ log, deliverer, chores }: WorkerDeps): Worker {
  const deliveries = new Loop({ name: 'deliveries', everyMs: 100, run: () => deliverer.claim() }, log);
  const loops = [deliveries, ...chores.map((chore) => new Loop(chore, log))];
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wakeDeliveries: () => deliveries.wake(),
    wakeAll: () => {
      for (const loop of loops) loop.wake();
    },
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
