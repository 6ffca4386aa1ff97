import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import { ValidationError } from '#platform/http/errors.ts';
import type { CreateBody } from './creation-schema.ts';
import type { CreatedSchema, ListedSchema, SearchEntry, SummarySchema, TransactionSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

type TransactionView = Static<typeof TransactionSchema>;

const customer = {
  name: 'Ana Souza',
  email: 'ana.souza@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
} as const;

const items = [{ title: 'Caneca de cerâmica', amount: 4990, quantity: 3, tangible: true }];
const card = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
  cvv: '123',
};
const byCard = { amount: 14970, method: 'CREDIT_CARD', customer, items } as const;

export const CREATE_BODIES: Readonly<Record<string, CreateBody>> = {
  'Pix, to be paid within half an hour': {
    amount: 14970,
    method: 'PIX',
    customer: { ...customer, externalRef: 'client-77' },
    items,
    externalRef: 'order-1042',
    expiration: 1800,
    metadata: { orderId: '1042' },
  },
  'Boleto, to be paid within five days': {
    amount: 25990,
    method: 'BOLETO',
    customer: {
      name: 'Padaria Estrela Ltda',
      email: 'financeiro@padariaestrela.example',
      phone: '1133224455',
      documentType: 'CNPJ',
      document: '11222333000181',
    },
    items: [{ title: 'Assinatura de novembro', amount: 25990, quantity: 1, tangible: false }],
    expiration: 432_000,
    description: 'Assinatura 11/2026',
  },
  'Card in three installments': { ...byCard, card, installments: 3 },
  'Card, captured later': { ...byCard, card, installments: 1, capture: false },
  'Saved card': {
    ...byCard,
    card: { token: '01a1fb68-4c1d-4d0c-8f5e-5a3c1f2d7b90', cvv: '123' },
    installments: 1,
    postbackUrl: 'https://loja.example/pagamentos',
  },
};

/** Error messages as the validator returns them. */
export const VALIDATION_ERRORS: readonly ValidationError[] = [
  new ValidationError([
    { path: ['amount'], rule: 'must not be less than 100', code: 'too_small' },
    { path: ['customer', 'email'], rule: 'must be an email', code: 'invalid_format' },
  ]),
  new ValidationError([
    { path: ['card', 'currency'], rule: 'must not be BRL for international transactions' },
  ]),
];

const id = '01a1fb66-e70d-4426-bcd4-28d378d6b6c1';
const createdAt = '2026-11-20T12:00:00.000Z';
const CODE =
  '00020101021226700014br.gov.bcb.pix2548pay.example/pix/01a1fb66e70d4426bcd428d378d6b6c1' +
  '5204000053039865406149.705802BR5917Loja Demonstracao6009SAO PAULO62070503***630467C8';

const pending: TransactionView = {
  id,
  amount: 14970,
  netAmount: 14822,
  feeAmount: 148,
  refundedAmount: 0,
  refundingAmount: 0,
  method: 'PIX',
  status: 'PENDING',
  statusReason: null,
  description: null,
  installments: null,
  metadata: { orderId: '1042' },
  postbackUrl: null,
  externalRef: 'order-1042',
  customerId: null,
  paymentLinkId: null,
  subscriptionId: null,
  riskStatus: null,
  paymentUrl: 'https://pay.example/pay/t/AaH7ZudwRCa81CjTeNa2wZ0sY3vLQqkXn5mB8tRfUeI',
  customer: {
    ...customer,
    id: '01a1fb66-e70d-412d-940a-a6ddb7fd74ee',
    externalRef: 'client-77',
    document: '***.982.247-**',
    createdAt,
  },
  items: [
    {
      id: '01a1fb66-e70d-46fb-a419-b60328477fb5',
      title: 'Caneca de cerâmica',
      amount: 4990,
      quantity: 3,
      tangible: true,
      externalRef: null,
      transactionId: id,
      createdAt,
      updatedAt: createdAt,
    },
  ],
  pix: {
    id: '01a1fb66-e70d-44fd-b42d-8e0fb99c22de',
    qrcode: CODE,
    qrcodeUrl: 'https://pay.example/pix/01a1fb66e70d4426bcd428d378d6b6c1.png',
    expirationDate: '2026-11-20T12:30:00.000Z',
    copyPaste: CODE,
    endToEndId: null,
    payer: null,
    createdAt,
    updatedAt: createdAt,
    transactionId: id,
  },
  boleto: null,
  card: null,
  paidAt: null,
  createdAt,
  updatedAt: createdAt,
};

const paidAt = '2026-11-20T12:04:10.000Z';
const paid: TransactionView = {
  ...pending,
  status: 'PAID',
  paidAt,
  updatedAt: paidAt,
  pix: pending.pix && {
    ...pending.pix,
    endToEndId: 'E9999999920261120120412345678901',
    payer: { name: 'Ana Souza', document: '***.982.247-**', ispb: '99999999' },
  },
};

