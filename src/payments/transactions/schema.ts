import { Type, type Static } from 'typebox';

import { passesLuhn } from '#formats/card/card-number.ts';
import { exportQuery } from '#platform/http/csv.ts';
import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import type { Violation } from '#platform/http/errors.ts';
import {
  addFormat,
  nonEmptyString,
  withCrossFieldRules,
  type CrossFieldRule,
} from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import {
  METHODS,
  BOLETO_REGISTRATION_STATUSES,
  STATUSES,
  type BoletoRegistrationStatus,
} from './transaction.ts';

const MAX_REFERENCE_LENGTH = 128;
const YEAR_SECONDS = 365 * 24 * 3600;

const CustomerBody = Type.Object({
  name: nonEmptyString(255),
  email: Type.String({ format: 'email', maxLength: 320 }),
  phone: Type.String({
    pattern: '^\\d{10,13}$',
    'x-rule': 'must be 10 to 13 digits',
    description: 'With area code.',
  }),
  documentType: Type.Enum(['CPF', 'CNPJ']),
  document: Type.String({ description: '11 digits for a CPF, 14 for a CNPJ.' }),
  externalRef: Type.Optional(nullable(Type.String({ maxLength: MAX_REFERENCE_LENGTH }))),
});

const ItemBody = Type.Object({
  title: nonEmptyString(255),
  amount: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS, description: 'Unit price in cents.' }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  tangible: Type.Boolean({ description: 'True for goods, false for services and digital goods.' }),
  externalRef: Type.Optional(nullable(Type.String({ maxLength: MAX_REFERENCE_LENGTH }))),
});

addFormat('credit-card', (text) => /^\d{13,19}$/.test(text) && passesLuhn(text), 'must be a credit card');

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description === undefined ? {} : { description }) })));

/** The required members depend on the method and on the token: see `cardRule`. */
const CardBody = Type.Object(
  {
    number: Type.Optional(
      nullable(Type.String({ format: 'credit-card', description: 'Digits, without spaces.' })),
    ),
    holderName: Type.Optional(nullable(nonEmptyString(255))),
    expirationMonth: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 12 }))),
    expirationYear: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: 2199, description: 'Four digits. Two digits mean 20YY.' }),
      ),
    ),
    cvv: Type.Optional(
      nullable(
        Type.String({ pattern: '^\\d{3,4}$', 'x-rule': 'must be 3 or 4 digits', description: 'Not stored.' }),
      ),
    ),
    holderDocument: Type.Optional(
      nullable(Type.String({ pattern: '^\\d{11,14}$', 'x-rule': 'must be 11 to 14 digits' })),
    ),
    token: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid',
          description: 'A token from POST /card-tokens. Replaces number and cvv.',
        }),
      ),
    ),
    sessionId: text(255, 'From the anti-fraud script on the checkout page.'),
    ip: text(45, "The payer's IP address."),
    currency: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z]{3}$',
          'x-rule': 'must be an ISO 4217 code',
          description: 'ISO 4217. Required if global is true; must not be BRL.',
        }),
      ),
    ),
    threeDS: Type.Optional(
      nullable(
        Type.Object({
          cavv: text(255),
          xid: text(255),
          eci: text(10),
          version: text(20),
          referenceId: text(255),
        }),
      ),
    ),
  },
  {
    description:
      'Required for CREDIT_CARD. Without a token, number, holderName, expiration and cvv are required too.',
  },
);

const body = {
  amount: Type.Integer({ minimum: 100, maximum: MAX_AMOUNT_CENTS, description: 'Cents.' }),
  method: Type.Enum([...METHODS]),
  customer: CustomerBody,
  items: Type.Array(ItemBody, { minItems: 1, maxItems: 500 }),
  card: Type.Optional(nullable(CardBody)),
  global: Type.Optional(nullable(Type.Boolean({ description: 'An international card payment.' }))),
  installments: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Required for CREDIT_CARD.' })),
  ),
  capture: Type.Optional(
    nullable(Type.Boolean({ description: 'False: authorize the card only and capture later.' })),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      maxProperties: 10,
      description: 'Returned unchanged.',
    }),
  ),
  description: Type.Optional(nullable(Type.String({ maxLength: 1000 }))),
  postbackUrl: Type.Optional(
    nullable(
      Type.String({
        format: 'https-url',
        description: "Also notified of this transaction's updates, in addition to your webhooks.",
      }),
    ),
  ),
  expiration: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: YEAR_SECONDS,
        description:
          'Seconds until an unpaid transaction fails, for PIX and BOLETO. Defaults to one hour for PIX and ' +
          'three days for BOLETO.',
      }),
    ),
  ),
};

