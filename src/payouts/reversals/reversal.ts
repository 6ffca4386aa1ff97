import type { Method } from '#payments/transactions/transaction.ts';

/** Why money is not the seller's: the charge had ended, it was paid before, or another amount came than was asked for. */
export const REVERSAL_REASONS = ['LATE', 'DUPLICATE', 'WRONG_AMOUNT'] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** PENDING goes to the provider, SENT is on its way to the payer, MANUAL waits for the operator. */
export const REVERSAL_STATUSES = ['PENDING', 'SENT', 'MANUAL'] as const;
export type ReversalStatus = (typeof REVERSAL_STATUSES)[number];

export interface ReversalKey {
  readonly sellerId: string;
  readonly id: string;
}

/** What is known when the money comes. */
export interface NewReversal extends ReversalKey {
  readonly transactionId: string;
  /** How the charge was to be paid. */
  readonly method: Method;
  /** Who reported the money, and the provider's own id of the payment. */
  readonly provider: string;
  readonly eventId: string;
  /** All of what came, in cents. */
  readonly amount: number;
  readonly reason: ReversalReason;
  readonly createdAt: Date;
}

/** A payer's money on its way back. */
export interface PaymentReversal extends NewReversal {
  readonly status: ReversalStatus;
  /** Calls of the provider whose end is known. */
  readonly attempts: number;
  /** The provider's own id of the return. */
  readonly providerReference: string | null;
  readonly sentAt: Date | null;
  /** The operator's user who settled it by hand. */
  readonly settledBy: string | null;
  /** Why no machine can send it. */
  readonly detail: string | null;
  /** What the operator did. */
  readonly note: string | null;
  readonly updatedAt: Date;
}
