import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { DisputeSchema, OperatorDisputeSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const open: Static<typeof DisputeSchema> = {
  id: '01a1fb70-5e21-4b3c-9d4e-6f7a8b9c0d1e',
  transactionId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
  status: 'OPEN',
  amount: 14970,
  reason: 'product not received',
  createdBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  createdAt: '2026-11-22T09:30:00.000Z',
  appealUntil: '2026-11-29T09:30:00.000Z',
  resolvedAt: null,
  resolvedBy: null,
  appealReason: null,
  appealedBy: null,
};
const appealReason = 'Delivered on 21 November; the carrier has the signature.';
const appealedBy = {
  kind: 'SELLER_USER',
  id: '01a1fb60-3c4d-4e5f-8a6b-7c8d9e0f1a2b',
  name: 'Ana Souza',
  role: 'FINANCE',
  keyPrefix: null,
  requestId: '9b2f4c1e-5d6a-4f7b-8c9d-0e1f2a3b4c5d',
} as const;
const appealed = { ...open, status: 'UNDER_REVIEW', appealReason, appealedBy } as const;
const resolved = {
  ...appealed,
  status: 'RESOLVED',
  resolvedAt: '2026-11-25T15:00:00.000Z',
  resolvedBy: open.createdBy,
} as const;
const toDisputeList = (dispute: Static<typeof DisputeSchema>) =>
  ok({ data: [dispute], count: 1, take: 10, skip: 0 });

export const LISTED = { 'An open dispute': toDisputeList(open) };

const operatorDispute: Static<typeof OperatorDisputeSchema> = {
  ...open,
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  sellerName: 'Loja Demonstração',
};
export const LISTED_FOR_OPERATOR = {
  'An open dispute': ok({ data: [operatorDispute], count: 1, take: 10, skip: 0 }),
};
export const FOUND_BY_OPERATOR = { 'An open dispute': ok(operatorDispute) };

export const APPEAL = { 'An appeal': { disputeId: open.id, appealReason } };
export const APPEALED = { 'Under review': toDisputeList(appealed) };
export const OPENED = { Opened: ok(open) };
export const RESOLVED = { "In the seller's favor": ok(resolved) };
