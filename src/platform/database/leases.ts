import { sql, type RawBuilder } from 'kysely';

import type { Db } from './connect.ts';
import { retryOnDeadlock } from './dedicated-connections.ts';

/** What is leased, and until when. */
export interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
}

/** Where rows wait for a call: each has `due_at` and `lease_until` beside its key. */
export interface LeaseQuery {
  readonly table: string;
  /** The columns of the key, that of the seller first. */
  readonly key: readonly [string, string];
  /** SQL: that the call is still to be made. */
  readonly pending: RawBuilder<unknown>;
  /** SQL: what is returned of a row. */
  readonly columns: RawBuilder<unknown>;
  /** SQL: what else is set, with a comma in front. */
  readonly extraAssignments?: RawBuilder<unknown>;
}

/**
 * Takes rows whose time has come by writing a lease on them, the longest due first; no transaction stays open while they are
 * worked on. A lease that has run out (its process died) is taken again. Of claimers at the same moment each row goes to one.
 */
export async function leaseRows<Row>(
  db: Db,
  { now, leaseUntil, limit }: Lease,
  { table, key, pending, columns, extraAssignments = sql`` }: LeaseQuery,
): Promise<readonly Row[]> {
  const rows = sql.table(table);
  const id = sql.join(key.map((column) => sql.ref(column)));
  const free = sql`${pending} AND (lease_until IS NULL OR lease_until < ${now})`;
  const claim = sql<Row>`
    UPDATE ${rows} SET lease_until = ${leaseUntil}${extraAssignments}
    WHERE (${id}) IN (SELECT ${id} FROM ${rows} WHERE ${free} AND due_at <= ${now} ORDER BY due_at LIMIT ${limit})
      AND ${free}
    RETURNING ${columns}`;
  // Claimers lock the same rows, and each in the order of its own plan.
  const result = await retryOnDeadlock(() => claim.execute(db));
  return result.rows;
}
