import { Type } from 'typebox';

import { nullable, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples-operator.ts';
import { WEBHOOK_STATUSES, type WebhooksService } from './service.ts';

const uuid = Type.String({ format: 'uuid' });

const OperatorWebhookSchema = Type.Object(
  {
    id: uuid,
    sellerId: uuid,
    sellerName: Type.String(),
    url: Type.String({ description: 'Without its query, in which sellers keep keys of their own.' }),
    eventType: Type.String(),
    status: Type.Enum([...WEBHOOK_STATUSES]),
    disabledAt: nullable(Timestamp),
    disabledReason: nullable(Type.String()),
    failingSince: nullable(
      Type.String({
        format: 'date-time',
        description: 'Since when every attempt has failed; null where the last one arrived.',
      }),
    ),
    createdAt: Timestamp,
  },
  { title: 'OperatorWebhook' },
);

const WebhooksQuery = Type.Object({
  disabled: Type.Optional(Type.Boolean({ description: 'Only those that are, or that are not.' })),
  sellerId: Type.Optional(uuid),
  ...pageQuery,
});

/** The operator sees where sellers are told, and where that fails. */
export function webhookOperatorRoutes(app: App, { webhooks }: { readonly webhooks: WebhooksService }): void {
  app.get(
    '/admin/webhooks',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllWebhooks',
        summary: 'List the webhooks of all sellers, newest first',
        tags: ['Operator'],
        examples: { answer: examples.ALL_WEBHOOKS },
        querystring: WebhooksQuery,
        response: { 200: pageEnvelope(OperatorWebhookSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { disabled, sellerId } = query;
      const { items, count } = await webhooks.listAll({ disabled, sellerId }, parsePage(query));
      return pageResponse(items, count, query.take, (one) => ({
        ...one,
        url: one.url.replace(/[?#].*$/s, '?…'),
        status: one.disabledAt === null ? ('ACTIVE' as const) : ('DISABLED' as const),
        disabledAt: one.disabledAt?.toISOString() ?? null,
        failingSince: one.failingSince?.toISOString() ?? null,
        createdAt: one.createdAt.toISOString(),
      }));
    },
  );
}
