import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';

import type { BoundedAudit } from '#audit/bounded-audit.ts';
import { PasskeyAssertionSchema } from '#identity/passkeys/schema.ts';
import { described, emptyEnvelope, ok } from '#platform/http/envelope.ts';
import { statedLanguage } from '#platform/http/accept-language.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingUserId, rateLimitExceeded } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { clientInfoOf } from './client-info.ts';
import { rejectCrossOrigin, requireCsrfHeaders, type SessionCookies } from './cookies.ts';
import * as examples from './examples.ts';
import type { Attempt, LoginThrottle } from './login-throttle.ts';
import { admitThrottled, recordRefusedSignIn } from './refused-sign-ins.ts';
import {
  Password,
  RecoveryCode,
  sessionProperty,
  SIGN_IN_SCHEMAS,
  TotpCode,
  TwoFactorChallengeSchema,
} from './schema.ts';
import type { UsersService } from './service.ts';
import type { SessionOptions, SignInResult } from './sessions.ts';
import { secondFactorContext, type SignInOptions } from './sign-in.ts';
import type { SignedToken } from './signed-tokens.ts';
import type { SecondFactorCredential } from './two-factor.ts';

export interface SignInRouteDeps {
  readonly users: UsersService;
  readonly throttle: LoginThrottle;
  readonly boundedAudit: BoundedAudit;
  readonly cookies: SessionCookies;
}

const Credentials = Type.Object({
  email: Type.String({ format: 'email', maxLength: 320, description: 'Email address of the user.' }),
  password: described(Password, 'The password of the user.'),
  ...sessionProperty,
});

const exactlyOneProof: CrossFieldRule = ({ code, recoveryCode, passkey }) =>
  [code, recoveryCode, passkey].filter((proof) => proof !== undefined).length === 1
    ? []
    : [{ path: ['code'], rule: 'or recoveryCode or passkey must be sent', code: 'invalid_combination' }];

const TwoFactorLogin = withCrossFieldRules(
  Type.Object({
    challenge: nonEmptyString(1_000, 'The challenge that `POST /v1/login` returned.'),
    code: Type.Optional(TotpCode),
    recoveryCode: Type.Optional(RecoveryCode),
    passkey: Type.Optional(PasskeyAssertionSchema),
    ...sessionProperty,
  }),
  [exactlyOneProof],
);

const tags = ['Authentication'];

export type RequestedSession = Static<typeof Credentials>['session'];

/** Signing in and out. The specification defines these responses without an envelope. */
export function signInRoutes(app: App, deps: SignInRouteDeps): void {
  registerLogin(app, deps);
  registerTwoFactorLogin(app, deps);
  registerRefresh(app, deps);
  registerLogout(app, deps);
}

function registerLogin(app: App, deps: SignInRouteDeps): void {
  const { users, throttle } = deps;
  app.post(
    '/login',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        description:
          'Exchanges an email and a password for an access token and a refresh token. A user with a ' +
          'second factor gets a challenge instead: send it with a code, a recovery code or a passkey to ' +
          '`POST /v1/login/two-factor`. After ten failures in 15 minutes for one email or IP address, ' +
          'responds with 429 until `Retry-After` has passed; a browser that has signed in before with ' +
          '`session: "cookie"` is counted separately. With `session: "cookie"`, a request from a page of ' +
          'another origin is refused with 403.',
        tags,
        errors: ['invalid_credentials', 'permission_denied', 'rate_limited'],
        examples: { body: examples.CREDENTIALS, response: examples.SIGN_IN_RESULT_OR_CHALLENGE },
        body: Credentials,
        response: {
          200: Type.Union([...SIGN_IN_SCHEMAS, TwoFactorChallengeSchema], { title: 'LoginResponse' }),
        },
      },
    },
    async (request, reply) => {
      const { email, password, session } = request.body;
      if (session === 'cookie') rejectCrossOrigin(request);
      const device = await findKnownDevice(deps, request, email);
      const attempt = await throttle.attempt({ email, address: request.ip, device }, () =>
        users.signIn(email, password, signInOptionsOf(deps, request, session, device)),
      );
      if (attempt.kind === 'refused' && (await admitThrottled(deps.boundedAudit, email)))
        await recordThrottled(deps, request, email);
      const result = requireSuccess(attempt);
      if ('challenge' in result) {
        const { challenge, methods } = result;
        return { twoFactorRequired: true as const, challenge, methods: [...methods] };
      }
      return session === 'cookie' ? setCookies(deps, reply, result, device) : result;
    },
  );
}

