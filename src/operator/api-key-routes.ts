import { Type } from 'typebox';

import { tooManyApiKeys } from '#identity/api-keys/errors.ts';
import { DELETED, LISTED, NEW_API_KEY } from '#identity/api-keys/examples.ts';
import { ApiKeyList, NewApiKeyBody, NewApiKeySchema, viewKeys } from '#identity/api-keys/schema.ts';
import type { ApiKeysService } from '#identity/api-keys/service.ts';
import { deletedEnvelope, envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import { API_KEY_CREATED } from './examples.ts';
import { requireSeller } from './require-seller.ts';

export interface ApiKeyRouteDeps {
  readonly apiKeys: ApiKeysService;
  readonly approvals: ApprovalsService;
  readonly sellers: SellersService;
}

const NewSellerApiKeySchema = Type.Pick(NewApiKeySchema, ['id', 'name', 'prefix', 'role', 'key'], {
  title: 'NewSellerApiKey',
  description: 'An API key that was just created.',
});
const SellerParams = Type.Object({ id: Type.String() });
const tags = ['Sellers'];

/** A seller's API keys, as the operator manages them. */
export function operatorApiKeyRoutes(app: App, deps: ApiKeyRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { apiKeys, sellers, approvals }: ApiKeyRouteDeps): void {
  app.post(
    '/admin/sellers/:id/api-keys',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'createSellerApiKey',
        summary: "Create a seller's API key",
        description:
          'Creates an API key for a seller. Returns the key, which is shown only once. Requires ' +
          'approval by a second ADMIN, if one exists: the response is then 202 with the pending ' +
          'approval, and the approval returns the key.',
        tags,
        errors: ['seller_not_found', tooManyApiKeys()],
        examples: { body: NEW_API_KEY, accepted: PENDING, response: API_KEY_CREATED },
        params: SellerParams,
        body: NewApiKeyBody,
        response: { 201: envelope(NewSellerApiKeySchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const seller = await requireSeller(sellers, request.params.id);
      const { name, role = 'OWNER' } = request.body;
      const author = auditActorOf(request);
      const requested = { action: 'api-key.create', sellerId: seller.id, name, role } as const;
      const pending = await approvals.request(requested, author);
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      const created = await apiKeys.create(seller.id, { name, role }, author);
      if (created === undefined) throw tooManyApiKeys();
      const { id, prefix } = created.apiKey;
      return reply.code(201).send(ok({ id, name, prefix, role, key: created.key }));
    },
  );
}

function registerList(app: App, { apiKeys, sellers }: ApiKeyRouteDeps): void {
  app.get(
    '/admin/sellers/:id/api-keys',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSellerApiKeys',
        summary: "List a seller's API keys",
        description:
          'Returns all API keys of a seller, newest first. Only the first characters of each ' +
          'key are included.',
        tags,
        errors: ['seller_not_found'],
        examples: { response: LISTED },
        params: SellerParams,
        response: { 200: ApiKeyList },
      },
    },
    async (request) => {
      const seller = await requireSeller(sellers, request.params.id);
      return viewKeys(await apiKeys.list(seller.id));
    },
  );
}

function registerDelete(app: App, { apiKeys, sellers }: ApiKeyRouteDeps): void {
  app.delete(
    '/admin/sellers/:id/api-keys/:keyId',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteSellerApiKey',
        summary: "Delete a seller's API key",
        description:
          'Deletes an API key of a seller, which stops working within a second. Returns the id of the key.',
        tags,
        errors: ['seller_not_found', 'api_key_not_found'],
        examples: { response: DELETED },
        params: Type.Object({
          id: Type.String({ description: 'The id of the seller.' }),
          keyId: Type.String({ description: 'The id of the API key.' }),
        }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { keyId } = request.params;
      const seller = await requireSeller(sellers, request.params.id);
      const deleted = await apiKeys.remove(
        { sellerId: seller.id, id: keyId },
        'ADMIN',
        auditActorOf(request),
      );
      if (!deleted) throw new HttpError('api_key_not_found');
      return ok({ id: keyId.toLowerCase() });
    },
  );
}
