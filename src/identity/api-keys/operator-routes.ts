import { Type } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { SellersService } from '#sellers/service.ts';
import * as examples from './examples.ts';
import { ApiKeySchema, viewKey } from './routes.ts';
import type { ApiKeysService } from './service.ts';

export interface OperatorKeyDeps {
  readonly apiKeys: ApiKeysService;
  readonly sellers: SellersService;
}

const tags = ['Operator'];

/** The operator sees with which keys a seller's systems call, and can take one away. */
export function apiKeyOperatorRoutes(app: App, { apiKeys, sellers }: OperatorKeyDeps): void {
  app.get(
    '/admin/sellers/:id/api-keys',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSellerApiKeys',
        summary: "List a seller's API keys, newest first",
        description: 'Of each key its first characters, and never the key.',
        tags,
        refusals: { 404: ['Seller not found'] },
        examples: { answer: examples.LISTED },
        params: Type.Object({ id: Type.String() }),
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
      const keys = await apiKeys.list(await requireSellerId(request.params.id));
      return { status: true as const, data: keys.map(viewKey), count: keys.length };
    },
  );

  app.delete(
    '/admin/sellers/:id/api-keys/:keyId',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteSellerApiKey',
        summary: "Delete a seller's API key",
        description: 'It stops working at once.',
        tags,
        refusals: { 404: ['Seller not found', 'API key not found'] },
        examples: { answer: examples.DELETED },
        params: Type.Object({ id: Type.String(), keyId: Type.String() }),
        response: {
          200: envelope(Type.Object({ id: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const { keyId } = request.params;
      const removed = await apiKeys.remove(
        await requireSellerId(request.params.id),
        keyId,
        auditActorOf(request),
      );
      if (!removed) throw new HttpError(404, 'API key not found');
      return ok({ id: keyId.toLowerCase() });
    },
  );

  async function requireSellerId(id: string): Promise<string> {
    const seller = isUuid(id) ? await sellers.find(id) : undefined;
    if (seller === undefined) throw new HttpError(404, 'Seller not found');
    return seller.id;
  }
}
