import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';

import { notConnected, OverdueError, OverloadError } from './errors.ts';
import { WaitingLine, type Patience } from './query-deadline.ts';

/** Callers that wait for a connection, at most. */
const MOST_WAITING = 1_000;

export interface PoolManners {
  /** Why nothing may be asked of the database now; undefined where it may. */
  readonly refusal: (connecting: boolean) => Error | undefined;
  /** Told of every answer. */
  readonly heard: () => void;
  /** How long callers wait; undefined where they may wait for ever. */
  readonly patience: Patience | undefined;
}

/**
 * The pool as callers see it who wait neither for a server that is away nor longer than their patience, for a connection
 * or for an answer. A connection whose answer nobody waits for any more stays taken until it has come: another one beside it would pile
 * up with a server that is too slow already. So there are never more connections than the pool may have.
 */
export function impatientPool(pool: pg.Pool, { refusal, heard, patience }: PoolManners): PostgresPool {
  const forConnection = new WaitingLine(false);
  const forAnswer = new WaitingLine(true);
  patience?.watch(forConnection);
  patience?.watch(forAnswer);
  const guarded = new WeakMap<pg.PoolClient, Lent>();
  const lend = (client: pg.PoolClient): PostgresPoolClient => {
    let lent = guarded.get(client);
    if (lent === undefined) {
      lent = new Lent(client, heard, patience === undefined ? undefined : forAnswer);
      guarded.set(client, lent);
    }
    return lent;
  };
  const lendOne = async (): Promise<PostgresPoolClient> => {
    try {
      return lend(await pool.connect());
    } catch (error) {
      throw notConnected(error);
    }
  };
  return {
    options: pool.options,
    async connect() {
      const away = refusal(pool.idleCount === 0);
      if (away !== undefined) throw away;
      if (pool.waitingCount >= MOST_WAITING) throw new OverloadError();
      const connecting = lendOne();
      if (patience === undefined) return connecting;
      const { promise: late, reject } = Promise.withResolvers<never>();
      let gone = false;
      const waiter = forConnection.join((error) => {
        gone = true;
        reject(error);
      });
      const inTime = async (): Promise<PostgresPoolClient> => {
        try {
          const lent = await connecting;
          if (gone) lent.release();
          return lent;
        } finally {
          forConnection.leave(waiter);
        }
      };
      return Promise.race([inTime(), late]);
    },
    end: () => pool.end(),
  };
}

/** A connection of the pool, lent to one caller after the other. */
class Lent implements PostgresPoolClient {
  readonly #client: PostgresPoolClient;
  readonly #heard: () => void;
  readonly #line: WaitingLine | undefined;
  /** The answer that its caller no longer waits for. */
  #overdue: Promise<void> | undefined;

  constructor(client: PostgresPoolClient, heard: () => void, line: WaitingLine | undefined) {
    this.#client = client;
    this.#heard = heard;
    this.#line = line;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('no cursor is used here');
    return this.#ask<R>(asked, parameters);
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Behind an answer that takes too long stands nobody else: a ROLLBACK is done by the end of the connection.
    if (this.#overdue !== undefined) throw new OverdueError();
    const answer = this.#client.query<R>(sql, parameters);
    if (this.#line === undefined) {
      const result = await answer;
      this.#heard();
      return result;
    }
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const waiter = this.#line.join((error) => {
      this.#overdue = ended(answer);
      reject(error);
    });
    try {
      const result = await Promise.race([answer, overdue]);
      this.#heard();
      return result;
    } finally {
      this.#line.leave(waiter);
    }
  }

  release(destroy?: boolean): void {
    const overdue = this.#overdue;
    if (overdue === undefined) this.#client.release(destroy);
    else void overdue.then(() => this.#client.release(true));
  }
}

/** Resolves when the answer has come, whichever it is. */
async function ended(answer: Promise<unknown>): Promise<void> {
  await answer.catch(() => undefined);
}
