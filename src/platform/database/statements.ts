import { CompiledQuery, type PostgresQueryResult } from 'kysely';
import type pg from 'pg';

import type { Db } from './handles.ts';
import { isDeadlock } from './errors.ts';

export interface NamedStatement {
  /** Each connection prepares the statement once under this name. */
  readonly name: string;
  readonly text: string;
}

/** Runs a named statement on a dedicated connection or inside a transaction. Returns its rows. */
export type RunStatement = <Row extends pg.QueryResultRow>(
  statement: NamedStatement,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** What `pg` offers beside the method that returns a promise. */
export interface CallbackClient {
  query<Row>(
    statement: pg.QueryConfig,
    onResponse: (error: Error | null | undefined, result: PostgresQueryResult<Row>) => void,
  ): void;
}

/**
 * Sends a statement. The promise that `pg` itself returns makes its statements, values and rows
 * survive until the next major garbage collection: each collection of young objects takes three
 * times as long, and they delay the requests of that moment.
 */
export async function sendStatement<Row>(
  client: CallbackClient,
  statement: pg.QueryConfig,
): Promise<PostgresQueryResult<Row>> {
  try {
    return await new Promise<PostgresQueryResult<Row>>((resolve, reject) => {
      client.query<Row>(statement, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    // The stack of the parser says nothing about the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Named statements that ran through Kysely, whose queries have a text and no name. */
const namesByText = new Map<string, string>();

/** The name under which a connection of the pool prepares a text; undefined for other texts. */
export const preparedName = (text: string): string | undefined => namesByText.get(text);

/** Makes the connections of the pool prepare a text. */
export function prepareAs({ name, text }: NamedStatement): void {
  namesByText.set(text, name);
}

/**
 * Runs named statements through Kysely, so that they can share a transaction with its queries. Each
 * connection of the pool prepares them once: planning takes longer than execution.
 */
export function runStatementIn(db: Db): RunStatement {
  return async <Row extends pg.QueryResultRow>(statement: NamedStatement, values: readonly unknown[]) => {
    prepareAs(statement);
    const result = await db.executeQuery<Row>(CompiledQuery.raw(statement.text, [...values]));
    return result.rows;
  };
}

export const MAX_DEADLOCK_ATTEMPTS = 5;

/**
 * Repeats a statement that PostgreSQL aborted to resolve a deadlock. An aborted statement has
 * changed nothing.
 */
export async function retryOnDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= MAX_DEADLOCK_ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}
