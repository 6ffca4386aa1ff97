import type { FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';

import type { BoundedAudit } from '#audit/bounded-audit.ts';
import {
  deletedEnvelope,
  described,
  emptyEnvelope,
  envelope,
  listEnvelope,
  nullable,
  ok,
  recordId,
  timestamp,
} from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSession, callingUserId } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';
import type { SellersService } from '#sellers/service.ts';
import type { SessionCookies } from './cookies.ts';
import * as examples from './examples.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { reauthenticate } from './reauthentication.ts';
import { loadPasswordEstimator, passwordViolations } from './password-policy.ts';
import { ChosenPassword, Password, secondFactorResetAt, TotpCode } from './schema.ts';
import type { UsersService } from './service.ts';

export interface ProfileRouteDeps {
  readonly users: UsersService;
  readonly sellers: SellersService;
  readonly throttle: LoginThrottle;
  readonly boundedAudit: BoundedAudit;
  readonly cookies: SessionCookies;
}

const MeSchema = Type.Object(
  {
    id: recordId('The id of the user.'),
    name: Type.String({ description: 'Full name.' }),
    email: Type.String({ description: 'Email address, used to sign in.' }),
    role: Type.Enum([...SELLER_ROLES, ...OPERATOR_ROLES], { description: 'Role of the user.' }),
    seller: nullable(
      Type.Object(
        {
          id: recordId('The id of the seller.'),
          name: Type.String({ description: 'Name of the seller.' }),
          status: Type.Enum([...SELLER_STATUSES], { description: 'Status of the seller.' }),
        },
        { description: "The user's seller; null for an operator user." },
      ),
    ),
    twoFactor: Type.Object(
      {
        active: Type.Boolean({ description: 'Whether the user has an authenticator app.' }),
        passkeys: Type.Integer({ description: 'How many passkeys the user has.' }),
        recoveryCodesLeft: nullable(
          Type.Integer({ description: 'Null if the user has neither an authenticator app nor a passkey.' }),
        ),
      },
      {
        description:
          'The second factors of the user. With any of them, the password alone is not enough to ' +
          'sign in.',
      },
    ),
    secondFactorResetAt,
    createdAt: timestamp('When the user was created.'),
  },
  { title: 'CurrentUser', description: 'The signed-in user.' },
);

const SessionSchema = Type.Object(
  {
    id: recordId('The id of the session.'),
    createdAt: timestamp('When the user signed in.'),
    lastUsedAt: Type.String({
      format: 'date-time',
      description:
        'When the session was last used. Accurate to about one hour; to one minute for operator users.',
    }),
    browser: nullable(Type.String({ description: 'Browser or program, as reported by the client.' })),
    address: nullable(
      Type.String({ description: 'Masked. The IP address that last signed in or refreshed the tokens.' }),
    ),
    current: Type.Boolean({ description: 'Whether this session sent the request.' }),
  },
  { title: 'Session', description: 'A session of a user.' },
);

const tags = ['Account'];
/** An account belongs to the user, not to the seller: the seller's status does not matter. */
const config = { access: 'account:own', anySellerStatus: true, peopleOnly: true } as const;
/** Setting up a second factor is all that a user can do who must have one. */
const setupConfig = { ...config, withoutSecondFactor: true } as const;
const enrollConfig = { ...setupConfig, stepUp: true } as const;

/** A user's own account. For users only: an API key gets 403. */
export function profileRoutes(app: App, deps: ProfileRouteDeps): void {
  registerRead(app, deps);
  registerChange(app, deps);
  registerChangePassword(app, deps);
  registerBeginTwoFactor(app, deps);
  registerConfirmTwoFactor(app, deps);
  registerDisableTwoFactor(app, deps);
  registerListSessions(app, deps);
  registerRevokeSession(app, deps);
  registerListDevices(app, deps);
}

function registerRead(app: App, deps: ProfileRouteDeps): void {
  app.get(
    '/users/me',
    {
      config: setupConfig,
      schema: {
        operationId: 'getMe',
        summary: 'Retrieve the signed-in user',
        description: 'Returns the user of the access token, with its role, seller and second factors.',
        tags,
        examples: { response: examples.ME },
        response: { 200: envelope(MeSchema) },
      },
    },
    async (request) => ok(await readProfile(deps, callingUserId(request))),
  );
}

