import type pg from 'pg';

import type { Database } from './connect.ts';
import {
  isDatabaseUnavailable,
  isDeadlock,
  isReadOnly,
  isStatementFailure,
  isWriteFailure,
} from './errors.ts';
import type { ResponseTracker } from './response-tracker.ts';
import { renameTables, statementOnShard } from './shards/shard-names.ts';
import { lockShards, type Shard, type ShardNode } from './shards/shards.ts';
import {
  MAX_DEADLOCK_ATTEMPTS,
  sendStatement,
  type NamedStatement,
  type RunStatement,
} from './statements.ts';

export interface DedicatedConnectionOptions {
  /**
   * Prepared plans are discarded after this time. Defaults to 5 seconds, and to twice as long after
   * each discard, up to a minute: a table at most doubles meanwhile.
   */
  readonly planTtlMs?: number;
  /**
   * Whether commits wait until they are on disk. Defaults to true. Without it, a crash of the
   * server may lose the last commits; a crash of this process loses none.
   */
  readonly durable?: boolean;
  /**
   * Whether the planner may scan a table sequentially. Defaults to false, since the statements find
   * their rows by key: the planner cannot know the size of a batch, and its guess of 100 rows makes
   * it read thousands for a handful.
   */
  readonly allowSeqScan?: boolean;
  /**
   * Whether the statements only read, so that their outcome says nothing about the server's ability
   * to write.
   */
  readonly readOnly?: boolean;
  /**
   * Whether statements are never planned for their parameters. Those of a batch, JSON and arrays,
   * say nothing about the rows. Defaults to false: Citus rejects such plans on the coordinator.
   */
  readonly genericPlans?: boolean;
  /**
   * How long a statement waits for each lock. Defaults to half a second, so that locked rows do not
   * stop the statements of others.
   */
  readonly lockTimeoutMs?: number;
}

const FIRST_PLAN_TTL_MS = 5_000;
/** Planning the largest statement takes some milliseconds, on each shard. */
const LAST_PLAN_TTL_MS = 60_000;

const DEFAULT_LOCK_TIMEOUT_MS = 500;

/** After a lost connection, a statement is repeated once. */
const MAX_ATTEMPTS = 2;

/**
 * Returns a function that runs statements on a connection of its own: see `DedicatedConnection`.
 */
export function dedicatedConnection(
  database: Database,
  name: string,
  options: DedicatedConnectionOptions = {},
): RunStatement {
  const connection = new DedicatedConnection(toTarget(database), name, options);
  return (statement, values) => connection.query(statement, values);
}

/** Runs a batch of items, each of which concerns one seller. */
export interface SellerConnection<Item> {
  /** The node that stores the rows of an item; empty on one server. A batch is for one node. */
  readonly nodeOf: (item: Item) => string;
  /**
   * Runs work with the statements of a batch. If the database is distributed, once for each shard,
   * in one transaction for each node. Returns the outcomes in the order of the items.
   */
  run<Outcome>(items: readonly Item[], work: BatchWork<Item, Outcome>): Promise<readonly Outcome[]>;
  /** The same, in one transaction also if the database is not distributed. */
  runInTransaction<Outcome>(
    items: readonly Item[],
    work: BatchWork<Item, Outcome>,
  ): Promise<readonly Outcome[]>;
}

/** Returns the outcomes in the order of the items. */
type BatchWork<Item, Outcome> = (query: RunStatement, items: readonly Item[]) => Promise<readonly Outcome[]>;

/** The connections of one purpose that read and write the rows of all sellers. */
export interface ShardConnections {
  /**
   * Runs work on the shards with rows that match, one after another: all on one server. A node that
   * is unavailable stops none of the others.
   */
  forEach(work: (query: RunStatement, shard: string) => Promise<void>): Promise<void>;
}

/** @param matching SQL: a SELECT that returns a row if there is work. */
export function shardConnections(
  database: Database,
  { name, matching }: { readonly name: string; readonly matching: string },
  options: DedicatedConnectionOptions = {},
): ShardConnections {
  const { shards } = database;
  const query = dedicatedConnection(database, name, options);
  const connectionTo = nodeConnections(name, options);
  return {
    forEach: (work) =>
      shards.locate(async () => {
        if (shards.all.length === 0) return work(query, '');
        let failure: unknown;
        let done = 0;
        for (const [node, onNode] of Map.groupBy(shards.all, (shard) => shard.node)) {
          try {
            const connection = connectionTo(node);
            for (const shard of await connection.findShards(onNode, matching)) {
              await connection.onShards([{ shard, part: [] }], async (onShard) => {
                await work(onShard, shard.id);
                return [];
              });
            }
            done += 1;
          } catch (error) {
            if (!isDatabaseUnavailable(error)) throw error;
            failure = error;
          }
        }
        if (done === 0) throw failure;
      }),
  };
}

