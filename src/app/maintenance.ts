import { deleteExpiredSessions } from '#identity/users/service.ts';
import { deleteExpiredCardTokens } from '#payments/card-tokens/service.ts';
import { deleteExpiredKeys } from '#payments/idempotency/service.ts';
import { OPERATIONS_TABLE } from '#payments/operations/leased-table.ts';
import { UNVERIFIED_TABLE } from '#payments/provider-events/leased-table.ts';
import { REVERSALS_TABLE } from '#payouts/reversals/leased-table.ts';
import { PAYOUTS_TABLE } from '#payouts/withdrawals/leased-table.ts';
import type { LeasedTable } from '#platform/database/leases.ts';
import type { DeleteExpired } from '#platform/jobs/cleanup.ts';
import { DELIVERIES_TABLE } from '#webhooks/leased-table.ts';

/** What the cleanup job deletes. */
export const CLEANUP_TARGETS: readonly DeleteExpired[] = [
  deleteExpiredKeys,
  deleteExpiredSessions,
  deleteExpiredCardTokens,
];

/** The tables that the clock rollback job repairs. */
export const LEASED_TABLES: readonly LeasedTable[] = [
  DELIVERIES_TABLE,
  PAYOUTS_TABLE,
  REVERSALS_TABLE,
  OPERATIONS_TABLE,
  UNVERIFIED_TABLE,
];
