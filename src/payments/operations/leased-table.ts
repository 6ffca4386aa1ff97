import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Provider operations wait for a call to their provider. */
export const OPERATIONS_TABLE: LeasedTable = {
  table: 'provider_operations',
  key: ['seller_id', 'id'],
  pending: sql`state = 'OPEN'`,
};
