import cookie from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError, unauthorized } from '#platform/http/errors.ts';
import { callingUserId, rateExceeded } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { filled, withRules, type CrossRule } from '#platform/http/validation.ts';
import { credentialHash } from '#platform/kit/ids.ts';
import { createSessionCookies, mustComeFromOurPage, mustNotComeFromElsewhere } from './cookies.ts';
import type { LoginThrottle } from './login-throttle.ts';
import * as shown from './examples.ts';
import { placeOf } from './client-info.ts';
import { profileRoutes } from './profile-routes.ts';
import {
  ChallengedSchema,
  Code,
  Password,
  RecoveryCode,
  sessionMember,
  SIGNED_IN_SCHEMAS,
} from './schema.ts';
import type { SignedIn, UsersService } from './service.ts';
import type { SellersService } from '#sellers/service.ts';

const Credentials = Type.Object({
  email: Type.String({ format: 'email', maxLength: 320 }),
  password: Password,
  ...sessionMember,
});

const oneProof: CrossRule = ({ code, recoveryCode }) =>
  (code === undefined) === (recoveryCode === undefined)
    ? [{ path: ['code'], rule: 'or recoveryCode must be sent, and not both' }]
    : [];

const SecondStep = withRules(
  Type.Object({
    challenge: filled(1_000),
    code: Type.Optional(Code),
    recoveryCode: Type.Optional(RecoveryCode),
    ...sessionMember,
  }),
  [oneProof],
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

type Wanted = Static<typeof Credentials>['session'];

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
  async function deviceOf(request: FastifyRequest, subject: string): Promise<string | undefined> {
    const text = cookies.deviceOf(request);
    const slip = text === undefined ? undefined : await users.slips.read('device', text);
    return slip?.subject === subject ? slip.id : undefined;
  }

  /** The answer of a sign-in: with the refresh token, or with cookies that hold it and know the browser again. */
  async function answer(
    reply: FastifyReply,
    session: Wanted,
    { refreshToken, ...signedIn }: SignedIn,
    knownDevice: string | undefined,
  ): Promise<SignedIn | Omit<SignedIn, 'refreshToken'>> {
    if (session !== 'cookie') return { ...signedIn, refreshToken };
    cookies.keepRefreshToken(reply, refreshToken);
    if (knownDevice === undefined) {
      const subject = deviceSubject(signedIn.user.email);
      cookies.keepDevice(reply, await users.slips.make('device', { subject, bound: '' }));
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
        examples: { body: shown.CREDENTIALS, answer: shown.SIGNED_IN_OR_CHALLENGED },
        body: Credentials,
        response: { 200: Type.Union([...SIGNED_IN_SCHEMAS, ChallengedSchema]) },
      },
    },
    async (request, reply) => {
      const { email, password, session } = request.body;
      if (session === 'cookie') mustNotComeFromElsewhere(request);
      const device = await deviceOf(request, deviceSubject(email));
      const attempt = await throttle.attempt({ email, address: request.ip, device }, () =>
        users.signIn(email, password, mannerOf(request, session)),
      );
      if (attempt.kind === 'refused') throw rateExceeded(attempt.rate);
      const { result } = attempt;
      if (result === undefined) throw new HttpError(401, 'Invalid credentials');
      if ('challenge' in result) return { twoFactorRequired: true as const, ...result };
      return answer(reply, session, result, device);
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
        examples: { body: shown.SECOND_STEP, answer: shown.SIGNED_IN },
        body: SecondStep,
        response: { 200: Type.Union([...SIGNED_IN_SCHEMAS]) },
      },
    },
    async (request, reply) => {
      const { code, recoveryCode = '', session } = request.body;
      if (session === 'cookie') mustNotComeFromElsewhere(request);
      const challenge = await users.slips.read('challenge', request.body.challenge);
      if (challenge === undefined) throw unauthorized();
      const email = await users.emailOf(challenge.subject);
      const device = email === undefined ? undefined : await deviceOf(request, deviceSubject(email));
      const proof =
        code === undefined
          ? ({ kind: 'recovery', code: recoveryCode } as const)
          : ({ kind: 'code', code } as const);
      const who = { userId: challenge.subject, challengeId: challenge.id, address: request.ip, device };
      const attempt = await throttle.attemptCode(who, () =>
        users.signInWithProof(challenge, proof, mannerOf(request, session), request.id),
      );
      if (attempt.kind === 'refused') throw rateExceeded(attempt.rate);
      if (attempt.result === undefined) throw new HttpError(401, 'Invalid credentials');
      return answer(reply, session, attempt.result, device);
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
        examples: { body: shown.REFRESH, answer: shown.REFRESHED },
        body: Type.Object({ refreshToken: Type.Optional(filled(100)) }),
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
      const { refreshToken: sent } = request.body;
      const kept = sent === undefined ? cookies.refreshTokenOf(request) : undefined;
      const refreshToken = sent ?? kept;
      if (refreshToken === undefined) throw new HttpError(400, REFRESH_MISSING);
      if (kept !== undefined) mustComeFromOurPage(request);
      const session = kept === undefined ? undefined : 'cookie';
      const signedIn = await users.refresh(refreshToken, mannerOf(request, session));
      // A cookie that is refused is left alone: another tab may just have been given the next one.
      if (signedIn === undefined) throw unauthorized();
      if (kept === undefined) return { token: signedIn.accessToken, refreshToken: signedIn.refreshToken };
      cookies.keepRefreshToken(reply, signedIn.refreshToken);
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
        examples: { answer: shown.SIGNED_OUT },
        response: { 200: envelope(Type.Object({})) },
      },
    },
    async (request, reply) => {
      await users.signOut(callingUserId(request));
      if (cookies.refreshTokenOf(request) !== undefined) cookies.clearRefreshToken(reply);
      return ok({});
    },
  );
}

const mannerOf = (request: FastifyRequest, session: Wanted) => ({
  carrier: session === 'cookie' ? ('COOKIE' as const) : ('BODY' as const),
  place: placeOf(request),
});

/** Hashed, so that a browser does not show whose e-mail it knows. */
const deviceSubject = (email: string): string =>
  credentialHash(`device ${email.toLowerCase()}`).toString('base64url');
