import { deleteExpiredLinks, deleteExpiredSessions, deleteUnusedDevices } from '#identity/users/service.ts';
import { deleteOldAttempts } from '#checkout/attempts.ts';
import { deleteExpiredCardTokens } from '#payments/card-tokens/service.ts';
import { deleteExpiredKeys } from '#payments/idempotency/service.ts';
import { deleteExpiredSignups } from '#onboarding/signup.ts';
import { MAILS_TABLE } from '#notifications/leased-table.ts';
import { deleteOldNotifications } from '#notifications/service.ts';
import { OPERATIONS_TABLE } from '#payments/operations/leased-table.ts';
import { UNVERIFIED_TABLE } from '#payments/provider-events/leased-table.ts';
import { PROVIDER_EVENT_COUNTS } from '#payments/provider-events/service.ts';
import { SELLER_TRANSACTION_COUNTS, TRANSACTION_COUNTS } from '#payments/transactions/service.ts';
import { REVERSALS_TABLE } from '#payouts/reversals/leased-table.ts';
import { PAYOUTS_TABLE } from '#payouts/withdrawals/leased-table.ts';
import type { CountedList } from '#platform/database/daily-counts.ts';
import type { LeasedTable } from '#platform/database/leases.ts';
import type { DeleteExpired } from '#platform/jobs/cleanup.ts';
import { ATTEMPTS_TABLE, AUTHORIZATIONS_TABLE } from '#subscriptions/leased-table.ts';
import { deleteOldSignals } from '#payments/risk/service.ts';
import { DELIVERIES_TABLE } from '#webhooks/leased-table.ts';

/** What the cleanup job deletes. */
export const CLEANUP_TARGETS: readonly DeleteExpired[] = [
  deleteExpiredKeys,
  deleteExpiredSessions,
  deleteExpiredLinks,
  deleteUnusedDevices,
  deleteExpiredSignups,
  deleteExpiredCardTokens,
  deleteOldAttempts,
  deleteOldSignals,
  deleteOldNotifications,
];

/** The lists whose days are counted by the worker. */
export const COUNTED_LISTS: readonly CountedList[] = [
  TRANSACTION_COUNTS,
  SELLER_TRANSACTION_COUNTS,
  PROVIDER_EVENT_COUNTS,
];

/** The tables with leases, for the jobs `lost leases` and `clock rollback`. */
export const LEASED_TABLES: readonly LeasedTable[] = [
  DELIVERIES_TABLE,
  PAYOUTS_TABLE,
  REVERSALS_TABLE,
  OPERATIONS_TABLE,
  UNVERIFIED_TABLE,
  MAILS_TABLE,
  ATTEMPTS_TABLE,
  AUTHORIZATIONS_TABLE,
];
