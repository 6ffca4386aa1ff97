import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Mails wait for their next attempt. */
export const MAILS_TABLE: LeasedTable = {
  table: 'mails',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};
