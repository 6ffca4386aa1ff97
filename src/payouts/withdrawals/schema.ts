import { Type, type Static } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { CRYPTO_NETWORKS, isCryptoAddress } from '#formats/crypto-address/address.ts';
import { AuthorSchema } from '#platform/http/audit-actor.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { metadataBody, nullable, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { metadataQuery } from '#platform/http/metadata-filter.ts';
import { MAX_TAKE, pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import { isVisible } from '#formats/text.ts';
import type { Violation } from '#platform/http/errors.ts';
import {
  nameViolation,
  nonEmptyString,
  withCrossFieldRules,
  type CrossFieldRule,
} from '#platform/http/validation.ts';
import { ORIGINS } from '#accounting/ledger/service.ts';
import { ACCOUNT_TYPES, type PayoutDestination } from './payout-provider.ts';
import { normalizePixKey, PIX_KEY_TYPES, type PixKeyRules } from '#formats/pix/pix-key.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/creation-schema.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES, type WithdrawalMethod } from './withdrawal.ts';

/** An optional enum that may be null, as clients send fields that do not apply. */
const choice = <const T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T | null>({ enum: [...values, null], description }));

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description === undefined ? {} : { description }) })));

const DOCUMENT_TYPES = ['CPF', 'CNPJ'] as const;
const DEFAULT_NETWORK = 'TRC20';

const body = {
  amount: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'In cents, deducted from the balance. Includes the fee.',
  }),
  pixKey: text(100, 'Required if `method` is PIX, unless you send `destinationOf`.'),
  pixKeyType: choice(PIX_KEY_TYPES, 'Required if `method` is PIX, unless you send `destinationOf`.'),
  destinationOf: Type.Optional(
    nullable(
      recordId(
        'The id of an earlier withdrawal, whose destination and beneficiary are used again. Send it ' +
          'instead of the fields that name them.',
      ),
    ),
  ),
  withdrawFrom: choice(ORIGINS, 'Balance that the withdrawal is paid from. Defaults to PIX.'),
  beneficiaryName: text(255, 'Name of the beneficiary. Transliterated to Latin letters for banks.'),
  beneficiaryDocumentType: choice(DOCUMENT_TYPES, 'Type of `beneficiaryDocumentNumber`.'),
  beneficiaryDocumentNumber: text(14, '11 digits for a CPF, 14 characters for a CNPJ; no punctuation.'),
  description: text(140, 'Describes the withdrawal for your own use.'),
  metadata: Type.Optional(metadataBody('Returned unchanged.')),
  cryptoWalletAddress: text(
    100,
    'Required if `method` is CRYPTO, unless you send `destinationOf`. Must be valid on the network.',
  ),
  cryptoNetwork: choice(
    CRYPTO_NETWORKS,
    `The network of the wallet address. Defaults to ${DEFAULT_NETWORK}.`,
  ),
};

/** Check digits follow a hyphen. Not every bank has them for branches. */
const bankAccount = Type.Optional(
  nullable(
    Type.Object(
      {
        bankCode: Type.String({ pattern: '^\\d{3}$', description: 'Three digits.' }),
        branch: Type.String({ pattern: '^\\d{1,5}(-[\\dXP])?$', description: 'Digits, `1234` or `1234-5`.' }),
        account: Type.String({
          pattern: '^\\d{1,12}-[\\dXP]$',
          description: 'Digits and the check digit after a hyphen, `12345-6`.',
        }),
        accountType: Type.Enum([...ACCOUNT_TYPES], { description: 'Type of the account.' }),
      },
      { title: 'BankAccount', description: 'Required if `method` is TED, unless you send `destinationOf`.' },
    ),
  ),
);

