import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { TransactionEvent } from './decisions.ts';

/** A card as it came in, for the moment of the charge only. */
export interface CardDetails {
  readonly number: string;
  readonly cvv: string | null;
  readonly holderName: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

/** What the payer's bank said of the payer, where the seller had it asked (3-D Secure 2). */
export interface ThreeDSecure {
  readonly cavv: string | null;
  readonly xid: string | null;
  readonly eci: string | null;
  readonly version: string | null;
  readonly referenceId: string | null;
}

/** What a provider of others is told beside the card. */
export interface CardContext {
  readonly threeDS: ThreeDSecure | null;
  /** The payer's address on the network, where the seller told it. */
  readonly payerIp: string | null;
}

export interface CardAuthorization {
  readonly sellerId: string;
  /** Our id, the provider's idempotency key. */
  readonly transactionId: string;
  readonly amountCents: number;
  readonly card: CardDetails;
  /** False: authorise only. */
  readonly capture: boolean;
  readonly now: Date;
}

/** How a card provider that answers on the spot decides an order. */
export interface CardAuthorizationResult {
  /** What happened at once; null where the provider still thinks about it. */
  readonly event: TransactionEvent | null;
  /** What the provider must remember, in the transaction that makes the charge. */
  readonly saveState?: (trx: DatabaseTransaction) => Promise<void>;
}

export interface CardAuthorizer {
  readonly name: string;
  authorize(authorization: CardAuthorization): CardAuthorizationResult;
}
