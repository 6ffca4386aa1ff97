import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError, unauthorized } from '#platform/http/errors.ts';
import { callingUserId, rateLimitExceeded } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import { createSessionCookies, requireCsrfHeaders, rejectCrossOrigin } from './cookies.ts';
import type { LoginThrottle } from './login-throttle.ts';
import * as examples from './examples.ts';
import { clientInfoOf } from './client-info.ts';
import { profileRoutes } from './profile-routes.ts';
import {
  TwoFactorChallengeSchema,
  TotpCode,
  Password,
  RecoveryCode,
  sessionProperty,
  SIGN_IN_SCHEMAS,
} from './schema.ts';
import type { SignInResult, UsersService } from './service.ts';
import type { SellersService } from '#sellers/service.ts';

const Credentials = Type.Object({
  email: Type.String({ format: 'email', maxLength: 320 }),
  password: Password,
  ...sessionProperty,
});

const exactlyOneCode: CrossFieldRule = ({ code, recoveryCode }) =>
  (code === undefined) === (recoveryCode === undefined)
    ? [{ path: ['code'], rule: 'or recoveryCode must be sent, and not both' }]
    : [];

const TwoFactorLogin = withCrossFieldRules(
  Type.Object({
    challenge: nonEmptyString(1_000),
    code: Type.Optional(TotpCode),
    recoveryCode: Type.Optional(RecoveryCode),
    ...sessionProperty,
  }),
  [exactlyOneCode],
);

const REFRESH_MISSING = ['refreshToken should not be empty'];
const tags = ['Authentication'];

export interface SessionRouteDeps {
  readonly users: UsersService;
  readonly sellers: SellersService;
  readonly throttle: LoginThrottle;
  readonly publicUrl: string;
}

/** What people do with their own sign-in. Cookies are read here and nowhere else. */
export async function userRoutes(app: App, deps: SessionRouteDeps): Promise<void> {
  await app.register(async (scope: App) => {
    await scope.register(cookie);
    const cookies = createSessionCookies(deps.publicUrl);
    sessionRoutes(scope, { ...deps, cookies });
    profileRoutes(scope, { ...deps, cookies });
  });
}

type RequestedSession = Static<typeof Credentials>['session'];

