import { Type, type Static } from 'typebox';

import type { AuditActor } from '#platform/http/audit-actor.ts';
import { envelope, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#platform/kit/permissions.ts';
import { NewPassword } from '#identity/users/schema.ts';
import type { SellersService } from '#sellers/service.ts';
import * as examples from './examples.ts';
import type { NewUser, Profile, UsersService } from '#identity/users/service.ts';

export interface OperatorUserDeps {
  readonly users: UsersService;
  readonly sellers: SellersService;
}

const newUser = {
  name: nonEmptyString(255),
  email: Type.String({ format: 'email', maxLength: 320 }),
  password: NewPassword,
};
const user = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String(),
  createdAt: Timestamp,
};
const UserSchema = Type.Object(user);
export const SellerUserSchema = Type.Object({
  ...user,
  sellerId: Type.String({ format: 'uuid' }),
  role: Type.Enum([...SELLER_ROLES]),
});
const OperatorUserSchema = Type.Object({ ...user, role: Type.Enum([...OPERATOR_ROLES]) });
const ById = Type.Object({ id: Type.String() });
const tags = ['Operator'];

/** Who signs in: for the operator itself, and for its sellers. */
export function operatorUserRoutes(app: App, { users, sellers }: OperatorUserDeps): void {
  app.post(
    '/admin/sellers/:id/users',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createSellerUser',
        summary: 'Create a user of a seller',
        tags,
        refusals: { 404: ['Seller not found'], 422: ['E-mail is already in use'] },
        examples: { body: examples.NEW_SELLER_USER, answer: examples.SELLER_USER_CREATED },
        params: ById,
        body: Type.Object({ ...newUser, role: Type.Enum([...SELLER_ROLES]) }),
        response: { 201: envelope(SellerUserSchema) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const seller = isUuid(id) ? await sellers.find(id) : undefined;
      if (seller === undefined) throw new HttpError(404, 'Seller not found');
      const { name, email, password, role } = request.body;
      const created = await create(
        { sellerId: seller.id, name, email, password, role },
        auditActorOf(request),
      );
      return reply.code(201).send(ok({ ...viewUser(created, SELLER_ROLES), sellerId: seller.id }));
    },
  );

  app.post(
    '/admin/users',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createOperatorUser',
        summary: 'Create a user of the operator',
        tags,
        refusals: { 422: ['E-mail is already in use'] },
        examples: { body: examples.NEW_OPERATOR_USER, answer: examples.OPERATOR_USER_CREATED },
        body: Type.Object({ ...newUser, role: Type.Enum([...OPERATOR_ROLES]) }),
        response: { 201: envelope(OperatorUserSchema) },
      },
    },
    async (request, reply) => {
      const { name, email, password, role } = request.body;
      const created = await create({ sellerId: null, name, email, password, role }, auditActorOf(request));
      return reply.code(201).send(ok(viewUser(created, OPERATOR_ROLES)));
    },
  );

  app.get(
    '/admin/users',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listOperatorUsers',
        summary: "List the operator's users, newest first",
        tags,
        examples: { answer: examples.OPERATOR_USERS },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(OperatorUserSchema) },
      },
    },
    async (request) => {
      const { items, count } = await users.list(null, parsePage(request.query));
      return pageResponse(items, count, request.query.take, (one) => viewUser(one, OPERATOR_ROLES));
    },
  );

  app.delete(
    '/admin/users/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteOperatorUser',
        summary: 'Delete a user of the operator',
        description: 'Their tokens end at once. The last ADMIN stays.',
        tags,
        refusals: { 404: ['User not found'], 422: ['The last ADMIN cannot be deleted'] },
        examples: { answer: examples.DELETED_USER },
        params: ById,
        response: {
          200: envelope(Type.Object({ id: Type.String({ format: 'uuid' }) })),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const outcome = await users.removeOperatorUser(id, auditActorOf(request));
      if (outcome === 'UNKNOWN') throw new HttpError(404, 'User not found');
      if (outcome === 'LAST_ADMIN') throw new HttpError(422, 'The last ADMIN cannot be deleted');
      return ok({ id: id.toLowerCase() });
    },
  );

  async function create(input: NewUser, author: AuditActor): Promise<Profile> {
    const created = await users.create(input, author);
    if (!created.ok) throw new HttpError(422, 'E-mail is already in use');
    return created.user;
  }
}

export function viewUser<R extends Role>(
  profile: Profile,
  roles: readonly R[],
): Static<typeof UserSchema> & { role: R } {
  const role = roles.find((known) => known === profile.role);
  if (role === undefined) throw new Error('a user has a role of the other kind of user');
  const { id, name, email, createdAt } = profile;
  return { id, name, email, role, createdAt: createdAt.toISOString() };
}
