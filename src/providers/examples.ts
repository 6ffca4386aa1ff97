import type { Static } from 'typebox';

import type { ProviderSchema } from './health-route.ts';

/** Examples of the API reference. A test validates each against its schema. */

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
