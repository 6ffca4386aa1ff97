import { codeOf, DeadlineExceededError, OverloadError } from './errors.ts';
import type { QueryDeadline, Queue } from './query-deadline.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /**
   * Executes one statement. Returns the outcome of each item, in the order of the items. Must be
   * safe to repeat.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** Maximum number of items in one statement. Defaults to 256. */
  readonly maxItems?: number;
  /**
   * Maximum number of waiting items. Further callers fail at once with OverloadError. Defaults to
   * 10,000.
   */
  readonly maxWaiting?: number;
  /**
   * How long callers wait, whether or not their statement has started. Without it they wait without
   * a limit.
   */
  readonly queryDeadline?: QueryDeadline | undefined;
}

interface PendingItem<Item, Outcome> {
  readonly item: Item;
  /** When it was added, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: runs one set-based statement at a time. Items that arrive while it runs share the
 * next statement, so that under load one commit serves many callers. An item that arrives while
 * nothing runs starts a statement at once.
 *
 * Concurrent statements would not help: the fewer statements there are for the same items, the less
 * an item costs, one backend writes more than a process asks for, and concurrent changes would wait
 * for each other's wallets.
 */
export class GroupCommit<Item, Outcome> implements Queue {
  readonly #run: GroupCommitOptions<Item, Outcome>['run'];
  readonly #maxItems: number;
  readonly #maxWaiting: number;
  #waiting: PendingItem<Item, Outcome>[] = [];
  /** The items of the current statement. */
  #running: readonly PendingItem<Item, Outcome>[] = [];
  #active = false;
  #stuck = false;

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#run = options.run;
    this.#maxItems = options.maxItems ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
    options.queryDeadline?.addQueue(this);
  }

  /** The number of items whose statement has not started. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(item: Item): Promise<Outcome> {
    if (this.#stuck || this.#waiting.length >= this.#maxWaiting) return Promise.reject(new OverloadError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: performance.now(), resolve, reject });
      if (!this.#active) void this.#drain();
    });
  }

  /**
   * Rejects callers that have waited since `since` or longer. The current statement continues and
   * may still commit. While all of its callers are rejected, new ones are refused.
   */
  expire(since: number): void {
    const firstInTime = this.#waiting.findIndex((pending) => pending.since > since);
    const expired = this.#waiting.splice(0, firstInTime === -1 ? this.#waiting.length : firstInTime);
    for (const { reject } of expired) reject(new DeadlineExceededError());
    for (const pending of this.#running) {
      if (pending.since <= since) pending.reject(new DeadlineExceededError());
    }
    // The last item is the youngest.
    const youngest = this.#running.at(-1);
    this.#stuck = youngest !== undefined && youngest.since <= since;
  }

  waitingSince(): number | undefined {
    return this.#waiting[0]?.since;
  }

  isStuck(): boolean {
    return this.#stuck;
  }

  async #drain(): Promise<void> {
    this.#active = true;
    let deliverOutcomes: (() => void) | undefined;
    while (this.#waiting.length > 0) {
      this.#running = this.#waiting.splice(0, this.#maxItems);
      const execution = this.#execute(this.#running);
      if (deliverOutcomes !== undefined) {
        // The callers' continuations occupy this thread, so the next statement is sent before they
        // run.
        await afterMicrotasks();
        deliverOutcomes();
      }
      deliverOutcomes = await execution;
      this.#running = [];
      this.#stuck = false;
    }
    deliverOutcomes?.();
    this.#active = false;
  }

  /**
   * Runs a statement and returns the function that delivers its outcomes. One invalid item must not
   * fail the others: a batch that fails is split in half until the item is alone.
   */
  async #execute(batch: readonly PendingItem<Item, Outcome>[]): Promise<() => void> {
    try {
      const outcomes = await this.#run(batch.map(({ item }) => item));
      return () => resolveAll(batch, outcomes);
    } catch (error) {
      if (batch.length === 1 || !isCausedByItem(error)) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      const middle = batch.length >> 1;
      const deliverOutcomes = await this.#execute(batch.slice(0, middle));
      deliverOutcomes();
      return this.#execute(batch.slice(middle));
    }
  }
}

function resolveAll<Item, Outcome>(
  batch: readonly PendingItem<Item, Outcome>[],
  outcomes: readonly Outcome[],
): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) reject(new Error('a statement returned fewer outcomes than items'));
    else resolve(outcome);
  }
}

/** A started statement has been sent by then, because only resolved promises precede the send. */
const afterMicrotasks = () =>
  new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });

/**
 * Data (22), constraint (23) and program limit (54) errors are caused by an item. All others would
 * recur in the halves.
 */
const isCausedByItem = (error: unknown): boolean => /^(22|23|54)/.test(codeOf(error) ?? '');

/** Creates the group commits of a gateway. Metrics carry the name. */
export type GroupCommitFactory = <Item extends object, Outcome>(
  name: string,
  options: GroupCommitOptions<Item, Outcome>,
) => GroupCommit<Item, Outcome>;

/** Creates group commits without metrics. */
export const createGroupCommit: GroupCommitFactory = (_name, options) => new GroupCommit(options);
