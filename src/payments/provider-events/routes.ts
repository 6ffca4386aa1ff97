import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { nullable, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import * as shown from './examples.ts';
import type { StoredProviderEvent, ProviderEventLog } from './event-log.ts';
import { PROVIDER_EVENT_OUTCOMES } from './event-outcomes.ts';

export const ProviderEventSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  outcome: Type.Enum([...PROVIDER_EVENT_OUTCOMES], {
    description:
      'What it did. LATE, DUPLICATE and WRONG_AMOUNT are money that goes back to the payer; UNMATCHED fits no record.',
  }),
  provider: Type.String(),
  reportId: Type.String({ description: "The provider's own id of it, which counts once." }),
  kind: Type.String({ description: 'What it tells: PAYMENT, FAILURE, CHARGEBACK …' }),
  sellerId: Type.String({ description: 'Where it is UNMATCHED: as it was claimed.' }),
  recordId: Type.String({
    description: 'The transaction or withdrawal; where it is UNMATCHED: as it was claimed.',
  }),
  amount: nullable(Type.Integer({ description: 'Cents; null where it tells of no money.' })),
  detail: nullable(Type.String({ description: 'Why it was not applied.' })),
  occurredAt: Timestamp,
  receivedAt: Timestamp,
});

const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    outcome: Type.Optional(Type.Enum([...PROVIDER_EVENT_OUTCOMES])),
    provider: Type.Optional(Type.String({ maxLength: 100 })),
    sellerId: Type.Optional(Type.String({ format: 'uuid' })),
    recordId: Type.Optional(Type.String({ format: 'uuid' })),
    ...dateQuery,
  }),
  [dateRule],
);

/** The operator reads what providers told and what came of it. */
export function providerEventRoutes(
  app: App,
  { providerEventLog }: { readonly providerEventLog: ProviderEventLog },
): void {
  app.get(
    '/admin/provider-events',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviderReports',
        summary: 'List what providers reported, newest first',
        tags: ['Operator'],
        examples: { answer: shown.PROVIDER_EVENTS },
        querystring: ListQuery,
        response: { 200: pageEnvelope(ProviderEventSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { outcome, provider, sellerId, recordId } = query;
      const filter = { outcome, provider, sellerId, recordId, period: parsePeriod(query) };
      const { found, count } = await providerEventLog.list(filter, parsePage(query));
      return pageResponse(found, count, query.take, viewProviderEvent);
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
