import { Type } from 'typebox';

import { describeBrowser } from '#identity/users/client-info.ts';
import { reauthenticate, type ReauthenticationDeps } from '#identity/users/reauthentication.ts';
import type { UsersService } from '#identity/users/service.ts';
import { deletedEnvelope, envelope, listEnvelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSession, callingUserId } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import {
  CreationOptionsSchema,
  PasskeyCreationSchema,
  PasskeyName,
  PasskeySchema,
  RegisteredPasskeySchema,
  viewCreationOptions,
  viewPasskey,
} from './schema.ts';

export interface PasskeyRouteDeps extends ReauthenticationDeps {
  readonly users: UsersService;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Account'];
const config = { access: 'account:own', anySellerStatus: true, peopleOnly: true } as const;
const changeConfig = { ...config, stepUp: true } as const;
/** A passkey is a second factor, so a user who must have one can add it. */
const enrollConfig = { ...changeConfig, withoutSecondFactor: true } as const;

/** The passkeys of the signed-in user. */
export function passkeyRoutes(app: App, deps: PasskeyRouteDeps): void {
  registerOptions(app, deps);
  registerCreate(app, deps);
  registerList(app, deps);
  registerRename(app, deps);
  registerDelete(app, deps);
}

function registerOptions(app: App, { users }: PasskeyRouteDeps): void {
  app.post(
    '/users/me/passkeys/options',
    {
      config: enrollConfig,
      schema: {
        operationId: 'createPasskeyOptions',
        summary: 'Create options for a passkey',
        description:
          'Returns the options with which the browser creates a passkey. They are valid for five ' +
          'minutes, in this session only. Send the result to `POST /v1/users/me/passkeys`.',
        tags,
        errors: ['too_many_passkeys'],
        examples: { response: examples.CREATION_OPTIONS },
        response: { 200: envelope(CreationOptionsSchema) },
      },
    },
    async (request) => {
      const options = await users.beginPasskey(callingSession(request));
      if (options === undefined) throw new HttpError('invalid_access_token');
      if (options === 'TOO_MANY') throw new HttpError('too_many_passkeys');
      return ok(viewCreationOptions(options));
    },
  );
}

function registerCreate(app: App, deps: PasskeyRouteDeps): void {
  app.post(
    '/users/me/passkeys',
    {
      config: enrollConfig,
      schema: {
        operationId: 'createPasskey',
        summary: 'Add a passkey',
        description:
          'Adds the passkey that the browser created, with which the user can sign in from now on, alone ' +
          'or after the password. If the user had no second factor, revokes all other sessions and ' +
          'returns recovery codes, which are shown only once. Without `name`, the passkey is named after ' +
          'the browser.',
        tags,
        errors: ['wrong_passkey', 'too_many_passkeys'],
        examples: { body: examples.REGISTRATION, response: examples.REGISTERED },
        body: Type.Object({ name: Type.Optional(PasskeyName), passkey: PasskeyCreationSchema }),
        response: { 201: envelope(RegisteredPasskeySchema) },
      },
    },
    async (request, reply) => {
      const { passkey: creation, name = defaultName(request.headers['user-agent']) } = request.body;
      const registered = await reauthenticate(deps, request, 'wrong_passkey', () =>
        deps.users.registerPasskey(callingSession(request), { name, creation }, auditActorOf(request)),
      );
      if (registered === 'TOO_MANY') throw new HttpError('too_many_passkeys');
      const { passkey, recoveryCodes } = registered;
      const codes = recoveryCodes === null ? null : [...recoveryCodes];
      return reply.code(201).send(ok({ ...viewPasskey(passkey), recoveryCodes: codes }));
    },
  );
}

const defaultName = (userAgent: string | undefined): string => describeBrowser(userAgent) ?? 'Passkey';

function registerList(app: App, { users }: PasskeyRouteDeps): void {
  app.get(
    '/users/me/passkeys',
    {
      config,
      schema: {
        operationId: 'listPasskeys',
        summary: 'List your passkeys',
        description: 'Returns the passkeys of the signed-in user, oldest first.',
        tags,
        examples: { response: examples.LISTED },
        response: { 200: listEnvelope(PasskeySchema) },
      },
    },
    async (request) => {
      const passkeys = await users.listPasskeys(callingUserId(request));
      return { status: true as const, data: passkeys.map(viewPasskey), count: passkeys.length };
    },
  );
}

function registerRename(app: App, { users }: PasskeyRouteDeps): void {
  app.patch(
    '/users/me/passkeys/:id',
    {
      config,
      schema: {
        operationId: 'updatePasskey',
        summary: 'Rename a passkey',
        description: 'Changes the name of a passkey of the signed-in user. Returns the passkey.',
        tags,
        errors: ['passkey_not_found'],
        examples: { body: examples.NEW_NAME, response: examples.RENAMED },
        params: ById,
        body: Type.Object({ name: PasskeyName }),
        response: { 200: envelope(PasskeySchema) },
      },
    },
    async (request) => {
      const key = { userId: callingUserId(request), id: request.params.id };
      const renamed = await users.renamePasskey(key, request.body.name, auditActorOf(request));
      if (renamed === undefined) throw new HttpError('passkey_not_found');
      return ok(viewPasskey(renamed));
    },
  );
}

function registerDelete(app: App, { users }: PasskeyRouteDeps): void {
  app.delete(
    '/users/me/passkeys/:id',
    {
      config: changeConfig,
      schema: {
        operationId: 'deletePasskey',
        summary: 'Delete a passkey',
        description:
          'Deletes a passkey of the signed-in user, which can no longer be used to sign in. If it was the ' +
          'only second factor, the recovery codes are deleted too, and the password alone is enough to ' +
          'sign in. Returns the id of the passkey.',
        tags,
        errors: ['passkey_not_found'],
        examples: { response: examples.DELETED },
        params: ById,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { id } = request.params;
      const key = { userId: callingUserId(request), id };
      if (!(await users.removePasskey(key, auditActorOf(request)))) throw new HttpError('passkey_not_found');
      return ok({ id: id.toLowerCase() });
    },
  );
}
