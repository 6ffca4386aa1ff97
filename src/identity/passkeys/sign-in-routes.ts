import { randomUUID } from 'node:crypto';

import { Type } from 'typebox';

import { rejectCrossOrigin } from '#identity/users/cookies.ts';
import { SIGN_IN_RESULT } from '#identity/users/examples.ts';
import { sessionProperty, SIGN_IN_SCHEMAS } from '#identity/users/schema.ts';
import {
  requireSuccess,
  setCookies,
  signInOptionsOf,
  type SignInRouteDeps,
} from '#identity/users/sign-in-routes.ts';
import { signInContext } from '#identity/users/sign-in.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { PasskeyAssertionSchema, RequestOptionsSchema, viewRequestOptions } from './schema.ts';

const tags = ['Authentication'];

/** Signing in with a passkey. */
export function passkeySignInRoutes(app: App, deps: SignInRouteDeps): void {
  registerOptions(app, deps);
  registerSignIn(app, deps);
}

function registerOptions(app: App, { users, cookies }: SignInRouteDeps): void {
  app.post(
    '/login/passkey/options',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'createPasskeySignInOptions',
        summary: 'Create options for a passkey sign-in',
        description:
          'Returns the options with which the browser asks for a passkey. To sign in without a ' +
          'password, omit `challenge` and send the result to `POST /v1/login/passkey`; the ' +
          'options name no user, and a cookie binds them to the browser. To present a passkey as ' +
          'the second factor, send the `challenge` of `POST /v1/login`, and the result to `POST ' +
          '/v1/login/two-factor`. The options are valid for five minutes and for one sign-in. A ' +
          'request from a page of another origin is refused with 403.',
        tags,
        errors: ['invalid_challenge', 'permission_denied'],
        examples: { body: examples.SIGN_IN_OPTIONS_BODY, response: examples.SIGN_IN_OPTIONS },
        body: Type.Object({
          challenge: Type.Optional(nonEmptyString(1_000, 'The challenge that `POST /v1/login` returned.')),
        }),
        response: { 200: envelope(RequestOptionsSchema) },
      },
    },
    async (request, reply) => {
      rejectCrossOrigin(request);
      const { challenge } = request.body;
      if (challenge === undefined) {
        const nonce = cookies.passkeyNonce.get(request) ?? randomUUID();
        cookies.passkeyNonce.set(reply, nonce);
        return ok(viewRequestOptions(await users.issueSignInOptions(nonce)));
      }
      const verified = await users.signedTokens.verify('challenge', challenge);
      if (verified === undefined) throw new HttpError('invalid_challenge');
      return ok(viewRequestOptions(await users.issueSecondFactorOptions(verified)));
    },
  );
}

function registerSignIn(app: App, deps: SignInRouteDeps): void {
  const { users, throttle, cookies } = deps;
  app.post(
    '/login/passkey',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'loginWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Signs in with a passkey alone. The passkey signs the options of `POST ' +
          '/v1/login/passkey/options`, and its authenticator verifies the user. Requires the ' +
          'cookie that was set with the options. Returns the tokens of the session. After ten ' +
          'failures in 15 minutes for one IP address, responds with 429.',
        tags,
        errors: ['invalid_challenge', 'invalid_credentials', 'permission_denied', 'rate_limited'],
        examples: { body: examples.PASSKEY_SIGN_IN, response: SIGN_IN_RESULT },
        body: Type.Object({ passkey: PasskeyAssertionSchema, ...sessionProperty }),
        response: { 200: Type.Union([...SIGN_IN_SCHEMAS], { title: 'PasskeyLoginResponse' }) },
      },
    },
    async (request, reply) => {
      const { passkey: assertion, session } = request.body;
      if (session === 'cookie') rejectCrossOrigin(request);
      const nonce = cookies.passkeyNonce.get(request);
      if (nonce === undefined) throw new HttpError('invalid_challenge');
      const proof = { assertion, ...signInContext(nonce) };
      const deviceToken = cookies.deviceToken.get(request);
      const options = { ...signInOptionsOf(deps, request, session, undefined), deviceToken };
      const attempt = await throttle.attemptPasskey(request.ip, () =>
        users.signInWithPasskey(proof, options),
      );
      const result = requireSuccess(attempt);
      return session === 'cookie' ? setCookies(deps, reply, result, undefined) : result;
    },
  );
}