/** Signing in and out. These answers have no envelope: the specification shows their members at the top. */
function sessionRoutes(
  app: App,
  {
    users,
    throttle,
    cookies,
  }: SessionRouteDeps & { readonly cookies: ReturnType<typeof createSessionCookies> },
): void {
  /** The id of this browser, if it has signed in with this e-mail before. */
  async function findKnownDevice(request: FastifyRequest, subject: string): Promise<string | undefined> {
    const text = cookies.getDeviceToken(request);
    const token = text === undefined ? undefined : await users.signedTokens.verify('device', text);
    return token?.subject === subject ? token.id : undefined;
  }

  /** The answer of a sign-in: with the refresh token, or with cookies that hold it and know the browser again. */
  async function buildSignInResponse(
    reply: FastifyReply,
    session: RequestedSession,
    { refreshToken, ...signedIn }: SignInResult,
    knownDevice: string | undefined,
  ): Promise<SignInResult | Omit<SignInResult, 'refreshToken'>> {
    if (session !== 'cookie') return { ...signedIn, refreshToken };
    cookies.setRefreshToken(reply, refreshToken);
    if (knownDevice === undefined) {
      const subject = deviceSubject(signedIn.user.email);
      cookies.setDeviceToken(reply, await users.signedTokens.sign('device', { subject, bound: '' }));
    }
    return signedIn;
  }

  app.post(
    '/login',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          'Ten failures in 15 minutes for one e-mail or one address: 429, until `Retry-After` has passed. A browser that has signed in with the e-mail before (`session: "cookie"`) has ten of its own instead. Whoever has a second factor is answered a challenge. With `session: "cookie"`, 403 where the browser says that a page of another origin asks.',
        tags,
        refusals: {
          401: ['Invalid credentials'],
          403: ['Forbidden resource'],
          429: ['Rate limit exceeded'],
        },
        examples: { body: examples.CREDENTIALS, answer: examples.SIGN_IN_RESULT_OR_CHALLENGE },
        body: Credentials,
        response: { 200: Type.Union([...SIGN_IN_SCHEMAS, TwoFactorChallengeSchema]) },
      },
    },
    async (request, reply) => {
      const { email, password, session } = request.body;
      if (session === 'cookie') rejectCrossOrigin(request);
      const device = await findKnownDevice(request, deviceSubject(email));
      const attempt = await throttle.attempt({ email, address: request.ip, device }, () =>
        users.signIn(email, password, sessionOptionsOf(request, session)),
      );
      if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
      const { result } = attempt;
      if (result === undefined) throw new HttpError(401, 'Invalid credentials');
      if ('challenge' in result) return { twoFactorRequired: true as const, ...result };
      return buildSignInResponse(reply, session, result, device);
    },
  );

  app.post(
    '/login/two-factor',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'loginWithTwoFactor',
        summary: 'Sign in: the second step',
        description:
          'Answers what signing in answers. 401 `Unauthorized` where the challenge has expired: sign in anew. Five failures for one challenge, ten in 15 minutes for one user or one address, thirty in a day for one user: 429. A browser that has signed in before is counted by itself instead of by user and address.',
        tags,
        refusals: {
          401: ['Unauthorized', 'Invalid credentials'],
          403: ['Forbidden resource'],
          429: ['Rate limit exceeded'],
        },
        examples: { body: examples.TWO_FACTOR_LOGIN, answer: examples.SIGN_IN_RESULT },
        body: TwoFactorLogin,
        response: { 200: Type.Union([...SIGN_IN_SCHEMAS]) },
      },
    },
    async (request, reply) => {
      const { code, recoveryCode = '', session } = request.body;
      if (session === 'cookie') rejectCrossOrigin(request);
      const challenge = await users.signedTokens.verify('challenge', request.body.challenge);
      if (challenge === undefined) throw unauthorized();
      const email = await users.findEmail(challenge.subject);
      const device = email === undefined ? undefined : await findKnownDevice(request, deviceSubject(email));
      const credential =
        code === undefined
          ? ({ kind: 'recovery', code: recoveryCode } as const)
          : ({ kind: 'code', code } as const);
      const target = { userId: challenge.subject, challengeId: challenge.id, address: request.ip, device };
      const attempt = await throttle.attemptSecondFactor(target, () =>
        users.signInWithSecondFactor(challenge, credential, sessionOptionsOf(request, session), request.id),
      );
      if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
      if (attempt.result === undefined) throw new HttpError(401, 'Invalid credentials');
      return buildSignInResponse(reply, session, attempt.result, device);
    },
  );

  app.post(
    '/auth/refresh',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'refreshToken',
        summary: 'Exchange a refresh token for new tokens',
        tags,
        description:
          'A refresh token works once. Used a second time, it ends every token that came of it. Without `refreshToken` in the body, the one in the cookie is exchanged and goes back into it; such a request needs `x-requested-by: dashboard` and JSON (`{}`), and may be repeated for ten seconds.',
        refusals: {
          400: [REFRESH_MISSING],
          401: ['Unauthorized'],
          403: ['Forbidden resource'],
        },
        examples: { body: examples.REFRESH, answer: examples.REFRESHED },
        body: Type.Object({ refreshToken: Type.Optional(nonEmptyString(100)) }),
        response: {
          200: Type.Object({
            token: Type.String({ description: 'The access token.' }),
            refreshToken: Type.Optional(
              Type.String({ description: 'Not there where it went into the cookie.' }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { refreshToken: bodyToken } = request.body;
      const cookieToken = bodyToken === undefined ? cookies.getRefreshToken(request) : undefined;
      const refreshToken = bodyToken ?? cookieToken;
      if (refreshToken === undefined) throw new HttpError(400, REFRESH_MISSING);
      if (cookieToken !== undefined) requireCsrfHeaders(request);
      const session = cookieToken === undefined ? undefined : 'cookie';
      const signedIn = await users.refresh(refreshToken, sessionOptionsOf(request, session));
      // A cookie that is refused is left alone: another tab may just have been given the next one.
      if (signedIn === undefined) throw unauthorized();
      if (cookieToken === undefined)
        return { token: signedIn.accessToken, refreshToken: signedIn.refreshToken };
      cookies.setRefreshToken(reply, signedIn.refreshToken);
      return { token: signedIn.accessToken };
    },
  );

  app.post(
    '/auth/logout',
    {
      config: { access: 'session:end', anySellerStatus: true },
      schema: {
        operationId: 'logout',
        summary: 'Revoke all tokens of the user',
        tags,
        description:
          'In every browser and program. For users only: an API key is deleted instead, and gets 403 here. One session alone is ended by `DELETE /users/me/sessions/{id}`.',
        examples: { answer: examples.SIGNED_OUT },
        response: { 200: envelope(Type.Object({})) },
      },
    },
    async (request, reply) => {
      await users.signOut(callingUserId(request));
      if (cookies.getRefreshToken(request) !== undefined) cookies.clearRefreshToken(reply);
      return ok({});
    },
  );
}

const sessionOptionsOf = (request: FastifyRequest, session: RequestedSession) => ({
  transport: session === 'cookie' ? ('COOKIE' as const) : ('BODY' as const),
  clientInfo: clientInfoOf(request),
});

/** Hashed, so that a browser does not show whose e-mail it knows. */
const deviceSubject = (email: string): string =>
  hashCredential(`device ${email.toLowerCase()}`).toString('base64url');
