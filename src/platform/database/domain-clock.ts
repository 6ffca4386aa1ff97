import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from './connect.ts';

/** Advances the domain's clock. Returns its new offset in milliseconds. */
export async function advanceDomainClock(trx: DatabaseTransaction, milliseconds: number): Promise<number> {
  // On a distributed database, concurrent updates on several nodes would deadlock.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('domain clock', 0))`.execute(trx);
  const row = await trx
    .updateTable('domain_clock')
    .set({ offset_ms: sql`offset_ms + ${milliseconds}::bigint` })
    .returning('offset_ms')
    .executeTakeFirstOrThrow();
  return row.offset_ms;
}

export interface DomainClock {
  /** How far the domain's clock is ahead of the machine's clock. */
  readonly offsetMs: number;
  /**
   * Until when workers pause, in milliseconds since 1970 by the machine's clock; 0 if they do not.
   */
  readonly workersPausedUntilMs: number;
}

export async function readDomainClock(db: Db): Promise<DomainClock> {
  const row = await db
    .selectFrom('domain_clock')
    .select(['offset_ms', 'workers_paused_until'])
    .executeTakeFirstOrThrow();
  return { offsetMs: row.offset_ms, workersPausedUntilMs: row.workers_paused_until?.getTime() ?? 0 };
}

/**
 * Pauses the workers of all processes until then; null resumes them. Takes effect within a second.
 */
export async function pauseWorkers(db: Db, until: Date | null): Promise<void> {
  await db.updateTable('domain_clock').set({ workers_paused_until: until }).execute();
}
