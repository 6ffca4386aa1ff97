import type { Logger } from '#log.ts';
import type { TransactionsService } from '#transactions/service.ts';
import { Loop, type Chore } from './loop.ts';
import type { Deliverer } from '#webhooks/deliverer.ts';

const EXPIRIES_A_LOOK = 500;

export interface WorkerDeps {
  readonly log: Logger;
  readonly transactions: TransactionsService;
  readonly deliverer: Deliverer;
  /** Gives approved withdrawals to a provider; true where more may be due at once. */
  readonly payouts: () => Promise<boolean>;
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

/** Does the work that is due by time: deliveries, expiries, payouts, clean-up. Several workers may run side by side. */
export function createWorker({ log, transactions, deliverer, payouts, cleanUp }: WorkerDeps): Worker {
  const loopOf = (chore: Chore) => new Loop(chore, log);
  const deliveries = loopOf({ name: 'deliveries', everyMs: 100, run: () => deliverer.claim() });
  const expiries = loopOf({
    name: 'expiries',
    everyMs: 500,
    run: async () => (await transactions.expireDue(EXPIRIES_A_LOOK)) === EXPIRIES_A_LOOK,
  });
  const payingOut = loopOf({ name: 'payouts', everyMs: 250, run: payouts });
  const cleaning = loopOf({ name: 'clean-up', everyMs: 60_000, run: cleanUp });
  const loops = [deliveries, expiries, payingOut, cleaning];
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
