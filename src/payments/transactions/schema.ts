import { Type } from 'typebox';

import { PUBLIC_DAYS_AFTER_END } from '#payments/boletos/public-address.ts';
import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { dateQuery, dateRule, paidDateQuery, paidDateRule } from '#platform/http/date-filters.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { metadataQuery } from '#platform/http/metadata-filter.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import {
  METHODS,
  BOLETO_REGISTRATION_STATUSES,
  STATUSES,
  type BoletoRegistrationStatus,
} from './transaction.ts';

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
    refundingAmount: Type.Optional(
      Type.Integer({ description: 'Cents of refunds in progress. Only if there are any.' }),
    ),
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
    refunding: Type.Boolean({
      default: false,
      description:
        'Whether to return only transactions with a refund in progress (`refundingAmount` above 0).',
    }),
    ...dateQuery,
    ...paidDateQuery,
    ...csvLocaleQuery,
  }),
  [transactionStatuses.rule, dateRule, paidDateRule],
);
