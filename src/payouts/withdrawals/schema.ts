import { Type, type Static } from 'typebox';

import { CRYPTO_NETWORKS, isCryptoAddress } from '#formats/crypto-address/address.ts';
import { exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule } from '#platform/http/date-filters.ts';
import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { MAX_TAKE, pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import {
  nonEmptyString,
  withCrossFieldRules,
  type CrossFieldRule,
  type Violation,
} from '#platform/http/validation.ts';
import { ORIGINS } from '#accounting/ledger/service.ts';
import { ACCOUNT_TYPES, type PayoutDestination } from './payout-provider.ts';
import { normalizePixKey, PIX_KEY_TYPES, type PixKeyRules } from '#formats/pix/pix-key.ts';
import { documentRule, type DocumentRules } from '#payments/transactions/schema.ts';
import { WITHDRAWAL_METHODS, WITHDRAWAL_STATUSES, type WithdrawalMethod } from './withdrawal.ts';

/** An optional choice that may also be sent as null, as clients do with members that do not apply. */
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
    description: 'Cents that leave the balance; the fee is part of them.',
  }),
  pixKey: text(100, 'Required when method is PIX.'),
  pixKeyType: choice(PIX_KEY_TYPES, 'Required when method is PIX.'),
  withdrawFrom: choice(ORIGINS, 'Which balance pays; PIX by default.'),
  beneficiaryName: text(255),
  beneficiaryDocumentType: choice(DOCUMENT_TYPES, 'What beneficiaryDocumentNumber is.'),
  beneficiaryDocumentNumber: text(14, 'Digits: 11 of a CPF, 14 of a CNPJ.'),
  description: text(140),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      maxProperties: 10,
      description: 'Answered as it was sent.',
    }),
  ),
  cryptoWalletAddress: text(100, 'Required when method is CRYPTO; checked for the network.'),
  cryptoNetwork: choice(CRYPTO_NETWORKS, `${DEFAULT_NETWORK} by default.`),
};

/** A check digit follows after a hyphen; banks have branches with one and without. */
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
        accountType: Type.Enum([...ACCOUNT_TYPES]),
      },
      { title: 'BankAccount', description: 'Required when method is TED.' },
    ),
  ),
);

/** TED exists where somebody is set up who makes it; elsewhere nothing tells of it. */
export function createBodySchema(documents: DocumentRules, withTed: boolean) {
  const methods = WITHDRAWAL_METHODS.filter((one) => withTed || one !== 'TED');
  const method = Type.Unsafe<WithdrawalMethod>({ enum: methods });
  const { amount, ...others } = body;
  const schema = Type.Object({ amount, method, ...others, bankAccount }, { title: 'NewWithdrawal' });
  const rules = [pixRule(documents), beneficiaryRule(documents), cryptoRule];
  if (withTed) return withCrossFieldRules(schema, [...rules, tedRule]);
  Reflect.deleteProperty(schema.properties, 'bankAccount');
  return withCrossFieldRules(schema, rules);
}

export type CreateBody = Static<ReturnType<typeof createBodySchema>>;

