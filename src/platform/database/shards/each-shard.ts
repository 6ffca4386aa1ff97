import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';

import type { Page } from '#platform/http/pagination.ts';
import type { DatabaseTransaction, Db } from '#platform/database/handles.ts';
import { isDatabaseUnavailable } from '#platform/database/errors.ts';
import type { DB } from '#platform/database/types.gen.ts';
import { createShardPool } from './shard-pool.ts';
import type { Shard, ShardNode, Shards } from './shards.ts';

/** The handles of the shards that belong to a handle of the whole database. */
export class ShardHandles {
  readonly shards: Shards;
  readonly onError: (error: Error) => void;
  readonly #poolOf: (node: ShardNode) => PostgresPool;
  readonly #pools = new Map<ShardNode, PostgresPool>();
  readonly #handles = new WeakMap<Shard, Db>();

  constructor(shards: Shards, poolOf: (node: ShardNode) => PostgresPool, onError: (error: Error) => void) {
    this.shards = shards;
    this.onError = onError;
    this.#poolOf = poolOf;
  }

  of(shard: Shard): Db {
    let db = this.#handles.get(shard);
    if (db === undefined) {
      let pool = this.#pools.get(shard.node);
      if (pool === undefined) {
        pool = this.#poolOf(shard.node);
        this.#pools.set(shard.node, pool);
      }
      db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: createShardPool(pool, shard) }) });
      this.#handles.set(shard, db);
    }
    return db;
  }
}

const HANDLES = new WeakMap<Db, ShardHandles>();

export function registerShards(db: Db, handles: ShardHandles): void {
  HANDLES.set(db, handles);
}

/**
 * Runs work that concerns one seller where its rows are, without the coordinator. On one server,
 * and within a database transaction, `db` itself; the name of the node is then empty.
 */
export function onShardOf<T>(
  db: Db,
  sellerId: string,
  work: (db: Db, node: string) => Promise<T>,
): Promise<T> {
  const handles = HANDLES.get(db);
  if (handles === undefined) return work(db, '');
  return handles.shards.locate(() => {
    const shard = handles.shards.of(sellerId);
    return shard === undefined ? work(db, '') : work(handles.of(shard), shard.node.name);
  });
}

/** Which sellers a shard has, since it reads all rows of `sellers`. */
export interface ShardPart {
  readonly isLast: boolean;
  /** The smallest and the largest `worker_hash` of its sellers; undefined for all. */
  readonly hashes: readonly [number, number] | undefined;
}

const WHOLE: ShardPart = { isLast: true, hashes: undefined };

/** Runs work on one of the shards, which have numbers from 0. On one server, on `db`. */
export async function onShardNumber<T>(
  db: Db,
  number: number,
  work: (db: Db, part: ShardPart) => Promise<T>,
): Promise<T> {
  const handles = HANDLES.get(db);
  if (handles === undefined) return work(db, WHOLE);
  return handles.shards.locate(() => {
    const { all } = handles.shards;
    const shard = all[number];
    if (shard === undefined) return work(db, WHOLE);
    return work(handles.of(shard), { isLast: number + 1 >= all.length, hashes: [shard.from, shard.to] });
  });
}

/**
 * Runs work for the rows of all sellers: on each shard, one after another on each node. On one
 * server, and within a database transaction, once. Returns the results. Throws the first failure
 * after all.
 */
export async function onEachShard<T>(db: Db, work: (db: Db) => Promise<T>): Promise<readonly T[]> {
  const { results, errors } = await runOnEachShard(db, work);
  if (errors.length > 0) throw errors[0];
  return results;
}

/** The same for reads within a database transaction, which do not see its changes on shards. */
export async function onEachShardWithin<T>(
  { db, trx }: { readonly db: Db; readonly trx: DatabaseTransaction },
  work: (db: Db) => Promise<T>,
): Promise<readonly T[]> {
  const shards = HANDLES.get(db)?.shards;
  await shards?.load();
  return shards === undefined || shards.all.length === 0 ? [await work(trx)] : onEachShard(db, work);
}

/**
 * The same for work that is repeated, such as claims: a node that is unavailable stops none of the others.
 */
export async function onReachableShards<T>(
  db: Db,
  work: (db: Db, limitOf: (total: number) => number) => Promise<T>,
): Promise<readonly T[]> {
  const { results, errors, handles } = await runOnEachShard(db, (shard, count) =>
    work(shard, (total) => Math.ceil(total / count)),
  );
  if (results.length === 0 && errors.length > 0) throw errors[0];
  for (const error of errors) {
    if (!isDatabaseUnavailable(error)) throw error;
    if (error instanceof Error) handles?.onError(error);
  }
  return results;
}

/**
 * Reads a page of rows, newest first, with one more row if there is a next page: of one seller on
 * its shard, of all sellers on each shard, and merges the pages.
 */
export async function onMergedShards<Row extends { readonly id: string }>(
  db: Db,
  sellerId: string | undefined,
  page: Page,
  read: (db: Db, page: Page) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  if (sellerId !== undefined) return onShardOf(db, sellerId, (shard) => read(shard, page));
  const handles = HANDLES.get(db);
  await handles?.shards.load();
  if (handles === undefined || handles.shards.all.length === 0) return read(db, page);
  const { take, skip } = page;
  const pages = await onEachShard(db, (shard) => read(shard, { ...page, skip: 0, take: skip + take }));
  const newest = pages.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return newest.slice(skip, skip + take + 1);
}

/**
 * Returns a job that runs on each shard, with state of its own there. It returns true if one of
 * them does.
 */
export function perShard(db: Db, create: (db: Db) => () => Promise<boolean>): () => Promise<boolean> {
  const runs = new WeakMap<Db, () => Promise<boolean>>();
  return async () => {
    const results = await onReachableShards(db, (shard) => {
      const run = runs.get(shard) ?? create(shard);
      runs.set(shard, run);
      return run();
    });
    return results.includes(true);
  };
}

interface ShardResults<T> {
  readonly results: readonly T[];
  readonly errors: readonly unknown[];
  readonly handles?: ShardHandles;
}

async function runOnEachShard<T>(
  db: Db,
  work: (db: Db, count: number) => Promise<T>,
): Promise<ShardResults<T>> {
  const handles = HANDLES.get(db);
  await handles?.shards.load();
  const shards = handles?.shards.all ?? [];
  if (handles === undefined || shards.length === 0) return { results: [await work(db, 1)], errors: [] };
  const results: T[] = [];
  const errors: unknown[] = [];
  const runOn = async (onNode: readonly Shard[]) => {
    for (const shard of onNode) {
      try {
        results.push(await work(handles.of(shard), shards.length));
      } catch (error) {
        errors.push(error);
        handles.shards.forget();
        if (isDatabaseUnavailable(error)) return;
      }
    }
  };
  await Promise.all([...Map.groupBy(shards, ({ node }) => node).values()].map(runOn));
  return { results, errors, handles };
}