const page = 'https://pay.example/boletos/AaH7ZudwRCa81CjTeNa2wZ0sY3vLQqkXn5mB8tRfUeI';
const boleto: TransactionView = {
  ...pending,
  amount: 25990,
  netAmount: 25891,
  feeAmount: 99,
  method: 'BOLETO',
  status: 'WAITING_PAYMENT',
  pix: null,
  boleto: {
    id: '01a1fb66-e730-4a25-aea1-67fa59894f58',
    url: page,
    barcode: `${page}/barcode.png`,
    qrcode: `${page}/qrcode.png`,
    digitableLine: '00190000090123456700400000001172116390000025990',
    expirationDate: '2026-11-26T02:59:59.000Z',
    pdf: `${page}.pdf`,
    instructions: 'Não receber após o vencimento.',
    registration: null,
    createdAt,
    updatedAt: createdAt,
    transactionId: id,
  },
};

const paidByCard: TransactionView = {
  ...paid,
  netAmount: 14046,
  feeAmount: 924,
  method: 'CREDIT_CARD',
  installments: 3,
  pix: null,
  card: {
    id: '01a1fb66-e73b-4c44-8c17-731e95b5c831',
    number: '',
    holderName: '',
    holderDocument: '',
    expirationMonth: 0,
    expirationYear: 0,
    cvv: '',
    brand: 'VISA',
    lastFour: '1111',
    authorizationCode: '482913',
    nsu: '000731284',
    createdAt,
    updatedAt: createdAt,
    transactionId: id,
  },
};

const created: Static<typeof CreatedSchema> = {
  ...pending,
  pixQrCode: CODE,
  pixQrCodeBase64: 'data:image/png;base64,iVBORw0KGgo=',
  expiresAt: '2026-11-20T12:30:00.000Z',
};

export const CREATED = {
  'Pix: show pixQrCode or its image': ok(created),
  'Boleto: send the payer to boleto.url': ok(boleto),
  'Card, paid': ok(paidByCard),
  'Card, declined': ok({
    ...paidByCard,
    status: 'FAILED',
    statusReason: 'insufficient funds',
    card: paidByCard.card && { ...paidByCard.card, authorizationCode: null, nsu: null },
    paidAt: null,
  }),
};

export const FOUND = { 'A paid Pix transaction': ok(paid) };
export const CANCELLED = {
  'A canceled Pix transaction': ok({ ...pending, status: 'FAILED', statusReason: 'cancelled' }),
};
export const VOIDED = {
  'A voided authorization': ok({
    ...paidByCard,
    status: 'FAILED',
    statusReason: 'voided',
    paidAt: null,
  }),
};
export const CAPTURED = { 'A card payment, captured': ok(paidByCard) };
export const REFUNDED = {
  'Refunded in part': ok({ ...paid, refundedAmount: 4990 }),
  'Refunded in full': ok({ ...paid, refundedAmount: 14970, status: 'REFUNDED' }),
};
export const REFUSED = {
  'A refused Pix transaction': ok({
    ...pending,
    status: 'REFUSED',
    statusReason: 'refused by the provider',
  }),
};
export const PROCESSING = { 'A payment that is being processed': ok({ ...pending, status: 'PROCESSING' }) };
export const FAILED = {
  'A failed transaction': ok({ ...pending, status: 'FAILED', statusReason: 'failed at the provider' }),
};
export const CHARGED_BACK = { 'A transaction that was charged back': ok({ ...paid, status: 'CHARGEDBACK' }) };
export const DISPUTED = { 'A disputed transaction': ok({ ...paid, status: 'DISPUTE' }) };

const summary: Static<typeof SummarySchema> = {
  id,
  amount: 14970,
  netAmount: 14822,
  feeAmount: 148,
  method: 'PIX',
  status: 'PAID',
  installments: null,
  paidAt,
  createdAt,
};

const listed: Static<typeof ListedSchema> = {
  ...summary,
  customerName: 'Ana Souza',
  description: null,
  externalRef: 'order-1042',
  refundedAmount: 0,
};

export const LISTED = {
  'The first of several pages': {
    status: true,
    data: [listed],
    count: 37,
    nextCursor: 'MDFhMWZiNjYtZTcwZC00NDI2LWJjZDQtMjhkMzc4ZDZiNmMx',
  },
  'An export':
    'id,amount,netAmount,feeAmount,method,status,installments,paidAt,createdAt,customerName,description,' +
    'externalRef,refundedAmount\r\n' +
    `${id},14970,14822,148,PIX,PAID,,${paidAt},${createdAt},Ana Souza,,order-1042,0\r\n`,
};

const entry: Static<typeof SearchEntry> = {
  ...paid,
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  sellerName: 'Loja Demonstração',
};
export const SEARCHED = { 'The transaction of an order': ok({ data: [entry], count: 1, take: 10, skip: 0 }) };

const owner = { sellerId: entry.sellerId, sellerName: entry.sellerName };
export const LISTED_FOR_OPERATOR = {
  'The only page': { status: true, data: [{ ...summary, ...owner }], count: 1, nextCursor: null },
  'An export':
    'id,sellerId,sellerName,amount,netAmount,feeAmount,method,status,installments,paidAt,createdAt\r\n' +
    `${id},${owner.sellerId},${owner.sellerName},14970,14822,148,PIX,PAID,,${paidAt},${createdAt}\r\n`,
};
export const RETRIEVED_BY_OPERATOR = {
  'A paid Pix transaction': ok({
    ...paid,
    ...owner,
    history: [
      { from: null, to: 'PENDING', at: createdAt, actor: 'SELLER', reason: null },
      { from: 'PENDING', to: 'PAID', at: paidAt, actor: 'PROVIDER', reason: null },
    ],
  }),
};
