import { ok } from '#platform/http/envelope.ts';
import type { CreateLinkBody } from './schema.ts';
import type { LinkView } from './views.ts';

/** Examples of the API reference. A test validates each against its schema. */

export const CREATE_BODIES: Readonly<Record<string, CreateLinkBody>> = {
  'A fixed amount': { title: 'Caneca de cerâmica', amount: 4990, maxPayments: 50 },
  'Every month': { title: 'Clube do café', amount: 4990, subscription: { interval: 'MONTHLY' } },
  'The payer enters the amount': { title: 'Doação', minAmount: 500, methods: ['PIX'] },
};
export const UPDATE_BODIES = { 'Deactivate it': { status: 'INACTIVE' } };

const link: LinkView = {
  id: '01a1fb6c-3a4b-4c5d-8e6f-7a8b9c0d1e2f',
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
  maxPayments: 50,
  paymentsCount: 0,
  paidAmount: 0,
  customerId: null,
  externalRef: null,
  metadata: null,
  postbackUrl: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

export const FOUND = { 'A payment link': ok(link) };
export const LISTED = { 'The only page': { status: true, data: [link], count: 1, nextCursor: null } };
