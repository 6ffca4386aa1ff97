import type pg from 'pg';

import { errorCode } from '#platform/kit/errors.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { ServerConnections } from '#platform/database/server-connections.ts';
import { hashSeller } from './seller-hash.ts';

/** A server of the cluster that stores shards. */
export interface ShardNode {
  readonly name: string;
  readonly connections: ServerConnections;
}

/** The rows of a range of sellers in all distributed tables. They are on one node. */
export interface Shard {
  /** Citus' id of the shard of the first distributed table. */
  readonly id: string;
  readonly node: ShardNode;
  /** The smallest and the largest hash of its sellers. */
  readonly from: number;
  readonly to: number;
  /** The shards of the tables, by table. */
  readonly names: ReadonlyMap<string, string>;
}

/** Raised by `lock_shards`: a shard was moved to another node. */
const MOVED = '55S01';

const isMoved = (error: unknown): boolean => errorCode(error) === MOVED;

/** The statements that begin a database transaction on shards. */
export const lockShards = (shards: readonly Shard[]): string =>
  `SELECT lock_shards('{${shards.map(({ id }) => id).join(',')}}')`;

export interface ShardsOptions {
  readonly url: string;
  readonly onError: (error: Error) => void;
  /** A connection to the coordinator. */
  readonly pool: Pick<pg.Pool, 'query'>;
}

/**
 * The shards of a database that Citus distributes; none on one server. Statements about sellers are
 * sent to the node that stores them, with the names of the shards, so that they are the same as on
 * one server and cost the coordinator nothing. A database transaction on a shard first takes the
 * lock that Citus' own writes take (`lock_shards`), so that the shard is not moved meanwhile.
 */
export class Shards {
  readonly #options: ShardsOptions;
  readonly #nodes = new Map<string, ShardNode>();
  #all: readonly Shard[] = [];
  #loading: Promise<void> | undefined;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  /** In the order of their hashes. Empty if the database is not distributed, or before `load`. */
  get all(): readonly Shard[] {
    return this.#all;
  }

  get nodes(): Iterable<ShardNode> {
    return this.#nodes.values();
  }

  /** The shard of a seller; undefined on one server. */
  of(sellerId: string): Shard | undefined {
    // Any shard rejects an id that is none.
    if (this.#all.length === 0 || !isUuid(sellerId)) return this.#all[0];
    const hash = hashSeller(sellerId);
    return this.#all.find(({ from, to }) => from <= hash && hash <= to);
  }

  /** Reads where the shards are, unless it has been read since the last `forget`. */
  load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** The next `load` reads where the shards are. */
  forget(): void {
    this.#loading = undefined;
  }

  /** Runs work, and repeats it if a shard was moved before it had begun. */
  async locate<T>(work: () => Promise<T>): Promise<T> {
    await this.load();
    try {
      return await work();
    } catch (error) {
      if (!isMoved(error)) throw error;
      this.forget();
      await this.load();
      return work();
    }
  }

  async #read(): Promise<void> {
    const { pool } = this.#options;
    const distributed = await pool.query<{ distributed: boolean }>(IS_DISTRIBUTED);
    if (distributed.rows[0]?.distributed !== true) return;
    const { rows } = await pool.query<ShardRow>(FIND_SHARDS);
    const known = new Map(this.#all.map((shard) => [shard.id, shard]));
    this.#all = rows.map(({ id, from, to, host, port, names }) => {
      const node = this.#nodeAt(host, port);
      const shard = known.get(id);
      // Jobs keep state for each shard.
      if (shard?.node === node && shard.names.size === Object.keys(names).length) return shard;
      return { id, from, to, node, names: new Map(Object.entries(names)) };
    });
  }

  #nodeAt(host: string, port: number): ShardNode {
    const name = `${host}:${port}`;
    let node = this.#nodes.get(name);
    if (node === undefined) {
      const url = new URL(this.#options.url);
      url.hostname = host;
      url.port = String(port);
      node = { name, connections: new ServerConnections(url.href, this.#options.onError) };
      this.#nodes.set(name, node);
    }
    return node;
  }
}

interface ShardRow {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly host: string;
  readonly port: number;
  readonly names: Readonly<Record<string, string>>;
}

const IS_DISTRIBUTED = `SELECT to_regprocedure('lock_shards(bigint[])') IS NOT NULL AS distributed`;

/**
 * Tables of one shard have equal ranges. Reference tables have one shard, which is on every node.
 */
const FIND_SHARDS = `
  WITH reference AS (
    SELECT c.relname AS table, c.relname || '_' || s.shardid AS shard
    FROM pg_dist_partition p JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
    JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE p.partmethod = 'n' AND p.repmodel = 't' AND c.relnamespace = current_schema()::regnamespace
  ), distributed AS (
    SELECT c.relname AS table, c.relname || '_' || s.shardid AS shard, s.shardid AS id,
      s.shardminvalue::integer AS "from", s.shardmaxvalue::integer AS "to", n.nodename AS host,
      n.nodeport AS port
    FROM pg_dist_partition p JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid
    JOIN pg_dist_placement l ON l.shardid = s.shardid
    JOIN pg_dist_node n ON n.groupid = l.groupid AND n.noderole = 'primary'
    JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE p.partmethod = 'h' AND c.relnamespace = current_schema()::regnamespace
  )
  SELECT min(id)::text AS id, "from", "to", host, port,
    json_object_agg("table", shard)::jsonb || (SELECT json_object_agg("table", shard)
      FROM reference)::jsonb AS names
  FROM distributed GROUP BY "from", "to", host, port ORDER BY "from"`;
