import { BatchQueue, divideByItem, type Batch, type PendingItem, type RunBatch } from './batch-queue.ts';
import { isLockTimeout } from './errors.ts';
import { Isolation, type IsolationOptions } from './isolation.ts';
import type { QueryDeadline, Queue } from './query-deadline.ts';

export interface GroupCommitOptions<Item, Outcome> {
  readonly run: RunBatch<Item, Outcome>;
  /**
   * The node that stores the rows of an item; empty on one server. Items of different nodes do not
   * share a statement and do not wait for each other. A batch for a node is divided into a statement
   * for each shard, so batches of many items start at least 10 ms apart.
   */
  readonly nodeOf?: ((item: Item) => string) | undefined;
  /** Maximum number of items in one statement. Defaults to 256. */
  readonly maxItems?: number;
  /**
   * Maximum number of waiting items. Further callers fail at once with OverloadError. Defaults to
   * 10,000.
   */
  readonly maxWaiting?: number;
  /**
   * Whether an idle queue starts with half of the items that wait. Defaults to false. Queues
   * of nodes start with all, since their batches run beside those of other nodes.
   */
  readonly startsWithHalf?: boolean;
  /**
   * How long callers wait, whether or not their statement has started. Without it they wait without
   * a limit.
   */
  readonly queryDeadline?: QueryDeadline | undefined;
  /** Without it, a batch that waits too long for a lock fails as a whole. */
  readonly isolation?: IsolationOptions<Item, Outcome> | undefined;
}

const NODE_INTERVAL_MS = 10;

/**
 * Group commit: runs one set-based statement at a time. Items that arrive while it runs share the
 * next statement, so that under load one commit serves many callers. An item that arrives while
 * nothing runs starts a statement with those that arrive in the same turn of the event loop, or with
 * half of them.
 *
 * Concurrent statements would not help: the fewer statements there are for the same items, the less
 * an item costs, one backend writes more than a process asks for, and concurrent changes would wait
 * for each other's wallets.
 */
export class GroupCommit<Item, Outcome> implements Queue {
  readonly #newQueue: (node: string) => BatchQueue<Item, Outcome>;
  readonly #nodeOf: (item: Item) => string;
  readonly #queryDeadline: QueryDeadline | undefined;
  readonly #queues = new Map<string, BatchQueue<Item, Outcome>>();
  readonly #isolation: Isolation<Item, Outcome> | undefined;

  constructor({ run, queryDeadline, isolation, nodeOf, ...limits }: GroupCommitOptions<Item, Outcome>) {
    const { maxItems = 256, maxWaiting = 10_000, startsWithHalf = false } = limits;
    this.#isolation = isolation && new Isolation(isolation, { maxItems, maxWaiting });
    this.#nodeOf = nodeOf ?? (() => '');
    const divide = (batch: Batch<Item, Outcome>, error: unknown) => this.#divide(batch, error);
    this.#newQueue = (node) =>
      new BatchQueue({
        run,
        maxItems,
        maxWaiting,
        ...(node === '' ? { startsWithHalf } : { intervalMs: NODE_INTERVAL_MS }),
        divide,
      });
    this.#queryDeadline = queryDeadline;
    queryDeadline?.addQueue(this);
  }

  /** The number of items whose statement has not started. */
  get waiting(): number {
    return this.#queues.values().reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** The groups whose rows were locked within the last seconds. */
  get blockedGroups(): readonly string[] {
    return this.#isolation?.blockedGroups ?? [];
  }

  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#queryDeadline?.notice();
      const since = performance.now();
      const pending: PendingItem<Item, Outcome> = { item, since, resolve, reject, isExpired: false };
      if (this.#isolation?.includes(item) === true) this.#isolation.add(pending);
      else this.#queueOf(item).add(pending);
    });
  }

  /** Rejects callers that have waited since `since` or longer. Returns whether others wait. */
  expire(since: number): boolean {
    let isAwaited = this.#isolation?.expire(since) ?? false;
    for (const queue of this.#queues.values()) isAwaited = queue.expire(since) || isAwaited;
    return isAwaited;
  }

  waitingSince(): number | undefined {
    const since = [...this.#queues.values()].flatMap((queue) => queue.waitingSince() ?? []);
    return since.length === 0 ? undefined : Math.min(...since);
  }

  isStuck(): boolean {
    return this.#queues.size > 0 && this.#queues.values().every((queue) => queue.isStuck());
  }

  #queueOf(item: Item): BatchQueue<Item, Outcome> {
    const node = this.#nodeOf(item);
    let queue = this.#queues.get(node);
    if (queue === undefined) {
      queue = this.#newQueue(node);
      this.#queues.set(node, queue);
    }
    return queue;
  }

  #divide(batch: Batch<Item, Outcome>, error: unknown): readonly Batch<Item, Outcome>[] | undefined {
    if (this.#isolation === undefined || !isLockTimeout(error)) return divideByItem(batch, error);
    this.#isolation.takeOver(batch);
    return [];
  }
}

/** Creates the group commits of a gateway. Metrics carry the name. */
export type GroupCommitFactory = <Item extends object, Outcome>(
  name: string,
  options: GroupCommitOptions<Item, Outcome>,
) => GroupCommit<Item, Outcome>;

/** Creates group commits without metrics. */
export const createGroupCommit: GroupCommitFactory = (_name, options) => new GroupCommit(options);
