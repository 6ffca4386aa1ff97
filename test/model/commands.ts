import type { BankLine, Charge, LineDecision, Method, Origin, Rule, State, Terms } from './state.ts';

/** The commands of the model and the answers they may get. */

export type Command =
  | {
      readonly kind: 'create';
      readonly charge: string;
      readonly method: Method;
      readonly amount: number;
      readonly installments: number;
      readonly capture: boolean;
      readonly declined: boolean;
      readonly expiration: number;
    }
  | {
      readonly kind: 'pay' | 'fail' | 'refuse' | 'processing' | 'cancel' | 'void' | 'chargeback';
      readonly charge: string;
    }
  | { readonly kind: 'capture' | 'refund'; readonly charge: string; readonly amount: number | null }
  | {
      readonly kind: 'dispute';
      readonly charge: string;
      readonly dispute: string;
      readonly amount: number | null;
    }
  | { readonly kind: 'appeal'; readonly dispute: string }
  | { readonly kind: 'resolve'; readonly dispute: string; readonly outcome: 'RESOLVED' | 'REJECTED' }
  | {
      readonly kind: 'withdraw';
      readonly withdrawal: string;
      readonly origin: Origin;
      readonly amount: number;
    }
  | { readonly kind: 'approve' | 'reject' | 'payOut' | 'failOut'; readonly withdrawal: string }
  | BankLine
  | { readonly kind: 'decide'; readonly line: string; readonly decision: LineDecision }
  /** Erases the payer of a charge. */
  | { readonly kind: 'erase'; readonly charge: string }
  /** The operator changes the seller's fees or limits. */
  | { readonly kind: 'terms'; readonly terms: Terms }
  /** The operator sends files with all waiting boletos, and with these payouts, to the bank. */
  | { readonly kind: 'ship'; readonly withdrawals: readonly string[] }
  | { readonly kind: 'tick'; readonly to: number };

/** Timestamps that the gateway chooses. The model takes them from the response. */
export interface ObservedTimes {
  readonly createdAt?: number;
  readonly paidAt?: number;
}

export interface Outcome {
  readonly state: State;
  /**
   * Allowed answers: several if more than one rule is violated, since the contract sets no order.
   */
  readonly responses: readonly string[];
}

export const MESSAGES = {
  fee: '422 Amount does not cover the fee',
  balance: '422 Insufficient balance',
  capture: '422 Amount must not be more than the authorized amount, and must cover the fee',
  refund: '422 Amount must not be more than what is left to refund',
  late: '422 Pix payments can be refunded for up to 90 days',
  dispute: '422 Amount must not be more than what has not been refunded',
  appeal: '422 Dispute cannot be appealed',
};

export const chargeResponse = (status: string, amount: number, fee: number, refunded: number): string =>
  `${status} of ${amount}, fee ${fee}, refunded ${refunded}`;

export const shown = (code: number, { status, amount, fee, refunded }: Charge): string =>
  `${code} ${chargeResponse(status, amount, fee, refunded)}`;

/**
 * Percentages are in basis points, rounded half up. Undefined if the fee is not less than the
 * amount.
 */
export function feeOf(amount: number, { type, value }: Rule): number | undefined {
  const fee = type === 'FIXED' ? value : Math.floor((amount * value + 5_000) / 10_000);
  return fee < amount ? fee : undefined;
}

export function refuse(state: State, ...responses: readonly string[]): Outcome {
  return { state, responses };
}
