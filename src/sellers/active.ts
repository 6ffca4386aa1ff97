import { sql } from 'kysely';

/** SQL: the ids of the ACTIVE sellers. Money is paid out for no other. */
export const ACTIVE_SELLERS = sql<string>`(SELECT id FROM sellers WHERE status = 'ACTIVE')`;

/** SQL: the ids of the sellers that were closed, and not changed since a time. */
export const closedSellersBefore = (time: Date) =>
  sql<string>`(SELECT id FROM sellers WHERE status = 'CLOSED' AND updated_at < ${time})`;