function registerTwoFactorLogin(app: App, deps: SignInRouteDeps): void {
  const { users, throttle } = deps;
  app.post(
    '/login/two-factor',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'loginWithTwoFactor',
        summary: 'Complete sign-in with a second factor',
        description:
          'Completes a sign-in with the challenge of `POST /v1/login` and one of: a code from the ' +
          'authenticator app, a recovery code, or a passkey that signed the options of `POST ' +
          '/v1/login/passkey/options`. Returns the tokens of the session. Responds with 401 ' +
          '`invalid_challenge` if the challenge has expired: sign in again. Five failures for one ' +
          'challenge, ten in 15 minutes for one user or IP address, or thirty in a day for one user lead ' +
          'to 429.',
        tags,
        errors: ['invalid_challenge', 'invalid_credentials', 'permission_denied', 'rate_limited'],
        examples: { body: examples.TWO_FACTOR_LOGIN, response: examples.SIGN_IN_RESULT },
        body: TwoFactorLogin,
        response: { 200: Type.Union([...SIGN_IN_SCHEMAS], { title: 'TwoFactorLoginResponse' }) },
      },
    },
    async (request, reply) => {
      const { session } = request.body;
      if (session === 'cookie') rejectCrossOrigin(request);
      const challenge = await users.signedTokens.verify('challenge', request.body.challenge);
      if (challenge === undefined) throw new HttpError('invalid_challenge');
      const email = await users.findEmail(challenge.subject);
      const device = email === undefined ? undefined : await findKnownDevice(deps, request, email);
      const target = { userId: challenge.subject, challengeId: challenge.id, address: request.ip, device };
      const credential = credentialOf(request.body, challenge);
      const options = signInOptionsOf(deps, request, session, device);
      const attempt = await throttle.attemptSecondFactor(target, () =>
        users.signInWithSecondFactor({ challenge, credential, options }),
      );
      if (
        attempt.kind === 'refused' &&
        email !== undefined &&
        (await admitThrottled(deps.boundedAudit, email))
      )
        await recordThrottled(deps, request, email);
      const result = requireSuccess(attempt);
      return session === 'cookie' ? setCookies(deps, reply, result, device) : result;
    },
  );
}

function registerRefresh(app: App, { users, cookies }: SignInRouteDeps): void {
  app.post(
    '/auth/refresh',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'refreshToken',
        summary: 'Refresh an access token',
        description:
          'Exchanges a refresh token for a new access token and a new refresh token. Use it before the ' +
          'access token expires. A refresh token works once: a second use ends the session and revokes ' +
          "all of its tokens. The session of a seller's user ends 30 days after the sign-in. The session " +
          'of an operator user ends 12 hours after the sign-in, and cannot be refreshed after 30 minutes ' +
          'without a request. Without `refreshToken` in the body, the token in the cookie is exchanged, ' +
          'and the new one is set as the cookie; such a request needs `x-requested-by: dashboard` and a ' +
          'JSON body (`{}`), and may be repeated for ten seconds.',
        tags,
        errors: [refreshTokenMissing(), 'invalid_refresh_token', 'permission_denied'],
        examples: { body: examples.REFRESH, response: examples.REFRESHED },
        body: Type.Object({
          refreshToken: Type.Optional(
            nonEmptyString(100, 'The refresh token. By default, the one in the cookie.'),
          ),
        }),
        response: {
          200: Type.Object({
            token: Type.String({ description: 'The access token.' }),
            refreshToken: Type.Optional(
              Type.String({ description: 'Absent if the refresh token was set as a cookie.' }),
            ),
          }),
        },
      },
    },
    async (request, reply) => {
      const { refreshToken: bodyToken } = request.body;
      const cookieToken = bodyToken === undefined ? cookies.refreshToken.get(request) : undefined;
      const refreshToken = bodyToken ?? cookieToken;
      if (refreshToken === undefined) throw refreshTokenMissing();
      if (cookieToken !== undefined) requireCsrfHeaders(request);
      const session = cookieToken === undefined ? undefined : 'cookie';
      const result = await users.refresh(refreshToken, sessionOptionsOf(request, session), request.id);
      // The cookie is not cleared on failure: another tab may just have replaced it.
      if (result === undefined) throw new HttpError('invalid_refresh_token');
      if (cookieToken === undefined) return { token: result.accessToken, refreshToken: result.refreshToken };
      cookies.refreshToken.set(reply, result.refreshToken);
      return { token: result.accessToken };
    },
  );
}