/** The body of a creation, with the TED method and its field if a provider handles them. */
export function createBodySchema(documents: DocumentRules, withTed: boolean) {
  const methods = WITHDRAWAL_METHODS.filter((candidate) => withTed || candidate !== 'TED');
  const method = Type.Unsafe<WithdrawalMethod>({
    enum: methods,
    description: 'How the withdrawal is paid.',
  });
  const { amount, ...fields } = body;
  const schema = Type.Object(
    { amount, method, ...fields, bankAccount },
    { title: 'CreateWithdrawalRequest' },
  );
  const rules = [
    destinationRule,
    pixRule(documents),
    beneficiaryNameRule,
    beneficiaryRule(documents),
    cryptoRule,
    cardNumberRule,
  ];
  if (withTed) return withCrossFieldRules(schema, [...rules, tedRule]);
  Reflect.deleteProperty(schema.properties, 'bankAccount');
  return withCrossFieldRules(schema, rules);
}

export type CreateBody = Static<ReturnType<typeof createBodySchema>>;

const PAYEE_MEMBERS = [
  'pixKey',
  'pixKeyType',
  'cryptoWalletAddress',
  'cryptoNetwork',
  'bankAccount',
  'beneficiaryName',
  'beneficiaryDocumentType',
  'beneficiaryDocumentNumber',
];

const destinationRule: CrossFieldRule = (body) =>
  isAbsent(body['destinationOf'])
    ? []
    : PAYEE_MEMBERS.filter((name) => !isEmpty(body[name])).map((name) => ({
        path: [name],
        rule: 'must not be sent together with destinationOf',
      }));

/** PIX requires a key that is valid for its type. Wrong JSON types are reported by the schema. */
function pixRule(rules: PixKeyRules): CrossFieldRule {
  return ({ method, pixKey, pixKeyType, destinationOf }) => {
    if (method !== 'PIX' || !isAbsent(destinationOf)) return [];
    const violations: Violation[] = [];
    if (isEmpty(pixKey)) violations.push({ path: ['pixKey'], rule: 'should not be empty' });
    if (isAbsent(pixKeyType)) {
      const rule: Rule = `must be one of the following values: ${PIX_KEY_TYPES.join(', ')}`;
      violations.push({ path: ['pixKeyType'], rule });
    }
    const type = PIX_KEY_TYPES.find((known) => known === pixKeyType);
    if (type === undefined || typeof pixKey !== 'string' || isEmpty(pixKey)) return violations;
    if (normalizePixKey(type, pixKey, rules) === undefined) {
      violations.push({ path: ['pixKey'], rule: `must be a valid PIX key of type ${type}` });
    }
    return violations;
  };
}

const cryptoRule: CrossFieldRule = ({ method, cryptoWalletAddress, cryptoNetwork, destinationOf }) => {
  if (method !== 'CRYPTO' || !isAbsent(destinationOf)) return [];
  const path = ['cryptoWalletAddress'];
  if (isEmpty(cryptoWalletAddress)) return [{ path, rule: 'should not be empty' }];
  const named = isAbsent(cryptoNetwork) ? DEFAULT_NETWORK : cryptoNetwork;
  const network = CRYPTO_NETWORKS.find((known) => known === named);
  if (network === undefined || typeof cryptoWalletAddress !== 'string') return [];
  if (isCryptoAddress(network, cryptoWalletAddress.trim())) return [];
  return [{ path, rule: `must be a valid ${network} address` }];
};

/** TED requires the account, and the name and document of its holder. */
const tedRule: CrossFieldRule = ({
  method,
  bankAccount: account,
  beneficiaryName,
  beneficiaryDocumentNumber,
  destinationOf,
}) => {
  if (method !== 'TED' || !isAbsent(destinationOf)) return [];
  const violations: Violation[] = [];
  const rule: Rule = 'should not be empty';
  if (isAbsent(account)) violations.push({ path: ['bankAccount'], rule });
  if (isEmpty(beneficiaryName)) violations.push({ path: ['beneficiaryName'], rule });
  if (isEmpty(beneficiaryDocumentNumber)) violations.push({ path: ['beneficiaryDocumentNumber'], rule });
  return violations;
};

