import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** An authenticator in software: ES256, attestation `none`, discoverable credentials. */

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** What a test falsifies. */
export interface Falsification {
  readonly origin?: string;
  readonly rpId?: string;
  readonly userVerified?: boolean;
  readonly count?: number;
  readonly challenge?: string;
}

export interface SoftwareAuthenticator {
  /** The body of the credential that `navigator.credentials.create()` would return. */
  create(options: CreationOptions, changes?: Falsification): object;
  /** The body of the credential that `navigator.credentials.get()` would return. */
  get(options: RequestOptions, changes?: Falsification): object;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED_DATA = 0x40;

export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  let userHandle: string | undefined;
  let signCount = 0;

  const credential = (response: object) => ({
    id,
    rawId: id,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  });

  return {
    create({ challenge, rp, user }, changes = {}) {
      userHandle = user.id;
      const clientDataJSON = clientData('webauthn.create', origin, challenge, changes);
      const authenticatorData = Buffer.concat([
        authenticatorDataOf(rp.id, signCount, changes, ATTESTED_DATA),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseKey(publicKey),
      ]);
      return credential({
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestation(authenticatorData).toString('base64url'),
        transports: ['internal', 'hybrid'],
      });
    },
    get({ challenge, rpId }, changes = {}) {
      signCount += 1;
      const clientDataJSON = clientData('webauthn.get', origin, challenge, changes);
      const authenticatorData = authenticatorDataOf(rpId, signCount, changes);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return credential({
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle,
      });
    },
  };
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const clientData = (type: string, origin: string, challenge: string, changes: Falsification): Buffer =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? origin,
      crossOrigin: false,
    }),
  );

function authenticatorDataOf(
  rpId: string,
  signCount: number,
  { rpId: otherId, userVerified = true, count = signCount }: Falsification,
  flags = 0,
): Buffer {
  const verified = userVerified ? USER_VERIFIED : 0;
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(count);
  const all = flags | USER_PRESENT | verified | BACKUP_ELIGIBLE | BACKED_UP;
  return Buffer.concat([sha256(otherId ?? rpId), Buffer.from([all]), counter]);
}

const coordinate = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')]);

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR: an EC2 key of P-256 for ES256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ]);
}

/** `{fmt: "none", attStmt: {}, authData}` in CBOR. */
function attestation(authenticatorData: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, authenticatorData.length]),
    authenticatorData,
  ]);
}
