import { sql } from 'kysely';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import type { Db } from '#platform/database/connect.ts';
import type { Registration } from './lease-holder.ts';
import type { LoopState } from './loop.ts';

const RETENTION_MS = 24 * 3_600_000;
const RETENTION_INTERVAL_MS = 3_600_000;

/** Bounds the list of workers. More processes than this do not share a database. */
const MAX_WORKERS = 100;

const StoredLoops = Type.Array(
  Type.Object({
    name: Type.String(),
    lastRunAt: Type.Union([Type.String(), Type.Null()]),
    failures: Type.Integer(),
    lastSuccessAt: Type.Union([Type.String(), Type.Null()]),
  }),
);

/** What a worker process last reported of itself. */
export interface Heartbeat {
  readonly id: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly loops: Static<typeof StoredLoops>;
}

/**
 * Creates the job that renews the registration of this process and records when each of its loops
 * last ran. Its timestamps are of the machine's clock. It also deletes the rows of processes that
 * have not been seen for a day.
 */
export function createHeartbeatJob(
  db: Db,
  registration: Registration,
  loopStates: () => readonly LoopState[],
): () => Promise<boolean> {
  const startedAt = new Date();
  let deletedAt = 0;
  return async () => {
    const seenAt = new Date();
    const loops = loopStates().map(toStoredLoop);
    await registration.renew((id) => writeHeartbeat(db, { id, startedAt, seenAt, loops }));
    if (seenAt.getTime() - deletedAt < RETENTION_INTERVAL_MS) return false;
    await deleteOld(db, new Date(seenAt.getTime() - RETENTION_MS));
    deletedAt = seenAt.getTime();
    return false;
  };
}

async function deleteOld(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('worker_heartbeats').where('seen_at', '<', before).execute();
}

const toStoredLoop = ({
  name,
  lastRunMs,
  lastSuccessMs,
  failures,
}: LoopState): Heartbeat['loops'][number] => ({
  name,
  lastRunAt: lastRunMs === undefined ? null : new Date(lastRunMs).toISOString(),
  lastSuccessAt: lastSuccessMs === undefined ? null : new Date(lastSuccessMs).toISOString(),
  failures,
});

/** Returns false, and writes nothing, if the leases of this id have been ended. */
async function writeHeartbeat(db: Db, { id, startedAt, seenAt, ...heartbeat }: Heartbeat): Promise<boolean> {
  const loops = JSON.stringify(heartbeat.loops);
  const aliveAt = sql<Date>`clock_timestamp()`;
  const result = await db
    .insertInto('worker_heartbeats')
    .values({ id, started_at: startedAt, seen_at: seenAt, alive_at: aliveAt, loops })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ seen_at: seenAt, alive_at: aliveAt, loops })
        .where('worker_heartbeats.leases', '=', 'HELD'),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns the processes seen within the last day, the most recent first. */
export async function findHeartbeats(db: Db): Promise<readonly Heartbeat[]> {
  const rows = await db
    .selectFrom('worker_heartbeats')
    .selectAll()
    .orderBy('seen_at', 'desc')
    .limit(MAX_WORKERS)
    .execute();
  return rows.map(({ id, started_at: startedAt, seen_at: seenAt, loops: stored }) => {
    const loops: unknown = stored;
    if (!Value.Check(StoredLoops, loops)) throw new Error('worker_heartbeats.loops has an unknown form');
    return { id, startedAt, seenAt, loops };
  });
}
