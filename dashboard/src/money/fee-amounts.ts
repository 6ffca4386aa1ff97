import type { Fees } from '../api/queries.ts';
import { feeOn, type Fee } from '../../../src/fees/schedule.ts';

/** The API names each number of instalments by a word. */
export const INSTALMENTS = [
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

/** Fees of a card by its number of instalments, the first being for one. */
export const cardFees = ({ creditCard }: Fees): readonly Fee[] =>
  INSTALMENTS.map((name) => ({ type: creditCard.type, value: creditCard[name] }));

export { feeOn, type Fee };
