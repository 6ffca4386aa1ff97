import {
  BatchQueue,
  divideByItem,
  halve,
  type Batch,
  type PendingItem,
  type RunBatch,
} from './batch-queue.ts';
import { isLockTimeout } from './errors.ts';

export interface IsolationOptions<Item, Outcome> {
  /** The group of an item. All rows that an item locks belong to its group. */
  readonly groupOf: (item: Item) => string;
  /** Runs the items of isolated groups, on a connection of its own with a short lock timeout. */
  readonly run: RunBatch<Item, Outcome>;
  /** How long an item of a group with locked rows is repeated. Defaults to a second. */
  readonly retryMs?: number;
}

/** The lock timeout of the connection that runs the items of isolated groups. */
export const ISOLATED_LOCK_TIMEOUT_MS = 50;

const DEFAULT_RETRY_MS = 1_000;
/** A group runs apart for at least this long after a lock timeout of its own. */
const ISOLATION_MS = 5_000;
/** A group that has no items for this long after a lock timeout is forgotten. */
const RETENTION_MS = 600_000;

interface Limits {
  readonly maxItems: number;
  readonly maxWaiting: number;
}

/**
 * Runs the items of groups whose rows others have locked apart from all other items, so that they
 * do not delay or fail others.
 *
 * All groups of a batch that waited too long for a lock are suspected. Their batch is divided until
 * those with locked rows are alone. The others return to the common batches at once; those with
 * locked rows do when their items succeed again.
 */
export class Isolation<Item, Outcome> {
  readonly #groupOf: (item: Item) => string;
  readonly #retryMs: number;
  readonly #queue: BatchQueue<Item, Outcome>;
  /**
   * When each isolated group last waited too long for a lock of its own; undefined if it is only
   * suspected. In milliseconds of `performance.now()`.
   */
  readonly #blockedAt = new Map<string, number | undefined>();

  constructor({ groupOf, run, retryMs = DEFAULT_RETRY_MS }: IsolationOptions<Item, Outcome>, limits: Limits) {
    this.#groupOf = groupOf;
    this.#retryMs = retryMs;
    this.#queue = new BatchQueue({
      ...limits,
      run: async (items) => {
        const outcomes = await run(items);
        this.#endIsolation(items);
        return outcomes;
      },
      divide: (batch, error) =>
        isLockTimeout(error) ? this.#divideByGroup(batch, error) : divideByItem(batch, error),
    });
  }

  /** The groups that waited too long for a lock of their own within the last seconds. */
  get blockedGroups(): readonly string[] {
    const since = performance.now() - ISOLATION_MS;
    return [...this.#blockedAt].flatMap(([group, at = -Infinity]) => (at > since ? [group] : []));
  }

  /** Whether an item must run apart. */
  includes(item: Item): boolean {
    return this.#blockedAt.size > 0 && this.#blockedAt.has(this.#groupOf(item));
  }

  add(pending: PendingItem<Item, Outcome>): void {
    this.#queue.add(pending);
  }

  /** Takes over a batch that waited too long for a lock. */
  takeOver(batch: Batch<Item, Outcome>): void {
    this.#forgetIdleGroups();
    for (const pending of batch) {
      const group = this.#groupOf(pending.item);
      if (!this.#blockedAt.has(group)) this.#blockedAt.set(group, undefined);
      if (!pending.isExpired) this.#queue.add(pending);
    }
  }

  expire(since: number): boolean {
    return this.#queue.expire(since);
  }

  #divideByGroup(batch: Batch<Item, Outcome>, error: unknown): readonly Batch<Item, Outcome>[] {
    const groups = Map.groupBy(batch, ({ item }) => this.#groupOf(item));
    if (groups.size > 1) return halve([...groups.values()]).map((half) => half.flat());
    const now = performance.now();
    for (const group of groups.keys()) this.#blockedAt.set(group, now);
    for (const pending of batch) {
      if (now - pending.since >= this.#retryMs) pending.reject(error);
      else if (!pending.isExpired) this.#queue.add(pending);
    }
    return [];
  }

  #endIsolation(items: readonly Item[]): void {
    const now = performance.now();
    for (const item of items) {
      const group = this.#groupOf(item);
      if (now - (this.#blockedAt.get(group) ?? -Infinity) >= ISOLATION_MS) this.#blockedAt.delete(group);
    }
  }

  #forgetIdleGroups(): void {
    const since = performance.now() - RETENTION_MS;
    for (const [group, at = Infinity] of this.#blockedAt) if (at < since) this.#blockedAt.delete(group);
  }
}
