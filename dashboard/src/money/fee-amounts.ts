import type { Fees } from '../api/queries.ts';
import { calculateFee, INSTALLMENT_FIELDS, type Fee } from '../../../src/sellers/fees/schedule.ts';

/** Fees of a card by its number of instalments, the first being for one. */
export const cardFees = ({ creditCard }: Fees): readonly Fee[] =>
  INSTALLMENT_FIELDS.map((name) => ({ type: creditCard.type, value: creditCard[name] }));

export { calculateFee, INSTALLMENT_FIELDS, type Fee };
