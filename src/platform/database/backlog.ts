import { sql, type RawBuilder } from 'kysely';

import type { Db } from './connect.ts';

/** Rows that wait for processing. */
export interface Backlog {
  /** The number of rows, up to 10,000. */
  readonly depth: number;
  readonly oldest: Date | null;
}

/** Bounds the cost of counting. */
export const MAX_COUNTED = 10_000;

export interface BacklogQuery {
  readonly table: string;
  /** SQL condition of the waiting rows, equal to that of their partial index. */
  readonly waiting: RawBuilder<unknown>;
  /** The column that holds since when a row waits. */
  readonly since: string;
}

/** Returns how many rows wait and since when. */
export async function findBacklog(db: Db, { table, waiting, since }: BacklogQuery): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    SELECT count(*) AS depth, min(since) AS oldest FROM (
      SELECT ${sql.ref(since)} AS since FROM ${sql.table(table)} WHERE ${waiting} LIMIT ${MAX_COUNTED}
    ) waiting`.execute(db);
  return rows[0] ?? { depth: 0, oldest: null };
}
