import type { Logger } from '#platform/kit/log.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';
import { JobLoop, type Job, type LoopState } from '#platform/jobs/loop.ts';

export interface WorkerDeps {
  readonly log: Logger;
  readonly deliverer: Deliverer;
  /** Everything else that is due by time. */
  readonly jobs: readonly Job[];
  /** Stands around each look of a loop; nothing does unless told. */
  readonly traceJob?: (name: string, run: () => Promise<boolean>) => Promise<boolean>;
}

export interface Worker {
  start(): void;
  /** Looks for deliveries now. */
  wakeDeliveries(): void;
  /** Begins nothing new until then, by the machine's clock in milliseconds since 1970; a time that has passed ends it. */
  pauseUntil(ms: number): void;
  /** Looks for everything now: the clock has moved. */
  wakeAll(): void;
  /** How each of its loops has been doing. */
  states(): readonly LoopState[];
  stop(graceMs: number): Promise<void>;
}

const MAX_PAUSE_MS = 5 * 60_000;

/** Does the work that is due by time. Several workers may run side by side. */
export function createWorker({ log, deliverer, jobs, traceJob }: WorkerDeps): Worker {
  let pausedUntilMs = 0;
  // A rest is asked for again and again; one that is far ahead was asked for by a clock that has been set back.
  const isPaused = (): boolean => pausedUntilMs > Date.now() && pausedUntilMs < Date.now() + MAX_PAUSE_MS;
  const createLoop = (job: Job): JobLoop => {
    const { name, run } = job;
    const traced = traceJob === undefined ? run : () => traceJob(name, run);
    return new JobLoop({ ...job, run: async () => !isPaused() && traced() }, log);
  };
  const deliveries = createLoop({ name: 'deliveries', intervalMs: 100, run: () => deliverer.claim() });
  const retries = createLoop({ name: 'retries', intervalMs: 100, run: () => deliverer.markReady() });
  const loops = [deliveries, retries, ...jobs.map(createLoop)];
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wakeDeliveries: () => deliveries.wake(),
    pauseUntil: (ms) => {
      pausedUntilMs = ms;
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
export function chunkedJob(name: string, everyMs: number, run: (chunkSize: number) => Promise<number>): Job {
  return { name, intervalMs: everyMs, run: async () => (await run(CHUNK_SIZE)) === CHUNK_SIZE };
}

const CHUNK_SIZE = 500;