/** Clients send '' where no name applies. Any other name must be one that banks accept. */
const beneficiaryNameRule: CrossFieldRule = ({ beneficiaryName: name }) => {
  const rule = typeof name === 'string' && name !== '' ? nameViolation(name) : undefined;
  return rule === undefined ? [] : [{ path: ['beneficiaryName'], rule }];
};

/** A beneficiary's document must be valid for its type, or for either type if none is given. */
function beneficiaryRule(rules: DocumentRules): CrossFieldRule {
  const validate = documentRule(null, rules);
  const path = ['beneficiaryDocumentNumber'];
  return ({ beneficiaryDocumentType: type, beneficiaryDocumentNumber: document }) => {
    if (isAbsent(document)) return [];
    if (!isAbsent(type)) {
      return validate({ documentType: type, document }).map(({ rule }) => ({ path, rule }));
    }
    const isValid = DOCUMENT_TYPES.some((documentType) => validate({ documentType, document }).length === 0);
    return isValid ? [] : [{ path, rule: 'must be a CPF or a CNPJ' }];
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || (typeof value === 'string' && !isVisible(value));

/** Who an earlier withdrawal paid. */
export interface KnownPayee {
  readonly destination: PayoutDestination;
  readonly beneficiaryName: string | null;
  readonly beneficiaryDocument: { readonly type: 'CPF' | 'CNPJ'; readonly number: string } | null;
}

/**
 * Parses a valid body: applies defaults and normalizes the destination, which `known` replaces.
 */
export function parseBody(body: CreateBody, rules: PixKeyRules, known: KnownPayee | undefined) {
  return {
    amount: body.amount,
    origin: body.withdrawFrom ?? 'PIX',
    destination: known?.destination ?? parseDestination(body, rules),
    beneficiaryName: known === undefined ? (body.beneficiaryName ?? null) : known.beneficiaryName,
    beneficiaryDocument: known === undefined ? parseDocument(body) : known.beneficiaryDocument,
    description: body.description ?? null,
    metadata: body.metadata ?? null,
  } as const;
}

function parseDestination(body: CreateBody, rules: PixKeyRules): PayoutDestination {
  switch (body.method) {
    case 'PIX': {
      const pixKeyType = required(body.pixKeyType);
      const pixKey = required(normalizePixKey(pixKeyType, required(body.pixKey), rules));
      return { method: 'PIX', pixKeyType, pixKey };
    }
    case 'CRYPTO': {
      const network = body.cryptoNetwork ?? DEFAULT_NETWORK;
      return { method: 'CRYPTO', network, address: required(body.cryptoWalletAddress).trim() };
    }
    case 'TED':
      return { method: 'TED', ...required(body.bankAccount) };
  }
}

export type WithdrawalRequest = ReturnType<typeof parseBody>;

function parseDocument({ beneficiaryDocumentType: type, beneficiaryDocumentNumber: number }: CreateBody) {
  if (isAbsent(number)) return null;
  return { type: type ?? (number.length === 11 ? ('CPF' as const) : ('CNPJ' as const)), number };
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a valid withdrawal has no destination');
  return value;
}

const cents = (description: string) => Type.Integer({ description });
const metadata = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'The metadata of the request.',
});

export const statusMember = Type.Enum([...WITHDRAWAL_STATUSES], {
  description:
    'PENDING: waits for approval. APPROVED: waits to be submitted. PROCESSING: submitted to the provider ' +
    'or the bank. PAID: paid to the beneficiary. REJECTED: rejected by the operator; the amount is back ' +
    'in the balance. FAILED: not paid; the amount is back in the balance.',
});

