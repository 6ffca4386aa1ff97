import { sql, type RawBuilder } from 'kysely';

import type { Db } from './connect.ts';

/** Rows that wait for something. */
export interface Backlog {
  /** How many, up to ten thousand. */
  readonly depth: number;
  readonly oldest: Date | null;
}

/** So many are counted: more is only a matter of how bad it is. */
const MAX_COUNTED = 10_000;

export interface BacklogQuery {
  readonly table: string;
  /** SQL: which rows wait, as their partial index has it. */
  readonly waiting: RawBuilder<unknown>;
  /** Since when each waits. */
  readonly since: string;
}

/** How many rows wait, and since when the oldest of them does. */
export async function findBacklog(db: Db, { table, waiting, since }: BacklogQuery): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    SELECT count(*) AS depth, min(since) AS oldest FROM (
      SELECT ${sql.ref(since)} AS since FROM ${sql.table(table)} WHERE ${waiting} LIMIT ${MAX_COUNTED}
    ) waiting`.execute(db);
  return rows[0] ?? { depth: 0, oldest: null };
}
