import { Type, type Static } from 'typebox';

import { publicLinkMembers } from '#payments/payment-links/schema.ts';
import {
  CardBody,
  cardRule,
  CustomerBody,
  documentRule,
  holderDigitsRule,
  type DocumentRules,
} from '#payments/transactions/creation-schema.ts';
import { statusMember, BOLETO_EXPIRATION } from '#payments/transactions/schema.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import { cardNumberRule } from '#platform/http/card-number-rule.ts';
import { described, nullable, timestamp } from '#platform/http/envelope.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { isRecord } from '#platform/kit/records.ts';

/** A payer has no saved cards and no anti-fraud session, and pays in BRL. */
const {
  token: _token,
  currency: _currency,
  ip: _ip,
  sessionId: _sessionId,
  ...cardMembers
} = CardBody.properties;

const paymentMembers = {
  method: Type.Enum([...METHODS], { description: "How the payer pays. One of the link's methods." }),
  amount: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 100,
        maximum: MAX_AMOUNT_CENTS,
        description: 'Cents. Required if the link has no amount.',
      }),
    ),
  ),
  customer: Type.Optional(
    nullable(
      described(
        CustomerBody,
        'The payer. Required unless the link has a `customerId`. A payer with another document than ' +
          'that customer who starts a subscription also pays its later cycles.',
      ),
    ),
  ),
  document: Type.Optional(
    nullable(
      Type.String({
        maxLength: 14,
        description:
          "CPF or CNPJ of the link's customer, without punctuation. Required to pay a link with " +
          '`customerId` by boleto if you do not send `customer`, because the boleto shows it.',
      }),
    ),
  ),
  card: Type.Optional(
    nullable(
      Type.Object(cardMembers, {
        title: 'PayerCardInput',
        description: 'Required for CREDIT_CARD, with the number, holder name, expiration and CVV.',
      }),
    ),
  ),
  installments: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Required for CREDIT_CARD.' })),
  ),
};

const PaymentBodySchema = Type.Object(paymentMembers);
export type PaymentBody = Static<typeof PaymentBodySchema>;

const pick = (value: object, members: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(members, name)));

const pickPaymentMembers = ({ card, ...body }: Readonly<Record<string, unknown>>) => ({
  ...pick(body, paymentMembers),
  ...(card !== undefined && { card: isRecord(card) ? pick(card, cardMembers) : card }),
});

/**
 * Ignores members that a payer may not set, such as `capture`, `expiration` and `card.token`: the
 * rules of transactions apply to the other members only.
 */
const ofPayer =
  (rule: CrossFieldRule): CrossFieldRule =>
  (data) =>
    rule(pickPaymentMembers(data));

export const paymentBodySchema = (rules: DocumentRules) =>
  withCrossFieldRules(Type.Object(paymentMembers, { title: 'PayPaymentLinkRequest' }), [
    documentRule('customer', rules),
    ofPayer(cardRule),
    ofPayer(cardNumberRule),
    ...(rules.alphanumericCnpj ? [] : [holderDigitsRule]),
  ]);

export const publicSeller = Type.Object(
  {
    name: Type.String({ description: 'Name that the seller shows to payers.' }),
    logoUrl: nullable(Type.String({ description: 'Its logo.' })),
  },
  { title: 'PublicSeller', description: 'Who is paid.' },
);

export const PublicLinkSchema = Type.Object(
  { ...publicLinkMembers, seller: publicSeller },
  { title: 'PublicPaymentLink', description: 'A payment link, as payers see it.' },
);

const pix = Type.Object(
  {
    qrcode: Type.String({ description: 'The BR Code to copy and paste.' }),
    qrcodeUrl: Type.String({ description: 'URL of its image.' }),
    expirationDate: timestamp('When it can no longer be paid.'),
  },
  { title: 'PublicPix', description: 'Pix only; null if no code has been issued.' },
);

const boleto = Type.Object(
  {
    url: Type.String({ description: 'Page of the boleto.' }),
    pdf: Type.String({ description: 'URL of the PDF.' }),
    barcode: Type.String({ description: 'URL of the barcode image.' }),
    digitableLine: Type.String({ description: '47 digits.' }),
    expirationDate: timestamp(BOLETO_EXPIRATION),
  },
  { title: 'PublicBoleto', description: 'Boletos only; null if it has not been issued.' },
);

const created = {
  paymentToken: Type.String({
    description: 'Identifies the payment in public URLs. It is not the id of the transaction.',
  }),
  paymentUrl: Type.String({ description: 'The page of the payment.' }),
  status: statusMember,
  statusReason: nullable(Type.String({ description: 'Why it is FAILED or REFUSED.' })),
  amount: Type.Integer({ description: 'Cents.' }),
  method: Type.Enum([...METHODS], { description: 'How the payer pays.' }),
  installments: nullable(Type.Integer({ description: 'Card payments only.' })),
  pix: nullable(pix),
  boleto: nullable(boleto),
};

export const CreatedPaymentSchema = Type.Object(created, {
  title: 'CreatedPayment',
  description: 'A payment of a payment link.',
});

export const PublicPaymentSchema = Type.Object(
  {
    ...created,
    refundedAmount: Type.Integer({
      description: 'Cents refunded so far, including lost Pix and boleto disputes, but not chargebacks.',
    }),
    description: nullable(Type.String({ description: 'What is sold.' })),
    card: nullable(
      Type.Object(
        {
          brand: nullable(Type.String({ description: 'Card brand, such as VISA.' })),
          lastFour: Type.String({ description: 'Last four digits of the number.' }),
        },
        { title: 'PublicCard', description: 'Card payments only.' },
      ),
    ),
    paidAt: nullable(timestamp('When it was paid; null if it has not been paid.')),
    createdAt: timestamp('When it was created.'),
    successUrl: nullable(Type.String({ description: 'URL that the page links to after the payment.' })),
    seller: publicSeller,
  },
  { title: 'PublicPayment', description: 'A payment, as its payer sees it.' },
);

export const ReceiptSchema = Type.Object(
  {
    amount: Type.Integer({ description: 'Cents.' }),
    refundedAmount: Type.Integer({
      description: 'Cents refunded so far, including lost Pix and boleto disputes, but not chargebacks.',
    }),
    method: Type.Enum([...METHODS], { description: 'How it was paid.' }),
    installments: nullable(Type.Integer({ description: 'Card payments only.' })),
    description: nullable(Type.String({ description: 'What was sold.' })),
    paidAt: timestamp('When it was paid.'),
    seller: Type.Object(
      {
        name: Type.String({ description: 'Name of the seller.' }),
        document: Type.String({ description: 'CPF, masked, or CNPJ.' }),
      },
      { title: 'ReceiptSeller', description: 'Who was paid.' },
    ),
    payer: Type.Object(
      {
        name: Type.String({ description: 'Name of the payer.' }),
        document: Type.String({ description: 'Masked.' }),
      },
      { title: 'ReceiptPayer', description: 'Who paid.' },
    ),
    endToEndId: nullable(Type.String({ description: 'The Pix end-to-end id.' })),
    card: nullable(
      Type.Object(
        {
          brand: nullable(Type.String({ description: 'Card brand, such as VISA.' })),
          lastFour: Type.String({ description: 'Last four digits of the number.' }),
          authorizationCode: nullable(Type.String({ description: "The issuer's authorization code." })),
          nsu: nullable(Type.String({ description: "The acquirer's sequence number (NSU)." })),
        },
        { title: 'ReceiptCard', description: 'Card payments only.' },
      ),
    ),
  },
  { title: 'Receipt', description: 'The receipt of a payment.' },
);
