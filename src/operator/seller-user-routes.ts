import { Type } from 'typebox';

import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { SellersService } from '#sellers/service.ts';
import type { UsersService } from '#identity/users/service.ts';
import * as examples from './examples.ts';
import { SellerUserSchema, viewUser } from './user-routes.ts';

export interface SellerUserDeps {
  readonly users: UsersService;
  readonly sellers: SellersService;
}

const SellerParams = Type.Object({ id: Type.String() });
const DeletedSchema = envelope(Type.Object({ id: Type.String({ format: 'uuid' }) }));
const tags = ['Operator'];

/** The operator sees who signs in for a seller, and can end that. */
export function sellerUserRoutes(app: App, { users, sellers }: SellerUserDeps): void {
  app.get(
    '/admin/sellers/:id/users',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSellerUsers',
        summary: "List a seller's users, newest first",
        tags,
        refusals: { 404: ['Seller not found'] },
        examples: { answer: examples.SELLER_USERS },
        params: SellerParams,
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(SellerUserSchema) },
      },
    },
    async (request) => {
      const sellerId = await requireSellerId(request.params.id);
      const { items, count } = await users.list(sellerId, parsePage(request.query));
      return pageResponse(items, count, request.query.take, (one) => ({
        ...viewUser(one, SELLER_ROLES),
        sellerId,
      }));
    },
  );

  app.delete(
    '/admin/sellers/:id/users/:userId',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteSellerUser',
        summary: "Delete a seller's user",
        description: 'Their tokens end at once.',
        tags,
        refusals: { 404: ['Seller not found', 'User not found'] },
        examples: { answer: examples.DELETED_USER },
        params: Type.Object({ id: Type.String(), userId: Type.String() }),
        response: { 200: DeletedSchema },
      },
    },
    async (request) => {
      const sellerId = await requireSellerId(request.params.id);
      const { userId } = request.params;
      const removed = await users.removeSellerUser(sellerId, userId, auditActorOf(request));
      if (!removed) throw new HttpError(404, 'User not found');
      return ok({ id: userId.toLowerCase() });
    },
  );

  async function requireSellerId(id: string): Promise<string> {
    const seller = isUuid(id) ? await sellers.find(id) : undefined;
    if (seller === undefined) throw new HttpError(404, 'Seller not found');
    return seller.id;
  }
}
