import { Type } from 'typebox';

import { loadPasswordEstimator } from '#identity/users/password-policy.ts';
import { viewUser } from '#identity/users/profile.ts';
import { NewOperatorUserBody, operatorRole } from '#identity/users/schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { deletedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { OPERATOR_ROLES } from '#platform/kit/permissions.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import * as examples from './examples.ts';
import { userProperties } from './schema.ts';

export interface UserRouteDeps {
  readonly users: UsersService;
  readonly approvals: ApprovalsService;
}

const OperatorUserSchema = Type.Object(
  { ...userProperties, role: operatorRole },
  { title: 'OperatorUser', description: 'A user of the operator.' },
);
const tags = ['Users'];

/** The operator's own users. */
export function operatorUserRoutes(app: App, deps: UserRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { users, approvals }: UserRouteDeps): void {
  app.post(
    '/admin/users',
    {
      config: { access: 'operator:write' },
      preValidation: loadPasswordEstimator,
      schema: {
        operationId: 'createOperatorUser',
        summary: 'Create a user of the operator',
        description:
          'Creates a user of the operator with the role ADMIN or SUPPORT, who can sign in at ' +
          'once with the given password. Returns the user. Creating an ADMIN requires approval by ' +
          'a second ADMIN, if one exists; the response is then 202 with the pending approval.',
        tags,
        errors: ['email_taken'],
        examples: {
          body: examples.NEW_OPERATOR_USER,
          accepted: PENDING,
          answer: examples.OPERATOR_USER_CREATED,
        },
        body: NewOperatorUserBody,
        response: { 201: envelope(OperatorUserSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { name, email, password, role } = request.body;
      const input = { sellerId: null, name, email, password, role };
      const author = auditActorOf(request);
      if (role === 'ADMIN') {
        const hashed = await users.hash(input);
        const pending = await approvals.request({ action: 'user.create', ...hashed }, author);
        if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      }
      const created = await users.create(input, author);
      if (!created.ok) throw new HttpError('email_taken');
      return reply.code(201).send(ok(viewUser(created.user, OPERATOR_ROLES)));
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
        summary: 'List users of the operator',
        description: 'Returns one page of the users of the operator, newest first.',
        tags,
        examples: { answer: examples.OPERATOR_USERS },
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
        summary: 'Delete a user of the operator',
        description:
          'Deletes a user of the operator and revokes its tokens immediately. The last ADMIN ' +
          'cannot be deleted. Returns the id of the user. Deleting an ADMIN requires approval by a ' +
          'second ADMIN; the response is then 202 with the pending approval.',
        tags,
        errors: ['user_not_found', 'last_admin'],
        examples: { accepted: PENDING, answer: examples.DELETED_USER },
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
