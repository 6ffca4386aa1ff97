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
  readonly onError: (error: Error) => void;
}

/** The arguments of `ServerConnections.createPool`. */
export type PoolArguments = Parameters<ShardNode['connections']['createPool']>;

/** A handle of the whole database. */
interface Handle {
  readonly db: Db;
  /** How long its callers wait. */
  readonly queryDeadline: QueryDeadline | undefined;
  /** Its pool on each node, which handles with the same arguments share. */
  readonly nodePool: PoolArguments;
}

/** Opens the handles of the shards that belong to the handles of the database. */
export function openShards(
  { url, onError }: OpenShardsOptions,
  pool: pg.Pool,
  handles: readonly Handle[],
): { readonly shards: Shards; readonly close: () => Promise<void> } {
  const shards = new Shards({ url: serverUrls(url)[0] ?? url, onError, pool });
  const pools = new Map<PoolArguments, Map<ShardNode, pg.Pool>>();
  for (const { db, queryDeadline, nodePool } of handles) {
    const ofNodes = pools.get(nodePool) ?? new Map<ShardNode, pg.Pool>();
    pools.set(nodePool, ofNodes);
    const options = { findRefusal: () => undefined, onResponse: () => undefined, queryDeadline };
    const poolOn = (node: ShardNode) => {
      const opened = ofNodes.get(node) ?? node.connections.createPool(...nodePool);
      ofNodes.set(node, opened);
      return createDeadlinePool(opened, options);
    };
    registerShards(db, new ShardHandles(shards, poolOn, onError));
  }
  return {
    shards,
    async close() {
      const timer = setTimeout(() => destroyAll(shards), CLOSE_TIMEOUT_MS);
      await Promise.all(
        [...pools.values()].flatMap((ofNodes) => [...ofNodes.values()]).map((one) => one.end()),
      );
      clearTimeout(timer);
      destroyAll(shards);
    },
  };
}

function destroyAll(shards: Shards): void {
  for (const { connections } of shards.nodes) connections.destroyAll();
}
