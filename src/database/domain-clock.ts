import { sql } from 'kysely';

import type { Db } from './connect.ts';

/** Moves the domain's clock ahead and answers how far it is ahead now, in milliseconds. */
export async function advanceDomainClock(db: Db, milliseconds: number): Promise<number> {
  const row = await db
    .updateTable('domain_clock')
    .set({ offset_ms: sql`offset_ms + ${milliseconds}::bigint` })
    .returning('offset_ms')
    .executeTakeFirstOrThrow();
  return row.offset_ms;
}

export async function readDomainClock(db: Db): Promise<number> {
  const row = await db.selectFrom('domain_clock').select('offset_ms').executeTakeFirstOrThrow();
  return row.offset_ms;
}
