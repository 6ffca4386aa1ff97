import { Type, type Static } from 'typebox';

import {
  deletedEnvelope,
  envelope,
  listEnvelope,
  nullable,
  ok,
  recordId,
  timestamp,
} from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { parseHttpsUrl } from '#platform/kit/https-url.ts';
import { isHostAllowed } from './address-policy.ts';
import * as examples from './examples.ts';
import type { WebhooksService } from './service.ts';
import { EVENT_TYPES, MAX_WEBHOOKS, WEBHOOK_STATUSES, type Webhook } from './webhook.ts';

const webhook = {
  id: recordId('The id of the webhook.'),
  url: Type.String({ description: 'URL that receives the events.' }),
  eventType: Type.Enum([...EVENT_TYPES], { description: 'Events that the webhook receives.' }),
  description: nullable(Type.String({ description: 'Describes the webhook for your own use.' })),
  status: Type.Enum([...WEBHOOK_STATUSES], {
    description:
      'While the webhook is DISABLED, its events are held. Once it is ACTIVE again, a replay sends them.',
  }),
  disabledAt: nullable(timestamp('When it was disabled; null while it is ACTIVE.')),
  disabledReason: nullable(Type.String({ description: 'Why it was disabled; null while it is ACTIVE.' })),
  createdAt: timestamp('When it was created.'),
};
const WebhookSchema = Type.Object(webhook, {
  title: 'Webhook',
  description: 'An endpoint that receives events.',
});
const WebhookWithSecretSchema = Type.Object(
  {
    ...webhook,
    secret: Type.String({ description: 'Signs the deliveries. Shown only once.' }),
  },
  { title: 'WebhookWithSecret', description: 'A webhook and its secret.' },
);
const secretProperty = { secret: Type.String({ description: 'Signs the deliveries to every postbackUrl.' }) };
const PostbackSecretSchema = Type.Object(secretProperty, {
  title: 'PostbackSecret',
  description: 'The secret of postbacks.',
});
const RotatedPostbackSecretSchema = Type.Object(
  { ...secretProperty, previousSignsUntil: timestamp('When the old secret stops signing.') },
  { title: 'RotatedPostbackSecret', description: 'The new secret of postbacks.' },
);
const IdParams = Type.Object({ id: Type.String() });
const tags = ['Webhooks'];

const CreateBody = Type.Object({
  url: Type.String({
    format: 'https-url',
    description: 'HTTPS URL that receives the events. Must not contain credentials.',
  }),
  eventType: Type.Enum([...EVENT_TYPES], { description: 'Events that the webhook receives.' }),
  description: Type.Optional(
    nullable(Type.String({ maxLength: 255, description: 'Describes the webhook for your own use.' })),
  ),
});

const UpdateBody = Type.Object({
  url: Type.Optional(
    Type.String({
      format: 'https-url',
      description: 'HTTPS URL that receives the events. Must not contain credentials.',
    }),
  ),
  eventType: Type.Optional(Type.Enum([...EVENT_TYPES], { description: 'Events that the webhook receives.' })),
  description: Type.Optional(
    nullable(Type.String({ maxLength: 255, description: 'Describes the webhook for your own use.' })),
  ),
  status: Type.Optional(
    Type.Enum([...WEBHOOK_STATUSES], { description: 'ACTIVE enables it again, DISABLED disables it.' }),
  ),
});

const privateAddress = (): ValidationError =>
  new ValidationError([{ path: ['url'], rule: 'must not be a private address' }]);
const tooManyWebhooks = (): HttpError =>
  new HttpError('too_many_webhooks', { message: `A seller can have at most ${MAX_WEBHOOKS} webhooks` });

export interface WebhookRouteDeps {
  readonly webhooks: WebhooksService;
  /** Whether URLs may point to private addresses. */
  readonly allowPrivate: boolean;
}

