import type { Charge, Method, Origin, Rule, State } from './state.ts';

/** What may be asked for, and in what words it is answered. */

export type Asked =
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
  | { readonly kind: 'tick'; readonly to: number };

/** Instants that only the gateway knows: they are taken from its answer and held against the clock. */
export interface Told {
  readonly createdAt?: number;
  readonly paidAt?: number;
}

export interface Outcome {
  readonly state: State;
  /** What may be answered: more than one where several rules are broken and the contract names no order. */
  readonly answers: readonly string[];
}

export const MESSAGES = {
  fee: '422 Amount does not cover the fee',
  balance: '422 Insufficient balance',
  capture: '422 Amount must not be more than the authorized amount, and must cover the fee',
  refund: '422 Amount must not be more than what is left to refund',
  late: '422 PIX can be refunded up to 90 days after payment',
  dispute: '422 Amount must not be more than what has not been refunded',
  appeal: '422 Dispute cannot be appealed',
};

export const chargeAnswer = (status: string, amount: number, fee: number, refunded: number): string =>
  `${status} of ${amount}, fee ${fee}, refunded ${refunded}`;

export const shown = (code: number, { status, amount, fee, refunded }: Charge): string =>
  `${code} ${chargeAnswer(status, amount, fee, refunded)}`;

/** Percentages are hundredths of a percent, rounded half up; undefined where nothing of the amount would be left. */
export function feeOf(amount: number, { type, value }: Rule): number | undefined {
  const fee = type === 'FIXED' ? value : Math.floor((amount * value + 5_000) / 10_000);
  return fee < amount ? fee : undefined;
}

export function refuse(state: State, ...answers: readonly string[]): Outcome {
  return { state, answers };
}
