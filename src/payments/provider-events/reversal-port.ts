import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { Method } from '#payments/transactions/transaction.ts';

/** Why a payment does not belong to the seller. */
export const REVERSAL_REASONS = ['LATE', 'DUPLICATE', 'WRONG_AMOUNT'] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** A payment to send back to the payer. */
export interface NewReversal {
  readonly sellerId: string;
  readonly id: string;
  readonly transactionId: string;
  /** The payment method of the transaction. */
  readonly method: Method;
  /** The provider that reported the payment, and its id of the event. */
  readonly provider: string;
  readonly eventId: string;
  /** The whole payment, in cents. */
  readonly amount: number;
  readonly reason: ReversalReason;
  readonly createdAt: Date;
}

/** Creates a reversal in the transaction that stores the provider event of its payment. */
export type CreateReversal = (trx: DatabaseTransaction, reversal: NewReversal) => Promise<void>;
