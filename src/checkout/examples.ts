import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { CreatedPaymentSchema, PublicLinkSchema, PublicPaymentSchema, ReceiptSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const seller = { name: 'Loja Demonstração', logoUrl: null };
const link: Static<typeof PublicLinkSchema> = {
  code: 'K7mPq2XwR9tZ',
  url: 'https://pay.example/pay/K7mPq2XwR9tZ',
  title: 'Caneca de cerâmica',
  description: null,
  amount: 4990,
  minAmount: null,
  maxAmount: null,
  methods: ['PIX', 'BOLETO', 'CREDIT_CARD'],
  maxInstallments: 12,
  subscription: null,
  status: 'ACTIVE',
  expiresAt: null,
  successUrl: null,
  seller,
};
export const LINK = { 'A link of R$ 49,90': ok(link) };

export const PAYMENT_BODIES = {
  'By Pix': {
    method: 'PIX',
    customer: {
      name: 'Ana Souza',
      email: 'ana.souza@example.com',
      phone: '11987654321',
      documentType: 'CPF',
      document: '52998224725',
    },
  },
};

const token = 'AaH7ZudwRCa81CjTeNa2wZ0sY3vLQqkXn5mB8tRfUeI';
const created: Static<typeof CreatedPaymentSchema> = {
  paymentToken: token,
  paymentUrl: `https://pay.example/pay/t/${token}`,
  status: 'PENDING',
  statusReason: null,
  amount: 4990,
  method: 'PIX',
  installments: null,
  pix: {
    qrcode: '00020101021226700014br.gov.bcb.pix2548pay.example/pix/01a1fb66',
    qrcodeUrl: 'https://pay.example/pix/01a1fb66e70d4426bcd428d378d6b6c1.png',
    expirationDate: '2026-11-20T13:00:00.000Z',
  },
  boleto: null,
};
export const CREATED = { 'Pix: show qrcode or its image': ok(created) };

const paid: Static<typeof PublicPaymentSchema> = {
  ...created,
  status: 'PAID',
  refundedAmount: 0,
  description: 'Caneca de cerâmica',
  card: null,
  paidAt: '2026-11-20T12:04:10.000Z',
  createdAt: '2026-11-20T12:00:00.000Z',
  successUrl: null,
  seller,
};
export const PAYMENT = { 'A paid Pix': ok(paid) };

const receipt: Static<typeof ReceiptSchema> = {
  amount: 4990,
  refundedAmount: 0,
  method: 'PIX',
  installments: null,
  description: 'Caneca de cerâmica',
  paidAt: '2026-11-20T12:04:10.000Z',
  seller: { name: 'Loja Demonstração', document: '11222333000181' },
  payer: { name: 'Ana Souza', document: '***.982.247-**' },
  endToEndId: 'E9999999920261120120412345678901',
  card: null,
};
export const RECEIPT = { 'The receipt of a Pix': ok(receipt) };
