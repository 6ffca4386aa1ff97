import type { RunStatement } from '#platform/database/statements.ts';
import type { Reason } from './reasons.ts';
import type { Method, TransactionKey } from './transaction.ts';

/** The members of a charge that risk rules evaluate. */
export interface RiskCharge extends TransactionKey {
  /** The idempotency key. Requests with the same one do not count each other. */
  readonly requestId: string;
  readonly method: Method;
  /** Cents. */
  readonly amount: number;
  readonly document: string;
  readonly email: string;
  readonly cardNumber: string | null;
  /** The payer's IP address: `card.ip`, or that of the visitor of the payment page. */
  readonly address: string | null;
  readonly paymentLinkId: string | null;
  readonly createdAt: Date;
}

export type RiskVerdict =
  | { readonly action: 'ALLOW' | 'REVIEW' }
  | { readonly action: 'REFUSE'; readonly reason: Reason };

export interface RiskAssessment {
  readonly verdict: RiskVerdict;
  /** Ends a counted attempt. A charge that was not created no longer counts. */
  readonly settle: ((isCreated: boolean) => Promise<void>) | undefined;
}

/** Decides on charges before a provider is called. Implemented by `risk`. */
export interface RiskAssessor {
  /** Counts the charge and decides. */
  readonly assess: (charge: RiskCharge) => Promise<RiskAssessment>;
}

/** Counts cards that their provider has declined. Implemented by `risk`. */
export type RecordDeclines = (
  query: RunStatement,
  transactions: readonly (TransactionKey & { readonly createdAt: Date })[],
) => Promise<void>;