export function webhookRoutes(app: App, deps: WebhookRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerPostbackSecret(app, deps);
  registerRotatePostbackSecret(app, deps);
  registerGet(app, deps);
  registerUpdate(app, deps);
  registerRotateSecret(app, deps);
  registerTest(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { webhooks, allowPrivate }: WebhookRouteDeps): void {
  app.post(
    '/webhooks',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description:
          'Registers an HTTPS endpoint for events. Returns the webhook with its secret, which ' +
          'signs the deliveries and is shown only once. A seller can have at most 20 webhooks.',
        tags,
        errors: [privateAddress(), tooManyWebhooks()],
        examples: { body: examples.CREATE_REQUEST, response: examples.WEBHOOK_WITH_SECRET },
        body: CreateBody,
        response: { 201: envelope(WebhookWithSecretSchema) },
      },
    },
    async (request, reply) => {
      const { url, eventType, description } = request.body;
      assertHostAllowed(url, allowPrivate);
      const input = { url, eventType, description: description ?? null };
      const created = await webhooks.create(callingSeller(request).id, input, auditActorOf(request));
      if (created === undefined) throw tooManyWebhooks();
      return reply.code(201).send(ok({ ...view(created.webhook), secret: created.secret }));
    },
  );
}

function registerList(app: App, { webhooks }: WebhookRouteDeps): void {
  app.get(
    '/webhooks',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description: 'Returns all webhooks of the seller.',
        tags,
        examples: { response: examples.WEBHOOK_LIST },
        response: {
          200: listEnvelope(WebhookSchema),
        },
      },
    },
    async (request) => {
      const found = await webhooks.list(callingSeller(request).id);
      return { status: true as const, data: found.map(view), count: found.length };
    },
  );
}

function registerPostbackSecret(app: App, { webhooks }: WebhookRouteDeps): void {
  app.get(
    '/webhooks/postback-secret',
    {
      config: { access: 'webhooks:write', stepUp: true },
      schema: {
        operationId: 'getPostbackSecret',
        summary: 'Retrieve the postback secret',
        description:
          'Returns the secret that signs deliveries to the `postbackUrl` of transactions. Each ' +
          'read is recorded in the audit log.',
        tags,
        examples: { response: examples.POSTBACK_SECRET },
        response: { 200: envelope(PostbackSecretSchema) },
      },
    },
    async (request) => {
      const { id } = callingSeller(request);
      return ok({ secret: await webhooks.readPostbackSecret(id, auditActorOf(request)) });
    },
  );
}

function registerRotatePostbackSecret(app: App, { webhooks }: WebhookRouteDeps): void {
  app.post(
    '/webhooks/postback-secret/rotate',
    {
      config: { access: 'webhooks:write', peopleOnly: true, stepUp: true },
      schema: {
        operationId: 'rotatePostbackSecret',
        summary: 'Rotate the postback secret',
        description:
          'Creates a new secret for postbacks. For the next 24 hours, deliveries are signed with ' +
          'both secrets. Another rotation within that time invalidates the oldest secret. Not ' +
          'available to API keys (403).',
        tags,
        examples: { response: examples.ROTATED_POSTBACK_SECRET },
        response: { 200: envelope(RotatedPostbackSecretSchema) },
      },
    },
    async (request) => {
      const { id } = callingSeller(request);
      const rotated = await webhooks.rotatePostbackSecret(id, auditActorOf(request));
      return ok({ secret: rotated.secret, previousSignsUntil: rotated.previousSignsUntil.toISOString() });
    },
  );
}

function registerGet(app: App, { webhooks }: WebhookRouteDeps): void {
  app.get(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:read' },
      schema: {
        operationId: 'getWebhook',
        summary: 'Retrieve a webhook',
        description: 'Returns a webhook, without its secret.',
        tags,
        errors: ['webhook_not_found'],
        examples: { response: examples.WEBHOOK },
        params: IdParams,
        response: { 200: envelope(WebhookSchema) },
      },
    },
    async (request) => {
      const found = await webhooks.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw notFound();
      return ok(view(found));
    },
  );
}

