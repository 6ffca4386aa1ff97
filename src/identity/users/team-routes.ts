import { Type, type Static } from 'typebox';

import { envelope, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError, businessError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, callingUserId } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import * as examples from './examples.ts';
import { NewPassword } from './schema.ts';
import type { Profile, TeamChangeFailure, UsersService } from './service.ts';

const MemberSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: Type.String(),
    role: Type.Enum([...SELLER_ROLES]),
    createdAt: Timestamp,
  },
  { title: 'TeamMember' },
);

const FAILURE_RESPONSES: Readonly<Record<TeamChangeFailure, readonly [number, string]>> = {
  UNKNOWN: [404, 'User not found'],
  LAST_OWNER: [422, 'The last OWNER must stay one'],
};
const EMAIL_TAKEN = 'E-mail is already in use';
const CANNOT_DELETE_SELF = 'You cannot delete yourself';

const ById = Type.Object({ id: Type.String() });
const tags = ['Team'];

/**
 * Who signs in for a seller, kept by its OWNERs. What changes the team is done by people: a key that was stolen must not
 * make its thief a user who stays when the key is deleted.
 */
export function teamRoutes(app: App, { users }: { readonly users: UsersService }): void {
  app.get(
    '/users',
    {
      config: { access: 'users:read' },
      schema: {
        operationId: 'listUsers',
        summary: "List the seller's users, newest first",
        tags,
        examples: { answer: examples.TEAM },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(MemberSchema) },
      },
    },
    async (request) => {
      const { items, count } = await users.list(callingSeller(request).id, parsePage(request.query));
      return pageResponse(items, count, request.query.take, view);
    },
  );

  app.post(
    '/users',
    {
      config: { access: 'users:write', peopleOnly: true },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user of the seller',
        description: 'For users only: an API key gets 403.',
        tags,
        refusals: { 422: [EMAIL_TAKEN] },
        examples: { body: examples.NEW_MEMBER, answer: examples.MEMBER },
        body: Type.Object({
          name: nonEmptyString(255),
          email: Type.String({ format: 'email', maxLength: 320 }),
          password: NewPassword,
          role: Type.Enum([...SELLER_ROLES]),
        }),
        response: { 201: envelope(MemberSchema) },
      },
    },
    async (request, reply) => {
      const { name, email, password, role } = request.body;
      const sellerId = callingSeller(request).id;
      const created = await users.create({ sellerId, name, email, password, role }, auditActorOf(request));
      if (!created.ok) throw new HttpError(422, EMAIL_TAKEN);
      return reply.code(201).send(ok(view(created.user)));
    },
  );

  app.patch(
    '/users/:id',
    {
      config: { access: 'users:write', peopleOnly: true },
      schema: {
        operationId: 'changeUser',
        summary: 'Change the name or role of a user of the seller',
        description: 'Counts at once. For users only: an API key gets 403.',
        tags,
        refusals: { 404: ['User not found'], 422: [FAILURE_RESPONSES.LAST_OWNER[1]] },
        examples: { body: examples.MEMBER_CHANGES, answer: examples.MEMBER },
        params: ById,
        body: Type.Object({
          name: Type.Optional(nonEmptyString(255)),
          role: Type.Optional(Type.Enum([...SELLER_ROLES])),
        }),
        response: { 200: envelope(MemberSchema) },
      },
    },
    async (request) => {
      const { name, role } = request.body;
      const sellerId = callingSeller(request).id;
      const changed = await users.updateTeamMember(
        sellerId,
        request.params.id,
        { name, role },
        auditActorOf(request),
      );
      if (typeof changed === 'string') throw businessError(FAILURE_RESPONSES[changed]);
      return ok(view(changed));
    },
  );

  app.delete(
    '/users/:id',
    {
      config: { access: 'users:write', peopleOnly: true },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user of the seller',
        description: 'Their sessions end at once. For users only: an API key gets 403.',
        tags,
        refusals: { 404: ['User not found'], 422: [CANNOT_DELETE_SELF, FAILURE_RESPONSES.LAST_OWNER[1]] },
        examples: { answer: examples.MEMBER_DELETED },
        params: ById,
        response: { 200: envelope(Type.Object({ id: Type.String({ format: 'uuid' }) })) },
      },
    },
    async (request) => {
      const id = request.params.id.toLowerCase();
      if (id === callingUserId(request)) throw new HttpError(422, CANNOT_DELETE_SELF);
      const outcome = await users.removeTeamMember(callingSeller(request).id, id, auditActorOf(request));
      if (outcome !== 'DELETED') throw businessError(FAILURE_RESPONSES[outcome]);
      return ok({ id });
    },
  );
}

function view({ id, name, email, role, createdAt }: Profile): Static<typeof MemberSchema> {
  const sellerRole = SELLER_ROLES.find((known) => known === role);
  if (sellerRole === undefined) throw new Error('a member of a team has a role of the operator');
  return { id, name, email, role: sellerRole, createdAt: createdAt.toISOString() };
}