function registerLogout(app: App, { users, cookies }: SignInRouteDeps): void {
  app.post(
    '/auth/logout',
    {
      config: { access: 'session:end', anySellerStatus: true, withoutSecondFactor: true },
      schema: {
        operationId: 'logout',
        summary: 'Sign out everywhere',
        description:
          'Revokes all tokens of the signed-in user, in all browsers and programs, ' +
          'immediately. To end one session, use `DELETE /v1/users/me/sessions/{id}`. Not ' +
          'available to API keys (403): delete the key instead.',
        tags,
        examples: { response: examples.SIGNED_OUT },
        response: { 200: emptyEnvelope },
      },
    },
    async (request, reply) => {
      await users.signOut(callingUserId(request), auditActorOf(request));
      if (cookies.refreshToken.get(request) !== undefined) cookies.refreshToken.clear(reply);
      return ok({});
    },
  );
}

const refreshTokenMissing = (): ValidationError =>
  new ValidationError([{ path: ['refreshToken'], rule: 'should not be empty', code: 'required' }]);

/**
 * Returns the result of an attempt. Throws 429 if it was refused and 401 if the credential is
 * wrong.
 */
export function requireSuccess<T>(attempt: Attempt<T>): T {
  if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
  if (attempt.result === undefined) throw new HttpError('invalid_credentials');
  return attempt.result;
}

/** Returns the id of this browser if it has signed in with this email before. */
async function findKnownDevice(
  { users, cookies }: SignInRouteDeps,
  request: FastifyRequest,
  email: string,
): Promise<string | undefined> {
  const cookieToken = cookies.deviceToken.get(request);
  if (cookieToken === undefined) return undefined;
  return users.findKnownDevice(email, cookieToken);
}

/**
 * Sets the refresh token, and the token of a new device, as cookies. Returns the rest of the
 * result.
 */
export async function setCookies(
  { users, cookies }: SignInRouteDeps,
  reply: FastifyReply,
  { refreshToken, ...result }: SignInResult,
  knownDevice: string | undefined,
): Promise<Omit<SignInResult, 'refreshToken'>> {
  cookies.refreshToken.set(reply, refreshToken);
  if (knownDevice === undefined) {
    const deviceToken = await users.issueDeviceToken(result.user.id);
    if (deviceToken !== undefined) cookies.deviceToken.set(reply, deviceToken);
  }
  return result;
}

function credentialOf(
  { code, recoveryCode = '', passkey: assertion }: Static<typeof TwoFactorLogin>,
  challenge: SignedToken,
): SecondFactorCredential {
  if (assertion !== undefined)
    return { kind: 'passkey', proof: { assertion, ...secondFactorContext(challenge) } };
  return code === undefined
    ? ({ kind: 'recovery', code: recoveryCode } as const)
    : ({ kind: 'code', code } as const);
}

const signInClientOf = (request: FastifyRequest) => ({
  requestId: request.id,
  address: request.ip,
  browser: clientInfoOf(request).browser,
});

export function signInOptionsOf(
  { boundedAudit }: SignInRouteDeps,
  request: FastifyRequest,
  session: RequestedSession,
  knownDevice: string | undefined,
): SignInOptions {
  const client = signInClientOf(request);
  return {
    ...sessionOptionsOf(request, session),
    client,
    isKnownDevice: knownDevice !== undefined,
    locale: statedLanguage(request.headers['accept-language']),
    onRefused: (refusal) => recordRefusedSignIn(boundedAudit, client, refusal),
  };
}

async function recordThrottled(
  { users, boundedAudit }: SignInRouteDeps,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  const user = await users.findByEmail(email);
  const refusal = { reason: 'TOO_MANY_ATTEMPTS', email, user: user ?? null } as const;
  await recordRefusedSignIn(boundedAudit, signInClientOf(request), refusal);
}

const sessionOptionsOf = (request: FastifyRequest, session: RequestedSession): SessionOptions => ({
  transport: session === 'cookie' ? 'COOKIE' : 'BODY',
  clientInfo: clientInfoOf(request),
});
