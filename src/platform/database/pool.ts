import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

import { toConnectionError, DeadlineExceededError, OverloadError } from './errors.ts';
import { WaitQueue, type QueryDeadline } from './query-deadline.ts';

/** Callers that wait for a connection, at most. */
const MAX_WAITING = 1_000;

export interface PoolOptions {
  /** Why nothing may be asked of the database now; undefined where it may. */
  readonly findRefusal: (connecting: boolean) => Error | undefined;
  /** Told of every answer. */
  readonly onResponse: () => void;
  /** How long callers wait; undefined where they may wait for ever. */
  readonly queryDeadline: QueryDeadline | undefined;
}

/**
 * The pool as callers see it who wait neither for a server that is away nor longer than their patience, for a connection
 * or for an answer. A connection whose answer nobody waits for any more stays taken until it has come: another one beside it would pile
 * up with a server that is too slow already. So there are never more connections than the pool may have.
 */
export function createDeadlinePool(
  pool: pg.Pool,
  { findRefusal, onResponse, queryDeadline }: PoolOptions,
): PostgresPool {
  const connectionQueue = new WaitQueue(false);
  const responseQueue = new WaitQueue(true);
  queryDeadline?.addQueue(connectionQueue);
  queryDeadline?.addQueue(responseQueue);
  const connections = new WeakMap<pg.PoolClient, PooledConnection>();
  const wrap = (client: pg.PoolClient): PostgresPoolClient => {
    let connection = connections.get(client);
    if (connection === undefined) {
      connection = new PooledConnection(
        client,
        onResponse,
        queryDeadline === undefined ? undefined : responseQueue,
      );
      connections.set(client, connection);
    }
    return connection;
  };
  const acquire = async (): Promise<PostgresPoolClient> => {
    try {
      return wrap(await pool.connect());
    } catch (error) {
      throw toConnectionError(error);
    }
  };
  return {
    options: pool.options,
    async connect() {
      const unavailable = findRefusal(pool.idleCount === 0);
      if (unavailable !== undefined) throw unavailable;
      if (pool.waitingCount >= MAX_WAITING) throw new OverloadError();
      const connecting = acquire();
      if (queryDeadline === undefined) return connecting;
      const { promise: late, reject } = Promise.withResolvers<never>();
      let expired = false;
      const waiter = connectionQueue.enqueue((error) => {
        expired = true;
        reject(error);
      });
      const acquireInTime = async (): Promise<PostgresPoolClient> => {
        try {
          const connection = await connecting;
          if (expired) connection.release();
          return connection;
        } finally {
          connectionQueue.remove(waiter);
        }
      };
      return Promise.race([acquireInTime(), late]);
    },
    end: () => pool.end(),
  };
}

/** A connection of the pool, lent to one caller after the other. */
class PooledConnection implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #onResponse: () => void;
  readonly #queue: WaitQueue | undefined;
  /** The answer that its caller no longer waits for. */
  #overdue: Promise<void> | undefined;

  constructor(client: PostgresPoolClient, onResponse: () => void, queue: WaitQueue | undefined) {
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
    if (typeof statement !== 'string') throw new Error('no cursor is used here');
    return this.#execute<R>(statement, parameters);
  }

  async #execute<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Behind an answer that takes too long stands nobody else: a ROLLBACK is done by the end of the connection.
    if (this.#overdue !== undefined) throw new DeadlineExceededError();
    const answer = this.#client.query<R>(sql, parameters);
    if (this.#queue === undefined) {
      const result = await answer;
      this.#onResponse();
      return result;
    }
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const waiter = this.#queue.enqueue((error) => {
      this.#overdue = settled(answer);
      reject(error);
    });
    try {
      const result = await Promise.race([answer, overdue]);
      this.#onResponse();
      return result;
    } finally {
      this.#queue.remove(waiter);
    }
  }

  release(destroy?: boolean): void {
    const overdue = this.#overdue;
    if (overdue === undefined) this.#client.release(destroy);
    else void overdue.then(() => this.#client.release(true));
  }
}

/** Resolves when the answer has come, whichever it is. */
async function settled(answer: Promise<unknown>): Promise<void> {
  await answer.catch(() => undefined);
}
