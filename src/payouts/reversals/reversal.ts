import type { NewReversal } from '#payments/provider-events/reversal-port.ts';

/** PENDING waits for the provider, SENT is final, MANUAL waits for the operator. */
export const REVERSAL_STATUSES = ['PENDING', 'SENT', 'MANUAL'] as const;
export type ReversalStatus = (typeof REVERSAL_STATUSES)[number];

export interface ReversalKey {
  readonly sellerId: string;
  readonly id: string;
}

/** A payment that is sent back to the payer. */
export interface PaymentReversal extends NewReversal {
  readonly status: ReversalStatus;
  /** The number of completed calls to the provider. */
  readonly attempts: number;
  /** The provider's id of the reversal. */
  readonly providerReference: string | null;
  readonly sentAt: Date | null;
  /** The operator user who marked it as sent. */
  readonly settledBy: string | null;
  /** Why manual action is required. */
  readonly detail: string | null;
  /** How the operator returned the money. */
  readonly note: string | null;
  readonly updatedAt: Date;
}
