import { DeadlineExceededError, OverloadError } from './errors.ts';
import type { QueryDeadline, Queue } from './query-deadline.ts';

/**
 * Group commit. Callers that arrive while a lane is busy are gathered into its next set-based statement, so that
 * under load one commit serves many; an idle lane takes a batch of one at once, so that no one waits for company.
 */

export interface BatcherOptions<Item, Outcome> {
  /** Runs one batch; answers the outcome of each item, in the order of the items. Must be safe to repeat. */
  readonly run: (slot: number, items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly concurrency: number;
  /** Items of one statement, at most. */
  readonly maxItems?: number;
  /** Items waiting, at most; past it callers are refused at once instead of piling up in memory. */
  readonly maxWaiting?: number;
  /** How long callers wait, whether or not their item has been begun; for ever unless told. */
  readonly queryDeadline?: QueryDeadline | undefined;
}

interface PendingItem<Item, Outcome> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Item, Outcome> implements Queue {
  readonly #run: BatcherOptions<Item, Outcome>['run'];
  readonly #maxItems: number;
  readonly #maxWaiting: number;
  readonly #idleSlots: number[];
  readonly #running = new Set<readonly PendingItem<Item, Outcome>[]>();
  readonly #concurrency: number;
  #waiting: PendingItem<Item, Outcome>[] = [];
  #stuck = false;

  constructor(options: BatcherOptions<Item, Outcome>) {
    this.#run = options.run;
    this.#maxItems = options.maxItems ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
    this.#concurrency = options.concurrency;
    this.#idleSlots = Array.from({ length: options.concurrency }, (_, slot) => slot);
    options.queryDeadline?.addQueue(this);
  }

  /** How many callers wait for their statement. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: Item): Promise<Outcome> {
    if (this.#stuck || this.#waiting.length >= this.#maxWaiting) return Promise.reject(new OverloadError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: performance.now(), resolve, reject });
      this.#start();
    });
  }

  /**
   * Whoever has waited too long is told so. What runs goes on and may still be done: its lane is busy until it has ended,
   * and while all lanes are with such, callers are refused at once.
   */
  expire(since: number): void {
    const fresh = this.#waiting.findIndex((waiting) => waiting.since > since);
    const late = this.#waiting.splice(0, fresh === -1 ? this.#waiting.length : fresh);
    for (const { reject } of late) reject(new DeadlineExceededError());
    let overdue = 0;
    for (const batch of this.#running) {
      for (const waiting of batch) if (waiting.since <= since) waiting.reject(new DeadlineExceededError());
      // Its youngest came last.
      if ((batch.at(-1)?.since ?? Infinity) <= since) overdue += 1;
    }
    this.#stuck = overdue === this.#concurrency;
  }

  waitingSince(): number | undefined {
    return this.#waiting[0]?.since;
  }

  isStuck(): boolean {
    return this.#stuck;
  }

  #start(): void {
    if (this.#waiting.length === 0) return;
    const slot = this.#idleSlots.pop();
    if (slot === undefined) return;
    void this.#drain(slot);
  }

  async #drain(slot: number): Promise<void> {
    let deliverOutcomes: (() => void) | undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxItems);
      this.#running.add(batch);
      const execution = this.#execute(slot, batch);
      if (deliverOutcomes !== undefined) {
        // What callers do with their outcomes keeps this thread busy: the database has its next statement before.
        await afterMicrotasks();
        deliverOutcomes();
      }
      deliverOutcomes = await execution;
      this.#running.delete(batch);
      this.#stuck = false;
    }
    deliverOutcomes?.();
    this.#idleSlots.push(slot);
  }

  /**
   * Answers what tells the callers their outcomes. One poisonous item must not fail its neighbours: a batch that fails is halved
   * until the item stands alone.
   */
  async #execute(slot: number, batch: readonly PendingItem<Item, Outcome>[]): Promise<() => void> {
    try {
      const outcomes = await this.#run(
        slot,
        batch.map((waiting) => waiting.item),
      );
      return () => {
        for (const [index, waiting] of batch.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) waiting.reject(new Error('a batch answered fewer outcomes than items'));
          else waiting.resolve(outcome);
        }
      };
    } catch (error) {
      if (batch.length === 1 || !isWorthSplitting(error)) {
        return () => {
          for (const waiting of batch) waiting.reject(error);
        };
      }
      const middle = batch.length >> 1;
      const deliverOutcomes = await this.#execute(slot, batch.slice(0, middle));
      deliverOutcomes();
      return this.#execute(slot, batch.slice(middle));
    }
  }
}

/** A statement that was begun is on its way by then, since nothing but promises that are kept lies before it. */
const afterMicrotasks = () =>
  new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });

/** Data (22), constraint (23) and program limit (54) errors come from an item; anything else would hit the halves too. */
function isWorthSplitting(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(22|23|54)/.test(error.code)
  );
}

/** Makes the batches of a gateway, under a name that is told with what they do. */
export type BatcherFactory = <Item extends object, Outcome>(
  name: string,
  options: BatcherOptions<Item, Outcome>,
) => Batcher<Item, Outcome>;

/** Batches of which nothing is told. */
export const createBatcher: BatcherFactory = (_name, options) => new Batcher(options);
