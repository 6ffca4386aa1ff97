import type { Fees } from '../api/queries.ts';
import { feeOn, INSTALMENTS, type Fee } from '../../../src/sellers/fees/schedule.ts';

/** Fees of a card by its number of instalments, the first being for one. */
export const cardFees = ({ creditCard }: Fees): readonly Fee[] =>
  INSTALMENTS.map((name) => ({ type: creditCard.type, value: creditCard[name] }));

export { feeOn, INSTALMENTS, type Fee };
