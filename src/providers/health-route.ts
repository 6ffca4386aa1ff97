import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, timestamp } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import type { ProviderHealth } from './health.ts';

const ProviderSchema = Type.Object(
  {
    name: Type.String({ description: 'Name in the environment variables.' }),
    methods: Type.Array(Type.String(), { description: 'Payment methods that it processes.' }),
    state: Type.Enum(['CLOSED', 'OPEN', 'HALF_OPEN'], {
      description:
        'State of the circuit breaker. CLOSED: the provider is called. OPEN: it failed five times in a ' +
        'row, and is not called for up to a minute. HALF_OPEN: the next call decides.',
    }),
    calls: Type.Integer({
      description: 'Number of calls on which the figures are based: at most the last 200.',
    }),
    errorRate: Type.Number({ minimum: 0, maximum: 1, description: 'Failed calls divided by calls.' }),
    latencyP50: nullable(Type.Integer({ description: 'Milliseconds.' })),
    latencyP95: nullable(Type.Integer({ description: 'Milliseconds.' })),
    lastSuccessAt: nullable(timestamp('When a call last succeeded; null if none has.')),
    lastFailureAt: nullable(timestamp('When a call last failed; null if none has.')),
    lastFailure: nullable(Type.String({ description: 'Error code or name.' })),
  },
  { title: 'Provider', description: 'An external provider and its health.' },
);

const EXAMPLE: Static<typeof ProviderSchema> = {
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

/** The operator retrieves the health of the external providers. */
export function providerHealthRoute(
  app: App,
  { providerHealth }: { readonly providerHealth: () => readonly ProviderHealth[] },
): void {
  app.get(
    '/admin/providers',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviders',
        summary: 'List providers',
        description:
          'Returns the external providers and their health, as the responding process has observed them ' +
          'since it started. The sandbox is not listed.',
        tags: ['Providers'],
        examples: { response: { 'One healthy provider': ok([EXAMPLE]) } },
        response: { 200: envelope(Type.Array(ProviderSchema, { description: 'All external providers.' })) },
      },
    },
    async () => ok(providerHealth().map(viewHealth)),
  );
}

const viewHealth = (health: ProviderHealth): Static<typeof ProviderSchema> => ({
  ...health,
  methods: [...health.methods],
  lastSuccessAt: health.lastSuccessAt?.toISOString() ?? null,
  lastFailureAt: health.lastFailureAt?.toISOString() ?? null,
});
