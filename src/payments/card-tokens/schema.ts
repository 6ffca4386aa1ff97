import { Type } from 'typebox';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { Violation } from '#platform/http/errors.ts';
import type { Rule } from '#platform/http/rules.ts';
import { nonEmptyString, type CrossFieldRule } from '#platform/http/validation.ts';

/** The members of a card that is saved. */
export const savedCardMembers = {
  number: Type.String({ format: 'credit-card', description: 'Card number: digits, without spaces.' }),
  holderName: nonEmptyString(255, 'Name as printed on the card.'),
  expirationMonth: Type.Integer({ minimum: 1, maximum: 12, description: 'Month, from 1 to 12.' }),
  expirationYear: Type.Integer({
    minimum: 0,
    maximum: 2199,
    description: 'Four digits. Two digits mean 20YY.',
  }),
};

export const cvvMember = Type.String({
  pattern: '^\\d{3,4}$',
  'x-rule': 'must be 3 or 4 digits' satisfies Rule,
  description: 'Security code. Not stored.',
});

export const yearRule: CrossFieldRule = ({ expirationYear: year }) =>
  typeof year === 'number' && Number.isInteger(year) && year >= 100 && year < 2000
    ? [{ path: ['expirationYear'], rule: 'must be a year of four digits' }]
    : [];

/** What is wrong with the card if it has expired. It is valid through the last day of its month. */
export function expiryViolations(
  { expirationMonth, expirationYear }: { readonly expirationMonth: number; readonly expirationYear: number },
  now: Date,
): readonly Violation[] {
  const [year = 0, month = 0] = saoPauloDate(now).split('-').map(Number);
  if (expirationYear < year)
    return [{ path: ['expirationYear'], rule: `must not be less than ${year}`, code: 'too_small' }];
  if (expirationYear === year && expirationMonth < month)
    return [{ path: ['expirationMonth'], rule: `must not be less than ${month}`, code: 'too_small' }];
  return [];
}
