import type { NewReversal } from '#payments/provider-events/reversal-port.ts';

/** PENDING goes to the provider, SENT is on its way to the payer, MANUAL waits for the operator. */
export const REVERSAL_STATUSES = ['PENDING', 'SENT', 'MANUAL'] as const;
export type ReversalStatus = (typeof REVERSAL_STATUSES)[number];

export interface ReversalKey {
  readonly sellerId: string;
  readonly id: string;
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