/** A PIX withdrawal names a key, its type, and the key is one of that type. What has another type is judged elsewhere. */
function pixRule(rules: PixKeyRules): CrossFieldRule {
  return ({ method, pixKey, pixKeyType }) => {
    if (method !== 'PIX') return [];
    const violations: Violation[] = [];
    if (isEmpty(pixKey)) violations.push({ path: ['pixKey'], rule: 'should not be empty' });
    if (isAbsent(pixKeyType)) {
      const rule = `must be one of the following values: ${PIX_KEY_TYPES.join(', ')}`;
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

const cryptoRule: CrossFieldRule = ({ method, cryptoWalletAddress, cryptoNetwork }) => {
  if (method !== 'CRYPTO') return [];
  const path = ['cryptoWalletAddress'];
  if (isEmpty(cryptoWalletAddress)) return [{ path, rule: 'should not be empty' }];
  const named = isAbsent(cryptoNetwork) ? DEFAULT_NETWORK : cryptoNetwork;
  const network = CRYPTO_NETWORKS.find((known) => known === named);
  if (network === undefined || typeof cryptoWalletAddress !== 'string') return [];
  if (isCryptoAddress(network, cryptoWalletAddress.trim())) return [];
  return [{ path, rule: `must be a valid ${network} address` }];
};

/** A bank pays to an account only with the name and document of its holder. */
const tedRule: CrossFieldRule = ({
  method,
  bankAccount: account,
  beneficiaryName,
  beneficiaryDocumentNumber,
}) => {
  if (method !== 'TED') return [];
  const violations: Violation[] = [];
  const rule = 'should not be empty';
  if (isAbsent(account)) violations.push({ path: ['bankAccount'], rule });
  if (isEmpty(beneficiaryName)) violations.push({ path: ['beneficiaryName'], rule });
  if (isEmpty(beneficiaryDocumentNumber)) violations.push({ path: ['beneficiaryDocumentNumber'], rule });
  return violations;
};

/** The beneficiary's document, where one is named, has the form of its type, or of either where the type is not told. */
function beneficiaryRule(rules: DocumentRules): CrossFieldRule {
  const judge = documentRule(null, rules);
  const path = ['beneficiaryDocumentNumber'];
  return ({ beneficiaryDocumentType: type, beneficiaryDocumentNumber: document }) => {
    if (isAbsent(document)) return [];
    if (!isAbsent(type)) {
      return judge({ documentType: type, document }).map(({ rule }) => ({ path, rule }));
    }
    const fits = DOCUMENT_TYPES.some((either) => judge({ documentType: either, document }).length === 0);
    return fits ? [] : [{ path, rule: 'must be a CPF or a CNPJ' }];
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || (typeof value === 'string' && value.trim() === '');

/** What was asked for, after validation: defaults in place, destinations in their canonical form. */
export function parseBody(body: CreateBody, rules: PixKeyRules) {
  return {
    amount: body.amount,
    origin: body.withdrawFrom ?? 'PIX',
    destination: readDestination(body, rules),
    beneficiaryName: body.beneficiaryName ?? null,
    beneficiaryDocument: readDocument(body),
    description: body.description ?? null,
    metadata: body.metadata ?? null,
  } as const;
}

function readDestination(body: CreateBody, rules: PixKeyRules): PayoutDestination {
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

function readDocument({ beneficiaryDocumentType: type, beneficiaryDocumentNumber: number }: CreateBody) {
  if (isAbsent(number)) return null;
  return { type: type ?? (number.length === 11 ? ('CPF' as const) : ('CNPJ' as const)), number };
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new Error('a withdrawal passed validation without its destination');
  return value;
}

const cents = (description: string) => Type.Integer({ description });
const metadata = Type.Unsafe<Readonly<Record<string, unknown>> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

const withdrawal = {
  id: Type.String({ format: 'uuid' }),
  amount: cents('Cents that leave the balance.'),
  feeAmount: cents('Cents.'),
  netAmount: cents('Cents that reach the payee: amount less the fee.'),
  method: Type.Enum([...WITHDRAWAL_METHODS]),
  status: Type.Enum([...WITHDRAWAL_STATUSES]),
  withdrawFrom: Type.Enum([...ORIGINS]),
  pixKey: nullable(Type.String({ description: 'Masked; null for CRYPTO.' })),
  pixKeyType: nullable(Type.String({ description: 'CPF, CNPJ, PHONE, EMAIL or EVP; null for CRYPTO.' })),
  cryptoNetwork: nullable(Type.String({ description: 'TRC20, ERC20, POLYGON or BTC; null for PIX.' })),
  cryptoWalletAddress: nullable(Type.String({ description: 'Masked; null for PIX.' })),
  bankAccount: Type.Optional(
    Type.Object(
      {
        bankCode: Type.String(),
        branch: Type.String(),
        account: Type.String({ description: 'Masked.' }),
        accountType: Type.Enum([...ACCOUNT_TYPES]),
      },
      { title: 'PaidAccount', description: 'Only of TED.' },
    ),
  ),
  beneficiaryName: nullable(Type.String()),
  beneficiaryDocumentType: nullable(Type.String()),
  beneficiaryDocumentNumber: nullable(Type.String({ description: 'Masked.' })),
  description: nullable(Type.String()),
  withdrawalType: Type.String(),
  rejectionReason: nullable(Type.String({ description: 'Why it is REJECTED or FAILED.' })),
  externalRef: nullable(Type.String()),
  metadata,
  approvedAt: nullable(Timestamp),
  processedAt: nullable(Type.String({ format: 'date-time', description: 'When the provider was given it.' })),
  paidAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const WithdrawalSchema = Type.Object(withdrawal, { title: 'Withdrawal' });

/** The operator sees whose it is and who approved it, or has begun to. */
export const OperatorWithdrawalSchema = Type.Object(
  {
    ...withdrawal,
    sellerId: Type.String({ format: 'uuid' }),
    sellerName: Type.String(),
    approvedBy: nullable(
      Type.String({ description: "The operator's user; null for an automatic approval." }),
    ),
    approvals: Type.Array(Type.Object({ userId: Type.String({ format: 'uuid' }), at: Timestamp })),
    approvalsNeeded: Type.Integer({
      description: 'As the settings are now; once it is approved, as they were then (0: automatically).',
    }),
  },
  { title: 'OperatorWithdrawal' },
);

/** The form of the metadata search. */
export const SearchResultSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    seller_id: Type.String({ format: 'uuid' }),
    amount: cents('Cents that leave the balance.'),
    fee_amount: cents('Cents.'),
    net_amount: cents('Cents that reach the payee: amount less the fee.'),
    status: Type.Enum([...WITHDRAWAL_STATUSES]),
    processed_at: nullable(Timestamp),
    rejection_reason: nullable(Type.String()),
    approved_by: nullable(
      Type.String({ description: "The operator's user; null for an automatic approval." }),
    ),
    withdrawal_type: Type.String(),
    approved_at: nullable(Timestamp),
    pix_key: nullable(Type.String({ description: 'Masked.' })),
    pix_key_type: nullable(Type.String()),
    external_ref: nullable(Type.String()),
    method: Type.Enum([...WITHDRAWAL_METHODS]),
    acquirer_id: nullable(Type.String({ description: 'The provider that pays it out.' })),
    created_at: Timestamp,
    updated_at: Timestamp,
    metadata,
  },
  { title: 'FoundWithdrawal' },
);

/** DOC can be asked for and matches nothing: banks make it no more. */
const FILTERABLE_METHODS = [...WITHDRAWAL_METHODS, 'DOC'] as const;

const metadataQuery = {
  metadataKey: Type.Optional(Type.String({ maxLength: 255 })),
  metadataValue: Type.Optional(
    Type.String({ maxLength: 255, description: 'Part of the value of metadataKey.' }),
  ),
};

/** PostgreSQL stores no NUL, so none can be looked for. */
const metadataRule: CrossFieldRule = (query) =>
  (['metadataKey', 'metadataValue'] as const).flatMap((name) => {
    const value = query[name];
    const harmless = typeof value !== 'string' || !value.includes('\0');
    return harmless ? [] : [{ path: [name], rule: 'must not contain NUL characters' }];
  });

export const withdrawalStatuses = statusFilter(WITHDRAWAL_STATUSES);
const { querySchema: status, rule: statusRule } = withdrawalStatuses;

export const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    status,
    method: Type.Optional(Type.Enum([...FILTERABLE_METHODS])),
    ...dateQuery,
    withdrawalId: Type.Optional(Type.String({ format: 'uuid' })),
    minAmount: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Cents.' }),
    ),
    maxAmount: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Cents.' }),
    ),
    ...metadataQuery,
    ...exportQuery,
  }),
  [statusRule, dateRule, metadataRule],
);

export const SearchQuery = withCrossFieldRules(
  Type.Object({
    ...metadataQuery,
    metadataKey: nonEmptyString(255),
    take: Type.Integer({
      minimum: 1,
      maximum: MAX_TAKE,
      default: MAX_TAKE,
      description: 'At most so many, newest first.',
    }),
    skip: pageQuery.skip,
  }),
  [metadataRule],
);

export const OperatorListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    ...exportQuery,
    status,
    sellerId: Type.Optional(Type.String({ format: 'uuid' })),
  }),
  [statusRule],
);
