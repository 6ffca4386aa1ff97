import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Db } from '#platform/database/connect.ts';

export async function deleteExpiredIdempotencyKeys(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM idempotency_keys WHERE (seller_id, operation, key) IN (
      SELECT seller_id, operation, key FROM idempotency_keys WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteExpiredRefreshTokens(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM refresh_tokens WHERE token_hash IN (
      SELECT token_hash FROM refresh_tokens WHERE expires_at < ${before} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** A session that has expired can be gone on with by nobody; its tokens end with it. */
export async function deleteExpiredSessions(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${before} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Cards whose last month was over at `endedBefore`: nobody can pay with them, so nothing of them is kept. */
export async function deleteExpiredCards(db: Db, expiredBefore: Date, limit: number): Promise<number> {
  const month = [expiredBefore.getUTCFullYear(), expiredBefore.getUTCMonth() + 1] as const;
  const result = await sql`
    DELETE FROM card_tokens WHERE (seller_id, id) IN (
      SELECT seller_id, id FROM card_tokens
      WHERE (expiration_year, expiration_month) < (${month[0]}, ${month[1]}) LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Where calls wait that are leased and due by moments: the table, its key, and what of it is open. */
const LEASED_TABLES = [
  { table: 'deliveries', id: 'id', pending: sql`status = 'PENDING'` },
  { table: 'payouts', id: 'withdrawal_id', pending: sql`submitted_at IS NULL` },
  { table: 'payment_reversals', id: 'id', pending: sql`status = 'PENDING'` },
  { table: 'provider_operations', id: 'id', pending: sql`state = 'OPEN'` },
] as const;

/**
 * Dates what waits for a call, and was dated after `ahead`, to now: its lease ends, and it is due after the wait it had. Answers
 * how many rows there were, of a table at most `portion`.
 */
export async function clampFutureTimestamps(
  db: Db,
  now: Date,
  futureAfter: Date,
  limit: number,
): Promise<number> {
  let maxRows = 0;
  for (const { table, id, pending } of LEASED_TABLES) {
    const rows = sql.table(table);
    const key = sql`seller_id, ${sql.ref(id)}`;
    const result = await sql`
      UPDATE ${rows} SET lease_until = NULL, updated_at = least(updated_at, ${now}),
        due_at = due_at - greatest(updated_at - ${now}, '0'::interval)
      WHERE (${key}) IN (SELECT ${key} FROM ${rows}
        WHERE ${pending} AND (updated_at > ${futureAfter} OR lease_until > ${futureAfter}) LIMIT ${limit}) AND ${pending}`.execute(
      db,
    );
    maxRows = Math.max(maxRows, Number(result.numAffectedRows ?? 0));
  }
  return maxRows;
}

const StoredLoops = Type.Array(
  Type.Object({
    name: Type.String(),
    lastRunAt: Type.Union([Type.String(), Type.Null()]),
    failures: Type.Integer(),
    // Earlier versions do not write it.
    lastSuccessAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
);

/** A process that does due work. */
export interface Heartbeat {
  readonly id: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly loops: readonly {
    readonly name: string;
    readonly lastRunAt: string | null;
    readonly failures: number;
    readonly lastSuccessAt?: string | null;
  }[];
}

/** Keeps what a process says of itself, and forgets those that have not been seen since `goneBefore`. */
export async function writeHeartbeat(db: Db, heartbeat: Heartbeat, staleBefore: Date): Promise<void> {
  const { id, startedAt, seenAt } = heartbeat;
  const loops = JSON.stringify(heartbeat.loops);
  await db
    .insertInto('worker_heartbeats')
    .values({ id, started_at: startedAt, seen_at: seenAt, loops })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt, loops }))
    .execute();
  await db.deleteFrom('worker_heartbeats').where('seen_at', '<', staleBefore).execute();
}

/** More processes than this do not work on one database. */
const MAX_WORKERS = 100;

/** Processes that were seen in the last day, the one seen last first. */
export async function findHeartbeats(db: Db): Promise<readonly Heartbeat[]> {
  const rows = await db
    .selectFrom('worker_heartbeats')
    .selectAll()
    .orderBy('seen_at', 'desc')
    .limit(MAX_WORKERS)
    .execute();
  return rows.map(({ id, started_at: startedAt, seen_at: seenAt, loops }) => {
    const stored: unknown = loops;
    if (!Value.Check(StoredLoops, stored)) throw new Error('a heartbeat keeps its loops in another form');
    return { id, startedAt, seenAt, loops: stored };
  });
}

export async function findDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database()) AS bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
