import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import {
  EVENT_TYPES,
  MAX_WEBHOOKS,
  WEBHOOK_STATUSES,
  type Webhook,
  type WebhooksService,
} from './service.ts';
import * as examples from './examples.ts';
import { isHostAllowed, parseTarget } from './target-url.ts';

const webhook = {
  id: Type.String({ format: 'uuid' }),
  url: Type.String(),
  eventType: Type.Enum([...EVENT_TYPES]),
  description: nullable(Type.String()),
  status: Type.Enum([...WEBHOOK_STATUSES], {
    description: 'What happens while it is DISABLED is kept, and sent when it is replayed.',
  }),
  disabledAt: nullable(Timestamp),
  disabledReason: nullable(Type.String()),
  createdAt: Timestamp,
};
const WebhookSchema = Type.Object(webhook, { title: 'Webhook' });
const WebhookWithSecretSchema = Type.Object({
  ...webhook,
  secret: Type.String({ description: 'Signs what is sent here. Shown once.' }),
});
const IdParams = Type.Object({ id: Type.String() });
const tags = ['Webhooks'];

const UpdateBody = Type.Object({
  url: Type.Optional(Type.String({ format: 'https-url' })),
  eventType: Type.Optional(Type.Enum([...EVENT_TYPES])),
  description: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  status: Type.Optional(
    Type.Enum([...WEBHOOK_STATUSES], { description: 'ACTIVE enables it again, DISABLED disables it.' }),
  ),
});

class WebhookNotFoundError extends HttpError {
  constructor() {
    super(404, 'Webhook not found');
  }
}

export interface WebhookRouteDeps {
  readonly webhooks: WebhooksService;
  readonly allowPrivate: boolean;
}

