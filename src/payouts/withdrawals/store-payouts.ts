import { sql } from 'kysely';

import { findBacklog, type Backlog } from '#platform/database/backlog.ts';
import type { Db } from '#platform/database/connect.ts';
import { findDueBacklog, leaseRows, type Lease } from '#platform/database/leases.ts';
import { PAYOUTS_TABLE } from './leased-table.ts';
import type { Withdrawal, WithdrawalKey } from './withdrawal.ts';

/** Writes down that a provider shall be called, in the transaction that gives it the withdrawal. */
export async function insertPayout(db: Db, withdrawal: Withdrawal, provider: string): Promise<void> {
  const at = withdrawal.updatedAt;
  await db
    .insertInto('payouts')
    .values({
      seller_id: withdrawal.sellerId,
      withdrawal_id: withdrawal.id,
      provider,
      attempts: 0,
      due_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

export interface ClaimedPayout extends WithdrawalKey {
  /** Calls of this provider that were begun before this one. None: it certainly does not have the payout. */
  readonly attempts: number;
}

/**
 * Takes payouts whose call is due. The call
 * is counted as it begins: one whose worker died may have been heard.
 */
export const claimPayouts = (
  db: Db,
  { provider, ...until }: Lease & { readonly provider: string },
): Promise<readonly ClaimedPayout[]> =>
  leaseRows<ClaimedPayout>(db, until, {
    ...PAYOUTS_TABLE,
    pending: sql`${PAYOUTS_TABLE.pending} AND provider = ${provider}`,
    extraAssignments: sql`, attempts = attempts + 1, updated_at = ${until.now}`,
    columns: sql`seller_id AS "sellerId", withdrawal_id AS id, attempts - 1 AS attempts`,
  });

/** Payouts whose call is due. */
export const countDuePayouts = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, PAYOUTS_TABLE, now);

/** Withdrawals that wait for the operator's decision. */
export const countPendingWithdrawals = (db: Db): Promise<Backlog> =>
  findBacklog(db, { table: 'withdrawals', waiting: sql`status = 'PENDING'`, since: 'created_at' });

/** The provider has it, or needs it no more: nobody calls again. */
export async function closePayout(
  db: Db,
  key: WithdrawalKey,
  reference: string | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ submitted_at: now, lease_until: null, provider_reference: reference, updated_at: now })
    .where('seller_id', '=', key.sellerId)
    .where('withdrawal_id', '=', key.id)
    .where('submitted_at', 'is', null)
    .execute();
}

/** What came of the call is not known: it is made again later, under the same id. */
export async function postponePayout(db: Db, payout: ClaimedPayout, dueAt: Date, now: Date): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ due_at: dueAt, lease_until: null, updated_at: now })
    .where('seller_id', '=', payout.sellerId)
    .where('withdrawal_id', '=', payout.id)
    .where('submitted_at', 'is', null)
    .execute();
}

/** The first provider has certainly not taken it: another one is called. */
export async function reassignPayout(
  db: Db,
  payout: ClaimedPayout,
  {
    from,
    to,
    dueAt,
    now,
  }: { readonly from: string; readonly to: string; readonly dueAt: Date; readonly now: Date },
): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ provider: to, due_at: dueAt, lease_until: null, attempts: 0, updated_at: now })
    .where('seller_id', '=', payout.sellerId)
    .where('withdrawal_id', '=', payout.id)
    .where('provider', '=', from)
    .where('submitted_at', 'is', null)
    .execute();
}
