import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import { HttpError, unauthorized } from '#platform/http/errors.ts';
import { auditActorOf, callingSession, callingUserId, rateLimitExceeded } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';
import type { SellersService } from '#sellers/service.ts';
import type { SessionCookies } from './cookies.ts';
import * as examples from './examples.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { TotpCode, NewPassword, Password } from './schema.ts';
import type { UsersService } from './service.ts';

const uuid = Type.String({ format: 'uuid' });

const MeSchema = Type.Object(
  {
    id: uuid,
    name: Type.String(),
    email: Type.String(),
    role: Type.Enum([...SELLER_ROLES, ...OPERATOR_ROLES]),
    seller: nullable(
      Type.Object(
        { id: uuid, name: Type.String(), status: Type.Enum([...SELLER_STATUSES]) },
        { description: 'Whom the user signs in for; null for a user of the operator.' },
      ),
    ),
    twoFactor: Type.Object({
      active: Type.Boolean(),
      recoveryCodesLeft: nullable(Type.Integer({ description: 'Null where it is not active.' })),
    }),
    createdAt: Timestamp,
  },
  { title: 'Me' },
);

const SessionSchema = Type.Object(
  {
    id: uuid,
    createdAt: Timestamp,
    lastUsedAt: Type.String({
      format: 'date-time',
      description: 'When tokens were last exchanged: exact to about an hour.',
    }),
    browser: nullable(Type.String({ description: 'As it calls itself.' })),
    address: nullable(Type.String({ description: 'Masked; of the last exchange.' })),
    current: Type.Boolean({ description: 'The session that asks.' }),
  },
  { title: 'Session' },
);

const PASSWORD_WRONG = 'Password is wrong';
const CODE_WRONG = 'Code is wrong';
const PASSWORD_OR_CODE_WRONG = 'Password or code is wrong';
const ALREADY_ACTIVE = 'Two-factor authentication is active already';
const tags = ['Account'];
/** One's own account is the person's and not the seller's: it is open whatever the seller's status is. */
const accountConfig = { access: 'account:own', anySellerStatus: true, peopleOnly: true } as const;

export interface ProfileRouteDeps {
  readonly users: UsersService;
  readonly sellers: SellersService;
  readonly throttle: LoginThrottle;
  readonly cookies: SessionCookies;
}

