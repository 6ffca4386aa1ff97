import { described } from '#platform/http/envelope.ts';
import { Type, type Static } from 'typebox';

import type { CrossFieldRule } from '#platform/http/validation.ts';
import { feeParts, INSTALLMENT_FIELDS, type FeeSchedule } from './schedule.ts';

const MAX_FIXED_FEE_CENTS = 100_000_000;
const MAX_PERCENTAGE_BASIS_POINTS = 10_000;

const type = Type.Enum(['FIXED', 'PERCENTAGE'], { description: 'How the fee is calculated.' });
const value = Type.Integer({
  minimum: 0,
  maximum: MAX_FIXED_FEE_CENTS,
  description: 'Cents for FIXED, basis points (hundredths of a percent) for PERCENTAGE.',
});
export const feePartMembers = {
  fixedPart: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FIXED_FEE_CENTS,
      description: 'Cents that are added to the fixed or percentage fee; 0 if absent.',
    }),
  ),
  minimum: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_FIXED_FEE_CENTS,
      description: 'Minimum fee in cents; 0 if absent.',
    }),
  ),
};
const fee = Type.Object({ type, value, ...feePartMembers }, { title: 'Fee', description: 'A fee.' });

export const FeesSchema = Type.Object(
  {
    pixIn: described(fee, 'Fee of a Pix payment.'),
    pixOut: described(fee, 'Fee of a withdrawal, by any method.'),
    boleto: described(fee, 'Fee of a boleto.'),
    creditCard: Type.Object(
      { type, ...byInstallments(() => value), ...feePartMembers },
      { description: 'Fee of a card payment, by number of installments.' },
    ),
  },
  { title: 'Fees', description: 'A fee schedule.' },
);

export type FeesView = Static<typeof FeesSchema>;

/** A PERCENTAGE must not exceed 100%. */
export const feesRule: CrossFieldRule = (body) =>
  Object.entries(body).flatMap(([name, member]) => {
    if (typeof member !== 'object' || member === null || !('type' in member) || member.type !== 'PERCENTAGE')
      return [];
    return Object.entries(member).flatMap(([part, number]: [string, unknown]) =>
      typeof number === 'number' && !(part in feePartMembers) && number > MAX_PERCENTAGE_BASIS_POINTS
        ? [
            {
              path: [name, part],
              rule: `must not be greater than ${MAX_PERCENTAGE_BASIS_POINTS}`,
              code: 'too_large' as const,
            },
          ]
        : [],
    );
  });

export function viewFees({ pixIn, pixOut, boleto, creditCard }: FeeSchedule): FeesView {
  const { type, values } = creditCard;
  const byNumber = byInstallments((index) => values[index] ?? 0);
  return { pixIn, pixOut, boleto, creditCard: { type, ...byNumber, ...feeParts(creditCard) } };
}

export function parseFees({ pixIn, pixOut, boleto, creditCard }: FeesView): FeeSchedule {
  const fee = ({ type, value, ...parts }: FeesView['pixIn']) => ({ type, value, ...feeParts(parts) });
  const values = INSTALLMENT_FIELDS.map((name) => creditCard[name]);
  return {
    pixIn: fee(pixIn),
    pixOut: fee(pixOut),
    boleto: fee(boleto),
    creditCard: { type: creditCard.type, values, ...feeParts(creditCard) },
  };
}

/** One member for each number of installments, in the order of INSTALLMENT_FIELDS. */
function byInstallments<T>(valueAt: (index: number) => T) {
  return {
    singleInstallment: valueAt(0),
    twoInstallments: valueAt(1),
    threeInstallments: valueAt(2),
    fourInstallments: valueAt(3),
    fiveInstallments: valueAt(4),
    sixInstallments: valueAt(5),
    sevenInstallments: valueAt(6),
    eightInstallments: valueAt(7),
    nineInstallments: valueAt(8),
    tenInstallments: valueAt(9),
    elevenInstallments: valueAt(10),
    twelveInstallments: valueAt(11),
  };
}
