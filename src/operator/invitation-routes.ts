import { Type } from 'typebox';

import { admitInvitation, releaseInvitation } from '#identity/users/invitation-limits.ts';
import * as schema from '#identity/users/invitation-schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { deletedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { OPERATOR_ROLES } from '#platform/kit/permissions.ts';
import { PENDING, pendingResponse, viewApproval } from './approvals/schema.ts';
import type { ApprovalsService } from './approvals/service.ts';

export interface OperatorInvitationRouteDeps {
  readonly users: UsersService;
  readonly approvals: ApprovalsService;
  readonly rates: RateLimiter;
}

const tags = ['Users'];

/** The invitations of operator users. */
export function operatorInvitationRoutes(app: App, deps: OperatorInvitationRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { users, approvals, rates }: OperatorInvitationRouteDeps): void {
  app.post(
    '/admin/users/invitations',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'inviteOperatorUser',
        summary: 'Invite an operator user',
        description:
          'Emails an invitation. Its link is valid for seven days and works once. Inviting an address ' +
          'again replaces its earlier invitation. An invitation is revoked when its inviter is deleted. ' +
          "An address that belongs to a seller's user gets an email that says so; the response does not " +
          'reveal it. Inviting an ADMIN requires approval by a second ADMIN, if one exists; the response ' +
          'is then 202 with the pending approval, and the email is sent when it is approved. The operator ' +
          'can send 500 invitations in seven days, and three in a day to one address.',
        tags,
        errors: ['email_taken', 'email_not_configured', 'too_many_invitations'],
        examples: {
          body: schema.NEW_OPERATOR_INVITATION,
          accepted: PENDING,
          response: schema.OPERATOR_INVITED,
        },
        body: schema.OperatorInvitationBody,
        response: { 201: envelope(schema.OperatorInvitationSchema), ...pendingResponse },
      },
    },
    async (request, reply) => {
      const { email, role } = request.body;
      const locale = preferredLanguage(request.headers['accept-language']);
      const input = { sellerId: null, email, role, locale, name: '' };
      const author = auditActorOf(request);
      await admitInvitation(rates, null, email);
      const pending =
        role === 'ADMIN' ? await approvals.request({ action: 'user.invite', ...input }, author) : undefined;
      if (pending !== undefined) return reply.code(202).send(ok(viewApproval(pending)));
      const outcome = await users.invite(input, author);
      if (typeof outcome === 'string') await releaseInvitation(rates, null, email);
      const invited = schema.requireInvited(outcome);
      return reply.code(201).send(ok(schema.viewInvitation(invited, OPERATOR_ROLES)));
    },
  );
}

function registerList(app: App, { users }: OperatorInvitationRouteDeps): void {
  app.get(
    '/admin/users/invitations',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listOperatorInvitations',
        summary: 'List operator invitations',
        description: 'Returns one page of the pending invitations of operator users, newest first.',
        tags,
        examples: { response: schema.OPERATOR_INVITATIONS },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(schema.OperatorInvitationSchema) },
      },
    },
    async ({ query }) => {
      const { items, count } = await users.listInvitations(null, parsePage(query));
      return pageResponse(items, count, query.take, (one) => schema.viewInvitation(one, OPERATOR_ROLES));
    },
  );
}

function registerDelete(app: App, { users }: OperatorInvitationRouteDeps): void {
  app.delete(
    '/admin/users/invitations/:id',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'withdrawOperatorInvitation',
        summary: 'Revoke an operator invitation',
        description: 'Deletes an invitation, whose link stops working. Returns the id of the invitation.',
        tags,
        errors: ['invitation_not_found'],
        examples: { response: schema.WITHDRAWN },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await users.withdrawInvitation(null, id, auditActorOf(request))))
        throw new HttpError('invitation_not_found');
      return ok({ id: id.toLowerCase() });
    },
  );
}
