import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Db } from '#platform/database/connect.ts';
import type { RetainedPart } from '#payments/transactions/money-movements.ts';

export interface Refund {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string | null;
  /** Until a provider of others has said what came of it, a refund through it is PENDING. */
  readonly status: 'PENDING' | 'DONE';
  /** What of a PENDING one was still retained. */
  readonly retained: readonly RetainedPart[] | null;
  readonly createdAt: Date;
}

export async function insertRefund(db: Db, refund: Refund): Promise<void> {
  await db
    .insertInto('refunds')
    .values({
      seller_id: refund.sellerId,
      id: refund.id,
      transaction_id: refund.transactionId,
      amount: refund.amount,
      reason: refund.reason,
      status: refund.status,
      retained: refund.retained === null ? null : JSON.stringify(refund.retained),
      created_at: refund.createdAt,
    })
    .execute();
}

const StoredRetained = Type.Array(Type.Object({ amount: Type.Integer(), dueAt: Type.String() }));

/** When the entries of a refund that a provider has done were booked. */
export async function setRefundBookedAt(
  db: Db,
  { sellerId, id }: Pick<Refund, 'sellerId' | 'id'>,
  bookedAt: Date,
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ booked_at: bookedAt })
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .execute();
}

/** Ends a PENDING refund, or takes back one that was DONE, and answers what of it was still retained when it was ordered; undefined where it had ended. */
export async function closeRefund(
  db: Db,
  { sellerId, id }: Pick<Refund, 'sellerId' | 'id'>,
  status: 'DONE' | 'FAILED',
  from: 'PENDING' | 'DONE' = 'PENDING',
): Promise<readonly RetainedPart[] | undefined> {
  const row = await db
    .updateTable('refunds')
    .set({ status })
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('retained')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const stored: unknown = row.retained ?? [];
  if (!Value.Check(StoredRetained, stored))
    throw new Error('a refund keeps what was retained in another form');
  return stored.map(({ amount, dueAt }) => ({ amount, dueAt: new Date(dueAt) }));
}

/** A charge that is refunded in cents could have more, but no page shows them. */
const MAX_LISTED_REFUNDS = 1_000;

/** The refunds of a charge, the first one first. */
export async function findRefunds(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
) {
  return db
    .selectFrom('refunds')
    .select(['id', 'amount', 'reason', 'status', 'created_at as createdAt'])
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', id)
    .orderBy('id')
    .limit(MAX_LISTED_REFUNDS)
    .execute();
}
