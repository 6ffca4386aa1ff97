import { Type } from 'typebox';

import { nullable, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { maskUrl } from '#platform/kit/masks.ts';
import * as examples from './examples-operator.ts';
import type { WebhooksService } from './service.ts';
import { WEBHOOK_STATUSES } from './webhook.ts';

const OperatorWebhookSchema = Type.Object(
  {
    id: recordId('The id of the webhook.'),
    sellerId: recordId('The seller.'),
    sellerName: Type.String({ description: 'Name of the seller.' }),
    url: Type.String({ description: 'Without its query, which may contain credentials of the seller.' }),
    eventType: Type.String({ description: 'Events that the webhook receives.' }),
    status: Type.Enum([...WEBHOOK_STATUSES], { description: 'Events are held while it is DISABLED.' }),
    disabledAt: nullable(timestamp('When it was disabled; null while it is ACTIVE.')),
    disabledReason: nullable(Type.String({ description: 'Why it was disabled; null while it is ACTIVE.' })),
    failingSince: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the attempts began to fail. Null if the last one succeeded.',
      }),
    ),
    createdAt: timestamp('When it was created.'),
  },
  { title: 'OperatorWebhook', description: 'A webhook with its seller.' },
);

const WebhooksQuery = Type.Object({
  disabled: Type.Optional(
    Type.Boolean({ description: '`true`: only DISABLED webhooks. `false`: only ACTIVE ones.' }),
  ),
  sellerId: Type.Optional(recordId('Only webhooks of this seller.')),
  ...pageQuery,
});

/** The webhooks of all sellers, for the operator. */
export function webhookOperatorRoutes(app: App, { webhooks }: { readonly webhooks: WebhooksService }): void {
  app.get(
    '/admin/webhooks',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllWebhooks',
        summary: 'List webhooks of all sellers',
        description:
          'Returns one page of the webhooks of all sellers, newest first. Use it to find ' +
          'endpoints that fail.',
        tags: ['Webhooks'],
        examples: { response: examples.ALL_WEBHOOKS },
        querystring: WebhooksQuery,
        response: { 200: pageEnvelope(OperatorWebhookSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { disabled, sellerId } = query;
      const { items, count } = await webhooks.listAll({ disabled, sellerId }, parsePage(query));
      return pageResponse(items, count, query.take, (webhook) => ({
        ...webhook,
        url: maskUrl(webhook.url),
        status: webhook.disabledAt === null ? ('ACTIVE' as const) : ('DISABLED' as const),
        disabledAt: webhook.disabledAt?.toISOString() ?? null,
        failingSince: webhook.failingSince?.toISOString() ?? null,
        createdAt: webhook.createdAt.toISOString(),
      }));
    },
  );
}
