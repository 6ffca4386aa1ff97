import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';
import { dueLeases, type DueCondition } from '#platform/jobs/due-job-reader.ts';

/** Payouts wait for their submission to a provider. */
export const PAYOUTS_TABLE: LeasedTable = {
  table: 'payouts',
  key: ['seller_id', 'withdrawal_id'],
  pending: sql`submitted_at IS NULL`,
};

/** Whether payouts wait, or approved withdrawals that have none. */
export const PAYOUTS_DUE: DueCondition = (now) => sql`coalesce(${dueLeases(PAYOUTS_TABLE)(now)},
  (SELECT 1 FROM withdrawals WHERE status = 'APPROVED' ORDER BY approved_at LIMIT 1))`;
