import { Type } from 'typebox';

import { deletedEnvelope, envelope, ok } from '#platform/http/envelope.ts';
import { forbidden, HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingRole, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { hasOnlyPermissionsOf } from '#platform/kit/permissions.ts';
import { tooManyApiKeys } from './errors.ts';
import * as examples from './examples.ts';
import { ApiKeyList, NewApiKeyBody, NewApiKeySchema, viewKey, viewKeys } from './schema.ts';
import type { ApiKeysService } from './service.ts';

interface ApiKeyRouteDeps {
  readonly apiKeys: ApiKeysService;
}

const tags = ['API keys'];

/**
 * A seller's own API keys, managed by users only: with a stolen key, an attacker could create
 * another one that stays valid. Keys are not updated: to rotate one, create another and delete the
 * first.
 */
export function apiKeyRoutes(app: App, deps: ApiKeyRouteDeps): void {
  registerList(app, deps);
  registerCreate(app, deps);
  registerDelete(app, deps);
}

function registerList(app: App, { apiKeys }: ApiKeyRouteDeps): void {
  app.get(
    '/api-keys',
    {
      config: { access: 'api-keys:read' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'Returns all API keys of the seller, newest first. Only the first characters of each ' +
          'key are included.',
        tags,
        examples: { response: examples.LISTED },
        response: { 200: ApiKeyList },
      },
    },
    async (request) => viewKeys(await apiKeys.list(callingSeller(request).id)),
  );
}

function registerCreate(app: App, { apiKeys }: ApiKeyRouteDeps): void {
  app.post(
    '/api-keys',
    {
      config: { access: 'api-keys:write', peopleOnly: true, stepUp: true },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'Creates an API key with a role. Returns the key, which is shown only once. A key ' +
          'cannot have a permission that the caller lacks. Not available to API keys (403).',
        tags,
        errors: [tooManyApiKeys()],
        examples: { body: examples.NEW_API_KEY, response: examples.CREATED },
        body: NewApiKeyBody,
        response: { 201: envelope(NewApiKeySchema) },
      },
    },
    async (request, reply) => {
      const { name, role = 'OWNER' } = request.body;
      if (!hasOnlyPermissionsOf(role, callingRole(request))) throw forbidden();
      const created = await apiKeys.create(callingSeller(request).id, { name, role }, auditActorOf(request));
      if (created === undefined) throw tooManyApiKeys();
      return reply.code(201).send(ok({ ...viewKey(created.apiKey), key: created.key }));
    },
  );
}

function registerDelete(app: App, { apiKeys }: ApiKeyRouteDeps): void {
  app.delete(
    '/api-keys/:id',
    {
      config: { access: 'api-keys:write', peopleOnly: true },
      schema: {
        operationId: 'deleteApiKey',
        summary: 'Delete an API key',
        description:
          'Deletes an API key, which stops working within a second. To rotate a key, create ' +
          'another one first. Returns the id of the key. A key with a permission that the caller ' +
          'lacks cannot be deleted. Not available to API keys (403).',
        tags,
        errors: ['api_key_not_found'],
        examples: { response: examples.DELETED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      const key = { sellerId: callingSeller(request).id, id };
      const deleted = await apiKeys.remove(key, callingRole(request), auditActorOf(request));
      if (!deleted) throw new HttpError('api_key_not_found');
      return ok({ id: id.toLowerCase() });
    },
  );
}
