import { CompiledQuery } from 'kysely';
import type pg from 'pg';

import type { Db } from './connect.ts';
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

/**
 * Runs statements through Kysely's handle, so that a transaction can hold them beside what Kysely
 * writes there.
 */
export function runStatementIn(db: Db): RunStatement {
  return async <Row extends pg.QueryResultRow>(statement: NamedStatement, values: readonly unknown[]) => {
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