/** How documents are validated: always by length, by check digits if `verify` is set. */
export interface DocumentRules {
  readonly verify: boolean;
  readonly alphanumericCnpj: boolean;
  readonly isValid: (type: 'CPF' | 'CNPJ', document: string) => boolean;
}

export function createBodySchema(rules: DocumentRules) {
  return withCrossFieldRules(Type.Object(body, { title: 'NewTransaction' }), [
    documentRule('customer', rules),
    cardRule,
  ]);
}

export type CreateBody = Static<ReturnType<typeof createBodySchema>>;

/**
 * The document must match its type. A document with an invalid type is not validated: the type is
 * the error.
 */
export function documentRule(member: string | null, rules: DocumentRules): CrossFieldRule {
  return (data) => {
    const holder = member === null ? data : data[member];
    if (typeof holder !== 'object' || holder === null) return [];
    const { documentType, document } = holder as {
      readonly documentType?: unknown;
      readonly document?: unknown;
    };
    if (typeof document !== 'string' || (documentType !== 'CPF' && documentType !== 'CNPJ')) return [];
    const path = member === null ? ['document'] : [member, 'document'];
    const rule = brokenDocumentRule(documentType, document, rules);
    return rule === undefined ? [] : ([{ path, rule }] satisfies Violation[]);
  };
}

function brokenDocumentRule(
  type: 'CPF' | 'CNPJ',
  document: string,
  rules: DocumentRules,
): string | undefined {
  const alphanumeric = type === 'CNPJ' && rules.alphanumericCnpj;
  if (type === 'CPF' && !/^\d{11}$/.test(document)) return 'must be 11 digits for CPF';
  if (type === 'CNPJ' && !(alphanumeric ? /^[0-9A-Z]{12}\d{2}$/ : /^\d{14}$/).test(document)) {
    return alphanumeric ? 'must be 12 letters or digits and 2 digits for CNPJ' : 'must be 14 digits for CNPJ';
  }
  if (rules.verify && !rules.isValid(type, document)) return `must be a valid ${type}`;
  return undefined;
}

/** The members that only a card payment requires. */
const cardRule: CrossFieldRule = ({ method, card, installments, global }) => {
  if (method !== 'CREDIT_CARD') return [];
  const missing: Violation[] = [];
  if (installments === undefined || installments === null) {
    missing.push({ path: ['installments'], rule: 'must be an integer number' });
  }
  if (typeof card !== 'object' || card === null || Array.isArray(card)) {
    // The schema rejects a card of another JSON type.
    if (card === undefined || card === null) missing.push({ path: ['card'], rule: 'must be an object' });
    return missing;
  }
  const members: Readonly<Record<string, unknown>> = { ...card };
  const absent = (name: string): boolean => members[name] === undefined || members[name] === null;
  const requireMember = (name: string, rule: string): void => {
    if (absent(name)) missing.push({ path: ['card', name], rule });
  };
  if (absent('token')) {
    requireMember('number', 'must be a credit card');
    requireMember('holderName', 'should not be empty');
    requireMember('expirationMonth', 'must be an integer number');
    requireMember('expirationYear', 'must be an integer number');
    requireMember('cvv', 'must be 3 or 4 digits');
  }
  if (!isYear(members['expirationYear'])) {
    missing.push({ path: ['card', 'expirationYear'], rule: 'must be a year of four digits' });
  }
  if (global === true) {
    requireMember('currency', 'should not be empty');
    if (members['currency'] === 'BRL') {
      missing.push({ path: ['card', 'currency'], rule: 'must not be BRL for international transactions' });
    }
  }
  return missing;
};

/** Two digits, or four. Other rules reject a year that is absent or not an integer. */
function isYear(year: unknown): boolean {
  return !Number.isInteger(year) || (typeof year === 'number' && (year < 100 || year >= 2000));
}

const id = Type.String({ format: 'uuid' });

const customer = {
  id,
  externalRef: nullable(Type.String()),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  documentType: Type.String(),
  document: Type.String({ description: 'Masked.' }),
  createdAt: Timestamp,
};

