import type { AuthorView } from '#platform/http/audit-actor.ts';
import type { Med } from './med.ts';
import type { DisputeStatus } from './states.ts';

export interface DisputeKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface Dispute extends DisputeKey {
  readonly transactionId: string;
  readonly status: DisputeStatus;
  /** The disputed amount in cents, which is held. */
  readonly amount: number;
  readonly reason: string;
  /** PAYER, an operator's user, or the name of a provider. */
  readonly createdBy: string;
  readonly appealReason: string | null;
  /** Who appealed; null without an appeal. */
  readonly appealedBy: AuthorView | null;
  readonly appealUntil: Date;
  /** When the seller is next reminded of that. Null: not any more. */
  readonly nextReminderAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly resolvedBy: string | null;
  readonly createdAt: Date;
  /** The provider that reported the dispute, and its id of it. Null if no provider did. */
  readonly provider: string | null;
  readonly providerReference: string | null;
  /** Of a Pix payment that is claimed back by MED. */
  readonly med: Med | null;
}

/** A dispute as the operator reads it. */
export interface OperatorDispute extends Dispute {
  readonly sellerName: string;
}

export interface DisputeFilter {
  /** Undefined: the disputes of all sellers. */
  readonly sellerId: string | undefined;
  /** Empty: any status. */
  readonly statuses: readonly DisputeStatus[];
  readonly transactionId: string | undefined;
  readonly from: Date | undefined;
  readonly before: Date | undefined;
  /** By default, newest first. */
  readonly sort?: 'appealUntil' | undefined;
}
