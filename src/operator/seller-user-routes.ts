import { Type } from 'typebox';

import { createdUser, viewInvited } from '#identity/users/invitation-schema.ts';
import { loadPasswordEstimator } from '#identity/users/password-policy.ts';
import { viewUser, type Profile } from '#identity/users/profile.ts';
import { OperatedSellerUserBody, UserRemovalQuery } from '#identity/users/schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { deletedEnvelope, envelope, ok, pageEnvelope, recordId } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import type { SellersService } from '#sellers/service.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import { createOrInvite, requestOf } from './create-user.ts';
import * as examples from './examples.ts';
import { requireSeller } from './require-seller.ts';
import { userProperties } from './schema.ts';

export interface SellerUserRouteDeps {
  readonly users: UsersService;
  readonly approvals: ApprovalsService;
  readonly rates: RateLimiter;
  readonly sellers: SellersService;
}

const SellerUserSchema = Type.Object(
  {
    ...userProperties,
    sellerId: recordId('The seller.'),
    role: Type.Enum([...SELLER_ROLES], { description: 'Role of the user.' }),
  },
  { title: 'SellerUser', description: 'A seller user.' },
);
const NewSellerUserSchema = createdUser(SellerUserSchema.properties, 'NewSellerUser');
const SellerParams = Type.Object({ id: Type.String() });
const tags = ['Sellers'];

/** The users of a seller, as the operator manages them. */
export function operatorSellerUserRoutes(app: App, deps: SellerUserRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { users, sellers, approvals, rates }: SellerUserRouteDeps): void {
  app.post(
    '/admin/sellers/:id/users',
    {
      config: { access: 'operator:write', stepUp: true },
      preValidation: loadPasswordEstimator,
      schema: {
        operationId: 'createSellerUser',
        summary: 'Create a seller user',
        description:
          'Creates a user of the seller, who can sign in immediately with the given password. ' +
          'Without a password, the person is invited by email. Returns the user. Requires ' +
          'approval by a second ADMIN, if one exists; the response is then 202 with the pending ' +
          'approval.',
        tags,
        errors: ['seller_not_found', 'email_taken', 'email_not_configured', 'too_many_invitations'],
        examples: {
          body: examples.NEW_SELLER_USER,
          accepted: PENDING,
          response: examples.SELLER_USER_CREATED,
        },
        params: SellerParams,
        body: OperatedSellerUserBody,
        response: { 201: envelope(NewSellerUserSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const seller = await requireSeller(sellers, request.params.id);
      const { name, email, password, role } = request.body;
      const input = { sellerId: seller.id, name, email, password, role };
      const locale = preferredLanguage(request.headers['accept-language']);
      const author = auditActorOf(request);
      const requested = await requestOf({ users, rates }, input, locale);
      const pending = await approvals.request(requested, author);
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      const created = await createOrInvite({ users, rates }, requested, author);
      const result =
        'profile' in created
          ? viewUser(created.profile, SELLER_ROLES)
          : viewInvited(created.invitation, SELLER_ROLES);
      return reply.code(201).send(ok({ ...result, sellerId: seller.id }));
    },
  );
}

function registerList(app: App, { users, sellers }: SellerUserRouteDeps): void {
  app.get(
    '/admin/sellers/:id/users',
    {
      config: { access: 'operator:read', personalData: 'seller' },
      schema: {
        operationId: 'listSellerUsers',
        summary: 'List seller users',
        description: 'Returns one page of the users of the seller, newest first.',
        tags,
        errors: ['seller_not_found'],
        examples: { response: examples.SELLER_USERS },
        params: SellerParams,
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(SellerUserSchema) },
      },
    },
    async (request) => {
      const seller = await requireSeller(sellers, request.params.id);
      const { items, count } = await users.list(seller.id, parsePage(request.query));
      return pageResponse(items, count, request.query.take, (user) => view(user, seller.id));
    },
  );
}

function registerDelete(app: App, { users, sellers }: SellerUserRouteDeps): void {
  app.delete(
    '/admin/sellers/:id/users/:userId',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteSellerUser',
        summary: 'Delete a seller user',
        description:
          'Deletes a user of the seller and revokes its tokens immediately. With `endKeys`, the API ' +
          'keys that the user created stop working within a second. Returns the id of the user.',
        tags,
        errors: ['seller_not_found', 'user_not_found'],
        examples: { response: examples.DELETED_USER },
        params: Type.Object({
          id: Type.String({ description: 'The id of the seller.' }),
          userId: Type.String({ description: 'The id of the user.' }),
        }),
        querystring: UserRemovalQuery,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const seller = await requireSeller(sellers, request.params.id);
      const { userId } = request.params;
      const { endKeys = false } = request.query;
      const removal = { sellerId: seller.id, id: userId, endKeys };
      const deleted = await users.removeSellerUser(removal, auditActorOf(request));
      if (!deleted) throw new HttpError('user_not_found');
      return ok({ id: userId.toLowerCase() });
    },
  );
}

const view = (user: Profile, sellerId: string) => ({ ...viewUser(user, SELLER_ROLES), sellerId });
