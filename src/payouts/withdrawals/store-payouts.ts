import { sql } from 'kysely';

import { findBacklog, type Backlog } from '#platform/database/backlog.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import {
  findDueBacklog,
  leaseRows,
  type Lease,
  type Leased,
  type LeasedTable,
} from '#platform/database/leases.ts';
import { ACTIVE_SELLERS } from '#sellers/active.ts';
import { PAYOUTS_TABLE } from './leased-table.ts';
import type { Withdrawal, WithdrawalKey } from './withdrawal.ts';

/** Inserts a due payout in the transaction that assigns the withdrawal to the provider. */
export async function insertPayout(
  trx: DatabaseTransaction,
  withdrawal: Withdrawal,
  provider: string,
): Promise<void> {
  const at = withdrawal.updatedAt;
  await trx
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

export interface ClaimedPayout extends WithdrawalKey, Leased {
  /** Earlier calls of this provider, including those without an outcome. */
  readonly attempts: number;
  /** Those of them that the provider may have executed. */
  readonly unknownCalls: number;
}

/**
 * Payouts that may be called. Those of a seller that is not ACTIVE wait, unless a call was made
 * whose outcome is unknown.
 */
const CALLABLE_PAYOUTS: LeasedTable = {
  ...PAYOUTS_TABLE,
  pending: sql`${PAYOUTS_TABLE.pending} AND (unknown_calls > 0 OR seller_id IN ${ACTIVE_SELLERS})`,
};

/**
 * Leases due payouts; with `isUncalled` only those that the provider cannot have. Counts the call
 * first, because it may succeed even if this process dies.
 */
export const claimPayouts = (
  db: Db,
  {
    provider,
    isUncalled = false,
    ...lease
  }: Lease & { readonly provider: string; readonly isUncalled?: boolean },
): Promise<readonly ClaimedPayout[]> =>
  leaseRows<Omit<ClaimedPayout, 'leasedBy'>>(db, lease, {
    ...CALLABLE_PAYOUTS,
    pending: sql`${CALLABLE_PAYOUTS.pending} AND provider = ${provider}
      AND (unknown_calls = 0 OR NOT ${isUncalled}::boolean)`,
    extraAssignments: sql`, attempts = attempts + 1, unknown_calls = unknown_calls + 1,
      updated_at = ${lease.now}`,
    columns: sql`seller_id AS "sellerId", withdrawal_id AS id, attempts - 1 AS attempts,
      unknown_calls - 1 AS "unknownCalls"`,
  });

/** Payouts whose call is due. */
export const countDuePayouts = (db: Db, now: Date): Promise<Backlog> =>
  findDueBacklog(db, CALLABLE_PAYOUTS, now);

/** Withdrawals that wait for an approval. */
export const countPendingWithdrawals = (db: Db): Promise<Backlog> =>
  findBacklog(db, { table: 'withdrawals', waiting: sql`status = 'PENDING'`, since: 'created_at' });

/** Ends the calls of a payout: the provider has accepted it, or it is no longer needed. */
export async function closePayout(
  db: Db,
  key: WithdrawalKey,
  reference: string | null,
  now: Date,
): Promise<void> {
  await db
    .updateTable('payouts')
    .set({ submitted_at: now, lease_until: null, provider_reference: reference, updated_at: now })
    .where((eb) => eb.and({ seller_id: key.sellerId, withdrawal_id: key.id }))
    .where('submitted_at', 'is', null)
    .execute();
}

/** Schedules the next call of a payout, unless another process has leased it. */
export async function postponePayout(
  db: Db,
  payout: ClaimedPayout,
  { dueAt, now, isNotExecuted }: PostponedCall,
): Promise<void> {
  const unknownCalls = payout.unknownCalls + (isNotExecuted ? 0 : 1);
  await db
    .updateTable('payouts')
    .set({ due_at: dueAt, lease_until: null, unknown_calls: unknownCalls, updated_at: now })
    .where((eb) => eb.and({ seller_id: payout.sellerId, withdrawal_id: payout.id }))
    .where('submitted_at', 'is', null)
    .where('leased_by', '=', payout.leasedBy)
    .execute();
}

/** A call without an outcome, or one that the provider certainly did not execute. */
export interface PostponedCall {
  readonly dueAt: Date;
  readonly now: Date;
  readonly isNotExecuted: boolean;
}

export interface Reassignment {
  readonly from: string;
  readonly to: string;
  readonly dueAt: Date;
  readonly now: Date;
}

/**
 * Assigns a payout that one provider did not execute, and its withdrawal, to another, unless another
 * process has leased it and may be calling the provider.
 */
export async function reassignPayout(
  db: Db,
  payout: ClaimedPayout,
  { from, to, dueAt, now }: Reassignment,
): Promise<void> {
  const { sellerId, id, leasedBy } = payout;
  await db.transaction().execute(async (trx) => {
    const reassigned = await trx
      .updateTable('payouts')
      .set({
        provider: to,
        due_at: dueAt,
        lease_until: null,
        attempts: 0,
        unknown_calls: 0,
        updated_at: now,
      })
      .where((eb) => eb.and({ seller_id: sellerId, withdrawal_id: id, provider: from, leased_by: leasedBy }))
      .where('submitted_at', 'is', null)
      .returning('withdrawal_id')
      .executeTakeFirst();
    if (reassigned === undefined) return;
    await trx
      .updateTable('withdrawals')
      .set((eb) => ({ provider: to, version: eb('version', '+', 1), updated_at: now }))
      .where((eb) => eb.and({ seller_id: sellerId, id, status: 'PROCESSING' }))
      .execute();
  });
}

export interface UnsettledWithdrawal extends WithdrawalKey {
  readonly status: string;
  readonly method: string;
  readonly amount: number;
  readonly provider: string | null;
}

const IS_UNSETTLED = sql`status IN ('PENDING', 'APPROVED', 'PROCESSING')`;

/** Withdrawals that a provider may have been called to pay, oldest first, and how many there are. */
export async function findUnsettledWithdrawals(
  db: Db,
  limit: number,
): Promise<{ readonly rows: readonly UnsettledWithdrawal[]; readonly count: number }> {
  const unsettled = sql`FROM withdrawals WHERE ${IS_UNSETTLED}`;
  const { rows } = await sql<UnsettledWithdrawal>`
    SELECT seller_id AS "sellerId", id, status, method, amount, provider ${unsettled}
    ORDER BY created_at, id LIMIT ${limit}`.execute(db);
  const counted = await sql<{ count: number }>`SELECT count(*)::int AS count ${unsettled}`.execute(db);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

/**
 * Its amount is what the beneficiary receives. Returns undefined also for a withdrawal that has
 * ended.
 */
export async function findUnsettledWithdrawal(db: Db, id: string): Promise<UnsettledWithdrawal | undefined> {
  const { rows } = await sql<UnsettledWithdrawal>`
    SELECT seller_id AS "sellerId", id, status, method, amount - fee_amount AS amount, provider
    FROM withdrawals
    WHERE id = ${id} AND ${IS_UNSETTLED}`.execute(db);
  return rows[0];
}
