import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { operationOf } from '#audit/access-log.ts';
import type { BoundedAudit } from '#audit/bounded-audit.ts';
import { deletedEnvelope, envelope, ok, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import type { ErrorCode } from '#platform/http/error-codes.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, callingUserId, rateLimitExceeded } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import * as examples from './examples.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { viewUser } from './profile.ts';
import { loadPasswordEstimator } from './password-policy.ts';
import { NewSellerUserBody, secondFactorResetAt, sellerRole, UserRemovalQuery } from './schema.ts';
import type { TeamChangeFailure } from './changes.ts';
import type { UsersService } from './service.ts';

interface TeamRouteDeps {
  readonly users: UsersService;
  readonly throttle: LoginThrottle;
  readonly boundedAudit: BoundedAudit;
}

const MemberSchema = Type.Object(
  {
    id: recordId('The id of the user.'),
    name: Type.String({ description: 'Full name.' }),
    email: Type.String({ description: 'Email address, used to sign in.' }),
    role: sellerRole,
    secondFactorResetAt,
    createdAt: timestamp('When it was created.'),
  },
  { title: 'User', description: 'A seller user.' },
);

const FAILURES: Readonly<Record<TeamChangeFailure, ErrorCode>> = {
  UNKNOWN: 'user_not_found',
  LAST_OWNER: 'last_owner',
};

const ById = Type.Object({ id: Type.String() });
const tags = ['Team'];
/**
 * API keys cannot change the team: with a stolen key, an attacker could create a user that remains
 * when the key is deleted.
 */
const writeConfig = { access: 'users:write', peopleOnly: true } as const;
/** A stolen browser session could otherwise create an OWNER, who signs in without step-up. */
const stepUpConfig = { ...writeConfig, stepUp: true } as const;

/** The users of a seller, as its OWNERs manage them. */
export function teamRoutes(app: App, deps: TeamRouteDeps): void {
  registerList(app, deps);
  registerCreate(app, deps);
  registerChange(app, deps);
  registerDelete(app, deps);
}

function registerList(app: App, { users }: TeamRouteDeps): void {
  app.get(
    '/users',
    {
      config: { access: 'users:read' },
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description: 'Returns one page of the users of the seller, newest first.',
        tags,
        examples: { response: examples.TEAM },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(MemberSchema) },
      },
    },
    async (request) => {
      const { items, count } = await users.list(callingSeller(request).id, parsePage(request.query));
      return pageResponse(items, count, request.query.take, (user) => viewUser(user, SELLER_ROLES));
    },
  );
}

function registerCreate(app: App, { users, throttle, boundedAudit }: TeamRouteDeps): void {
  app.post(
    '/users',
    {
      config: stepUpConfig,
      preValidation: loadPasswordEstimator,
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        description:
          'Creates a user of the seller, who can sign in immediately with the given password. ' +
          'Returns the user. After ten requests in an hour with emails that are taken, the seller can ' +
          'create no users for the rest of the hour (429). Not available to API keys (403).',
        tags,
        errors: ['email_taken'],
        examples: { body: examples.NEW_MEMBER, response: examples.MEMBER },
        body: NewSellerUserBody,
        response: { 201: envelope(MemberSchema) },
      },
    },
    async (request, reply) => {
      const { name, email, password, role } = request.body;
      const sellerId = callingSeller(request).id;
      const input = { sellerId, name, email, password, role };
      const attempt = await throttle.attemptCreation(sellerId, async () => {
        const created = await users.create(input, auditActorOf(request));
        return created.ok ? created.user : undefined;
      });
      if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
      if (attempt.result === undefined) {
        await recordTakenEmail(boundedAudit, request, { sellerId, email });
        throw new HttpError('email_taken');
      }
      return reply.code(201).send(ok(viewUser(attempt.result, SELLER_ROLES)));
    },
  );
}

/** The response reveals to an OWNER that the address has an account, maybe with another seller. */
const recordTakenEmail = (
  audit: BoundedAudit,
  request: FastifyRequest,
  { sellerId, email }: { readonly sellerId: string; readonly email: string },
): Promise<void> =>
  audit.recordRefusal(auditActorOf(request), {
    action: 'access.refused',
    recordType: 'operation',
    recordId: null,
    sellerId,
    after: {
      operation: operationOf(request),
      reason: 'email_taken',
      email,
    },
  });

function registerChange(app: App, { users }: TeamRouteDeps): void {
  app.patch(
    '/users/:id',
    {
      config: stepUpConfig,
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        description:
          'Changes the name or the role of a user of the seller, with immediate effect. With `endKeys`, ' +
          'the API keys that the user created and that have a permission which the role lacks stop ' +
          'working within a second. Returns the updated user. The last OWNER keeps its role. ' +
          'Not available to API keys (403).',
        tags,
        errors: ['user_not_found', 'last_owner'],
        examples: { body: examples.MEMBER_CHANGES, response: examples.MEMBER },
        params: ById,
        body: Type.Object({
          name: Type.Optional(nonEmptyString(255, 'Full name.')),
          role: Type.Optional(sellerRole),
          endKeys: Type.Optional(
            Type.Boolean({
              description:
                'Also deletes the API keys that the user created and that have a permission which the ' +
                'role lacks. Default: false, and they keep working.',
            }),
          ),
        }),
        response: { 200: envelope(MemberSchema) },
      },
    },
    async (request) => {
      const { name, role, endKeys } = request.body;
      const member = { sellerId: callingSeller(request).id, userId: request.params.id };
      const changed = await users.updateTeamMember(member, { name, role, endKeys }, auditActorOf(request));
      if (typeof changed === 'string') throw new HttpError(FAILURES[changed]);
      return ok(viewUser(changed, SELLER_ROLES));
    },
  );
}

function registerDelete(app: App, { users }: TeamRouteDeps): void {
  app.delete(
    '/users/:id',
    {
      config: writeConfig,
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'Deletes a user of the seller and revokes its sessions immediately. With `endKeys`, the ' +
          'API keys that the user created stop working within a second. You cannot delete yourself ' +
          'or the last OWNER. Returns the id of the user. Not available to API keys (403).',
        tags,
        errors: ['user_not_found', 'cannot_delete_self', 'last_owner'],
        examples: { response: examples.MEMBER_DELETED },
        params: ById,
        querystring: UserRemovalQuery,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const id = request.params.id.toLowerCase();
      if (id === callingUserId(request)) throw new HttpError('cannot_delete_self');
      const { endKeys = false } = request.query;
      const removal = { sellerId: callingSeller(request).id, id, endKeys };
      const outcome = await users.removeTeamMember(removal, auditActorOf(request));
      if (outcome !== 'DELETED') throw new HttpError(FAILURES[outcome]);
      return ok({ id });
    },
  );
}
