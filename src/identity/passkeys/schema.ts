import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { Type, type Static } from 'typebox';

import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import type { Passkey } from './store.ts';

/**
 * What `PublicKeyCredential.toJSON()` returns in a browser, as far as it is used, and what its
 * parse functions read.
 */

const base64url = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[\\w-]+$', 'x-rule': 'must be base64url', maxLength, description });

const CREDENTIAL_TYPE = Type.Literal('public-key', { description: 'Always `public-key`.' });

const credential = {
  id: base64url(1_400, 'The id of the credential.'),
  rawId: base64url(1_400, 'The same id.'),
  type: CREDENTIAL_TYPE,
};
const clientDataJSON = base64url(4_000, 'What the browser signed: challenge and origin.');

export const PasskeyCreationSchema = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON,
        attestationObject: base64url(20_000, 'The new credential and its public key, in CBOR.'),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: 40 }), {
            maxItems: 10,
            description: 'Transports of the authenticator, such as `internal` or `usb`.',
          }),
        ),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyCreation',
    description: 'The `toJSON()` of the credential that `navigator.credentials.create()` returned.',
  },
);

export const PasskeyAssertionSchema = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON,
        authenticatorData: base64url(4_000, 'Flags and counter of the authenticator.'),
        signature: base64url(4_000, 'The signature of both.'),
        userHandle: Type.Optional(base64url(100, 'The user handle: the id of the user.')),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyAssertion',
    description: 'The `toJSON()` of the credential that `navigator.credentials.get()` returned.',
  },
);

const known = Type.Array(
  Type.Object(
    {
      id: Type.String({ description: 'The id of the credential.' }),
      type: CREDENTIAL_TYPE,
      transports: Type.Array(Type.String(), {
        description: 'Transports of the authenticator, such as `internal` or `usb`.',
      }),
    },
    { title: 'PasskeyDescriptor', description: 'A passkey that the gateway knows.' },
  ),
  { description: 'Passkeys of the user.' },
);
const challenge = Type.String({
  description: 'The bytes to sign, in base64url. Valid for five minutes and one use.',
});
const timeout = Type.Integer({ description: 'Milliseconds.' });
const REQUIRED = Type.Literal('required', { description: 'Always `required`.' });

export const CreationOptionsSchema = Type.Object(
  {
    challenge,
    rp: Type.Object(
      {
        id: Type.String({ description: 'The host of the gateway.' }),
        name: Type.String({ description: 'The name of the gateway.' }),
      },
      { description: 'The relying party: the gateway.' },
    ),
    user: Type.Object(
      {
        id: Type.String({ description: 'The id of the user, in base64url.' }),
        name: Type.String({ description: 'The email address of the user.' }),
        displayName: Type.String({ description: 'The name of the user.' }),
      },
      { description: 'The user of the passkey.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object(
        { type: CREDENTIAL_TYPE, alg: Type.Integer({ description: 'A COSE algorithm.' }) },
        { title: 'PasskeyAlgorithm', description: 'A signature algorithm.' },
      ),
      { description: 'The algorithms that the gateway verifies.' },
    ),
    timeout,
    attestation: Type.Literal('none', { description: 'Always `none`.' }),
    excludeCredentials: known,
    authenticatorSelection: Type.Object(
      {
        residentKey: REQUIRED,
        requireResidentKey: Type.Literal(true, { description: 'Always true.' }),
        userVerification: REQUIRED,
      },
      { description: 'Which authenticators are accepted.' },
    ),
  },
  {
    title: 'PasskeyCreationOptions',
    description: 'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`.',
  },
);

export const RequestOptionsSchema = Type.Object(
  {
    challenge,
    rpId: Type.String({ description: 'The host of the gateway.' }),
    timeout,
    allowCredentials: known,
    userVerification: REQUIRED,
  },
  {
    title: 'PasskeyRequestOptions',
    description: 'Options for `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
  },
);

export const PasskeyName = nonEmptyString(100, 'A name by which the user recognizes the passkey.');

const passkeyProperties = {
  id: recordId('The id of the passkey.'),
  name: Type.String({ description: 'Name of the passkey.' }),
  synced: Type.Boolean({
    description: 'Whether it is synchronized between devices, or backed up, as of its last use.',
  }),
  lastUsedAt: nullable(timestamp('When it was last used; null if never.')),
  createdAt: timestamp('When it was added.'),
};

export const PasskeySchema = Type.Object(passkeyProperties, {
  title: 'Passkey',
  description: 'A passkey of the signed-in user.',
});

export const RegisteredPasskeySchema = Type.Object(
  {
    ...passkeyProperties,
    recoveryCodes: nullable(
      Type.Array(Type.String(), {
        description:
          'Each works once, in place of a second factor. Shown only once. Null if the user already had ' +
          'a second factor.',
      }),
    ),
  },
  { title: 'RegisteredPasskey', description: 'A passkey that was just added.' },
);

export const viewPasskey = (passkey: Passkey): Static<typeof PasskeySchema> => ({
  id: passkey.id,
  name: passkey.name,
  synced: passkey.backed_up,
  lastUsedAt: passkey.last_used_at?.toISOString() ?? null,
  createdAt: passkey.created_at.toISOString(),
});

type Known = PublicKeyCredentialRequestOptionsJSON['allowCredentials'];

const viewKnown = (credentials: Known): Static<typeof known> =>
  (credentials ?? []).map(({ id, transports }) => ({
    id,
    type: 'public-key',
    transports: [...(transports ?? [])],
  }));

export const viewCreationOptions = (
  options: PublicKeyCredentialCreationOptionsJSON,
): Static<typeof CreationOptionsSchema> => ({
  challenge: options.challenge,
  rp: { id: options.rp.id ?? '', name: options.rp.name },
  user: options.user,
  pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
  timeout: options.timeout ?? 0,
  attestation: 'none',
  excludeCredentials: viewKnown(options.excludeCredentials),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
});

export const viewRequestOptions = (
  options: PublicKeyCredentialRequestOptionsJSON,
): Static<typeof RequestOptionsSchema> => ({
  challenge: options.challenge,
  rpId: options.rpId ?? '',
  timeout: options.timeout ?? 0,
  allowCredentials: viewKnown(options.allowCredentials),
  userVerification: 'required',
});
