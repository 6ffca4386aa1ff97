import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { endLeases, type LeasedTable } from '#platform/database/leases.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { LeaseHolder } from './lease-holder.ts';

/** A process writes a heartbeat every three seconds. */
const MAX_HEARTBEAT_AGE = sql`interval '10 seconds'`;
const MAX_PROCESSES = 100;
const CHUNK_SIZE = 500;

export interface LostLeaseDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
}

/**
 * Creates the job that ends the leases of processes without a heartbeat, so that their calls are
 * made by others at once. A process that was only stopped for a while registers again under another
 * id. The age of a heartbeat is measured by the database's clock. The job returns true after leases
 * have ended: more of them may be left, and there is work for the jobs that claim.
 */
export function createLostLeaseJob(
  { db, log, leaseHolder }: LostLeaseDeps,
  tables: readonly LeasedTable[],
): () => Promise<boolean> {
  return async () => {
    // A process that cannot write its own heartbeat says nothing about others.
    if (leaseHolder.id === undefined) return false;
    await sql`
      UPDATE worker_heartbeats SET leases = 'LOST'
      WHERE leases = 'HELD' AND alive_at < clock_timestamp() - ${MAX_HEARTBEAT_AGE}`.execute(db);
    const lost = await db
      .selectFrom('worker_heartbeats')
      .select('id')
      .where('leases', '=', 'LOST')
      .limit(MAX_PROCESSES)
      .execute();
    let hasEnded = false;
    for (const { id } of lost) {
      const counts: number[] = [];
      for (const table of tables) counts.push(await endLeases(db, table, id, CHUNK_SIZE));
      const leases = counts.reduce((sum, count) => sum + count, 0);
      if (leases > 0) {
        hasEnded = true;
        log.warn({ process: id, leases }, 'leases of a process without heartbeat were ended');
      }
      if (counts.every((count) => count < CHUNK_SIZE))
        await db.updateTable('worker_heartbeats').set({ leases: 'ENDED' }).where('id', '=', id).execute();
    }
    return hasEnded;
  };
}
