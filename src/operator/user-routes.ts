import { Type } from 'typebox';

import { createdUser, viewInvited } from '#identity/users/invitation-schema.ts';
import {
  RESET_CANCELED,
  RESET_FAILURES,
  RESET_REQUESTED,
  resetEnvelope,
  viewReset,
} from '#identity/second-factor-resets/schema.ts';
import { loadPasswordEstimator } from '#identity/users/password-policy.ts';
import { viewUser } from '#identity/users/profile.ts';
import { NewOperatorUserBody, operatorRole } from '#identity/users/schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { deletedEnvelope, emptyEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingUserId } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { OPERATOR_ROLES } from '#platform/kit/permissions.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import { createOrInvite, requestOf } from './create-user.ts';
import * as examples from './examples.ts';
import { userProperties } from './schema.ts';

export interface UserRouteDeps {
  readonly users: UsersService;
  readonly approvals: ApprovalsService;
  readonly rates: RateLimiter;
}

const OperatorUserSchema = Type.Object(
  { ...userProperties, role: operatorRole },
  { title: 'OperatorUser', description: 'An operator user.' },
);
const NewOperatorUserSchema = createdUser(OperatorUserSchema.properties, 'NewOperatorUser');
const tags = ['Users'];

/** The operator's own users. */
export function operatorUserRoutes(app: App, deps: UserRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
  registerRequestReset(app, deps);
  registerCancelReset(app, deps);
}

function registerCreate(app: App, { users, approvals, rates }: UserRouteDeps): void {
  app.post(
    '/admin/users',
    {
      config: { access: 'operator:write', stepUp: true },
      preValidation: loadPasswordEstimator,
      schema: {
        operationId: 'createOperatorUser',
        summary: 'Create an operator user',
        description:
          'Creates an operator user with the role ADMIN or SUPPORT, who can sign in immediately ' +
          'with the given password. Without a password, the person is invited by email. Returns ' +
          'the user. Creating an ADMIN requires approval by a second ADMIN, if one exists; the ' +
          'response is then 202 with the pending approval.',
        tags,
        errors: ['email_taken', 'email_not_configured', 'too_many_invitations'],
        examples: {
          body: examples.NEW_OPERATOR_USER,
          accepted: PENDING,
          response: examples.OPERATOR_USER_CREATED,
        },
        body: NewOperatorUserBody,
        response: { 201: envelope(NewOperatorUserSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { name, email, password, role } = request.body;
      const input = { sellerId: null, name, email, password, role };
      const locale = preferredLanguage(request.headers['accept-language']);
      const author = auditActorOf(request);
      const requested = await requestOf({ users, rates }, input, locale);
      const pending = role === 'ADMIN' ? await approvals.request(requested, author) : undefined;
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      const created = await createOrInvite({ users, rates }, requested, author);
      const result =
        'profile' in created
          ? viewUser(created.profile, OPERATOR_ROLES)
          : viewInvited(created.invitation, OPERATOR_ROLES);
      return reply.code(201).send(ok(result));
    },
  );
}

function registerList(app: App, { users }: UserRouteDeps): void {
  app.get(
    '/admin/users',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listOperatorUsers',
        summary: 'List operator users',
        description: 'Returns one page of the operator users, newest first.',
        tags,
        examples: { response: examples.OPERATOR_USERS },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(OperatorUserSchema) },
      },
    },
    async (request) => {
      const { items, count } = await users.list(null, parsePage(request.query));
      return pageResponse(items, count, request.query.take, (user) => viewUser(user, OPERATOR_ROLES));
    },
  );
}

function registerDelete(app: App, { users, approvals }: UserRouteDeps): void {
  app.delete(
    '/admin/users/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'deleteOperatorUser',
        summary: 'Delete an operator user',
        description:
          'Deletes an operator user and revokes its tokens immediately. The last ADMIN ' +
          'cannot be deleted. Returns the id of the user. Deleting an ADMIN requires approval by a ' +
          'second ADMIN; the response is then 202 with the pending approval.',
        tags,
        errors: ['user_not_found', 'last_admin'],
        examples: { accepted: PENDING, response: examples.DELETED_USER },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope, ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const author = auditActorOf(request);
      if (await users.isAdmin(id)) {
        const pending = await approvals.request({ action: 'user.delete', id: id.toLowerCase() }, author);
        if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      }
      const outcome = await users.removeOperatorUser(id, author);
      if (outcome === 'UNKNOWN') throw new HttpError('user_not_found');
      if (outcome === 'LAST_ADMIN') throw new HttpError('last_admin');
      return ok({ id: id.toLowerCase() });
    },
  );
}

function registerRequestReset(app: App, { users, approvals }: UserRouteDeps): void {
  app.post(
    '/admin/users/:id/second-factor-reset',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'requestOperatorSecondFactorReset',
        summary: "Reset an operator user's second factor",
        description:
          'Requests the removal of all second factors of an operator user. Use it for a user who has lost ' +
          'the authenticator app, the passkeys and the recovery codes. Requires approval by a second ' +
          'ADMIN, if one exists; the response is then 202 with the pending approval. By default 24 hours ' +
          '(`SECOND_FACTOR_RESET_HOURS`) after the request, or after its approval if one is required, the ' +
          'second factors are removed and the sessions of the user end; the password alone is then enough ' +
          'to sign in. Until then the user, or an ADMIN, can cancel the reset.',
        tags,
        errors: [
          'user_not_found',
          'cannot_reset_self',
          'second_factor_not_active',
          'second_factor_reset_pending',
        ],
        examples: { accepted: PENDING, response: RESET_REQUESTED },
        params: Type.Object({ id: Type.String() }),
        response: { 201: resetEnvelope, ...pendingResponse },
      },
    },
    async (request, reply) => {
      const id = request.params.id.toLowerCase();
      if (id === callingUserId(request)) throw new HttpError('cannot_reset_self');
      const author = auditActorOf(request);
      const pending = await approvals.request({ action: 'second-factor.reset', id }, author);
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      const reset = await users.requestReset({ sellerId: null, userId: id }, author);
      if (typeof reset === 'string') throw new HttpError(RESET_FAILURES[reset]);
      return reply.code(201).send(ok(viewReset(reset)));
    },
  );
}

function registerCancelReset(app: App, { users }: UserRouteDeps): void {
  app.delete(
    '/admin/users/:id/second-factor-reset',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'cancelOperatorSecondFactorReset',
        summary: "Cancel an operator user's second-factor reset",
        description: 'Cancels the pending second-factor reset of an operator user.',
        tags,
        errors: ['user_not_found', 'second_factor_reset_not_found'],
        examples: { response: RESET_CANCELED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      const member = { sellerId: null, userId: request.params.id };
      const outcome = await users.cancelReset(member, auditActorOf(request));
      if (outcome !== 'CANCELED') throw new HttpError(RESET_FAILURES[outcome]);
      return ok({});
    },
  );
}
