import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Address } from '#payments/customers/customer.ts';
import { AddressBody } from '#payments/customers/schema.ts';
import { nullable } from '#platform/http/envelope.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import type { Rule } from '#platform/http/rules.ts';
import { ACCOUNT_TYPES, type ApplicationDetails, type BankAccount } from './application.ts';

const BankAccountBody = Type.Unsafe<BankAccount>(
  Type.Object(
    {
      bank: Type.String({
        pattern: '^\\d{3}$',
        'x-rule': 'must be 3 digits' satisfies Rule,
        description: 'The number of the bank: three digits, such as 341.',
      }),
      branch: Type.String({
        pattern: '^\\d{1,6}$',
        'x-rule': 'must be 1 to 6 digits' satisfies Rule,
        description: 'Branch (agência), without the check digit.',
      }),
      account: nonEmptyString(20, 'Account with its check digit.'),
      type: Type.Enum([...ACCOUNT_TYPES], { description: 'PAYMENT: a payment account of an institution.' }),
    },
    { title: 'ApplicantBankAccount', description: 'The account for withdrawals, held by the seller.' },
  ),
);

/** What an applicant states after the sign-up. */
export const detailMembers = {
  phone: nullable(nonEmptyString(20, 'Telephone with area code.')),
  address: Type.Unsafe<Address | null>(nullable(AddressBody)),
  activity: nullable(nonEmptyString(1000, 'What the seller sells, and how.')),
  expectedVolume: nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AMOUNT_CENTS,
      description: 'Cents. The payments that the seller expects in a month.',
    }),
  ),
  bankAccount: nullable(BankAccountBody),
};

const StoredDetails = Type.Object(detailMembers);

/** @throws Error if the decrypted text has another format. */
export function parseDetails(json: string): ApplicationDetails {
  const details: unknown = JSON.parse(json);
  if (!Value.Check(StoredDetails, details)) throw new Error('stored details have an unknown format');
  return details;
}
