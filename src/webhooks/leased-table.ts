import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Deliveries wait for their next attempt. */
export const DELIVERIES_TABLE: LeasedTable = {
  table: 'deliveries',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};