function registerUpdate(app: App, { webhooks, allowPrivate }: WebhookRouteDeps): void {
  app.patch(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'updateWebhook',
        summary: 'Update a webhook',
        description:
          'Changes a webhook; omitted fields stay unchanged. Pending deliveries are sent to ' +
          'the new URL. With `status`, disables the webhook or enables it again. The gateway ' +
          'also disables a webhook that responds with 410, or to which every attempt has ' +
          'failed for five days. Returns the updated webhook.',
        errors: [privateAddress(), 'webhook_not_found'],
        examples: { body: examples.UPDATE_REQUEST, response: examples.WEBHOOK },
        tags,
        params: IdParams,
        body: UpdateBody,
        response: { 200: envelope(WebhookSchema) },
      },
    },
    async (request) => {
      const { url } = request.body;
      if (url !== undefined) assertHostAllowed(url, allowPrivate);
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const updated = await webhooks.update(key, request.body, auditActorOf(request));
      if (updated === undefined) throw notFound();
      return ok(view(updated));
    },
  );
}

function registerRotateSecret(app: App, { webhooks }: WebhookRouteDeps): void {
  app.post(
    '/webhooks/:id/rotate-secret',
    {
      config: { access: 'webhooks:write', stepUp: true },
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate a webhook secret',
        description:
          'Creates a new secret for a webhook. For the next 24 hours, deliveries are signed with ' +
          'both secrets, so that you can replace the old one without losing events. Returns the ' +
          'webhook with the new secret, which is shown only once.',
        errors: ['webhook_not_found'],
        examples: { response: examples.WEBHOOK_WITH_SECRET },
        tags,
        params: IdParams,
        response: { 200: envelope(WebhookWithSecretSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const rotated = await webhooks.rotateSecret(key, auditActorOf(request));
      if (rotated === undefined) throw notFound();
      return ok({ ...view(rotated.webhook), secret: rotated.secret });
    },
  );
}

function registerTest(app: App, { webhooks }: WebhookRouteDeps): void {
  app.post(
    '/webhooks/:id/test',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Sends a PING event to a webhook, regardless of its event type. Returns the id of the ' +
          'delivery, which shows the result.',
        errors: ['webhook_not_found', 'webhook_disabled'],
        examples: { response: examples.TEST_DELIVERY },
        tags,
        params: IdParams,
        response: {
          200: envelope(
            Type.Object(
              { deliveryId: recordId('The delivery of the test event.') },
              { title: 'TestDelivery', description: 'The test event.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const result = await webhooks.sendTest(key);
      if (result.kind === 'created') return ok({ deliveryId: result.deliveryId });
      if (result.kind === 'unknown') throw notFound();
      throw new HttpError('webhook_disabled');
    },
  );
}

function registerDelete(app: App, { webhooks }: WebhookRouteDeps): void {
  app.delete(
    '/webhooks/:id',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description:
          'Deletes a webhook. It receives no further events, and its pending and held deliveries become ' +
          'FAILED. Returns the id of the webhook.',
        tags,
        errors: ['webhook_not_found'],
        examples: { response: examples.DELETED },
        params: IdParams,
        response: {
          200: deletedEnvelope,
        },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const isDeleted = await webhooks.delete(key, auditActorOf(request));
      if (!isDeleted) throw notFound();
      return ok({ id: key.id.toLowerCase() });
    },
  );
}

const notFound = () => new HttpError('webhook_not_found');

/** Checks the host of a valid URL. The addresses of a name are checked when it is called. */
function assertHostAllowed(url: string, allowPrivate: boolean): void {
  const parsed = parseHttpsUrl(url);
  if (!parsed.ok || !isHostAllowed(parsed.url, { allowPrivate })) throw privateAddress();
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
