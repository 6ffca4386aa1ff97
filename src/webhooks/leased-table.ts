import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';
import type { DueCondition } from '#platform/jobs/due-watch.ts';

/** Deliveries wait for their next attempt. */
export const DELIVERIES_TABLE: LeasedTable = {
  table: 'deliveries',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};

/** Whether the next attempt of a delivery is due that is not ready yet. */
export const RETRIES_DUE: DueCondition = (now) => sql`(
  SELECT 1 FROM deliveries WHERE ${DELIVERIES_TABLE.pending} AND NOT ready AND due_at <= ${now}
  ORDER BY due_at LIMIT 1)`;