export function webhookRoutes(app: App, { webhooks, allowPrivate }: WebhookRouteDeps): void {
  app.post(
    '/webhooks',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook',
        tags,
        refusals: {
          400: [['url must not be a private address']],
          422: [`A seller can have at most ${MAX_WEBHOOKS} webhooks`],
        },
        examples: { body: examples.CREATE_REQUEST, answer: examples.WEBHOOK_WITH_SECRET },
        body: Type.Object({
          url: Type.String({ format: 'https-url' }),
          eventType: Type.Enum([...EVENT_TYPES]),
          description: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
        }),
        response: { 201: envelope(WebhookWithSecretSchema) },
      },
    },
    async (request, reply) => {
      const { url, eventType, description } = request.body;
      assertUrlAllowed(url, allowPrivate);
      const input = { url, eventType, description: description ?? null };
      const created = await webhooks.create(callingSeller(request).id, input, auditActorOf(request));
      if (created === undefined) {
        throw new HttpError(422, `A seller can have at most ${MAX_WEBHOOKS} webhooks`);
      }
      return reply.code(201).send(ok({ ...view(created.webhook), secret: created.secret }));
    },
  );

  app.get(
    '/webhooks',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        tags,
        examples: { answer: examples.WEBHOOK_LIST },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(WebhookSchema),
            count: Type.Integer(),
          }),
        },
      },
    },
    async (request) => {
      const found = await webhooks.list(callingSeller(request).id);
      return { status: true as const, data: found.map(view), count: found.length };
    },
  );

  app.get(
    '/webhooks/postback-secret',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'getPostbackSecret',
        summary: 'Read the secret that signs what is sent to a postbackUrl',
        tags,
        examples: { answer: examples.POSTBACK_SECRET },
        response: { 200: envelope(Type.Object({ secret: Type.String() })) },
      },
    },
    async (request) => ok({ secret: await webhooks.postbackSecret(callingSeller(request).id) }),
  );

  app.get(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'getWebhook',
        summary: 'Read a webhook',
        tags,
        refusals: { 404: ['Webhook not found'] },
        examples: { answer: examples.WEBHOOK },
        params: IdParams,
        response: { 200: envelope(WebhookSchema) },
      },
    },
    async (request) => {
      const found = await webhooks.find(callingSeller(request).id, request.params.id);
      if (found === undefined) throw new WebhookNotFoundError();
      return ok(view(found));
    },
  );

  app.patch(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change a webhook',
        refusals: { 400: [['url must not be a private address']], 404: ['Webhook not found'] },
        examples: { body: examples.UPDATE_REQUEST, answer: examples.WEBHOOK },
        description:
          'Members that are left out stay as they are. What is on its way is sent to the new address too. A webhook is also disabled by the gateway: where its server answers 410, or where every attempt has failed for five days.',
        tags,
        params: IdParams,
        body: UpdateBody,
        response: { 200: envelope(WebhookSchema) },
      },
    },
    async (request) => {
      const { url, eventType, description, status } = request.body;
      if (url !== undefined) assertUrlAllowed(url, allowPrivate);
      const changes = {
        ...(url === undefined ? {} : { url }),
        ...(eventType === undefined ? {} : { eventType }),
        ...(description === undefined ? {} : { description }),
        ...(status === undefined ? {} : { status }),
      };
      const { id } = request.params;
      const updated = await webhooks.update(callingSeller(request).id, id, changes, auditActorOf(request));
      if (updated === undefined) throw new WebhookNotFoundError();
      return ok(view(updated));
    },
  );

  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook a new secret',
        refusals: { 404: ['Webhook not found'] },
        examples: { answer: examples.WEBHOOK_WITH_SECRET },
        description: 'The old secret signs beside the new one for another 24 hours.',
        tags,
        params: IdParams,
        response: { 200: envelope(WebhookWithSecretSchema) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const rotated = await webhooks.rotateSecret(callingSeller(request).id, id, auditActorOf(request));
      if (rotated === undefined) throw new WebhookNotFoundError();
      return ok({ ...view(rotated.webhook), secret: rotated.secret });
    },
  );

  app.post(
    '/webhooks/:id/test',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a PING to a webhook',
        refusals: { 404: ['Webhook not found'], 422: ['Webhook is disabled'] },
        examples: { answer: examples.TEST_DELIVERY },
        description: 'Whatever the webhook is registered for. How it went stands in the delivery.',
        tags,
        params: IdParams,
        response: {
          200: envelope(Type.Object({ deliveryId: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const result = await webhooks.sendTest(callingSeller(request).id, request.params.id);
      if (result.kind === 'made') return ok({ deliveryId: result.deliveryId });
      if (result.kind === 'unknown') throw new WebhookNotFoundError();
      throw new HttpError(422, 'Webhook is disabled');
    },
  );

  app.delete(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        tags,
        refusals: { 404: ['Webhook not found'] },
        examples: { answer: examples.DELETED },
        params: IdParams,
        response: {
          200: envelope(Type.Object({ id: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const deleted = await webhooks.delete(callingSeller(request).id, id, auditActorOf(request));
      if (!deleted) throw new WebhookNotFoundError();
      return ok({ id: id.toLowerCase() });
    },
  );
}

/** Judges what the text shows; what a name resolves to is judged at each call. */
function assertUrlAllowed(text: string, allowPrivate: boolean): void {
  const target = parseTarget(text);
  if (!target.ok) throw new HttpError(400, [`url must be an HTTPS URL that can be called: ${target.reason}`]);
  if (!isHostAllowed(target.url, { allowPrivate }))
    throw new HttpError(400, ['url must not be a private address']);
}

function view(found: Webhook): Static<typeof WebhookSchema> {
  return {
    id: found.id,
    url: found.url,
    eventType: found.eventType,
    description: found.description,
    status: found.disabledAt === null ? 'ACTIVE' : 'DISABLED',
    disabledAt: found.disabledAt?.toISOString() ?? null,
    disabledReason: found.disabledReason,
    createdAt: found.createdAt.toISOString(),
  };
}
