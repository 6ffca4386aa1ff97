import type { Logger } from '#log.ts';
import type { DisputesService } from '#disputes/service.ts';
import type { TransactionsService } from '#transactions/service.ts';
import { Loop, type Chore } from './loop.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';

/** Records of one look. */
const PORTION = 500;

export interface WorkerDeps {
  readonly log: Logger;
  readonly transactions: TransactionsService;
  readonly deliverer: Deliverer;
  readonly disputes: DisputesService;
  /** Reports what the sandbox promised for later; absent outside the sandbox. */
  readonly playPlans: (() => Promise<boolean>) | undefined;
  /** Deletes a portion of what has outlived its use; true where more is left. */
  readonly cleanUp: () => Promise<boolean>;
}

export interface Worker {
  start(): void;
  /** Looks for deliveries now. */
  wakeDeliveries(): void;
  /** Looks for everything now: the clock has moved. */
  wakeAll(): void;
  stop(graceMs: number): Promise<void>;
}

/** Does the work that is due by time: deliveries, expiries, clean-up. Several workers may run side by side. */
export function createWorker({
  log,
  transactions,
  disputes,
  playPlans,
  deliverer,
  cleanUp,
}: WorkerDeps): Worker {
  const loopOf = (chore: Chore) => new Loop(chore, log);
  const deliveries = loopOf({ name: 'deliveries', everyMs: 100, run: () => deliverer.claim() });
  const expiries = loopOf({
    name: 'expiries',
    everyMs: 500,
    run: async () => (await transactions.expireDue(PORTION)) === PORTION,
  });
  const releases = loopOf({
    name: 'releases',
    everyMs: 1_000,
    run: async () => (await transactions.releaseDue(PORTION)) === PORTION,
  });
  const deadlines = loopOf({
    name: 'dispute deadlines',
    everyMs: 1_000,
    run: async () => (await disputes.closeUnappealed(PORTION)) === PORTION,
  });
  const plans =
    playPlans === undefined ? [] : [loopOf({ name: 'sandbox plans', everyMs: 500, run: playPlans })];
  const cleaning = loopOf({ name: 'clean-up', everyMs: 60_000, run: cleanUp });
  const loops = [deliveries, expiries, releases, deadlines, ...plans, cleaning];
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
