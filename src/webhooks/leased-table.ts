import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

/** Deliveries wait for their next attempt. */
export const DELIVERIES_TABLE: LeasedTable = {
  table: 'deliveries',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};

/** SQL for the deliveries that are not ready until their next attempt is due. */
export const WAITING = sql`${DELIVERIES_TABLE.pending} AND NOT ready`;

/** Whether the next attempt of a delivery is due that is not ready yet. */
export const RETRIES_DUE: DueCondition = (now) => sql`(
  SELECT 1 FROM deliveries WHERE ${WAITING} AND due_at <= ${now} ORDER BY due_at LIMIT 1)`;
