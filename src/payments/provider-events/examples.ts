import type { Static } from 'typebox';

import type { ProviderEventSchema } from './schema.ts';

const LATE_PAYMENT: Static<typeof ProviderEventSchema> = {
  id: '01a1fb7c-2b3c-4c5d-9e6f-7a8b9c0d1e2f',
  outcome: 'LATE',
  provider: 'sandbox',
  reportId: 'E9999999920261124103000000000001',
  kind: 'PAYMENT',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  recordId: '01a1fb6a-1c2d-4e3f-9a4b-5c6d7e8f9a0b',
  amount: 25990,
  detail: 'to be returned to the payer',
  occurredAt: '2026-11-24T10:29:58.000Z',
  receivedAt: '2026-11-24T10:30:00.000Z',
};

/** Examples of the API reference. A test validates each against its schema. */
export const PROVIDER_EVENTS = {
  'A late payment': { status: true, data: [LATE_PAYMENT], count: 1, nextCursor: null },
};
