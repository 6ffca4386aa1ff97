import { sql } from 'kysely';

import type { LeasedTable } from '#platform/database/leases.ts';
import { dueLeases } from '#platform/jobs/due-job-reader.ts';

/** Mails wait for their next attempt. */
export const MAILS_TABLE: LeasedTable = {
  table: 'mails',
  key: ['seller_id', 'id'],
  pending: sql`status = 'PENDING'`,
};

/** SQL: mails to payers are about a record. */
export const TO_PAYERS = sql`record_id IS NOT NULL`;
export const TO_USERS = sql`record_id IS NULL`;

export const PAYER_MAILS_DUE = dueLeases({
  ...MAILS_TABLE,
  pending: sql`${MAILS_TABLE.pending} AND ${TO_PAYERS}`,
});
export const USER_MAILS_DUE = dueLeases({
  ...MAILS_TABLE,
  pending: sql`${MAILS_TABLE.pending} AND ${TO_USERS}`,
});