/** What people see and change of their own account. For users only: an API key gets 403. */
export function profileRoutes(app: App, { users, sellers, throttle, cookies }: ProfileRouteDeps): void {
  async function view(userId: string): Promise<Static<typeof MeSchema>> {
    const found = await users.findProfile(userId);
    if (found === undefined) throw unauthorized();
    const { profile, recoveryCodesLeft } = found;
    const { id, name, email, role, sellerId, createdAt } = profile;
    const seller = sellerId === null ? undefined : (await sellers.getContext(sellerId))?.seller;
    return {
      id,
      name,
      email,
      role,
      seller: seller === undefined ? null : { id: seller.id, name: seller.name, status: seller.status },
      twoFactor: { active: recoveryCodesLeft !== null, recoveryCodesLeft },
      createdAt: createdAt.toISOString(),
    };
  }

  /** Tries what only the user themself knows; 422 with the message where it is wrong. */
  async function verifyThrottled<T>(
    request: Parameters<typeof callingSession>[0],
    message: string,
    verify: () => Promise<T | undefined>,
  ): Promise<T> {
    const attempt = await throttle.attemptReauthentication(callingSession(request).sessionId, verify);
    if (attempt.kind === 'refused') throw rateLimitExceeded(attempt.rate);
    if (attempt.result === undefined) throw new HttpError(422, message);
    return attempt.result;
  }

  app.get(
    '/users/me',
    {
      config: accountConfig,
      schema: {
        operationId: 'getMe',
        summary: 'Read who is signed in',
        tags,
        examples: { answer: examples.ME },
        response: { 200: envelope(MeSchema) },
      },
    },
    async (request) => ok(await view(callingUserId(request))),
  );

  app.patch(
    '/users/me',
    {
      config: accountConfig,
      schema: {
        operationId: 'changeMe',
        summary: "Change one's name",
        tags,
        examples: { body: examples.PROFILE_CHANGES, answer: examples.ME },
        body: Type.Object({ name: nonEmptyString(255) }),
        response: { 200: envelope(MeSchema) },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      await users.rename(userId, request.body.name, auditActorOf(request));
      return ok(await view(userId));
    },
  );

  app.post(
    '/users/me/password',
    {
      config: accountConfig,
      schema: {
        operationId: 'changePassword',
        summary: "Change one's password",
        description:
          'Ends all other sessions of the user. Ten failures of a session in 15 minutes, or thirty in a day: 429.',
        tags,
        refusals: { 422: [PASSWORD_WRONG] },
        examples: { body: examples.PASSWORDS, answer: examples.EMPTY_RESULT },
        body: Type.Object({ currentPassword: Password, newPassword: NewPassword }),
        response: { 200: envelope(Type.Object({})) },
      },
    },
    async (request) => {
      const session = callingSession(request);
      const { currentPassword: current, newPassword: next } = request.body;
      await verifyThrottled(request, PASSWORD_WRONG, () =>
        users.changePassword(session, { current, next }, auditActorOf(request)),
      );
      return ok({});
    },
  );

  app.post(
    '/users/me/two-factor',
    {
      config: accountConfig,
      schema: {
        operationId: 'beginTwoFactor',
        summary: 'Begin two-factor authentication',
        description:
          'Answers a new seed for an authenticator (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). Nothing changes before it is confirmed with a code; beginning again replaces the seed.',
        tags,
        refusals: { 422: [PASSWORD_WRONG, ALREADY_ACTIVE] },
        examples: { body: examples.PASSWORD_CONFIRMATION, answer: examples.TWO_FACTOR_SETUP },
        body: Type.Object({ password: Password }),
        response: {
          200: envelope(
            Type.Object({
              secret: Type.String({ description: 'The seed in base32, for typing.' }),
              uri: Type.String({ description: 'An `otpauth://` address, for a QR code.' }),
            }),
          ),
        },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      const setup = await verifyThrottled(request, PASSWORD_WRONG, () =>
        users.beginTwoFactor(userId, request.body.password),
      );
      if (setup === 'ACTIVE') throw new HttpError(422, ALREADY_ACTIVE);
      return ok({ ...setup });
    },
  );

  app.post(
    '/users/me/two-factor/confirm',
    {
      config: accountConfig,
      schema: {
        operationId: 'confirmTwoFactor',
        summary: 'Confirm two-factor authentication',
        description:
          'From now on signing in asks for a code. Ends all other sessions of the user. The recovery codes are shown here and never again.',
        tags,
        refusals: { 422: [CODE_WRONG] },
        examples: { body: examples.TOTP_CODE, answer: examples.RECOVERY_CODES },
        body: Type.Object({ code: TotpCode }),
        response: { 200: envelope(Type.Object({ recoveryCodes: Type.Array(Type.String()) })) },
      },
    },
    async (request) => {
      const session = callingSession(request);
      const codes = await verifyThrottled(request, CODE_WRONG, () =>
        users.confirmTwoFactor(session, request.body.code, auditActorOf(request)),
      );
      return ok({ recoveryCodes: [...codes] });
    },
  );

  app.delete(
    '/users/me/two-factor',
    {
      config: accountConfig,
      schema: {
        operationId: 'endTwoFactor',
        summary: 'End two-factor authentication',
        description:
          'Deletes the seed and the recovery codes. Ten failures of a session in 15 minutes, or thirty in a day: 429.',
        tags,
        refusals: { 422: [PASSWORD_OR_CODE_WRONG] },
        examples: { body: examples.PASSWORD_AND_CODE, answer: examples.EMPTY_RESULT },
        body: Type.Object({
          password: Password,
          code: Type.String({
            format: 'filled',
            maxLength: 40,
            description: 'Of the authenticator, or a recovery code.',
          }),
        }),
        response: { 200: envelope(Type.Object({})) },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      await verifyThrottled(request, PASSWORD_OR_CODE_WRONG, () =>
        users.disableTwoFactor(userId, request.body, auditActorOf(request)),
      );
      return ok({});
    },
  );

  app.get(
    '/users/me/sessions',
    {
      config: accountConfig,
      schema: {
        operationId: 'listSessions',
        summary: 'List where one is signed in, newest first',
        description: 'At most 100.',
        tags,
        examples: { answer: examples.SESSIONS },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(SessionSchema),
            count: Type.Integer(),
          }),
        },
      },
    },
    async (request) => {
      const { userId, sessionId } = callingSession(request);
      const sessions = await users.listSessions(userId, sessionId);
      const data = sessions.map(({ createdAt, lastUsedAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
      }));
      return { status: true as const, data, count: data.length };
    },
  );

  app.delete(
    '/users/me/sessions/:id',
    {
      config: accountConfig,
      schema: {
        operationId: 'endSession',
        summary: 'Sign out one session',
        description: 'All its tokens end at once.',
        tags,
        refusals: { 404: ['Session not found'] },
        examples: { answer: examples.SESSION_ENDED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(Type.Object({ id: uuid })) },
      },
    },
    async (request, reply) => {
      const { userId, sessionId } = callingSession(request);
      const id = request.params.id.toLowerCase();
      if (!(await users.revokeSession(userId, id))) throw new HttpError(404, 'Session not found');
      if (id === sessionId) cookies.clearRefreshToken(reply);
      return ok({ id });
    },
  );
}
