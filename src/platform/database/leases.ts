import { sql, type RawBuilder } from 'kysely';

import { findBacklog, type Backlog } from './backlog.ts';
import type { Db } from './connect.ts';
import { onReachableShards } from './shards/each-shard.ts';

/**
 * A table whose rows wait for a call. Beside its key it has `due_at`, `lease_until` and
 * `updated_at`.
 */
export interface LeasedTable {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly [string, string];
  /** SQL condition: the call has not been made yet. */
  readonly pending: RawBuilder<unknown>;
}

/** Which rows are leased, and until when. */
export interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The id of the process that holds the lease. */
  readonly leasedBy: string;
  readonly limit: number;
}

/** A row that is leased. Its holder is the guard of writes that only the holder may make. */
export interface Leased {
  readonly leasedBy: string;
}

export interface LeaseQuery extends LeasedTable {
  /** SQL: the columns returned for each row. */
  readonly columns: RawBuilder<unknown>;
  /** SQL: further assignments, beginning with a comma. */
  readonly extraAssignments?: RawBuilder<unknown>;
}

const isFree = (pending: RawBuilder<unknown>, now: unknown) =>
  sql`${pending} AND (lease_until IS NULL OR lease_until < ${now})`;

/** SQL for the rows that can be leased at `now`. They are read in the order of `due_at`. */
export const canBeLeased = (pending: RawBuilder<unknown>, now: unknown) =>
  sql`${isFree(pending, now)} AND due_at <= ${now}`;

/**
 * Claims due rows, the longest overdue first, by writing a lease on them, so that no transaction
 * stays open during the calls. A lease that has expired (its process died) is claimed again. Of
 * concurrent claims, each row goes to one. Locked rows are left for the next claim. The rows are
 * selected in a CTE, because a subquery that locks rows may run again for each row of the table and
 * exceed its limit.
 */
export async function leaseRows<Row>(
  db: Db,
  { now, leaseUntil, leasedBy, limit }: Lease,
  { table, key, pending, columns, extraAssignments = sql`` }: LeaseQuery,
): Promise<readonly (Row & Leased)[]> {
  const rows = sql.table(table);
  const id = sql.join(key.map((column) => sql.ref(column)));
  const claim = sql<Row & Leased>`
    WITH due AS MATERIALIZED (
      SELECT ${id} FROM ${rows} WHERE ${canBeLeased(pending, now)} ORDER BY due_at LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE ${rows} SET lease_until = ${leaseUntil}, leased_by = ${leasedBy}${extraAssignments}
    WHERE (${id}) IN (SELECT ${id} FROM due) AND ${isFree(pending, now)}
    RETURNING ${columns}, leased_by AS "leasedBy"`;
  const claimed = await onShardsOfTable(db, key, async (shard) => (await claim.execute(shard)).rows);
  return claimed.flat();
}

/** The rows of sellers are claimed on each shard, all others where the database is. */
const onShardsOfTable = <T>(
  db: Db,
  [first]: LeasedTable['key'],
  work: (db: Db) => Promise<T>,
): Promise<readonly T[]> =>
  first === 'seller_id' ? onReachableShards(db, work) : work(db).then((result) => [result]);

/**
 * Ends the leases of a process on pending rows. Changes at most `limit` rows of a shard and
 * returns the largest number that it changed in one.
 */
export async function endLeases(
  db: Db,
  { table, key, pending }: LeasedTable,
  leasedBy: string,
  limit: number,
): Promise<number> {
  const rows = sql.table(table);
  const id = sql.join(key.map((column) => sql.ref(column)));
  const held = sql`${pending} AND leased_by = ${leasedBy} AND lease_until IS NOT NULL`;
  const end = sql`
    WITH held AS MATERIALIZED (
      SELECT ${id} FROM ${rows} WHERE ${held} LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE ${rows} SET lease_until = NULL WHERE (${id}) IN (SELECT ${id} FROM held) AND ${held}`;
  const ended = await onShardsOfTable(db, key, (shard) => end.execute(shard));
  return Math.max(...ended.map(({ numAffectedRows }) => Number(numAffectedRows ?? 0)));
}

/** Returns how many calls are due and since when. */
export const findDueBacklog = (db: Db, { table, pending }: LeasedTable, now: Date): Promise<Backlog> =>
  findBacklog(db, { table, waiting: sql`${pending} AND due_at <= ${now}`, since: 'due_at' });

/**
 * Dates pending rows from after `futureAfter` to now: their leases end, and the delay until they
 * are due is preserved. Changes at most `limit` rows and returns how many it changed.
 */
export async function clampFutureTimestamps(
  db: Db,
  { table, key, pending }: LeasedTable,
  { now, futureAfter, limit }: { readonly now: Date; readonly futureAfter: Date; readonly limit: number },
): Promise<number> {
  const rows = sql.table(table);
  const id = sql.join(key.map((column) => sql.ref(column)));
  const clamp = sql`
    UPDATE ${rows} SET lease_until = NULL, updated_at = least(updated_at, ${now}),
      due_at = due_at - greatest(updated_at - ${now}, '0'::interval)
    WHERE (${id}) IN (SELECT ${id} FROM ${rows}
      WHERE ${pending} AND (updated_at > ${futureAfter} OR lease_until > ${futureAfter}) LIMIT ${limit})
      AND ${pending}`;
  const clamped = await onShardsOfTable(db, key, (shard) => clamp.execute(shard));
  return Math.max(...clamped.map(({ numAffectedRows }) => Number(numAffectedRows ?? 0)));
}
