import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';

/**
 * Without statistics, PostgreSQL expects that the BRIN index on the time of entries excludes
 * nothing, and would read the whole table.
 */
export const disableSeqScans = async (trx: DatabaseTransaction): Promise<void> => {
  await sql`SELECT set_config('enable_seqscan', 'off', true)`.execute(trx);
};

/** SQL: the São Paulo day of a time. */
export const dayOf = (time: string) => sql`(${sql.ref(time)} AT TIME ZONE 'America/Sao_Paulo')::date`;