function registerChange(app: App, deps: ProfileRouteDeps): void {
  app.patch(
    '/users/me',
    {
      config,
      schema: {
        operationId: 'updateMe',
        summary: 'Update the signed-in user',
        description: 'Changes the name of the user of the access token. Returns the updated user.',
        tags,
        examples: { body: examples.PROFILE_CHANGES, response: examples.ME },
        body: Type.Object({ name: nonEmptyString(255, 'Full name.') }),
        response: { 200: envelope(MeSchema) },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      await deps.users.rename(userId, request.body.name, auditActorOf(request));
      return ok(await readProfile(deps, userId));
    },
  );
}

function registerChangePassword(app: App, deps: ProfileRouteDeps): void {
  const { users } = deps;
  app.post(
    '/users/me/password',
    {
      config,
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Replaces the password of the signed-in user and revokes all its other sessions. Requires the ' +
          'current password. After ten failures of a session in 15 minutes, or thirty in a day, responds ' +
          'with 429.',
        tags,
        errors: ['wrong_password'],
        examples: { body: examples.PASSWORDS, response: examples.EMPTY_RESULT },
        body: Type.Object({
          currentPassword: described(Password, 'The current password.'),
          newPassword: ChosenPassword,
        }),
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      const { currentPassword: current, newPassword: next } = request.body;
      await requireAcceptablePassword(users, request, next);
      await reauthenticate(deps, request, 'wrong_password', () =>
        users.changePassword(callingSession(request), { current, next }, auditActorOf(request)),
      );
      return ok({});
    },
  );
}

function registerBeginTwoFactor(app: App, deps: ProfileRouteDeps): void {
  const { users } = deps;
  app.post(
    '/users/me/two-factor',
    {
      config: enrollConfig,
      schema: {
        operationId: 'setUpTwoFactor',
        summary: 'Set up two-factor authentication',
        description:
          'Returns a new secret for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). ' +
          'Sign-in requires no code until you confirm the secret with `POST ' +
          '/v1/users/me/two-factor/confirm`; until then, another request replaces the secret. Requires ' +
          'the password. After ten failures of a session in 15 minutes, or thirty in a day, responds with ' +
          '429.',
        tags,
        errors: ['wrong_password', 'two_factor_already_active'],
        examples: { body: examples.PASSWORD_CONFIRMATION, response: examples.TWO_FACTOR_SETUP },
        body: Type.Object({ password: described(Password, 'The password of the user.') }),
        response: {
          200: envelope(
            Type.Object(
              {
                secret: Type.String({ description: 'The secret in base32, for manual entry.' }),
                uri: Type.String({ description: 'An `otpauth://` URI, for a QR code.' }),
              },
              { title: 'TwoFactorSetup', description: 'The secret for an authenticator app.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const setup = await reauthenticate(deps, request, 'wrong_password', () =>
        users.beginTwoFactor(callingUserId(request), request.body.password, auditActorOf(request)),
      );
      if (setup === 'ACTIVE') throw new HttpError('two_factor_already_active');
      return ok({ ...setup });
    },
  );
}

function registerConfirmTwoFactor(app: App, deps: ProfileRouteDeps): void {
  const { users } = deps;
  app.post(
    '/users/me/two-factor/confirm',
    {
      config: enrollConfig,
      schema: {
        operationId: 'confirmTwoFactor',
        summary: 'Confirm two-factor authentication',
        description:
          'Enables the authenticator app with a code from it. From now on, signing in requires a ' +
          'second factor. Revokes all other sessions of the user. Returns the recovery codes, ' +
          'which are shown only once. After ten failures of a session in 15 minutes, or thirty in ' +
          'a day, responds with 429.',
        tags,
        errors: ['wrong_code'],
        examples: { body: examples.TOTP_CODE, response: examples.RECOVERY_CODES },
        body: Type.Object({ code: TotpCode }),
        response: {
          200: envelope(
            Type.Object(
              {
                recoveryCodes: Type.Array(Type.String(), {
                  description: 'Each works once, in place of a second factor. Shown only once.',
                }),
              },
              { title: 'RecoveryCodes', description: 'Recovery codes.' },
            ),
          ),
        },
      },
    },
    async (request) => {
      const recoveryCodes = await reauthenticate(deps, request, 'wrong_code', () =>
        users.confirmTwoFactor(callingSession(request), request.body.code, auditActorOf(request)),
      );
      return ok({ recoveryCodes: [...recoveryCodes] });
    },
  );
}

function registerDisableTwoFactor(app: App, deps: ProfileRouteDeps): void {
  const { users } = deps;
  app.delete(
    '/users/me/two-factor',
    {
      config: { ...config, stepUp: true },
      schema: {
        operationId: 'disableTwoFactor',
        summary: 'Disable two-factor authentication',
        description:
          'Removes the authenticator app. Without a passkey, the recovery codes are deleted too, ' +
          'and the password alone is enough to sign in. Requires the password and a code. After ' +
          'ten failures of a session in 15 minutes, or thirty in a day, responds with 429.',
        tags,
        errors: ['wrong_password_or_code'],
        examples: { body: examples.PASSWORD_AND_CODE, response: examples.EMPTY_RESULT },
        body: Type.Object({
          password: described(Password, 'The password of the user.'),
          code: Type.String({
            format: 'filled',
            maxLength: 40,
            description: 'A code from the authenticator app, or a recovery code.',
          }),
        }),
        response: { 200: emptyEnvelope },
      },
    },
    async (request) => {
      await reauthenticate(deps, request, 'wrong_password_or_code', () =>
        users.disableTwoFactor(callingUserId(request), request.body, auditActorOf(request)),
      );
      return ok({});
    },
  );
}

function registerListSessions(app: App, { users }: ProfileRouteDeps): void {
  app.get(
    '/users/me/sessions',
    {
      config,
      schema: {
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          'Returns the active sessions of the signed-in user, newest first, at most 100. Use ' +
          'it to find sessions to revoke.',
        tags,
        examples: { response: examples.SESSIONS },
        response: {
          200: listEnvelope(SessionSchema),
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
}

const DeviceSchema = Type.Object(
  {
    browser: nullable(Type.String({ description: 'Browser or program, as reported by the client.' })),
    address: nullable(Type.String({ description: 'Masked. The IP address of its sign-ins.' })),
    firstSeenAt: timestamp('When the user first signed in with it.'),
    lastSeenAt: timestamp('When the user last signed in with it.'),
  },
  { title: 'Device', description: 'A browser or program from which a user has signed in.' },
);

function registerListDevices(app: App, { users }: ProfileRouteDeps): void {
  app.get(
    '/users/me/devices',
    {
      config,
      schema: {
        operationId: 'listDevices',
        summary: 'List your devices',
        description:
          'Returns the browsers and programs from which you signed in during the last 180 days, ' +
          'the latest first, at most 100. You are notified by email of a sign-in from a new one.',
        tags,
        examples: { response: examples.DEVICES },
        response: { 200: listEnvelope(DeviceSchema) },
      },
    },
    async (request) => {
      const devices = await users.listDevices(callingUserId(request));
      const data = devices.map(({ browser, maskedAddress, firstSeenAt, lastSeenAt }) => ({
        browser: browser === '' ? null : browser,
        address: maskedAddress === '' ? null : maskedAddress,
        firstSeenAt: firstSeenAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      }));
      return { status: true as const, data, count: data.length };
    },
  );
}

function registerRevokeSession(app: App, { users, cookies }: ProfileRouteDeps): void {
  app.delete(
    '/users/me/sessions/:id',
    {
      config,
      schema: {
        operationId: 'revokeSession',
        summary: 'Revoke a session',
        description:
          'Revokes all tokens of one session of the signed-in user, immediately. Returns the ' +
          'id of the session.',
        tags,
        errors: ['session_not_found'],
        examples: { response: examples.SESSION_ENDED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: deletedEnvelope },
      },
    },
    async (request, reply) => {
      const { userId, sessionId } = callingSession(request);
      const id = request.params.id.toLowerCase();
      if (!(await users.revokeSession({ userId, sessionId: id }, auditActorOf(request))))
        throw new HttpError('session_not_found');
      if (id === sessionId) cookies.refreshToken.clear(reply);
      return ok({ id });
    },
  );
}

async function readProfile(
  { users, sellers }: ProfileRouteDeps,
  userId: string,
): Promise<Static<typeof MeSchema>> {
  const found = await users.findProfile(userId);
  if (found === undefined) throw new HttpError('invalid_access_token');
  const { profile, secondFactors, recoveryCodesLeft } = found;
  const { id, name, email, role, sellerId, createdAt, secondFactorResetAt: resetAt } = profile;
  const { authenticator: active, passkeys } = secondFactors;
  const seller = sellerId === null ? undefined : (await sellers.getContext(sellerId))?.seller;
  return {
    id,
    name,
    email,
    role,
    seller: seller === undefined ? null : { id: seller.id, name: seller.name, status: seller.status },
    twoFactor: { active, passkeys, recoveryCodesLeft },
    secondFactorResetAt: resetAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** The rules of the body do not know the role, the name and the email of the user. */
async function requireAcceptablePassword(
  users: UsersService,
  request: FastifyRequest,
  newPassword: string,
): Promise<void> {
  const found = await users.findProfile(callingUserId(request));
  if (found === undefined) throw new HttpError('invalid_access_token');
  await loadPasswordEstimator();
  const violations = passwordViolations('newPassword', newPassword, found.profile);
  if (violations.length > 0) throw new ValidationError(violations);
}
