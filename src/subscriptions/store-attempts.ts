import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { leaseRows, type Lease, type Leased } from '#platform/database/leases.ts';
import { onReachableShards } from '#platform/database/shards/each-shard.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { ATTEMPTS_TABLE } from './leased-table.ts';
import { ATTEMPT_COLUMNS } from './store-invoices.ts';
import type { Attempt } from './subscription.ts';

export async function findAttempt(db: Db, sellerId: string, id: string): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    SELECT ${ATTEMPT_COLUMNS} FROM subscription_attempts a
    WHERE a.seller_id = ${sellerId} AND a.id = ${id}`.execute(db);
  return rows[0];
}

/** An attempt whose charge, or its cancellation, is leased to this worker. */
export interface DueAttempt extends Attempt, Leased {
  /** The number of earlier calls without an outcome. */
  readonly attempts: number;
}

/** Lists, date filters and counts by day take the time of a transaction's creation from its id. */
const MAX_ID_AGE_MS = 10_000;

/**
 * Leases due attempts. The transaction of a charge that waited for its first call gets an id of the
 * lease's time. After a call that may have created the transaction, the id stays.
 */
export const leaseAttempts = (db: Db, lease: Lease): Promise<readonly DueAttempt[]> => {
  const nowMs = lease.now.getTime();
  const timePrefix = minIdAt(nowMs).slice(0, 14);
  return leaseRows<Omit<DueAttempt, 'leasedBy'>>(db, lease, {
    ...ATTEMPTS_TABLE,
    extraAssignments: sql`, calls = calls + 1, transaction_id = CASE
      WHEN state = 'DUE' AND kind = 'CHARGE' AND calls = 0
        AND transaction_id < ${minIdAt(nowMs - MAX_ID_AGE_MS)}::uuid
      THEN (${timePrefix}::text || right(transaction_id::text, 22))::uuid ELSE transaction_id END`,
    columns: sql`seller_id AS "sellerId", id, subscription_id AS "subscriptionId",
      invoice_number AS "invoiceNumber", number, kind, transaction_id AS "transactionId",
      charge_date::text AS "chargeDate", state, reason, attempts`,
  });
};

/**
 * Writes the result of a call. Returns false if the attempt has another state or another holder.
 */
export async function recordSent(
  trx: DatabaseTransaction,
  { sellerId, id, state, leasedBy }: DueAttempt,
  to: Pick<Attempt, 'chargeDate'> & { readonly state: 'SENT' | 'CANCELED'; readonly readAt: Date | null },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('subscription_attempts')
    .set({
      state: to.state,
      charge_date: sql`${to.chargeDate}::date`,
      read_at: to.readAt,
      lease_until: null,
      updated_at: now,
    })
    .where((eb) => eb.and({ seller_id: sellerId, id, state, leased_by: leasedBy }))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** `wasCalled`: the call may have created the transaction. */
export async function postponeAttempt(
  db: Db,
  { sellerId, id, leasedBy }: DueAttempt,
  { dueAt, wasCalled }: { readonly dueAt: Date; readonly wasCalled: boolean },
  now: Date,
): Promise<void> {
  await sql`
    UPDATE subscription_attempts SET due_at = ${dueAt}, lease_until = NULL, attempts = attempts + 1,
      calls = calls - ${wasCalled ? 0 : 1}, updated_at = ${now}
    WHERE seller_id = ${sellerId} AND id = ${id} AND state IN ('DUE', 'CANCELING')
      AND leased_by = ${leasedBy}`.execute(db);
}

/**
 * Requests the cancellation of a charge without an outcome. A lease stays, because a call may be
 * creating the charge; the cancellation follows it.
 */
export async function requestAttemptCancellation(
  trx: DatabaseTransaction,
  { sellerId, id }: Attempt,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE subscription_attempts SET state = 'CANCELING', due_at = ${now}, attempts = 0, updated_at = ${now}
    WHERE seller_id = ${sellerId} AND id = ${id} AND state IN ('DUE', 'SENT')`.execute(trx);
}

/** Ends the lease of an attempt that was changed during its call. */
export async function releaseAttempt(
  trx: DatabaseTransaction,
  { sellerId, id, leasedBy }: DueAttempt,
): Promise<void> {
  await sql`
    UPDATE subscription_attempts SET lease_until = NULL
    WHERE seller_id = ${sellerId} AND id = ${id} AND leased_by = ${leasedBy}`.execute(trx);
}

/**
 * Charges whose outcome is to be read from their bank, the longest overdue first, except those of
 * other banks. They are due again at `nextAt`.
 */
export async function takeDebitsToRead(
  db: Db,
  {
    now,
    nextAt,
    limit,
    otherBanks,
  }: {
    readonly now: Date;
    readonly nextAt: Date;
    readonly limit: number;
    readonly otherBanks: readonly string[];
  },
): Promise<readonly { readonly transactionId: string }[]> {
  const take = sql<{ transactionId: string }>`
    WITH due AS MATERIALIZED (
      SELECT seller_id, id FROM subscription_attempts a WHERE read_at <= ${now} AND read_at IS NOT NULL
        AND NOT EXISTS (
          SELECT FROM pix_authorizations p
          WHERE p.seller_id = a.seller_id AND p.subscription_id = a.subscription_id
            AND p.provider = ANY (${[...otherBanks]}::text[]) OFFSET 0)
      ORDER BY read_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE subscription_attempts SET read_at = ${nextAt}
    WHERE (seller_id, id) IN (SELECT seller_id, id FROM due) AND read_at IS NOT NULL
    RETURNING transaction_id AS "transactionId"`;
  const taken = await onReachableShards(db, async (shard) => (await take.execute(shard)).rows);
  return taken.flat();
}
