import type pg from 'pg';

import type { Db } from '#platform/database/handles.ts';
import { createDeadlinePool } from '#platform/database/pool.ts';
import type { QueryDeadline } from '#platform/database/query-deadline.ts';
import { serverUrls } from '#platform/database/server-urls.ts';
import { registerShards, ShardHandles } from './each-shard.ts';
import { Shards, type ShardNode } from './shards.ts';

/** After this time, `close` destroys the connections that have not ended. */
const CLOSE_TIMEOUT_MS = 1_000;

interface OpenShardsOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

/** A handle of the whole database, and how long its callers wait. */
type Handle = readonly [Db, QueryDeadline | undefined];

/** Opens the handles of the shards that belong to the handles of the database. */
export function openShards(
  { url, poolSize, onError }: OpenShardsOptions,
  pool: pg.Pool,
  handles: Readonly<Record<'db' | 'background' | 'heavy', Handle>>,
): { readonly shards: Shards; readonly close: () => Promise<void> } {
  const shards = new Shards({ url: serverUrls(url)[0] ?? url, onError, pool });
  const pools = new Map<ShardNode, pg.Pool>();
  const poolOn = (node: ShardNode): pg.Pool => {
    const opened = pools.get(node) ?? node.connections.createPool(poolSize, 'gateway');
    pools.set(node, opened);
    return opened;
  };
  for (const [db, queryDeadline] of Object.values(handles)) {
    const options = { findRefusal: () => undefined, onResponse: () => undefined, queryDeadline };
    const handlesOfDb = new ShardHandles(
      shards,
      (node) => createDeadlinePool(poolOn(node), options),
      onError,
    );
    registerShards(db, handlesOfDb);
  }
  return {
    shards,
    async close() {
      const timer = setTimeout(() => destroyAll(shards), CLOSE_TIMEOUT_MS);
      await Promise.all([...pools.values()].map((one) => one.end()));
      clearTimeout(timer);
      destroyAll(shards);
    },
  };
}

function destroyAll(shards: Shards): void {
  for (const { connections } of shards.nodes) connections.destroyAll();
}
