import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { toColumns } from '#platform/database/column-names.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuthorView } from '#platform/http/audit-actor.ts';
import type { RetainedPart } from '#payments/transactions/money-movements.ts';
import type { RefundRecord } from '#payments/transactions/refund-schema.ts';
import type { TransactionKey } from '#payments/transactions/transaction.ts';

export interface Refund {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string | null;
  /** PENDING until the external provider has reported the outcome. */
  readonly status: 'PENDING' | 'DONE';
  /** The retained parts of the amount when it was requested; null if it was done at once. */
  readonly retained: readonly RetainedPart[] | null;
  readonly createdBy: AuthorView;
  readonly createdAt: Date;
}

export type RefundKey = Pick<Refund, 'sellerId' | 'id'>;

export async function insertRefund(trx: DatabaseTransaction, refund: Refund): Promise<void> {
  await trx
    .insertInto('refunds')
    .values({
      ...toColumns(refund),
      created_by: JSON.stringify(refund.createdBy),
      retained: refund.retained === null ? null : JSON.stringify(refund.retained),
    })
    .execute();
}

const StoredRetained = Type.Array(Type.Object({ amount: Type.Integer(), dueAt: Type.String() }));

/** Records when the ledger entries of a refund by an external provider were booked. */
export async function setRefundBookedAt(
  trx: DatabaseTransaction,
  { sellerId, id }: RefundKey,
  bookedAt: Date,
): Promise<void> {
  await trx
    .updateTable('refunds')
    .set({ booked_at: bookedAt })
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .execute();
}

/** Closes a refund and returns its retained parts; undefined if its status is not `from`. */
export async function closeRefund(
  trx: DatabaseTransaction,
  { sellerId, id }: RefundKey,
  { from, to }: { readonly from: 'PENDING' | 'DONE'; readonly to: 'DONE' | 'FAILED' },
): Promise<readonly RetainedPart[] | undefined> {
  const row = await trx
    .updateTable('refunds')
    .set({ status: to })
    .where((eb) => eb.and({ seller_id: sellerId, id, status: from }))
    .returning('retained')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const stored: unknown = row.retained ?? [];
  if (!Value.Check(StoredRetained, stored))
    throw new Error('the retained parts of a refund have an unknown format');
  return stored.map(({ amount, dueAt }) => ({ amount, dueAt: new Date(dueAt) }));
}

/** A transaction refunded cent by cent could have more. */
const MAX_LISTED_REFUNDS = 1_000;

/** The refunds of a transaction, oldest first. */
export const findRefunds = (db: Db, { sellerId, id }: TransactionKey): Promise<readonly RefundRecord[]> =>
  selectRefunds(db)
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .orderBy('id')
    .limit(MAX_LISTED_REFUNDS)
    .execute();

export const findRefund = (db: Db, { sellerId, id }: RefundKey): Promise<RefundRecord | undefined> =>
  selectRefunds(db)
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .executeTakeFirst();

const selectRefunds = (db: Db) =>
  db
    .selectFrom('refunds')
    .select(['id', 'amount', 'reason', 'status', 'created_by as createdBy', 'created_at as createdAt']);