function nodeConnections(
  name: string,
  options: DedicatedConnectionOptions,
): (node: ShardNode) => DedicatedConnection {
  const connections = new Map<ShardNode, DedicatedConnection>();
  return (node) => {
    let connection = connections.get(node);
    if (connection === undefined) {
      connection = new DedicatedConnection(
        { connect: (purpose) => node.connections.open(`gateway ${purpose}`), responses: undefined },
        name,
        options,
      );
      connections.set(node, connection);
    }
    return connection;
  };
}

/** The connections of one purpose to the servers that store the rows of sellers. */
export function sellerConnection<Item>(
  database: Database,
  { name, sellerOf }: { readonly name: string; readonly sellerOf: (item: Item) => string },
  options: DedicatedConnectionOptions = {},
): SellerConnection<Item> {
  const { shards } = database;
  // Never the coordinator.
  const withGenericPlans = { ...options, genericPlans: true };
  const single = new DedicatedConnection(toTarget(database), name, withGenericPlans);
  const connectionTo = nodeConnections(name, withGenericPlans);
  async function runOnShards<Outcome>(
    items: readonly Item[],
    work: BatchWork<Item, Outcome>,
  ): Promise<readonly Outcome[]> {
    const outcomes = new Map<Item, Outcome>();
    const parts = [...Map.groupBy(items, (item) => shards.of(sellerOf(item)))];
    const nodes = Map.groupBy(parts, ([shard]) => shard?.node);
    await Promise.all(
      [...nodes].map(async ([node, onNode]) => {
        if (node === undefined) throw new Error('a seller has no shard');
        const byShard = onNode.flatMap(([shard, part]) => (shard === undefined ? [] : [{ shard, part }]));
        const found = await connectionTo(node).onShards(byShard, work);
        for (const [item, outcome] of found) outcomes.set(item, outcome);
      }),
    );
    return items.flatMap((item) => {
      const outcome = outcomes.get(item);
      return outcome === undefined ? [] : [outcome];
    });
  }
  return {
    nodeOf: (item) => shards.of(sellerOf(item))?.node.name ?? '',
    async run(items, work) {
      await shards.load();
      if (shards.all.length > 0) return shards.locate(() => runOnShards(items, work));
      return work((statement, values) => single.query(statement, values), items);
    },
    async runInTransaction(items, work) {
      await shards.load();
      if (shards.all.length > 0) return shards.locate(() => runOnShards(items, work));
      return single.transaction((query) => work(query, items));
    },
  };
}

/** The server of a connection. */
interface Target {
  connect(name: string): Promise<pg.Client>;
  /** Undefined where the outcome of a statement says nothing about the database as a whole. */
  readonly responses: ResponseTracker | undefined;
}

const toTarget = (database: Database): Target => ({
  connect: (name) => database.connectDedicated(name),
  responses: database.responses,
});

/** What a batch does on one shard. */
interface ShardPart<Item> {
  readonly shard: Shard;
  readonly part: readonly Item[];
}

const runOn =
  (client: pg.Client): RunStatement =>
  async <Row extends pg.QueryResultRow>(statement: NamedStatement, values: readonly unknown[]) =>
    (await sendStatement<Row>(client, { ...statement, values: [...values] })).rows;

const runOnShard = (client: pg.Client, shard: Shard): RunStatement => {
  const run = runOn(client);
  return (statement, values) => run(statementOnShard(statement, shard), values);
};

/** Like `Promise.all`, but rejects only once all have settled, so that none sends a statement later. */
async function allSettled<T extends readonly Promise<unknown>[]>(
  steps: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  try {
    return await Promise.all(steps);
  } catch (error) {
    await Promise.allSettled(steps);
    throw error;
  }
}

/**
 * A connection for the prepared set-based statements of the hot path. It connects on first use, and
 * again after the connection was lost.
 */
class DedicatedConnection {
  readonly #target: Target;
  readonly #name: string;
  readonly #options: Required<Omit<DedicatedConnectionOptions, 'planTtlMs'>>;
  readonly #fixedPlanTtlMs: number | undefined;
  #client: Promise<pg.Client> | undefined;
  #planTtlMs = FIRST_PLAN_TTL_MS;
  #plansDiscardedAt = 0;
  /** Ends with the last of the calls, which run one after another. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(target: Target, name: string, { planTtlMs, ...options }: DedicatedConnectionOptions) {
    this.#target = target;
    this.#name = name;
    this.#fixedPlanTtlMs = planTtlMs;
    this.#options = {
      durable: true,
      allowSeqScan: false,
      readOnly: false,
      genericPlans: false,
      lockTimeoutMs: DEFAULT_LOCK_TIMEOUT_MS,
      ...options,
    };
  }

  /**
   * Runs a statement that is safe to repeat. It is repeated after a deadlock, and once after the
   * connection was lost, when it is unknown whether it was committed.
   */
  async query<Row extends pg.QueryResultRow>(
    statement: NamedStatement,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.#repeat((client) => runOn(client)<Row>(statement, values));
  }

