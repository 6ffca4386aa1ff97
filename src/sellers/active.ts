import { sql } from 'kysely';

/** SQL: the ids of the ACTIVE sellers. Money is paid out for no other. */
export const ACTIVE_SELLERS = sql<string>`(SELECT id FROM sellers WHERE status = 'ACTIVE')`;
