import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import * as shown from './examples.ts';
import type { ProviderHealth } from './health.ts';

export const ProviderSchema = Type.Object({
  name: Type.String({ description: 'As the settings name it.' }),
  methods: Type.Array(Type.String()),
  state: Type.Enum(['CLOSED', 'OPEN', 'HALF_OPEN'], {
    description:
      'CLOSED: it is called. OPEN: it failed five times in a row and is not called for a while. HALF_OPEN: the next call decides.',
  }),
  calls: Type.Integer({ description: 'The last calls, at most 200, of which the figures tell.' }),
  errorRate: Type.Number({ minimum: 0, maximum: 1 }),
  latencyP50: nullable(Type.Integer({ description: 'Milliseconds.' })),
  latencyP95: nullable(Type.Integer({ description: 'Milliseconds.' })),
  lastSuccessAt: nullable(Timestamp),
  lastFailureAt: nullable(Timestamp),
  lastFailure: nullable(Type.String({ description: 'Its kind in a word.' })),
});

/** How the providers of others do that are set up, for the operator. */
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
        summary: 'How each provider does',
        description:
          'State, latency and errors as the process that answers has seen them since it started. What the sandbox plays by itself is not among them.',
        tags: ['Operator'],
        examples: { answer: shown.PROVIDERS },
        response: { 200: envelope(Type.Array(ProviderSchema)) },
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
