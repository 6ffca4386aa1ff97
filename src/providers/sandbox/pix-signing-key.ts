/**
 * The key that signs the payloads of BR Codes in the sandbox. Each installation makes its own at
 * the first use, so that its processes sign with the same one and no other installation does.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

import { pixSigningKeyContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { findSigningKey, insertSigningKey } from './store-signing-keys.ts';

export interface PixSigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly certificate: X509Certificate;
  /** SHA-1 of the certificate in base64url (RFC 7515, section 4.1.7). */
  readonly thumbprint: string;
}

export interface PixSigningKeyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

const RSA_BITS = 2048;
const YEARS = 100;

/** Returns a function that finds the key, or makes it, and remembers it. */
export function createPixSigningKeySource(deps: PixSigningKeyDeps): () => Promise<PixSigningKey> {
  let found: Promise<PixSigningKey> | undefined;
  return () => {
    found ??= findOrCreate(deps).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function findOrCreate({ db, clock, secrets }: PixSigningKeyDeps): Promise<PixSigningKey> {
  if ((await findSigningKey(db)) === undefined) {
    const now = clock.now();
    const id = newId(now.getTime());
    const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
    const certificate = createSelfSignedCertificate(privateKey, publicKey, now).toString('base64');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const encryptedPrivateKey = secrets.encrypt(pem, pixSigningKeyContext(id));
    // Another process may be first: then its key counts.
    await insertSigningKey(db, { id, certificate, encryptedPrivateKey, createdAt: now });
  }
  const stored = await findSigningKey(db);
  if (stored === undefined) throw new Error('the signing key of the sandbox was not stored');
  const pem = secrets.decrypt(stored.encryptedPrivateKey, pixSigningKeyContext(stored.id));
  const privateKey = createPrivateKey(pem);
  const certificate = Buffer.from(stored.certificate, 'base64');
  return {
    privateKey,
    publicKey: createPublicKey(privateKey),
    certificate: new X509Certificate(certificate),
    thumbprint: createHash('sha1').update(certificate).digest('base64url'),
  };
}

// The few types of DER (X.690) that a certificate (RFC 5280) without extensions consists of.
const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;

const COMMON_NAME = Buffer.from('550403', 'hex');
/** sha256WithRSAEncryption, with the NULL of its parameters. */
const SIGNATURE_ALGORITHM = Buffer.from('300d06092a864886f70d01010b0500', 'hex');

function der(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

function createSelfSignedCertificate(privateKey: KeyObject, publicKey: KeyObject, from: Date): Buffer {
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + YEARS);
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from('Vereda sandbox')))),
  );
  const content = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    SIGNATURE_ALGORITHM,
    name,
    der(SEQUENCE, generalizedTime(from), generalizedTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  return der(SEQUENCE, content, SIGNATURE_ALGORITHM, der(BIT_STRING, Buffer.from([0]), signature));
}

const generalizedTime = (at: Date): Buffer =>
  der(GENERALIZED_TIME, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
