import { Type, type Static } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { passesLuhn } from '#formats/card/card-number.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { PUBLIC_DAYS_AFTER_END } from '#payments/boletos/public-address.ts';
import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule, paidDateQuery, paidDateRule } from '#platform/http/date-filters.ts';
import { metadataBody, nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { metadataQuery } from '#platform/http/metadata-filter.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import type { Violation } from '#platform/http/errors.ts';
import {
  addFormat,
  nameString,
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
const HOLDER_DOCUMENT_RULE: Rule = 'must be 11 to 14 digits';
const YEAR_SECONDS = 365 * 24 * 3600;

/** The members of a payer in a request. */
export const customerMembers = {
  name: nameString(255, 'Full name, or company name. Transliterated to Latin letters for banks.'),
  email: Type.String({ format: 'email', maxLength: 320, description: 'Email address.' }),
  phone: Type.String({
    pattern: '^\\d{10,13}$',
    'x-rule': 'must be 10 to 13 digits' satisfies Rule,
    description: '10 to 13 digits, with area code, without punctuation.',
  }),
  documentType: Type.Enum(['CPF', 'CNPJ'], { description: 'CPF for a person, CNPJ for a company.' }),
  document: Type.String({ description: '11 digits for a CPF, 14 characters for a CNPJ.' }),
  externalRef: Type.Optional(
    nullable(
      Type.String({ maxLength: MAX_REFERENCE_LENGTH, description: 'Your reference for the customer.' }),
    ),
  ),
};

export const CustomerBody = Type.Object(customerMembers, {
  title: 'CustomerInput',
  description: 'The payer. Required unless you send `customerId`.',
});

const ItemBody = Type.Object(
  {
    title: nonEmptyString(255, 'What is sold.'),
    amount: Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_CENTS, description: 'Unit price in cents.' }),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of units.' }),
    tangible: Type.Boolean({ description: 'True for goods, false for services and digital goods.' }),
    externalRef: Type.Optional(
      nullable(Type.String({ maxLength: MAX_REFERENCE_LENGTH, description: 'Your reference for the item.' })),
    ),
  },
  { title: 'ItemInput', description: 'What is sold.' },
);

addFormat('credit-card', (text) => /^\d{13,19}$/.test(text) && passesLuhn(text), 'must be a credit card');

const text = (maxLength: number, description?: string) =>
  Type.Optional(nullable(Type.String({ maxLength, ...(description === undefined ? {} : { description }) })));

/** The required members depend on the method and on the token: see `cardRule`. */
export const CardBody = Type.Object(
  {
    number: Type.Optional(
      nullable(Type.String({ format: 'credit-card', description: 'Digits, without spaces.' })),
    ),
    holderName: Type.Optional(nullable(nonEmptyString(255, 'Name as printed on the card.'))),
    expirationMonth: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Month, from 1 to 12.' })),
    ),
    expirationYear: Type.Optional(
      nullable(
        Type.Integer({ minimum: 0, maximum: 2199, description: 'Four digits. Two digits mean 20YY.' }),
      ),
    ),
    cvv: Type.Optional(
      nullable(
        Type.String({
          pattern: '^\\d{3,4}$',
          'x-rule': 'must be 3 or 4 digits' satisfies Rule,
          description: 'Not stored.',
        }),
      ),
    ),
    holderDocument: Type.Optional(
      nullable(
        Type.String({
          pattern: '^(?:\\d{11,14}|[0-9A-Z]{12}\\d{2})$',
          'x-rule': HOLDER_DOCUMENT_RULE satisfies Rule,
          description: 'CPF or CNPJ of the cardholder, without punctuation.',
        }),
      ),
    ),
    token: Type.Optional(
      nullable(
        Type.String({
          format: 'uuid',
          description:
            'A token from `POST /v1/card-tokens`. Replaces the number, the expiration date and the CVV. ' +
            '`cvv` may be sent in addition.',
        }),
      ),
    ),
    sessionId: text(255, 'Session id of the anti-fraud script on your checkout page.'),
    ip: text(45, "The payer's IP address."),
    currency: Type.Optional(
      nullable(
        Type.String({
          pattern: '^[A-Z]{3}$',
          'x-rule': 'must be an ISO 4217 code' satisfies Rule,
          description:
            'ISO 4217. Required, and not BRL, if `global` is true. Currencies other than BRL are ' +
            'refused, because no card provider settles them yet.',
        }),
      ),
    ),
    threeDS: Type.Optional(
      nullable(
        Type.Object(
          {
            cavv: text(255, 'Authentication value of the issuer.'),
            xid: text(255, 'Id of the authentication transaction (3-D Secure 1).'),
            eci: text(10, 'Electronic commerce indicator.'),
            version: text(20, 'Version of 3-D Secure.'),
            referenceId: text(255, 'Id of the authentication at the 3-D Secure server.'),
          },
          { title: 'ThreeDSecureInput', description: 'The result of a 3-D Secure authentication.' },
        ),
      ),
    ),
  },
  {
    title: 'CardInput',
    description:
      'Required for CREDIT_CARD. Without `token`, the number, holder name, expiration and ' +
      'CVV are required.',
  },
);

