/** Examples of the OpenAPI document. A test validates each against its schema. */

const challenge = 'ZXlKaGJHY2lPaUpJVXpJMU5pSjkuZXlKemRXSWlPaUp6ZEdWd0xYVndJbjAuYzJsbmJtRjBkWEps';
const credentialId = 'mZ9Jq0b3xqk2V1a7d0Zf5A';
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiWlhsSyJ9';
const known = [{ id: credentialId, type: 'public-key', transports: ['internal', 'hybrid'] }];
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: 'public-key',
};

export const ASSERTION = {
  ...credential,
  response: {
    clientDataJSON,
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ',
    signature: 'MEUCIQDx1dVYm2vYk3y0cV1l3mS9v5Jg0bq6uQJd2m5rKz8h1wIgS1x6r0vK',
    userHandle: 'AaH7YHwtTj-KmwwdLj9KWw',
  },
};
export const CREATION_OPTIONS = {
  'Options for the browser': {
    status: true,
    data: {
      challenge,
      rp: { id: 'pay.example.com', name: 'Vereda' },
      user: { id: 'AaH7YHwtTj-KmwwdLj9KWw', name: 'seller@example.com', displayName: 'Dona da Loja' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      timeout: 300_000,
      attestation: 'none',
      excludeCredentials: known,
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    },
  },
};
const requestOptions = {
  challenge,
  rpId: 'pay.example.com',
  timeout: 300_000,
  userVerification: 'required',
};
export const SIGN_IN_OPTIONS_BODY = {
  'Instead of the password': {},
  'After the password': {
    challenge: 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImNoYWxsZW5nZStqd3QifQ.eyJzdWIiOiIwMSJ9.c2ln',
  },
};
export const SIGN_IN_OPTIONS = {
  'Any passkey of the gateway': { status: true, data: { ...requestOptions, allowCredentials: [] } },
};
export const REQUEST_OPTIONS = {
  'The passkeys of the user': { status: true, data: { ...requestOptions, allowCredentials: known } },
};
export const PASSKEY_SIGN_IN = {
  'In a browser': { passkey: ASSERTION, session: 'cookie' },
};
export const REGISTRATION = {
  'A new passkey': {
    name: 'Notebook da loja',
    passkey: {
      ...credential,
      response: {
        clientDataJSON,
        attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
        transports: ['internal', 'hybrid'],
      },
    },
  },
};
const passkey = {
  id: '01a1fb65-1111-4222-8333-0123456789ab',
  name: 'Notebook da loja',
  synced: true,
  lastUsedAt: null,
  createdAt: '2026-03-01T12:00:00.000Z',
};
const recoveryCodes = Array.from({ length: 10 }, (_, n) => `MFRG-GZDF-MZTW-Q2L${'ABCDEFGHIJ'.charAt(n)}`);
export const REGISTERED = {
  'The first second factor': { status: true, data: { ...passkey, recoveryCodes } },
  'Another passkey': { status: true, data: { ...passkey, recoveryCodes: null } },
};
export const LISTED = {
  'One passkey': { status: true, data: [{ ...passkey, lastUsedAt: '2026-03-02T09:00:00.000Z' }], count: 1 },
};
export const NEW_NAME = { 'Another name': { name: 'Celular' } };
export const RENAMED = { 'The passkey': { status: true, data: { ...passkey, name: 'Celular' } } };
export const DELETED = { Deleted: { status: true, data: { id: passkey.id } } };