const item = {
  id,
  title: Type.String(),
  amount: Type.Integer({ description: 'Unit price in cents.' }),
  quantity: Type.Integer(),
  tangible: Type.Boolean(),
  externalRef: nullable(Type.String()),
  transactionId: id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const pix = {
  id,
  qrcode: Type.String({ description: 'The BR Code to copy and paste.' }),
  qrcodeUrl: Type.String({ description: 'URL of its image.' }),
  expirationDate: Timestamp,
  copyPaste: Type.String({ description: 'The same code as qrcode.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  transactionId: id,
};

const boleto = {
  id,
  url: Type.String({ description: "The payer's page." }),
  barcode: Type.String({ description: 'URL of the barcode image.' }),
  qrcode: Type.String({ description: 'URL of the Pix QR code image.' }),
  digitableLine: Type.String({ description: '47 digits.' }),
  expirationDate: Timestamp,
  pdf: Type.String({ description: 'URL of the PDF.' }),
  instructions: Type.String(),
  registration: Type.Unsafe<BoletoRegistrationStatus | null>({
    enum: [...BOLETO_REGISTRATION_STATUSES, null],
    description:
      'Whether the bank has registered the boleto. A PENDING boleto cannot be paid. Null if the bank ' +
      'requires no registration.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  transactionId: id,
};

const empty = Type.String({ description: 'Always empty: card data is never returned.' });
const card = {
  id,
  number: empty,
  holderName: empty,
  holderDocument: empty,
  expirationMonth: Type.Integer({ description: 'Always 0.' }),
  expirationYear: Type.Integer({ description: 'Always 0.' }),
  cvv: empty,
  brand: nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  transactionId: id,
};

const transaction = {
  id,
  amount: Type.Integer({ description: 'Cents.' }),
  netAmount: Type.Integer({ description: 'Amount minus the fee, in cents.' }),
  feeAmount: Type.Integer({ description: 'Cents.' }),
  refundedAmount: Type.Integer({ description: 'Cents returned to the payer so far.' }),
  refundingAmount: Type.Integer({
    description: 'Cents that a provider is returning to the payer and has not confirmed yet.',
  }),
  method: Type.Enum([...METHODS]),
  status: Type.Enum([...STATUSES]),
  statusReason: nullable(Type.String({ description: 'Why it is FAILED or REFUSED.' })),
  description: nullable(Type.String()),
  installments: nullable(Type.Integer({ description: 'Card payments only.' })),
  metadata: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  postbackUrl: nullable(Type.String()),
  customer: Type.Object(customer, { title: 'Customer' }),
  items: Type.Array(Type.Object(item, { title: 'Item' })),
  pix: nullable(Type.Object(pix, { title: 'PixPayment', description: 'Pix transactions only.' })),
  boleto: nullable(Type.Object(boleto, { title: 'BoletoPayment', description: 'Boletos only.' })),
  card: nullable(Type.Object(card, { title: 'CardPayment', description: 'Card payments only.' })),
  paidAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const TransactionSchema = Type.Object(transaction, { title: 'Transaction' });

/** The response to a creation: the transaction and, for Pix, the code for the checkout page. */
export const CreatedSchema = Type.Object(
  {
    ...transaction,
    pixQrCode: Type.Optional(Type.String({ description: 'The BR Code to copy and paste.' })),
    pixQrCodeBase64: Type.Optional(Type.String({ description: 'A PNG image as a data URI.' })),
    expiresAt: Type.Optional(Timestamp),
  },
  { title: 'CreatedTransaction' },
);

export const SearchEntry = Type.Object(
  { ...transaction, sellerId: id, sellerName: Type.String() },
  { title: 'FoundTransaction' },
);

export const MetadataSearchQuery = Type.Object({
  take: pageQuery.take,
  skip: pageQuery.skip,
  metadataKey: nonEmptyString(255),
  metadataValue: Type.Optional(
    Type.String({ maxLength: 255, description: 'Part of the value of metadataKey. Any value by default.' }),
  ),
});

export const SummarySchema = Type.Object(
  {
    id,
    amount: Type.Integer({ description: 'Cents.' }),
    netAmount: Type.Integer({ description: 'Amount minus the fee, in cents.' }),
    feeAmount: Type.Integer({ description: 'Cents.' }),
    method: Type.String(),
    status: Type.String(),
    installments: nullable(Type.Integer({ description: 'Card payments only.' })),
    paidAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'TransactionSummary' },
);

export const transactionStatuses = statusFilter(STATUSES);

export const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    ...exportQuery,
    status: transactionStatuses.querySchema,
    method: Type.Optional(Type.Enum([...METHODS, 'CRYPTO'])),
    transactionId: Type.Optional(Type.String({ format: 'uuid' })),
    metadataKey: Type.Optional(Type.String({ maxLength: 255 })),
    metadataValue: Type.Optional(
      Type.String({ maxLength: 255, description: 'Part of the value of metadataKey.' }),
    ),
  }),
  [transactionStatuses.rule],
);
