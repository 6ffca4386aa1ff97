import { Type } from 'typebox';

import { deletedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { SELLER_ROLES } from '#platform/kit/permissions.ts';
import { admitInvitation, releaseInvitation } from './invitation-limits.ts';
import * as schema from './invitation-schema.ts';
import type { UsersService } from './service.ts';

interface InvitationRouteDeps {
  readonly users: UsersService;
  readonly rates: RateLimiter;
}

const tags = ['Team'];
/** As for users: with a stolen key, an attacker could invite a user who keeps access. */
const writeConfig = { access: 'users:write', peopleOnly: true } as const;

/** The invitations to a seller's team. */
export function invitationRoutes(app: App, deps: InvitationRouteDeps): void {
  registerCreate(app, deps);
  registerList(app, deps);
  registerDelete(app, deps);
}

function registerCreate(app: App, { users, rates }: InvitationRouteDeps): void {
  app.post(
    '/users/invitations',
    {
      config: { ...writeConfig, stepUp: true },
      schema: {
        operationId: 'inviteUser',
        summary: 'Invite a user',
        description:
          'Emails an invitation to the team. Its link is valid for seven days and works once; the person ' +
          'chooses a name and a password. Inviting an address again replaces its earlier invitation. An ' +
          'invitation is revoked when its inviter is deleted or is no longer OWNER. An address that ' +
          'belongs to another team gets an email that says so; the response does not reveal it. A seller ' +
          'can send 50 invitations in seven days, and three in a day to one address. Not available to API ' +
          'keys (403).',
        tags,
        errors: ['email_taken', 'email_not_configured', 'too_many_invitations'],
        examples: { body: schema.NEW_INVITATION, response: schema.INVITED },
        body: schema.InvitationBody,
        response: { 201: envelope(schema.InvitationSchema) },
      },
    },
    async (request, reply) => {
      const { email, role } = request.body;
      const locale = preferredLanguage(request.headers['accept-language']);
      const sellerId = callingSeller(request).id;
      await admitInvitation(rates, sellerId, email);
      const input = { sellerId, email, role, locale };
      const outcome = await users.invite(input, auditActorOf(request));
      if (typeof outcome === 'string') await releaseInvitation(rates, sellerId, email);
      const invited = schema.requireInvited(outcome);
      return reply.code(201).send(ok(schema.viewInvitation(invited, SELLER_ROLES)));
    },
  );
}

function registerList(app: App, { users }: InvitationRouteDeps): void {
  app.get(
    '/users/invitations',
    {
      config: { access: 'users:read' },
      schema: {
        operationId: 'listInvitations',
        summary: 'List invitations',
        description: 'Returns one page of the pending invitations, newest first.',
        tags,
        examples: { response: schema.INVITATIONS },
        querystring: Type.Object(pageQuery),
        response: { 200: pageEnvelope(schema.InvitationSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, count } = await users.listInvitations(callingSeller(request).id, parsePage(query));
      return pageResponse(items, count, query.take, (one) => schema.viewInvitation(one, SELLER_ROLES));
    },
  );
}

function registerDelete(app: App, { users }: InvitationRouteDeps): void {
  app.delete(
    '/users/invitations/:id',
    {
      config: writeConfig,
      schema: {
        operationId: 'withdrawInvitation',
        summary: 'Revoke an invitation',
        description:
          'Deletes an invitation, whose link stops working. Returns the id of the invitation. Not ' +
          'available to API keys (403).',
        tags,
        errors: ['invitation_not_found'],
        examples: { response: schema.WITHDRAWN },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      const sellerId = callingSeller(request).id;
      if (!(await users.withdrawInvitation(sellerId, id, auditActorOf(request))))
        throw new HttpError('invitation_not_found');
      return ok({ id: id.toLowerCase() });
    },
  );
}
