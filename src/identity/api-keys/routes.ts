import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import { forbidden, HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingRole, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { hasOnlyPermissionsOf, SELLER_ROLES } from '#platform/kit/permissions.ts';
import * as examples from './examples.ts';
import { TOO_MANY_KEYS, type ApiKey, type ApiKeysService } from './service.ts';

const apiKey = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognise it by.' }),
  role: Type.Enum([...SELLER_ROLES]),
  createdAt: Timestamp,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Exact to a minute.' })),
};
export const ApiKeySchema = Type.Object(apiKey, { title: 'ApiKey' });
const NewApiKeySchema = Type.Object({
  ...apiKey,
  key: Type.String({ description: 'The key itself. Shown once; a lost key is deleted and replaced.' }),
});

const tags = ['API keys'];

/** A seller's own keys. A key is changed by making the next one, switching over, and deleting the old one. */
export function apiKeyRoutes(app: App, { apiKeys }: { readonly apiKeys: ApiKeysService }): void {
  app.get(
    '/api-keys',
    {
      config: { access: 'api-keys:read' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys, newest first',
        tags,
        examples: { answer: examples.LISTED },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(ApiKeySchema),
            count: Type.Integer(),
          }),
        },
      },
    },
    async (request) => {
      const keys = await apiKeys.list(callingSeller(request).id);
      return { status: true as const, data: keys.map(viewKey), count: keys.length };
    },
  );

  app.post(
    '/api-keys',
    {
      config: { access: 'api-keys:write' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description: 'A key can be given no permission that the caller does not have.',
        tags,
        refusals: { 422: [TOO_MANY_KEYS] },
        examples: { body: examples.NEW_API_KEY, answer: examples.CREATED },
        body: Type.Object({
          name: nonEmptyString(100),
          role: Type.Optional(Type.Enum([...SELLER_ROLES], { description: 'OWNER unless told.' })),
        }),
        response: { 201: envelope(NewApiKeySchema) },
      },
    },
    async (request, reply) => {
      const { name, role = 'OWNER' } = request.body;
      if (!hasOnlyPermissionsOf(role, callingRole(request))) throw forbidden();
      const created = await apiKeys.create(callingSeller(request).id, { name, role }, auditActorOf(request));
      if (created === undefined) throw new HttpError(422, TOO_MANY_KEYS);
      return reply.code(201).send(ok({ ...viewKey(created.apiKey), key: created.key }));
    },
  );

  app.delete(
    '/api-keys/:id',
    {
      config: { access: 'api-keys:write' },
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Delete an API key',
        description: 'It stops working at once.',
        tags,
        refusals: { 404: ['API key not found'] },
        examples: { answer: examples.DELETED },
        params: Type.Object({ id: Type.String() }),
        response: {
          200: envelope(Type.Object({ id: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await apiKeys.remove(callingSeller(request).id, id, auditActorOf(request))))
        throw new HttpError(404, 'API key not found');
      return ok({ id: id.toLowerCase() });
    },
  );
}

export function viewKey(key: ApiKey): Static<typeof ApiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    role: key.role,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}
