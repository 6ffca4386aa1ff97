import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';

/** Reported payments wait for their provider's confirmation. */
export const UNVERIFIED_TABLE: LeasedTable = {
  table: 'unverified_payments',
  key: ['provider', 'provider_event_id'],
  pending: sql`true`,
};
