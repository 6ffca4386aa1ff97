import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { RunStatement } from '#platform/database/statements.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import { LARGE, NOW, SMALL } from './fill.ts';

/** A call of a store function. */
export interface Call {
  readonly read: { readonly name: string };
  /**
   * How many pages each of its statements may read, with any statistics and plan: what the worst of
   * them was measured to read, and some more.
   */
  readonly maxPages: number;
  /** Without the connection. */
  readonly args: readonly unknown[];
  /** Undefined if the function begins a transaction of its own. */
  readonly run: ((trx: DatabaseTransaction, query: RunStatement) => unknown) | undefined;
  readonly runOutside: ((db: Db) => unknown) | undefined;
  /** Whether it runs named statements, as batches do. */
  readonly isNamed?: boolean;
  /** The same call for the seller with few records. */
  forSmallSeller(): Call;
}

type Run<Connection, Args extends readonly unknown[]> = (connection: Connection, ...args: Args) => unknown;

/** A call with a transaction or Kysely's handle. */
export const call = <Args extends readonly unknown[]>(
  maxPages: number,
  read: Run<DatabaseTransaction, Args>,
  ...args: Args
): Call => ({
  read,
  maxPages,
  args,
  run: (trx) => read(trx, ...args),
  runOutside: undefined,
  forSmallSeller: () => call(maxPages, read, ...ofSmallSeller(args)),
});

/** A call of a function that begins a transaction of its own. */
export const callOutside = <Args extends readonly unknown[]>(
  maxPages: number,
  read: Run<Db, Args>,
  ...args: Args
): Call => ({
  read,
  maxPages,
  args,
  run: undefined,
  runOutside: (db) => read(db, ...args),
  forSmallSeller: () => callOutside(maxPages, read, ...ofSmallSeller(args)),
});

/** A call of a function that runs named statements. */
export const callNamed = <Args extends readonly unknown[]>(
  maxPages: number,
  read: Run<RunStatement, Args>,
  ...args: Args
): Call => ({
  read,
  maxPages,
  args,
  run: (_trx, query) => read(query, ...args),
  runOutside: undefined,
  isNamed: true,
  forSmallSeller: () => callNamed(maxPages, read, ...ofSmallSeller(args)),
});

/** A read of whether a job has work. */
export const callDue = (maxPages: number, condition: DueCondition): Call => ({
  read: condition,
  maxPages,
  args: [],
  run: (trx) => sql`SELECT ${condition(sql`${NOW}::timestamptz`)} AS due`.execute(trx),
  runOutside: undefined,
  forSmallSeller: () => callDue(maxPages, condition),
});

/** Replaces the seller wherever the arguments name it. */
function ofSmallSeller<T>(value: T): T;
function ofSmallSeller(value: unknown): unknown {
  if (value === LARGE) return SMALL;
  if (Array.isArray(value)) return value.map((item) => ofSmallSeller(item));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ofSmallSeller(member)]));
}

export const PAGE = { take: 10, skip: 0, after: undefined };
export const ANY_TIME = { from: undefined, before: undefined };
