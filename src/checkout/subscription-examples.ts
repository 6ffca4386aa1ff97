import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { PayerCardBody, PublicSubscriptionSchema } from './subscription-schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const subscription: Static<typeof PublicSubscriptionSchema> = {
  status: 'ACTIVE',
  description: 'Plano mensal',
  amount: 4990,
  method: 'CREDIT_CARD',
  interval: 'MONTHLY',
  startDate: '2026-11-05',
  cycles: null,
  nextChargeDate: '2026-12-05',
  card: { brand: 'VISA', lastFour: '1111', expirationMonth: 12, expirationYear: 2030 },
  qrCode: null,
  invoices: [{ number: 1, dueDate: '2026-11-05', amount: 4990, status: 'PAID', paymentUrl: null }],
  seller: { name: 'Loja Demonstração', logoUrl: null },
};
export const SUBSCRIPTION = { 'By card': ok(subscription) };

const card: PayerCardBody = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
  cvv: '123',
};
export const CARDS = { 'A card': card };
