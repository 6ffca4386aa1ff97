import { sql } from 'kysely';

import type { Db } from './connect.ts';

/** Returns the size of the current database on disk, in bytes. */
export async function findDatabaseSize(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database()) AS bytes`.execute(db);
  return rows[0]?.bytes ?? 0;
}
