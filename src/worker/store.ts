import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Db } from '#database/connect.ts';

export async function deleteOldKeys(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM idempotency_keys WHERE (seller_id, operation, key) IN (
      SELECT seller_id, operation, key FROM idempotency_keys WHERE created_at < ${before}
      ORDER BY created_at LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

export async function deleteOldRefreshTokens(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM refresh_tokens WHERE token_hash IN (
      SELECT token_hash FROM refresh_tokens WHERE expires_at < ${before} LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** A session that has expired can be gone on with by nobody; its tokens end with it. */
export async function deleteOldSessions(db: Db, before: Date, portion: number): Promise<number> {
  const result = await sql`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${before} LIMIT ${portion})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

const KeptLoops = Type.Array(
  Type.Object({
    name: Type.String(),
    lastRunAt: Type.Union([Type.String(), Type.Null()]),
    failures: Type.Integer(),
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
  }[];
}

/** Keeps what a process says of itself, and forgets those that have not been seen since `goneBefore`. */
export async function writeHeartbeat(db: Db, heartbeat: Heartbeat, goneBefore: Date): Promise<void> {
  const { id, startedAt, seenAt } = heartbeat;
  const loops = JSON.stringify(heartbeat.loops);
  await db
    .insertInto('worker_heartbeats')
    .values({ id, started_at: startedAt, seen_at: seenAt, loops })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt, loops }))
    .execute();
  await db.deleteFrom('worker_heartbeats').where('seen_at', '<', goneBefore).execute();
}

/** More processes than this do not work on one database. */
const MOST_WORKERS = 100;

/** Processes that were seen in the last day, the one seen last first. */
export async function findHeartbeats(db: Db): Promise<readonly Heartbeat[]> {
  const rows = await db
    .selectFrom('worker_heartbeats')
    .selectAll()
    .orderBy('seen_at', 'desc')
    .limit(MOST_WORKERS)
    .execute();
  return rows.map(({ id, started_at: startedAt, seen_at: seenAt, loops }) => {
    const kept: unknown = loops;
    if (!Value.Check(KeptLoops, kept)) throw new Error('a heartbeat keeps its loops in another form');
    return { id, startedAt, seenAt, loops: kept };
  });
}

export async function findDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database()) AS bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
