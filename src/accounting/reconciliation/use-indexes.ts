import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';

/**
 * For the rest of a transaction. The entries of a short time and what names them are few, which
 * PostgreSQL does not expect without statistics.
 */
export async function useIndexes(trx: DatabaseTransaction): Promise<void> {
  const disabled = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];
  await sql`SELECT ${sql.join(disabled.map((name) => sql`set_config(${name}, 'off', true)`))}`.execute(trx);
}
