import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { pageEnvelope, recordId } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { PROVIDER_EVENTS } from './examples.ts';
import { PROVIDER_EVENT_OUTCOMES } from './provider-event.ts';
import { ProviderEventSchema } from './schema.ts';
import type { ProviderEvents } from './service.ts';
import type { StoredProviderEvent } from './store-list.ts';

const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    outcome: Type.Optional(
      Type.Enum([...PROVIDER_EVENT_OUTCOMES], { description: 'Only events with this outcome.' }),
    ),
    provider: Type.Optional(Type.String({ maxLength: 100, description: 'Only events of this provider.' })),
    sellerId: Type.Optional(recordId('Only events of this seller.')),
    recordId: Type.Optional(recordId('Only events of this transaction or withdrawal.')),
    ...dateQuery,
  }),
  [dateRule],
);

/** Lets the operator list provider events and what they changed. */
export function providerEventRoutes(
  app: App,
  { providerEvents }: { readonly providerEvents: ProviderEvents },
): void {
  app.get(
    '/admin/provider-events',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviderEvents',
        summary: 'List provider events',
        description:
          'Returns one page of the events that providers reported, newest first, with what ' +
          'each of them changed.',
        tags: ['Providers'],
        examples: { response: PROVIDER_EVENTS },
        querystring: ListQuery,
        response: { 200: pageEnvelope(ProviderEventSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { outcome, provider, sellerId, recordId } = query;
      const filter = { outcome, provider, sellerId, recordId, period: parsePeriod(query) };
      const { items, count } = await providerEvents.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, viewProviderEvent);
    },
  );
}

function viewProviderEvent(event: StoredProviderEvent): Static<typeof ProviderEventSchema> {
  return {
    ...event,
    occurredAt: event.occurredAt.toISOString(),
    receivedAt: event.receivedAt.toISOString(),
  };
}
