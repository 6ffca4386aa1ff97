import type { Static } from 'typebox';

import type { ProviderSchema } from './health-route.ts';
import type { ProviderEventSchema } from './event-routes.ts';

/** What the reference shows of providers' reports. A test holds each against its schema. */

const late: Static<typeof ProviderEventSchema> = {
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

export const PROVIDER_EVENTS = {
  'Money that came too late': { status: true, data: [late], count: 1, nextCursor: null },
};

const bacen: Static<typeof ProviderSchema> = {
  name: 'bacen',
  methods: ['PIX'],
  state: 'CLOSED',
  calls: 200,
  errorRate: 0.005,
  latencyP50: 84,
  latencyP95: 210,
  lastSuccessAt: '2026-11-24T10:29:58.000Z',
  lastFailureAt: '2026-11-24T09:12:03.000Z',
  lastFailure: 'UND_ERR_HEADERS_TIMEOUT',
};

export const PROVIDERS = { 'One provider, well': { status: true, data: [bacen] } };
