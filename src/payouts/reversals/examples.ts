import type { Static } from 'typebox';

import { ok } from '#platform/http/envelope.ts';
import type { ReversalSchema } from './schema.ts';

/** Examples of the API reference. A test validates each against its schema. */

const manual: Static<typeof ReversalSchema> = {
  id: '01a1fb7c-2b3c-4d4e-8f5a-6b7c8d9e0f1a',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  transactionId: '01a1fb6a-1c2d-4e3f-9a4b-5c6d7e8f9a0b',
  method: 'BOLETO',
  amount: 25990,
  reason: 'LATE',
  status: 'MANUAL',
  provider: 'sandbox',
  reportId: 'E9999999920261124103000000000001',
  attempts: 0,
  providerReference: null,
  detail: 'sandbox cannot return BOLETO payments',
  settledBy: null,
  note: null,
  sentAt: null,
  createdAt: '2026-11-24T10:30:00.000Z',
  updatedAt: '2026-11-24T10:30:00.250Z',
};
const note = 'Returned to the account that the payer named by telephone.';
const sentAt = '2026-11-24T14:00:00.000Z';
const sent: Static<typeof ReversalSchema> = {
  ...manual,
  status: 'SENT',
  settledBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  note,
  sentAt,
  updatedAt: sentAt,
};

export const LISTED = {
  'A boleto paid too late': { status: true, data: [manual], count: 1, nextCursor: null },
};
export const NOTE = { 'What was done': { note } };
export const SENT = { Sent: ok(sent) };
