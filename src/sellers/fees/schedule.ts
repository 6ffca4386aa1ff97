import { applyBasisPoints } from '#platform/kit/money.ts';

/** What the API calls each number of instalments, the first being one. */
export const INSTALLMENT_FIELDS = [
  'singleInstallment',
  'twoInstallments',
  'threeInstallments',
  'fourInstallments',
  'fiveInstallments',
  'sixInstallments',
  'sevenInstallments',
  'eightInstallments',
  'nineInstallments',
  'tenInstallments',
  'elevenInstallments',
  'twelveInstallments',
] as const;

/** FIXED values are cents; PERCENTAGE values are hundredths of a percent. */
export type FeeType = 'FIXED' | 'PERCENTAGE';

export interface Fee {
  readonly type: FeeType;
  readonly value: number;
}

/** What a seller pays for each operation. Card values stand by number of instalments, 1 to 12. */
export interface FeeSchedule {
  readonly pixIn: Fee;
  readonly pixOut: Fee;
  readonly boleto: Fee;
  readonly creditCard: { readonly type: FeeType; readonly values: readonly number[] };
}

/** The plan of a new seller: 0.99% on PIX, R$ 0,99 a boleto, cards from 3.99% at once to 15.99% in twelve instalments. */
export const DEFAULT_FEES: FeeSchedule = {
  pixIn: { type: 'PERCENTAGE', value: 99 },
  pixOut: { type: 'FIXED', value: 0 },
  boleto: { type: 'FIXED', value: 99 },
  creditCard: {
    type: 'PERCENTAGE',
    values: [399, 508, 617, 726, 835, 944, 1054, 1163, 1272, 1381, 1490, 1599],
  },
};

/**
 * The fee on an amount, in cents, percentages rounded half up; undefined where it would leave nothing of the amount.
 */
export function calculateFee(amountCents: number, fee: Fee): number | undefined {
  const cents = fee.type === 'FIXED' ? fee.value : applyBasisPoints(amountCents, fee.value);
  return cents < amountCents ? cents : undefined;
}