const body = {
  amount: Type.Integer({ minimum: 100, maximum: MAX_AMOUNT_CENTS, description: 'Cents.' }),
  method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
  customer: Type.Optional(nullable(CustomerBody)),
  customerId: Type.Optional(nullable(recordId('A customer record, instead of `customer`.'))),
  items: Type.Array(ItemBody, {
    minItems: 1,
    maxItems: 500,
    description: 'What is sold. Because of discounts and shipping, they need not add up to `amount`.',
  }),
  card: Type.Optional(nullable(CardBody)),
  global: Type.Optional(
    nullable(
      Type.Boolean({
        description:
          'Marks an international card payment. Refused, because no card provider settles ' +
          'currencies other than BRL yet.',
      }),
    ),
  ),
  installments: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Required for CREDIT_CARD.' })),
  ),
  capture: Type.Optional(
    nullable(
      Type.Boolean({ description: 'False: authorize the card only and capture later. Defaults to true.' }),
    ),
  ),
  metadata: Type.Optional(metadataBody('Returned unchanged.')),
  description: Type.Optional(
    nullable(
      Type.String({
        maxLength: 1000,
        description: 'Shown to the payer on the payment page and on the receipt.',
      }),
    ),
  ),
  externalRef: Type.Optional(
    nullable(
      Type.String({
        maxLength: MAX_REFERENCE_LENGTH,
        description: 'Your order number. Need not be unique.',
      }),
    ),
  ),
  postbackUrl: Type.Optional(
    nullable(
      Type.String({
        format: 'https-url',
        description: 'URL that is notified of updates of this transaction, in addition to your webhooks.',
      }),
    ),
  ),
  expiration: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: YEAR_SECONDS,
        description:
          'Seconds until an unpaid PIX transaction fails. For BOLETO, an expiration of one day or ' +
          'more determines the due date: the boleto can be paid until the end of that date, or of the ' +
          'next business day if banks are closed then. ' +
          'Defaults to one hour for PIX and three days for BOLETO.',
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
  return withCrossFieldRules(Type.Object(body, { title: 'CreateTransactionRequest' }), [
    payerRule,
    documentRule('customer', rules),
    cardRule,
    cardNumberRule,
    ...(rules.alphanumericCnpj ? [] : [holderDigitsRule]),
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

function brokenDocumentRule(type: 'CPF' | 'CNPJ', document: string, rules: DocumentRules): Rule | undefined {
  const alphanumeric = type === 'CNPJ' && rules.alphanumericCnpj;
  if (type === 'CPF' && !/^\d{11}$/.test(document)) return 'must be 11 digits for CPF';
  if (type === 'CNPJ' && !(alphanumeric ? /^[0-9A-Z]{12}\d{2}$/ : /^\d{14}$/).test(document)) {
    return 'must be 14 digits for CNPJ';
  }
  if (rules.verify && !rules.isValid(type, document)) return `must be a valid ${type}`;
  return undefined;
}

/** The payer is either given or a customer record. */
const payerRule: CrossFieldRule = ({ customer, customerId }) => {
  const isGiven = customer !== undefined && customer !== null;
  const isRecord = customerId !== undefined && customerId !== null;
  if (isGiven && isRecord) return [{ path: ['customerId'], rule: 'must not be sent together with customer' }];
  return isGiven || isRecord ? [] : [{ path: ['customer'], rule: 'must be an object' }];
};

/** Rejects letters in the document of the cardholder. Other rules reject what is no document. */
export const holderDigitsRule: CrossFieldRule = ({ card }) => {
  if (typeof card !== 'object' || card === null || !('holderDocument' in card)) return [];
  const { holderDocument: document } = card;
  if (typeof document !== 'string' || !/^(?=\d*[A-Z])[0-9A-Z]{12}\d{2}$/.test(document)) return [];
  return [{ path: ['card', 'holderDocument'], rule: HOLDER_DOCUMENT_RULE }];
};

/** The members that only a card payment requires. */
export const cardRule: CrossFieldRule = ({ method, card, installments, global }) => {
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
  const requireMember = (name: string, rule: Rule): void => {
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

const id = recordId('Unique identifier.');

const customer = {
  id,
  externalRef: nullable(Type.String({ description: "The seller's reference for the customer." })),
  name: Type.String({ description: 'Full name, or company name.' }),
  email: Type.String({ description: 'Email address.' }),
  phone: Type.String({ description: 'Phone number with area code, digits only.' }),
  documentType: Type.String({ description: 'CPF or CNPJ.' }),
  document: Type.String({ description: 'Masked.' }),
  createdAt: timestamp('When it was created.'),
};

const item = {
  id,
  title: Type.String({ description: 'What is sold.' }),
  amount: Type.Integer({ description: 'Unit price in cents.' }),
  quantity: Type.Integer({ description: 'Number of units.' }),
  tangible: Type.Boolean({ description: 'True for goods, false for services and digital goods.' }),
  externalRef: nullable(Type.String({ description: "The seller's reference for the item." })),
  transactionId: recordId('The transaction.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
};

const pix = {
  id,
  qrcode: Type.String({ description: 'The BR Code to copy and paste.' }),
  qrcodeUrl: Type.String({ description: 'URL of its image.' }),
  expirationDate: timestamp('When it can no longer be paid.'),
  copyPaste: Type.String({ description: 'The same code as qrcode.' }),
  endToEndId: nullable(
    Type.String({ description: 'Identifies the payment in the Pix system; null until it is paid.' }),
  ),
  payer: nullable(
    Type.Object(
      {
        name: nullable(Type.String({ description: 'Name of the account holder.' })),
        document: nullable(Type.String({ description: 'CPF or CNPJ, masked.' })),
        ispb: nullable(Type.String({ description: 'Eight digits that identify the bank.' })),
      },
      {
        title: 'PixPayer',
        description: 'Who paid; null until it is paid, or if the provider does not report it.',
      },
    ),
  ),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
  transactionId: recordId('The transaction.'),
};

/** Of a boleto's `expirationDate`. */
export const BOLETO_EXPIRATION =
  '23:59:59 in São Paulo on the due date. If banks are closed on that day, they accept ' +
  'the boleto on the next business day. A boleto that is valid for less than a day ' +
  'expires at its exact time.';

const boleto = {
  id,
  url: Type.String({
    description:
      'Page for the payer, in Portuguese or English, depending on the browser. The URLs of a ' +
      'boleto work ' +
      `until ${PUBLIC_DAYS_AFTER_END} days after it was paid or ended.`,
  }),
  barcode: Type.String({ description: 'URL of the barcode image.' }),
  qrcode: Type.String({ description: 'URL of the Pix QR code image.' }),
  digitableLine: Type.String({ description: '47 digits.' }),
  expirationDate: timestamp(BOLETO_EXPIRATION),
  pdf: Type.String({ description: 'URL of the PDF.' }),
  instructions: Type.String({ description: 'Instructions printed on the boleto.' }),
  registration: Type.Unsafe<BoletoRegistrationStatus | null>({
    enum: [...BOLETO_REGISTRATION_STATUSES, null],
    description:
      'Whether the bank has registered the boleto. A PENDING boleto cannot be paid. Null if the bank ' +
      'requires no registration.',
  }),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
  transactionId: recordId('The transaction.'),
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
  brand: nullable(Type.String({ description: 'Card brand, such as VISA; null if unknown.' })),
  lastFour: Type.String({ description: 'Last four digits of the number.' }),
  authorizationCode: nullable(
    Type.String({
      description:
        "The issuer's authorization code; null if there is none or the provider does not report it.",
    }),
  ),
  nsu: nullable(
    Type.String({
      description:
        "The acquirer's sequence number (NSU) of the payment; null if the provider does not report it.",
    }),
  ),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
  transactionId: recordId('The transaction.'),
};

export const statusMember = Type.Enum([...STATUSES], {
  description:
    'PENDING, WAITING_PAYMENT: not paid yet. PROCESSING: the payment is being confirmed. AUTHORIZED: ' +
    'reserved on the card until captured, voided or expired. PAID. FAILED: expired, canceled, voided, ' +
    'declined, or failed at the provider. REFUSED: refused by a risk rule or list, in the review of a Pix ' +
    'or boleto, or by the provider. REFUNDED: refunded in full, or lost in a Pix or boleto dispute. ' +
    'CHARGEDBACK: lost in a chargeback or a card dispute. DISPUTE: a dispute is open.',
});

const transaction = {
  id,
  amount: Type.Integer({ description: 'Cents.' }),
  netAmount: Type.Integer({ description: 'Amount minus the fee, in cents.' }),
  feeAmount: Type.Integer({ description: 'Cents.' }),
  refundedAmount: Type.Integer({
    description: 'Cents refunded so far, including lost Pix and boleto disputes, but not chargebacks.',
  }),
  refundingAmount: Type.Integer({
    description: 'Cents that a provider is returning to the payer and has not confirmed yet.',
  }),
  method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
  status: statusMember,
  statusReason: nullable(Type.String({ description: 'Why it is FAILED or REFUSED.' })),
  description: nullable(Type.String({ description: 'The description of the transaction.' })),
  installments: nullable(Type.Integer({ description: 'Card payments only.' })),
  metadata: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The metadata of the transaction.',
  }),
  postbackUrl: nullable(
    Type.String({ description: "URL that is notified of updates, in addition to the seller's webhooks." }),
  ),
  externalRef: nullable(Type.String({ description: "The seller's order number." })),
  customerId: nullable(recordId('The customer record that it was created with.')),
  paymentLinkId: nullable(recordId('The payment link that it was created by.')),
  subscriptionId: nullable(recordId('The subscription that it was created by.')),
  riskStatus: nullable(
    Type.String({
      description:
        'REVIEW: waits for a manual review. Until then, a Pix or boleto cannot be paid, and a card is ' +
        'only authorized. APPROVED: approved in the review. REFUSED: refused in the review, or by a risk ' +
        'rule or list. Null: neither reviewed nor refused.',
    }),
  ),
  paymentUrl: Type.String({
    description: 'Public page on which the payer can pay the transaction and see its state.',
  }),
  customer: Type.Object(customer, {
    title: 'Customer',
    description:
      'The payer. `id` is not the id of a customer record, which is `customerId` of the transaction.',
  }),
  items: Type.Array(Type.Object(item, { title: 'Item', description: 'A sold item.' }), {
    description: 'What is sold.',
  }),
  pix: nullable(
    Type.Object(pix, {
      title: 'Pix',
      description: 'Pix transactions only; null if no code has been issued.',
    }),
  ),
  boleto: nullable(
    Type.Object(boleto, { title: 'Boleto', description: 'Boletos only; null if it has not been issued.' }),
  ),
  card: nullable(Type.Object(card, { title: 'Card', description: 'Card payments only.' })),
  paidAt: nullable(timestamp('When it was paid; null if it has not been paid.')),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it was last changed.'),
};

export const TransactionSchema = Type.Object(transaction, {
  title: 'Transaction',
  description: 'A payment.',
});

/** The response to a creation: the transaction and, for Pix, the code for the checkout page. */
export const CreatedSchema = Type.Object(
  {
    ...transaction,
    pixQrCode: Type.Optional(Type.String({ description: 'The BR Code to copy and paste.' })),
    pixQrCodeBase64: Type.Optional(Type.String({ description: 'A PNG image as a data URI.' })),
    expiresAt: Type.Optional(timestamp('When an unpaid Pix expires.')),
  },
  {
    title: 'CreatedTransaction',
    description: 'The transaction and, for Pix, the code for your checkout page.',
  },
);

export const SearchEntry = Type.Object(
  {
    ...transaction,
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
  },
  { title: 'TransactionSearchResult', description: 'A transaction with its seller.' },
);

export const MetadataSearchQuery = Type.Object({
  take: pageQuery.take,
  skip: pageQuery.skip,
  metadataKey: nonEmptyString(255, 'Only records whose metadata has this key.'),
  metadataValue: metadataQuery.metadataValue,
});

export const SummarySchema = Type.Object(
  {
    id,
    amount: Type.Integer({ description: 'Cents.' }),
    netAmount: Type.Integer({ description: 'Amount minus the fee, in cents.' }),
    feeAmount: Type.Integer({ description: 'Cents.' }),
    method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
    status: statusMember,
    installments: nullable(Type.Integer({ description: 'Card payments only.' })),
    paidAt: nullable(timestamp('When it was paid; null if it has not been paid.')),
    createdAt: timestamp('When it was created.'),
  },
  { description: 'A transaction of a list.' },
);

export const ListedSchema = Type.Object(
  {
    ...SummarySchema.properties,
    customerName: Type.String({ description: 'Name of the payer.' }),
    description: nullable(Type.String({ description: 'The description of the transaction.' })),
    externalRef: nullable(Type.String({ description: "The seller's order number." })),
    refundedAmount: Type.Integer({
      description: 'Cents refunded so far, including lost Pix and boleto disputes, but not chargebacks.',
    }),
  },
  { title: 'TransactionSummary', description: 'A transaction of a list.' },
);

export const transactionStatuses = statusFilter(STATUSES);

export const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    ...exportQuery,
    status: transactionStatuses.querySchema,
    method: Type.Optional(
      Type.Enum([...METHODS, 'CRYPTO'], { description: 'Only transactions with this method.' }),
    ),
    transactionId: Type.Optional(recordId('Only the transaction with this id.')),
    ...metadataQuery,
    externalRef: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only transactions with this order number.' }),
    ),
    customerId: Type.Optional(recordId('Only transactions of this customer.')),
    paymentLinkId: Type.Optional(recordId('Only transactions of this payment link.')),
    subscriptionId: Type.Optional(recordId('Only transactions of this subscription.')),
    ...dateQuery,
    ...paidDateQuery,
    ...csvLocaleQuery,
  }),
  [transactionStatuses.rule, dateRule, paidDateRule],
);
