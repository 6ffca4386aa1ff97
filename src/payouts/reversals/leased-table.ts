import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Payment reversals wait for a call to their provider. */
export const REVERSALS_TABLE: LeasedTable = {
  table: 'payment_reversals',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};
