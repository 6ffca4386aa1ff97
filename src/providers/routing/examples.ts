import { ok } from '#platform/http/envelope.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

const PAUSED = {
  reason: 'The bank has announced maintenance until 22:00',
  pausedBy: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  pausedByName: 'Caio Prado',
  pausedAt: '2026-11-26T12:00:00.000Z',
};
const resumed = {
  method: 'PIX',
  defaultOrder: ['bacen', 'bacen2'],
  isStored: true,
  providers: [
    {
      name: 'bacen2',
      paused: null,
    },
    {
      name: 'bacen',
      paused: null,
    },
  ],
} as const;
const route = {
  ...resumed,
  providers: [
    { name: 'bacen2', paused: null },
    { name: 'bacen', paused: PAUSED },
  ],
};

export const ROUTES = { 'Two providers, one of them paused': ok([route]) };
export const ROUTE = { 'The second provider is paused': ok(route) };
export const RESUMED = { 'No provider is paused': ok(resumed) };
export const ORDER_REQUEST = {
  'The second provider first': { providers: ['bacen2', 'bacen'] },
  'The order of the environment': { providers: null },
};
export const PAUSE_REQUEST = { 'During maintenance': { provider: 'bacen', reason: PAUSED.reason } };
export const RESUME_REQUEST = { 'After maintenance': { provider: 'bacen' } };
