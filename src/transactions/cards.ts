import type { Db } from '#database/connect.ts';
import type { Happening } from './decisions.ts';

/** A card as it came in, for the moment of the charge only. */
export interface CardDetails {
  readonly number: string;
  readonly cvv: string | null;
  readonly holderName: string;
  readonly expirationMonth: number;
  readonly expirationYear: number;
}

export interface CardOrder {
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
export interface CardVerdict {
  /** What happened at once; null where the provider still thinks about it. */
  readonly happening: Happening | null;
  /** What the provider must remember, in the transaction that makes the charge. */
  readonly remember?: (transaction: Db) => Promise<void>;
}

export interface CardProvider {
  readonly name: string;
  authorize(order: CardOrder): CardVerdict;
}
