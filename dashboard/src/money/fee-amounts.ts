import type { Fees } from '../api/queries.ts';
import {
  calculateFee,
  feeParts,
  INSTALLMENT_FIELDS,
  type Fee,
  type FeeParts,
} from '../../../src/sellers/fees/schedule.ts';

/** Card fees by number of installments, starting with one. */
export const cardFees = ({ creditCard }: Fees): readonly Fee[] =>
  INSTALLMENT_FIELDS.map((name) => ({
    type: creditCard.type,
    value: creditCard[name],
    ...feeParts(creditCard),
  }));

export { calculateFee, INSTALLMENT_FIELDS, type Fee, type FeeParts };
