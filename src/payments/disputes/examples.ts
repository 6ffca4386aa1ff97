import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { AttachmentSchema, MessageSchema } from './evidence-schema.ts';
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
  med: null,
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
  ok({ data: [{ ...dispute, customerName: 'Ana Souza' }], count: 1, take: 10, skip: 0 });

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

const claimed = {
  ...open,
  reason: 'MED: SCAM',
  createdBy: 'sandbox',
  appealUntil: '2026-11-25T09:30:00.000Z',
  med: {
    recoveryId: '5f0e2d6a-7a41-4c0b-9e5f-3b1f0a9c8d7e',
    type: 'SCAM',
    status: 'CREATED',
    analysisDueAt: '2026-11-29T09:30:00.000Z',
    refundDueAt: '2026-12-03T09:30:00.000Z',
    monitorAccount: false,
    acceptedAmount: null,
  },
} as const satisfies Static<typeof DisputeSchema>;
export const CLAIMED = { 'A claim': ok(claimed) };

const attachment: Static<typeof AttachmentSchema> = {
  id: '01a1fb90-6f32-4c4d-8e5f-7a8b9c0d1e2f',
  name: 'comprovante-de-entrega.pdf',
  contentType: 'application/pdf',
  size: 183_204,
  createdBy: appealedBy,
  createdAt: '2026-11-23T11:00:00.000Z',
};
const message: Static<typeof MessageSchema> = {
  id: '01a1fb91-6f32-4c4d-8e5f-7a8b9c0d1e2f',
  text: 'The attached receipt has the signature of the recipient.',
  createdBy: appealedBy,
  createdAt: '2026-11-23T11:05:00.000Z',
};
export const ATTACHED = { 'A receipt': ok(attachment) };
export const ATTACHMENTS = { 'One file': { ...ok([attachment]), count: 1 } };
export const MESSAGE = { 'A message': { text: message.text } };
export const MESSAGE_ADDED = { 'The message': ok(message) };
export const MESSAGES = { 'One message': { ...ok([message]), count: 1 } };
export const EVIDENCE = { 'A file and a message': ok({ attachments: [attachment], messages: [message] }) };
