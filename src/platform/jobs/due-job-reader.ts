import { sql, type CompiledQuery, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { canBeLeased, type LeasedTable } from '#platform/database/leases.ts';
import { onReachableShards } from '#platform/database/shards/each-shard.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import type { Clock } from '#platform/kit/clock.ts';

/** A result is used by jobs that check within this time. Less than the interval of any of them. */
const MAX_AGE_MS = 125;

/**
 * Returns an SQL expression that is not null if a job has work at `now`. It may be so although there
 * is none. Its subqueries are in the order of an index, so that no plan reads the table.
 */
export type DueCondition = (now: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Whether a row can be leased. */
export const dueLeases =
  ({ table, pending }: Pick<LeasedTable, 'table' | 'pending'>): DueCondition =>
  (now) =>
    sql`(SELECT 1 FROM ${sql.table(table)} WHERE ${canBeLeased(pending, now)} ORDER BY due_at LIMIT 1)`;

interface DueJobReaderOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** The name of the prepared statement. */
  readonly name: string;
  /** By job. */
  readonly conditions: ReadonlyMap<string, DueCondition>;
  /** Whether Citus distributes their tables, which are then read on each shard. */
  readonly distributed: boolean;
}

interface Reading {
  readonly startedMs: number;
  readonly dueJobs: Promise<ReadonlySet<string>>;
  /** A job that checks again needs a new result. */
  readonly usedBy: Set<string>;
}

/**
 * Reads in one statement which of several jobs have work. A statement for each job would cost more
 * than the requests of a busy process.
 */
export class DueJobReader {
  readonly #options: DueJobReaderOptions;
  readonly #query: CompiledQuery<{ due: readonly boolean[] }>;
  #last: Reading | undefined;

  constructor(options: DueJobReaderOptions) {
    const { db, conditions } = options;
    this.#options = options;
    const columns = Array.from(conditions.values(), (condition) => sql`${condition(NOW)} IS NOT NULL`);
    this.#query = sql<{ due: readonly boolean[] }>`SELECT ARRAY[${sql.join(columns)}] AS due`.compile(db);
  }

  includes(job: string): boolean {
    return this.#options.conditions.has(job);
  }

  /** Whether a job has work, as of a moment ago. */
  async isDue(job: string): Promise<boolean> {
    const nowMs = performance.now();
    let reading = this.#last;
    if (reading === undefined || reading.usedBy.has(job) || nowMs - reading.startedMs > MAX_AGE_MS) {
      reading = { startedMs: nowMs, dueJobs: this.#read(), usedBy: new Set() };
      this.#last = reading;
    }
    reading.usedBy.add(job);
    return (await reading.dueJobs).has(job);
  }

  async #read(): Promise<ReadonlySet<string>> {
    const { db, clock, name, conditions, distributed } = this.#options;
    const now = clock.now();
    const values = this.#query.parameters.map((value) => (value === PLACEHOLDER ? now : value));
    const statement = { name, text: this.#query.sql };
    const read = (on: Db) =>
      on.transaction().execute(async (trx) => {
        await PLAN_ONCE.execute(trx);
        return runStatementIn(trx)<{ due: readonly boolean[] }>(statement, values);
      });
    const rows = distributed ? await onReachableShards(db, read) : [await read(db)];
    const isDueAt = (index: number): boolean => rows.some(([row]) => row?.due[index] === true);
    return new Set([...conditions.keys()].filter((_job, index) => isDueAt(index)));
  }
}

/**
 * Planning takes ten times as long as reading. The plan is right for any time and any size of the
 * tables, since each subquery reads the first rows of an index.
 */
const PLAN_ONCE = sql`SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off`;

/** Stands for the time in the compiled statement. */
const PLACEHOLDER = {};
const NOW = sql`${PLACEHOLDER}`;