  /** Runs statements in one transaction that is safe to repeat. */
  async transaction<T>(work: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#transaction('BEGIN', (client) => work(runOn(client)));
  }

  /**
   * Runs the parts of a batch on their shards, in one transaction that is safe to repeat. Returns
   * the outcomes with their items.
   */
  async onShards<Item, Outcome>(
    parts: readonly ShardPart<Item>[],
    work: BatchWork<Item, Outcome>,
  ): Promise<readonly (readonly [Item, Outcome])[]> {
    return this.#transaction(`BEGIN; ${lockShards(parts.map(({ shard }) => shard))}`, async (client) => {
      const found = await allSettled(
        parts.map(async ({ shard, part }) => {
          const outcomes = await work(runOnShard(client, shard), part);
          return part.flatMap((item, index): (readonly [Item, Outcome])[] => {
            const outcome = outcomes[index];
            return outcome === undefined ? [] : [[item, outcome]];
          });
        }),
      );
      return found.flat();
    });
  }

  /** Returns those shards of the node in which a SELECT returns a row. */
  async findShards(shards: readonly Shard[], matching: string): Promise<readonly Shard[]> {
    const parts = shards.map(
      ({ names }, number) => `SELECT ${number} AS number WHERE EXISTS (${renameTables(matching, names)})`,
    );
    const rows = await this.#repeat(
      async (client) => (await client.query<{ number: number }>(parts.join(' UNION ALL '))).rows,
    );
    return rows.flatMap(({ number }) => shards[number] ?? []);
  }

  async #transaction<T>(begin: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    return this.#repeat(async (client) => {
      try {
        // Sent together. If the first fails, so do those that follow: the transaction is aborted.
        const [, result] = await allSettled([client.query(begin), work(client)]);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  #repeat<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
    const call = this.#lastCall.then(() => this.#attempt(run));
    this.#lastCall = call.catch(() => undefined);
    return call;
  }

  async #attempt<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
    const { durable, readOnly } = this.#options;
    const { responses } = this.#target;
    for (let attempt = 1; ; attempt += 1) {
      const connecting = this.#connect();
      try {
        const client = await connecting;
        await this.#discardOldPlans(client);
        const result = await run(client);
        responses?.record(durable && !readOnly ? this.#name : undefined);
        return result;
      } catch (error) {
        const deadlock = isDeadlock(error);
        if (!isStatementFailure(error)) this.#disconnect(connecting);
        if (!readOnly && isWriteFailure(error)) responses?.recordWriteFailure(this.#name);
        const retryable = deadlock || isDatabaseUnavailable(error) || isReadOnly(error);
        if (!retryable || attempt >= (deadlock ? MAX_DEADLOCK_ATTEMPTS : MAX_ATTEMPTS)) throw error;
      }
    }
  }

  /**
   * PostgreSQL would keep a plan made for an empty table while the table grows to a million rows.
   */
  async #discardOldPlans(client: pg.Client): Promise<void> {
    const now = performance.now();
    if (now - this.#plansDiscardedAt < (this.#fixedPlanTtlMs ?? this.#planTtlMs)) return;
    this.#plansDiscardedAt = now;
    this.#planTtlMs = Math.min(2 * this.#planTtlMs, LAST_PLAN_TTL_MS);
    await client.query('DISCARD PLANS');
  }

  #connect(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client;
    const client = this.#open();
    this.#client = client;
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.then((connected) => connected.once('end', forget), forget);
    return client;
  }

  async #open(): Promise<pg.Client> {
    const client = await this.#target.connect(this.#name);
    const { lockTimeoutMs, allowSeqScan, durable, genericPlans } = this.#options;
    const settings = [
      `SET lock_timeout = ${lockTimeoutMs}`,
      ...(genericPlans ? ['SET plan_cache_mode = force_generic_plan'] : []),
      ...(allowSeqScan ? [] : ['SET enable_seqscan = off']),
      ...(durable ? [] : ['SET synchronous_commit = off']),
    ];
    await client.query(settings.join('; '));
    this.#planTtlMs = FIRST_PLAN_TTL_MS;
    this.#plansDiscardedAt = performance.now();
    return client;
  }

  #disconnect(client: Promise<pg.Client>): void {
    this.#client = undefined;
    client.then(
      (connected) => connected.end().catch(() => undefined),
      () => undefined,
    );
  }
}
