import { ok } from '#platform/http/envelope.ts';
import type { CreateSubscriptionBody } from './schema.ts';
import type { InvoiceView, SubscriptionView } from './views.ts';

/** Examples of the API reference. A test validates each against its schema. */

const customer = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
} as const;

export const CREATE_BODIES: Readonly<Record<string, CreateSubscriptionBody>> = {
  'Pix Automático': {
    customer,
    amount: 4990,
    method: 'PIX_AUTOMATICO',
    interval: 'MONTHLY',
    startDate: '2026-12-05',
    description: 'Plano mensal',
    externalRef: 'plan-1042',
  },
  'A saved card, for a year': {
    customerId: '01a1fb6b-2c3d-4e4f-8a5b-6c7d8e9f0a1b',
    amount: 4990,
    method: 'CREDIT_CARD',
    interval: 'MONTHLY',
    startDate: '2026-12-05',
    cycles: 12,
    cardTokenId: '01a1fb6b-4c3d-4e4f-8a5b-6c7d8e9f0a1b',
    onUnpaid: 'CANCEL',
  },
};
export const UPDATE_BODIES = { 'Another card': { cardTokenId: '01a1fb6b-4c3d-4e4f-8a5b-6c7d8e9f0a1b' } };

const subscription: SubscriptionView = {
  id: '01a1fb70-11a2-4b3c-8d4e-5f6a7b8c9d0e',
  status: 'ACTIVE',
  method: 'PIX_AUTOMATICO',
  amount: 4990,
  amountType: 'FIXED',
  minimumAmount: null,
  interval: 'MONTHLY',
  startDate: '2026-12-05',
  cycles: null,
  chargedCycles: 1,
  nextChargeDate: '2026-12-05',
  retryPolicy: 'THREE_IN_SEVEN_DAYS',
  onUnpaid: 'CONTINUE',
  description: 'Plano mensal',
  customerId: null,
  customer: { ...customer, document: '***.982.247-**', externalRef: null },
  cardTokenId: null,
  pixAutomatico: {
    idRec: 'RR9999999920261120a1B2c3D4e5F',
    status: 'APROVADA',
    journey: 2,
    qrCode: '00020126180014br.gov.bcb.pix6304ABCD',
    qrCodeBase64: 'data:image/png;base64,iVBORw0KGgo=',
  },
  payerUrl: 'https://pay.example/pay/s/AaH7cBGiSzyNTl9qe4ydDp0sY3vLQqkXn5mB8tRfUeI',
  externalRef: 'plan-1042',
  metadata: null,
  postbackUrl: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:05:00.000Z',
};

const invoice: InvoiceView = {
  id: '01a1fb71-22b3-4c4d-9e5f-6a7b8c9d0e1f',
  subscriptionId: subscription.id,
  number: 1,
  dueDate: '2026-12-05',
  amount: 4990,
  status: 'PENDING',
  transactionId: '01a1fb71-33c4-4d5e-af60-7b8c9d0e1f20',
  attempts: [{ date: '2026-12-05', status: 'FAILED', reason: 'insufficient funds' }],
  nextAttemptDate: '2026-12-07',
  createdAt: '2026-11-25T03:00:00.000Z',
  updatedAt: '2026-12-05T12:00:00.000Z',
};

export const FOUND = { 'A subscription': ok(subscription) };
export const LISTED = { 'The only page': { status: true, data: [subscription], count: 1, nextCursor: null } };
export const INVOICES = { 'The only page': { status: true, data: [invoice], count: 1, nextCursor: null } };
export const INVOICE = { 'An invoice': ok(invoice) };

const month = {
  month: '2026-11',
  monthlyRevenue: 149700,
  activeSubscriptions: 30,
  canceled: 1,
  churn: 333,
  recoveredPayments: 2,
  recoveredAmount: 9980,
};
export const SUMMARY = {
  'One month': ok({ monthlyRevenue: 149_700, activeSubscriptions: 30, months: [month] }),
};
