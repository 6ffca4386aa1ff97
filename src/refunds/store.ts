import type { Db } from '#database/connect.ts';

export interface Refund {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string | null;
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
      created_at: refund.createdAt,
    })
    .execute();
}
