import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Payouts wait for their submission to a provider. */
export const PAYOUTS_TABLE: LeasedTable = {
  table: 'payouts',
  key: ['seller_id', 'withdrawal_id'],
  pending: sql`submitted_at IS NULL`,
};
