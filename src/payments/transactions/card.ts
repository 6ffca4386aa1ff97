import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { TransactionEvent } from './decisions.ts';
import type { CardPayment } from './transaction.ts';

/** The card data of a request. It is not stored. */
export interface CardDetails {
  readonly number: string;
  readonly cvv: string | null;
  readonly holderName: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

/** The result of a payer authentication that the seller has requested (3-D Secure 2). */
export interface ThreeDSecure {
  readonly cavv: string | null;
  readonly xid: string | null;
  readonly eci: string | null;
  readonly version: string | null;
  readonly referenceId: string | null;
}

/** What an external provider receives in addition to the card. */
export interface CardContext {
  readonly threeDS: ThreeDSecure | null;
  /** The payer's IP address, if the seller has sent it. */
  readonly payerIp: string | null;
  /** Of a payment of a subscription. */
  readonly recurring: RecurringCard | null;
}

interface RecurringCard {
  /** Whether the payer enters the card for this payment, the first one. */
  readonly isPayerPresent: boolean;
  /** The card network's reference of the first payment; null if this is it, or it is unknown. */
  readonly networkReference: string | null;
}

export interface CardAuthorization {
  readonly sellerId: string;
  /** Our id, which is the provider's idempotency key. */
  readonly transactionId: string;
  readonly amountCents: number;
  readonly card: CardDetails;
  /** False: authorize only. */
  readonly capture: boolean;
  readonly now: Date;
}

/** The codes of an authorization. Null if the provider does not report it. */
export type CardCodes = Pick<CardPayment, 'authorizationCode' | 'nsu'> &
  Partial<Pick<CardPayment, 'networkReference'>>;

/** The decision with which a transaction is created. */
export interface FirstDecision {
  /** Null while the authorization is pending. */
  readonly event: TransactionEvent | null;
  /** Absent if it was declined. */
  readonly codes?: CardCodes;
  /** Saves the provider's own state in the database transaction of the creation. */
  readonly saveState?: (trx: DatabaseTransaction) => Promise<void>;
}

/** A local card provider: it decides without a network call. */
export interface CardAuthorizer {
  readonly name: string;
  authorize(authorization: CardAuthorization): FirstDecision;
}
