import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Attempts wait for their charge or its cancellation. */
export const ATTEMPTS_TABLE: LeasedTable = {
  table: 'subscription_attempts',
  key: ['seller_id', 'id'],
  pending: sql`state IN ('DUE', 'CANCELING')`,
};

/** Authorizations wait for a call of their bank. */
export const AUTHORIZATIONS_TABLE: LeasedTable = {
  table: 'pix_authorizations',
  key: ['seller_id', 'subscription_id'],
  pending: sql`action IS NOT NULL`,
};
