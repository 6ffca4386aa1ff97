import { Type } from 'typebox';

import { MIN_SELLER_PASSWORD_LENGTH, passwordRule } from '#identity/users/password-policy.ts';
import {
  InitialSellerPassword,
  newSellerUserProperties,
  secondFactorResetAt,
} from '#identity/users/schema.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/creation-schema.ts';
import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { described, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { nameString, withCrossFieldRules } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';

const status = Type.Enum([...SELLER_STATUSES], {
  description:
    'Status of the seller. Unless it is ACTIVE, its API keys are refused, its users can only manage ' +
    "their own account and the seller's application, and its withdrawals are not sent to providers.",
});

export const NewSellerBody = (documents: DocumentRules) =>
  withCrossFieldRules(
    Type.Object({
      name: nameString(255, 'Name of the seller.'),
      documentType: Type.Enum(['CPF', 'CNPJ'], { description: 'CPF for a person, CNPJ for a company.' }),
      document: Type.String({ description: '11 digits for a CPF, 14 characters for a CNPJ.' }),
      ownerName: described(newSellerUserProperties.name, "Full name of the seller's first user."),
      ownerEmail: described(newSellerUserProperties.email, 'Email address of that user, used to sign in.'),
      ownerPassword: InitialSellerPassword,
      status: Type.Optional(status),
    }),
    [
      documentRule(null, documents),
      passwordRule('ownerPassword', MIN_SELLER_PASSWORD_LENGTH, ['name', 'ownerName', 'ownerEmail']),
    ],
  );

const rate = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, description }));
const days = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 365, description }));
const cents = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS, description }));

const limits = {
  requestsPerMinute: 'Requests that the seller may send per minute.',
  creationsPerMinute: 'Transactions that the seller may create per minute.',
  boletoDelayDays: 'Bank business days until a paid boleto is available.',
  cardDelayDays:
    'Days until the first installment of a card payment is available, and from each installment to the next.',
  autoApproveUpTo:
    'Cents. Withdrawals of up to this amount in 24 hours are approved automatically if they do not exceed ' +
    '`twoPersonApprovalAbove` of the settings, an earlier withdrawal to the destination was paid, or ' +
    'approved by a person, and the destination does not belong to another holder.',
  negativeBalanceUpTo:
    'Cents. Refunds may make the available balance negative by up to this amount plus the ' +
    'fee of the transaction.',
  chargebackFee: 'Cents. Debited from the seller for each chargeback and each lost card dispute.',
} as const;

export const SellerChanges = Type.Object({
  status: Type.Optional(status),
  requestsPerMinute: rate(limits.requestsPerMinute),
  creationsPerMinute: rate(limits.creationsPerMinute),
  boletoDelayDays: days(limits.boletoDelayDays),
  cardDelayDays: days(limits.cardDelayDays),
  autoApproveUpTo: cents(limits.autoApproveUpTo),
  negativeBalanceUpTo: cents(limits.negativeBalanceUpTo),
  chargebackFee: cents(limits.chargebackFee),
});

export const SellerSchema = Type.Object(
  {
    id: recordId('The id of the seller.'),
    name: Type.String({ description: 'Name of the seller.' }),
    documentType: Type.String({ description: 'CPF or CNPJ.' }),
    document: Type.String({ description: 'Masked.' }),
    status,
    requestsPerMinute: Type.Integer({ description: limits.requestsPerMinute }),
    creationsPerMinute: Type.Integer({ description: limits.creationsPerMinute }),
    boletoDelayDays: Type.Integer({ description: limits.boletoDelayDays }),
    cardDelayDays: Type.Integer({ description: limits.cardDelayDays }),
    autoApproveUpTo: Type.Integer({ description: limits.autoApproveUpTo }),
    negativeBalanceUpTo: Type.Integer({ description: limits.negativeBalanceUpTo }),
    chargebackFee: Type.Integer({ description: limits.chargebackFee }),
    createdAt: timestamp('When it was created.'),
    updatedAt: timestamp('When it was last changed.'),
  },
  { title: 'Seller', description: 'A seller.' },
);

export const SellersQuery = Type.Object({
  status: Type.Optional(described(status, 'Only sellers with this status.')),
  search: Type.Optional(
    Type.String({
      format: 'filled',
      maxLength: 255,
      description: 'Part of the name, or at least three characters of the tax ID (CPF or CNPJ).',
    }),
  ),
  ...pageQuery,
  ...exportQuery,
  ...csvLocaleQuery,
});

/** The members of every user. Roles differ between users of the operator and of a seller. */
export const userProperties = {
  id: recordId('The id of the user.'),
  name: Type.String({ description: 'Full name.' }),
  email: Type.String({ description: 'Email address, used to sign in.' }),
  secondFactorResetAt,
  createdAt: timestamp('When it was created.'),
};

const ledgerCheckProperties = {
  balanced: Type.Boolean({ description: 'Whether there is no discrepancy.' }),
  sellers: Type.Integer({ description: 'Number of wallets that were checked.' }),
  entries: Type.Integer({ description: 'Number of ledger entries that were checked.' }),
  chainEntries: Type.Integer({ description: 'Number of entries of the HMAC chains that were verified.' }),
  discrepancies: Type.Array(
    Type.Object(
      {
        kind: Type.String({ description: 'What the discrepancy is about, such as `BALANCE` or `CHAIN`.' }),
        sellerId: recordId('The seller.'),
        message: Type.String({ description: 'Describes the discrepancy.' }),
      },
      { title: 'LedgerDiscrepancy', description: 'A discrepancy of the ledger.' },
    ),
    { description: 'The discrepancies found.' },
  ),
};

export const LedgerCheckSchema = Type.Object(ledgerCheckProperties, {
  title: 'LedgerCheck',
  description: 'The result of a ledger check.',
});

export const FullLedgerCheckSchema = Type.Object(
  {
    id: recordId('The id of the check.'),
    status: Type.Enum(['RUNNING', 'COMPLETED', 'INTERRUPTED'], {
      description: 'INTERRUPTED: its process ended before the check did. Start another check.',
    }),
    progress: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How much of the ledger is checked, in percent.',
    }),
    startedAt: timestamp('When it was started.'),
    finishedAt: nullable(timestamp('When it ended.')),
    result: nullable(
      Type.Object(ledgerCheckProperties, {
        description: 'What the check found. Null unless it is COMPLETED.',
      }),
    ),
  },
  { title: 'FullLedgerCheck', description: 'A check of the whole ledger.' },
);
