import { Type } from 'typebox';

import type { UsersService } from '#identity/users/service.ts';
import { emptyEnvelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, callingUserId } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { RESET_CANCELED, RESET_FAILURES, RESET_REQUESTED, resetEnvelope, viewReset } from './schema.ts';

interface ResetRouteDeps {
  readonly users: UsersService;
}

const ById = Type.Object({ id: Type.String() });
const teamConfig = { access: 'users:write', peopleOnly: true } as const;

/** Removing the second factors of a team member who lost them, after a waiting time. */
export function secondFactorResetRoutes(app: App, deps: ResetRouteDeps): void {
  registerRequest(app, deps);
  registerCancel(app, deps);
  registerCancelOwn(app, deps);
}

function registerRequest(app: App, { users }: ResetRouteDeps): void {
  app.post(
    '/users/:id/second-factor-reset',
    {
      config: { ...teamConfig, stepUp: true },
      schema: {
        operationId: 'requestSecondFactorReset',
        summary: "Reset a user's second factor",
        description:
          'Requests the removal of all second factors of another team member. Use it for a user who ' +
          'has lost the authenticator app, the passkeys and the recovery codes. After a delay of ' +
          '24 hours by default, they are removed and the sessions of the user end; the password ' +
          'alone is then enough to sign in. Until then the user, or a user with the role OWNER, ' +
          'can cancel the reset. It is also canceled if the user removes the last second factor. ' +
          'Returns the reset. Not available to API keys (403).',
        tags: ['Team'],
        errors: [
          'user_not_found',
          'cannot_reset_self',
          'second_factor_not_active',
          'second_factor_reset_pending',
        ],
        examples: { response: RESET_REQUESTED },
        params: ById,
        response: { 201: resetEnvelope },
      },
    },
    async (request, reply) => {
      const userId = request.params.id.toLowerCase();
      if (userId === callingUserId(request)) throw new HttpError('cannot_reset_self');
      const member = { sellerId: callingSeller(request).id, userId };
      const reset = await users.requestReset(member, auditActorOf(request));
      if (typeof reset === 'string') throw new HttpError(RESET_FAILURES[reset]);
      return reply.code(201).send(ok(viewReset(reset)));
    },
  );
}

function registerCancel(app: App, { users }: ResetRouteDeps): void {
  app.delete(
    '/users/:id/second-factor-reset',
    {
      config: teamConfig,
      schema: {
        operationId: 'cancelSecondFactorReset',
        summary: "Cancel a user's second-factor reset",
        description:
          'Cancels the pending second-factor reset of a team member. Not available to API keys (403).',
        tags: ['Team'],
        errors: ['user_not_found', 'second_factor_reset_not_found'],
        examples: { response: RESET_CANCELED },
        params: ById,
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      const member = { sellerId: callingSeller(request).id, userId: request.params.id };
      const outcome = await users.cancelReset(member, auditActorOf(request));
      if (outcome !== 'CANCELED') throw new HttpError(RESET_FAILURES[outcome]);
      return ok({});
    },
  );
}

function registerCancelOwn(app: App, { users }: ResetRouteDeps): void {
  app.delete(
    '/users/me/second-factor-reset',
    {
      config: { access: 'account:own', anySellerStatus: true, peopleOnly: true },
      schema: {
        operationId: 'cancelOwnSecondFactorReset',
        summary: 'Cancel your own second-factor reset',
        description:
          'Cancels the pending second-factor reset of the signed-in user. Use it for a reset ' +
          'that the user did not request. `secondFactorResetAt` of `GET /v1/users/me` shows ' +
          'whether one is pending.',
        tags: ['Account'],
        errors: ['user_not_found', 'second_factor_reset_not_found'],
        examples: { response: RESET_CANCELED },
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      const { principal } = request;
      const sellerId = principal?.kind === 'seller' ? principal.seller.id : null;
      const member = { sellerId, userId: callingUserId(request) };
      const outcome = await users.cancelReset(member, auditActorOf(request));
      if (outcome !== 'CANCELED') throw new HttpError(RESET_FAILURES[outcome]);
      return ok({});
    },
  );
}
