import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from '#platform/kit/errors.ts';
import { DeadlineExceededError, OverloadError } from './errors.ts';
import type { Queue } from './query-deadline.ts';

/**
 * Executes one statement. Returns the outcome of each item, in the order of the items. Must be safe
 * to repeat.
 */
export type RunBatch<Item, Outcome> = (items: readonly Item[]) => Promise<readonly Outcome[]>;

export interface PendingItem<Item, Outcome> {
  readonly item: Item;
  /** When it was added, in milliseconds of `performance.now()`. */
  readonly since: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  /** Its caller has been rejected, so it does not run again. */
  isExpired: boolean;
}

export type Batch<Item, Outcome> = readonly PendingItem<Item, Outcome>[];

export interface BatchQueueOptions<Item, Outcome> {
  readonly run: RunBatch<Item, Outcome>;
  /** Maximum number of items in one statement. */
  readonly maxItems: number;
  /** Maximum number of waiting items. */
  readonly maxWaiting: number;
  /**
   * Whether an idle queue starts with half of the items, so that this thread serves the callers of
   * one half while the database executes the other. Defaults to false.
   */
  readonly startsWithHalf?: boolean;
  /**
   * How long after the start of a batch of `CROWDED` or more items the next one starts at the
   * earliest, so that more callers share it. Defaults to 0.
   */
  readonly intervalMs?: number;
  /** Returns the batches to run instead of one that failed. Undefined if all its items fail. */
  readonly divide: (
    batch: Batch<Item, Outcome>,
    error: unknown,
  ) => readonly Batch<Item, Outcome>[] | undefined;
}

/** Fewer items are not worth a second statement. */
const MIN_HALVED = 16;

const CROWDED = 8;

/** Runs one statement at a time, for all items that arrived while the previous one ran. */
export class BatchQueue<Item, Outcome> implements Queue {
  readonly #options: BatchQueueOptions<Item, Outcome>;
  #waiting: PendingItem<Item, Outcome>[] = [];
  /** The items of the current statement. */
  #running: Batch<Item, Outcome> = [];
  #lastSize = 0;
  /** When the last batch started, in milliseconds of `performance.now()`. */
  #lastStart = 0;
  #active = false;
  #stuck = false;

  constructor(options: BatchQueueOptions<Item, Outcome>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(pending: PendingItem<Item, Outcome>): void {
    if (this.#stuck || this.#waiting.length >= this.#options.maxWaiting) {
      pending.reject(new OverloadError());
      return;
    }
    this.#waiting.push(pending);
    if (this.#active) return;
    this.#active = true;
    // Requests that have arrived together share the first statement.
    setImmediate(() => void this.#drain());
  }

  /**
   * Rejects callers that have waited since `since` or longer. The current statement continues and
   * may still commit. While all of its callers are rejected, new ones are refused. Returns whether
   * others wait.
   */
  expire(since: number): boolean {
    const isOverdue = (pending: PendingItem<Item, Outcome>) => pending.since <= since;
    if (this.#waiting.some(isOverdue)) {
      for (const pending of this.#waiting.filter(isOverdue)) reject(pending);
      this.#waiting = this.#waiting.filter((pending) => !isOverdue(pending));
    }
    for (const pending of this.#running.filter(isOverdue)) reject(pending);
    this.#stuck = this.#running.length > 0 && this.#running.every(isOverdue);
    return this.#waiting.length > 0 || this.#running.length > 0;
  }

  waitingSince(): number | undefined {
    return this.#waiting[0]?.since;
  }

  isStuck(): boolean {
    return this.#stuck;
  }

  async #drain(): Promise<void> {
    let deliverOutcomes: (() => void) | undefined;
    while (this.#waiting.length > 0) {
      const pauseMs = this.#pauseMs();
      if (pauseMs > 0) {
        deliverOutcomes?.();
        deliverOutcomes = undefined;
        await sleep(pauseMs);
        continue;
      }
      this.#running = this.#waiting.splice(0, this.#nextSize(deliverOutcomes === undefined));
      this.#lastSize = this.#running.length;
      this.#lastStart = performance.now();
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

  #pauseMs(): number {
    const { intervalMs = 0, maxItems } = this.#options;
    if (this.#lastSize < CROWDED || this.#waiting.length >= maxItems) return 0;
    return this.#lastStart + intervalMs - performance.now();
  }

  #nextSize(isFirst: boolean): number {
    const { maxItems, startsWithHalf = false } = this.#options;
    const count = this.#waiting.length;
    const isHalved = isFirst && startsWithHalf && count >= MIN_HALVED;
    return Math.min(isHalved ? Math.ceil(count / 2) : count, maxItems);
  }

  /** Runs a statement and returns the function that delivers its outcomes. */
  async #execute(batch: Batch<Item, Outcome>): Promise<() => void> {
    try {
      const outcomes = await this.#options.run(batch.map(({ item }) => item));
      return () => resolveAll(batch, outcomes);
    } catch (error) {
      const parts = this.#options.divide(batch, error);
      if (parts === undefined) {
        return () => {
          for (const pending of batch) pending.reject(error);
        };
      }
      for (const part of parts) {
        const current = part.filter(({ isExpired }) => !isExpired);
        if (current.length > 0) (await this.#execute(current))();
      }
      return () => undefined;
    }
  }
}

function reject<Item, Outcome>(pending: PendingItem<Item, Outcome>): void {
  pending.isExpired = true;
  pending.reject(new DeadlineExceededError());
}

function resolveAll<Item, Outcome>(batch: Batch<Item, Outcome>, outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject: rejectItem }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) rejectItem(new Error('a statement returned fewer outcomes than items'));
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
const isCausedByItem = (error: unknown): boolean => /^(22|23|54)/.test(errorCode(error) ?? '');

/**
 * One invalid item must not fail the others: a batch that fails is split in half until the item is
 * alone.
 */
export function divideByItem<Item, Outcome>(
  batch: Batch<Item, Outcome>,
  error: unknown,
): readonly Batch<Item, Outcome>[] | undefined {
  return batch.length > 1 && isCausedByItem(error) ? halve(batch) : undefined;
}

export function halve<T>(items: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = items.length >> 1;
  return [items.slice(0, middle), items.slice(middle)];
}
