import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

import { toConnectionError, DeadlineExceededError, OverloadError } from './errors.ts';
import { WaitQueue, type QueryDeadline } from './query-deadline.ts';
import { preparedName, sendStatement, type CallbackClient } from './statements.ts';

/** Maximum number of callers that wait for a connection. */
const MAX_WAITING = 1_000;

export interface PoolOptions {
  /** Returns why callers are rejected now; undefined if they are not. */
  readonly findRefusal: (connecting: boolean) => Error | undefined;
  /** Called for each response. */
  readonly onResponse: () => void;
  /** Undefined if callers wait without a limit. */
  readonly queryDeadline: QueryDeadline | undefined;
}

/**
 * Returns a pool for Kysely that rejects callers while the server is unavailable, and those past
 * the deadline. The connection of a rejected caller stays in use until its response arrives.
 * Replacing it earlier would put more load on a server that is already too slow, and exceed the
 * size of the pool.
 */
export function createDeadlinePool(pool: pg.Pool, options: PoolOptions): PostgresPool {
  const { findRefusal, onResponse, queryDeadline } = options;
  const connectionQueue = new WaitQueue(queryDeadline, { started: false });
  const responseQueue = queryDeadline && new WaitQueue(queryDeadline, { started: true });
  const connections = new WeakMap<pg.PoolClient, PooledConnection>();

  const acquire = async (): Promise<PostgresPoolClient> => {
    try {
      const client = await pool.connect();
      let connection = connections.get(client);
      if (connection === undefined) {
        connection = new PooledConnection(client, onResponse, responseQueue);
        connections.set(client, connection);
      }
      return connection;
    } catch (error) {
      throw toConnectionError(error);
    }
  };
  return {
    options: pool.options,
    async connect() {
      const refusal = findRefusal(pool.idleCount === 0);
      if (refusal !== undefined) throw refusal;
      if (pool.waitingCount >= MAX_WAITING) throw new OverloadError();
      return queryDeadline === undefined ? acquire() : acquireInTime(connectionQueue, acquire);
    },
    end: () => pool.end(),
  };
}

async function acquireInTime(
  queue: WaitQueue,
  acquire: () => Promise<PostgresPoolClient>,
): Promise<PostgresPoolClient> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let isExpired = false;
  const waiter = queue.enqueue((error) => {
    isExpired = true;
    reject(error);
  });
  const acquireOrRelease = async (): Promise<PostgresPoolClient> => {
    try {
      const connection = await acquire();
      if (isExpired) connection.release();
      return connection;
    } finally {
      queue.remove(waiter);
    }
  };
  return Promise.race([acquireOrRelease(), expired]);
}

type PoolClient = PostgresPoolClient & CallbackClient;

/** A connection of the pool, used by one caller at a time. */
class PooledConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #onResponse: () => void;
  /** Undefined without a deadline. */
  readonly #queue: WaitQueue | undefined;
  /** Resolves with the response whose caller was rejected. */
  #overdue: Promise<void> | undefined;

  constructor(client: PoolClient, onResponse: () => void, queue: WaitQueue | undefined) {
    this.#client = client;
    this.#onResponse = onResponse;
    this.#queue = queue;
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

  async #execute<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Nothing is sent after an overdue statement. Closing the connection does the ROLLBACK.
    if (this.#overdue !== undefined) throw new DeadlineExceededError();
    const response = this.#send<R>(sql, parameters);
    if (this.#queue === undefined) {
      const result = await response;
      this.#onResponse();
      return result;
    }
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const waiter = this.#queue.enqueue((error) => {
      this.#overdue = completionOf(response);
      reject(error);
    });
    try {
      const result = await Promise.race([response, expired]);
      this.#onResponse();
      return result;
    } finally {
      this.#queue.remove(waiter);
    }
  }

  #send<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    return sendStatement(this.#client, { name: preparedName(text), text, values: [...parameters] });
  }

  release(destroy?: boolean): void {
    const overdue = this.#overdue;
    if (overdue === undefined) this.#client.release(destroy);
    else void overdue.then(() => this.#client.release(true));
  }
}

/** Resolves when the promise is fulfilled or rejected. */
async function completionOf(promise: Promise<unknown>): Promise<void> {
  await promise.catch(() => undefined);
}
