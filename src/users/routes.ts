import { Type } from 'typebox';

import { envelope, ok } from '#http/envelope.ts';
import { HttpError, unauthorized } from '#http/errors.ts';
import { callingUserId, rateExceeded } from '#http/guard.ts';
import type { App } from '#http/server.ts';
import { filled } from '#http/validation.ts';
import type { LoginThrottle } from './login-throttle.ts';
import * as shown from './examples.ts';
import type { UsersService } from './service.ts';

const Credentials = Type.Object({
  email: Type.String({ format: 'email', maxLength: 320 }),
  password: filled(128),
});

const SignedInSchema = Type.Object({
  accessToken: Type.String({ description: 'JWT, valid for one hour.' }),
  refreshToken: Type.String({ description: 'UUID, valid for seven days, once.' }),
  user: Type.Object({
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
  }),
});

export interface SessionRouteDeps {
  readonly users: UsersService;
  readonly throttle: LoginThrottle;
}

/** Signing in and out. These answers have no envelope: the specification shows their members at the top. */
export function sessionRoutes(app: App, { users, throttle }: SessionRouteDeps): void {
  app.post(
    '/login',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          'Ten failures in 15 minutes for one e-mail or one address: 429, until `Retry-After` has passed.',
        tags: ['Authentication'],
        refusals: { 401: ['Invalid credentials'], 429: ['Rate limit exceeded'] },
        examples: { body: shown.CREDENTIALS, answer: shown.SIGNED_IN },
        body: Credentials,
        response: { 200: SignedInSchema },
      },
    },
    async (request) => {
      const { email, password } = request.body;
      const attempt = await throttle.attempt({ email, address: request.ip }, () =>
        users.signIn(email, password),
      );
      if (attempt.kind === 'refused') throw rateExceeded(attempt.rate);
      if (attempt.result === undefined) throw new HttpError(401, 'Invalid credentials');
      return attempt.result;
    },
  );

  app.post(
    '/auth/refresh',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'refreshToken',
        summary: 'Exchange a refresh token for new tokens',
        tags: ['Authentication'],
        description: 'A refresh token works once. Used a second time, it ends every token that came of it.',
        refusals: { 401: ['Unauthorized'] },
        examples: { body: shown.REFRESH, answer: shown.REFRESHED },
        body: Type.Object({ refreshToken: filled(100) }),
        response: {
          200: Type.Object({ token: Type.String(), refreshToken: Type.String() }),
        },
      },
    },
    async (request) => {
      const signedIn = await users.refresh(request.body.refreshToken);
      if (signedIn === undefined) throw unauthorized();
      return { token: signedIn.accessToken, refreshToken: signedIn.refreshToken };
    },
  );

  app.post(
    '/auth/logout',
    {
      config: { access: 'session:end', anySellerStatus: true },
      schema: {
        operationId: 'logout',
        summary: 'Revoke all tokens of the user',
        tags: ['Authentication'],
        description: 'For users only: an API key is deleted instead, and gets 403 here.',
        examples: { answer: shown.SIGNED_OUT },
        response: { 200: envelope(Type.Object({})) },
      },
    },
    async (request) => {
      await users.signOut(callingUserId(request));
      return ok({});
    },
  );
}
