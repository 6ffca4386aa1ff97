import { applyBasisPoints } from '#platform/kit/money.ts';

/** The API's names for the fee of each number of installments, from 1 to 12. */
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

/** Parts of a fee beside its value, in cents. Absent ones are 0. */
export interface FeeParts {
  readonly fixedPart?: number;
  readonly minimum?: number;
}

export interface Fee extends FeeParts {
  readonly type: FeeType;
  readonly value: number;
}

/**
 * What a seller pays for each operation. `creditCard.values` is by number of installments, 1 to 12.
 */
export interface FeeSchedule {
  readonly pixIn: Fee;
  readonly pixOut: Fee;
  readonly boleto: Fee;
  readonly creditCard: FeeParts & { readonly type: FeeType; readonly values: readonly number[] };
}

/**
 * The fee schedule of a new seller: Pix 0.99%, boleto R$ 0.99, cards from 3.99% to 15.99% in twelve
 * installments.
 */
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
 * Calculates the fee in cents: the value and the fixed part, but at least the minimum. Percentages
 * are rounded half up. Returns undefined if the fee would leave nothing of the amount.
 */
export function calculateFee(amountCents: number, fee: Fee): number | undefined {
  const { type, value, fixedPart = 0, minimum = 0 } = fee;
  const part = type === 'FIXED' ? value : applyBasisPoints(amountCents, value);
  const cents = Math.max(part + fixedPart, minimum);
  return cents < amountCents ? cents : undefined;
}

/** The parts that are not 0, as fees carry them. */
export const feeParts = ({ fixedPart = 0, minimum = 0 }: FeeParts): FeeParts => ({
  ...(fixedPart > 0 && { fixedPart }),
  ...(minimum > 0 && { minimum }),
});
