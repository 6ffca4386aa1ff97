import { Type } from 'typebox';

import { preferredLanguage } from '#platform/http/accept-language.ts';
import { emptyEnvelope, envelope, ok, recordId } from '#platform/http/envelope.ts';
import { HttpError, ValidationError, type Violation } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import { ChosenPassword, emailString } from './schema.ts';
import type { UsersService } from './service.ts';

interface LinkRouteDeps {
  readonly users: UsersService;
}

const tags = ['Authentication'];
const token = nonEmptyString(200, 'The `token` of the link in the email.');
const email = 'seller@example.com';
const password = 'six other words are longer still';
const sample = 'kY3vQm0c2m7Hq1sZs8Qe4n5Jr6xT9wVb0aLdPfGhKzU';
const done = { Done: { status: true, data: {} } };

/** The operations behind emailed links. Public: the token is the credential. */
export function linkRoutes(app: App, deps: LinkRouteDeps): void {
  registerForgot(app, deps);
  registerReset(app, deps);
  registerAccept(app, deps);
}

function registerForgot(app: App, { users }: LinkRouteDeps): void {
  app.post(
    '/auth/password/forgot',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'forgotPassword',
        summary: 'Request a password reset',
        description:
          'Emails a link to reset the password, if the address has an account. The response is ' +
          'the same either way. The link is valid for 30 minutes and works once. While three ' +
          'links of a user are valid, further requests send no email.',
        tags,
        examples: { body: { 'An address': { email } }, response: done },
        body: Type.Object({ email: emailString }),
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      const locale = preferredLanguage(request.headers['accept-language']);
      await users.requestPasswordReset(request.body.email, locale);
      return ok({});
    },
  );
}

function registerReset(app: App, { users }: LinkRouteDeps): void {
  app.post(
    '/auth/password/reset',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset a password',
        description:
          'Sets a new password with the token of an emailed link, and ends all sessions of the user. A ' +
          'second factor is still required at the next sign-in. A password that is refused does not use ' +
          'up the token.',
        tags,
        errors: ['invalid_link'],
        examples: { body: { 'A new password': { token: sample, password } }, response: done },
        body: Type.Object({ token, password: ChosenPassword }),
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      requireAccepted(await users.resetPassword(request.body, request.id));
      return ok({});
    },
  );
}

function registerAccept(app: App, { users }: LinkRouteDeps): void {
  app.post(
    '/auth/invitations/accept',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Creates the invited user with a name and a password. The user can then sign in. A password ' +
          'that is refused does not use up the token. Returns the user.',
        tags,
        errors: ['invalid_link', 'email_taken'],
        examples: {
          body: { 'Name and password': { token: sample, name: 'Bia', password } },
          response: {
            'The user': {
              status: true,
              data: { id: '01a1fb65-7c2d-4e3f-8a9b-0c1d2e3f4a5b', name: 'Bia', email, role: 'FINANCE' },
            },
          },
        },
        body: Type.Object({ token, name: nonEmptyString(255, 'Full name.'), password: ChosenPassword }),
        response: {
          200: envelope(
            Type.Object(
              {
                id: recordId('The id of the user.'),
                name: Type.String({ description: 'Full name.' }),
                email: Type.String({ description: 'Email address, used to sign in.' }),
                role: Type.Enum([...SELLER_ROLES, ...OPERATOR_ROLES], { description: 'Role of the user.' }),
              },
              { title: 'AcceptedInvitation', description: 'The user who was created.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const { token: text, name, password: chosen } = request.body;
      const acceptance = { token: text, name, password: chosen };
      const accepted = requireAccepted(await users.acceptInvitation(acceptance, request.id));
      if (accepted === 'EMAIL_TAKEN') throw new HttpError('email_taken');
      const { id, email: address, role } = accepted;
      return ok({ id, name: accepted.name, email: address, role });
    },
  );
}

/** Throws if the token is not valid, or what is wrong with the password. */
function requireAccepted<T>(result: T | readonly Violation[] | undefined): T {
  if (result === undefined) throw new HttpError('invalid_link');
  if (isViolations(result)) throw new ValidationError(result);
  return result;
}

const isViolations = (result: unknown): result is readonly Violation[] => Array.isArray(result);