const withdrawal = {
  id: recordId('The id of the withdrawal.'),
  amount: cents('In cents, deducted from the balance.'),
  feeAmount: cents('In cents.'),
  netAmount: cents('Amount paid to the beneficiary, in cents: `amount` minus `feeAmount`.'),
  method: Type.Enum([...WITHDRAWAL_METHODS], { description: 'How the withdrawal is paid.' }),
  status: statusMember,
  withdrawFrom: Type.Enum([...ORIGINS], {
    description: 'Balance source: the method of the payments whose balance pays the withdrawal.',
  }),
  pixKey: nullable(Type.String({ description: 'Masked; null unless `method` is PIX.' })),
  pixKeyType: nullable(
    Type.String({ description: 'CPF, CNPJ, PHONE, EMAIL or EVP; null unless `method` is PIX.' }),
  ),
  cryptoNetwork: nullable(
    Type.String({ description: 'TRC20, ERC20, POLYGON or BTC; null unless `method` is CRYPTO.' }),
  ),
  cryptoWalletAddress: nullable(Type.String({ description: 'Masked; null unless `method` is CRYPTO.' })),
  bankAccount: Type.Optional(
    Type.Object(
      {
        bankCode: Type.String({ description: 'Three digits.' }),
        branch: Type.String({ description: 'Branch, with its check digit if the bank has one.' }),
        account: Type.String({ description: 'Masked.' }),
        accountType: Type.Enum([...ACCOUNT_TYPES], { description: 'Type of the account.' }),
      },
      { title: 'MaskedBankAccount', description: 'Only for TED.' },
    ),
  ),
  beneficiaryName: nullable(Type.String({ description: 'Name of the beneficiary.' })),
  beneficiaryDocumentType: nullable(Type.String({ description: 'CPF or CNPJ; null if unknown.' })),
  beneficiaryDocumentNumber: nullable(Type.String({ description: 'Masked.' })),
  description: nullable(Type.String({ description: 'The description of the request.' })),
  withdrawalType: Type.String({ description: 'Always MANUAL.' }),
  rejectionReason: nullable(Type.String({ description: 'Set if the status is REJECTED or FAILED.' })),
  externalRef: nullable(Type.String({ description: 'Always null.' })),
  metadata,
  approvedAt: nullable(timestamp('When it was approved; null until then.')),
  processedAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When it was assigned to a provider; null until then.',
    }),
  ),
  paidAt: nullable(timestamp('When it was paid; null until then.')),
  createdBy: AuthorSchema,
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
};

export const WithdrawalSchema = Type.Object(withdrawal, {
  title: 'Withdrawal',
  description: 'A request to transfer money from the balance.',
});

const approver = nullable(
  Type.String({
    description:
      'The operator user who approved it; null before the approval and after an automatic approval.',
  }),
);

export const OperatorWithdrawalSchema = Type.Object(
  {
    ...withdrawal,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
    rollingAmount: cents(
      "Sum, in cents, of the seller's withdrawals in the 24 hours up to and including this one, except " +
        'rejected and failed ones. Approval limits are compared with this sum.',
    ),
    holderName: nullable(
      Type.String({
        description: "Name of the Pix key's holder, as reported by the provider; null if not reported.",
      }),
    ),
    holderDocumentType: nullable(Type.String({ description: 'CPF or CNPJ; null if unknown.' })),
    holderDocument: nullable(Type.String({ description: 'CPF or CNPJ of the holder, masked.' })),
    otherHolder: nullable(
      Type.Boolean({
        description:
          'Whether the holder is someone other than the seller: by the directory of Pix keys, or else by ' +
          'a key that is a CPF or CNPJ and by `beneficiaryDocumentNumber`. Null if unknown. If true, the ' +
          'withdrawal is never approved automatically.',
      }),
    ),
    firstUse: Type.Boolean({ description: 'Whether this is the first withdrawal to this destination.' }),
    approvedBy: approver,
    approvals: Type.Array(
      Type.Object(
        {
          userId: recordId('The operator user who approved.'),
          at: timestamp('When the user approved.'),
        },
        { title: 'WithdrawalApproval', description: 'An approval of a withdrawal.' },
      ),
      { description: 'Approvals so far, oldest first.' },
    ),
    approvalsNeeded: Type.Integer({
      description:
        'Number of approvals required by the settings at the time of approval, or by the ' +
        'current settings before that. 0: approved automatically.',
    }),
  },
  { title: 'OperatorWithdrawal', description: 'A withdrawal with its seller and its approvals.' },
);

