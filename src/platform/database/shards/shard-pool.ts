import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

import { prepareAs, preparedName } from '#platform/database/statements.ts';
import { renameTables, statementOnShard } from './shard-names.ts';
import { lockShards, type Shard } from './shards.ts';

/**
 * A pool whose connections run statements on a shard: with the names of its tables, and in a
 * database transaction that keeps it on its node.
 */
export function createShardPool(pool: PostgresPool, shard: Shard): PostgresPool {
  const rename = (text: string): string => {
    const name = preparedName(text);
    if (name === undefined) return renameTables(text, shard.names);
    const statement = statementOnShard({ name, text }, shard);
    prepareAs(statement);
    return statement.text;
  };
  return {
    options: pool.options,
    connect: async () => new ShardConnection(await pool.connect(), shard, rename),
    end: () => pool.end(),
  };
}

class ShardConnection implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #shard: Shard;
  readonly #rename: (statement: string) => string;
  #inTransaction = false;

  constructor(client: PostgresPoolClient, shard: Shard, rename: (statement: string) => string) {
    this.#client = client;
    this.#shard = shard;
    this.#rename = rename;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    statement: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof statement !== 'string') throw new Error('cursors are not supported');
    return this.#execute<R>(statement, parameters);
  }

  async #execute<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (/^\s*(begin|start transaction)\b/i.test(statement)) {
      const begun = await this.#client.query<R>(statement, parameters);
      this.#inTransaction = true;
      await this.#client.query(lockShards([this.#shard]), []);
      return begun;
    }
    if (/^\s*(commit|rollback)\b(?! to\b)/i.test(statement)) this.#inTransaction = false;
    else if (!this.#inTransaction) return this.#executeAlone<R>(statement, parameters);
    return this.#client.query<R>(this.#rename(statement), parameters);
  }

  async #executeAlone<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    try {
      await this.#client.query(`BEGIN; ${lockShards([this.#shard])}`, []);
      const result = await this.#client.query<R>(this.#rename(statement), parameters);
      await this.#client.query('COMMIT', []);
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK', []).catch(() => undefined);
      throw error;
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}
