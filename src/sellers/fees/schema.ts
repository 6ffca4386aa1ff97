import { Type, type Static } from 'typebox';

import type { CrossFieldRule } from '#platform/http/validation.ts';
import { INSTALLMENT_FIELDS, type FeeSchedule } from './schedule.ts';

const type = Type.Enum(['FIXED', 'PERCENTAGE']);
/** A fixed fee of more than R$ 1.000.000,00 is a slip of the hand. */
const value = Type.Integer({
  minimum: 0,
  maximum: 100_000_000,
  description: 'Cents, or hundredths of a percent.',
});
const fee = Type.Object({ type, value }, { title: 'Fee' });

/** All numbers are divided by 100 to be read: cents of a FIXED fee, hundredths of a percent of a PERCENTAGE. */
export const FeesSchema = Type.Object(
  {
    pixIn: fee,
    pixOut: fee,
    boleto: fee,
    creditCard: Type.Object({
      type,
      singleInstallment: value,
      twoInstallments: value,
      threeInstallments: value,
      fourInstallments: value,
      fiveInstallments: value,
      sixInstallments: value,
      sevenInstallments: value,
      eightInstallments: value,
      nineInstallments: value,
      tenInstallments: value,
      elevenInstallments: value,
      twelveInstallments: value,
    }),
  },
  { title: 'Fees' },
);

/** A percentage of more than everything is a slip of the hand. */
export const feesRule: CrossFieldRule = (body) =>
  Object.entries(body).flatMap(([name, member]) => {
    if (typeof member !== 'object' || member === null || !('type' in member) || member.type !== 'PERCENTAGE')
      return [];
    return Object.entries(member).flatMap(([part, number]: [string, unknown]) =>
      typeof number === 'number' && number > 10_000
        ? [{ path: [name, part], rule: 'must not be greater than 10000' }]
        : [],
    );
  });

export type FeesView = Static<typeof FeesSchema>;

export function viewFees({ pixIn, pixOut, boleto, creditCard }: FeeSchedule): FeesView {
  const [first = 0] = creditCard.values;
  const at = (index: number): number => creditCard.values[index] ?? first;
  return {
    pixIn,
    pixOut,
    boleto,
    creditCard: {
      type: creditCard.type,
      singleInstallment: at(0),
      twoInstallments: at(1),
      threeInstallments: at(2),
      fourInstallments: at(3),
      fiveInstallments: at(4),
      sixInstallments: at(5),
      sevenInstallments: at(6),
      eightInstallments: at(7),
      nineInstallments: at(8),
      tenInstallments: at(9),
      elevenInstallments: at(10),
      twelveInstallments: at(11),
    },
  };
}

export function parseFees({ pixIn, pixOut, boleto, creditCard }: FeesView): FeeSchedule {
  return {
    pixIn,
    pixOut,
    boleto,
    creditCard: { type: creditCard.type, values: INSTALLMENT_FIELDS.map((name) => creditCard[name]) },
  };
}