export const OperatorPageSchema = Type.Object(
  {
    ...pageEnvelope(OperatorWithdrawalSchema).properties,
    totalAmount: Type.Optional(
      cents('With `status=PENDING`, the sum in cents of all withdrawals that match. Otherwise absent.'),
    ),
  },
  { title: 'OperatorWithdrawalPage' },
);

/** An item of the metadata search. Field names are snake_case. */
export const SearchResultSchema = Type.Object(
  {
    id: recordId('The id of the withdrawal.'),
    seller_id: recordId('The seller.'),
    amount: cents('In cents, deducted from the balance.'),
    fee_amount: cents('In cents.'),
    net_amount: cents('Amount paid to the beneficiary, in cents: `amount` minus `fee_amount`.'),
    status: statusMember,
    processed_at: nullable(timestamp('When it was assigned to a provider; null until then.')),
    rejection_reason: nullable(Type.String({ description: 'Set if the status is REJECTED or FAILED.' })),
    approved_by: approver,
    withdrawal_type: Type.String({ description: 'Always MANUAL.' }),
    approved_at: nullable(timestamp('When it was approved; null until then.')),
    pix_key: nullable(Type.String({ description: 'Masked; null unless `method` is PIX.' })),
    pix_key_type: nullable(
      Type.String({ description: 'CPF, CNPJ, PHONE, EMAIL or EVP; null unless `method` is PIX.' }),
    ),
    external_ref: nullable(Type.String({ description: 'Always null.' })),
    method: Type.Enum([...WITHDRAWAL_METHODS], { description: 'How the withdrawal is paid.' }),
    acquirer_id: nullable(Type.String({ description: 'The provider that pays it.' })),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was last changed.'),
    metadata,
  },
  { title: 'WithdrawalSearchResult', description: 'A withdrawal. Field names are snake_case.' },
);

/** DOC matches nothing: banks no longer offer it. The API still accepts it as a filter. */
const FILTERABLE_METHODS = [...WITHDRAWAL_METHODS, 'DOC'] as const;

export const withdrawalStatuses = statusFilter(WITHDRAWAL_STATUSES);
const { querySchema: status, rule: statusRule } = withdrawalStatuses;

export const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    status,
    method: Type.Optional(
      Type.Enum([...FILTERABLE_METHODS], { description: 'Only withdrawals with this method.' }),
    ),
    ...dateQuery,
    withdrawalId: Type.Optional(recordId('Only the withdrawal with this id.')),
    minAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only withdrawals of at least this amount, in cents.',
      }),
    ),
    maxAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only withdrawals of at most this amount, in cents.',
      }),
    ),
    ...metadataQuery,
    ...exportQuery,
    ...csvLocaleQuery,
  }),
  [statusRule, dateRule],
);

export const SearchQuery = Type.Object({
  metadataKey: nonEmptyString(255, 'Only records whose metadata has this key.'),
  metadataValue: metadataQuery.metadataValue,
  take: Type.Integer({
    minimum: 1,
    maximum: MAX_TAKE,
    default: MAX_TAKE,
    description: 'Maximum number of results, newest first.',
  }),
  skip: pageQuery.skip,
});

export const OperatorListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    ...exportQuery,
    ...csvLocaleQuery,
    status,
    sellerId: Type.Optional(recordId('Only withdrawals of this seller.')),
    sort: Type.Optional(
      Type.Enum(['createdAt'], {
        description: 'Sort order. `createdAt` lists the oldest first. Defaults to newest first.',
      }),
    ),
  }),
  [statusRule],
);
