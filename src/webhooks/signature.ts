import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** A rotated secret signs beside its successor for this long. */
export const ROTATION_OVERLAP_MS = 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** The signed content of an attempt. */
export interface SignatureInput {
  /**
   * The event id, the same for every attempt, so that receivers can drop duplicates. No full stops.
   */
  readonly id: string;
  /** The time of the attempt, in whole seconds since 1970. */
  readonly timestampSeconds: number;
  /** The request body, byte for byte. */
  readonly body: string;
  /**
   * The keys of the secrets in use, newest first. After a rotation the retired secrets also sign.
   */
  readonly keys: readonly SigningKey[];
}

/**
 * Creates a signing secret: `whsec_` and the base64 of 32 random bytes.
 *
 * Source: Standard Webhooks 1.0, "Symmetric signatures" (24 to 64 bytes).
 */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** A secret prepared for signing. Its bytes are outside of the JavaScript heap. */
export type SigningKey = KeyObject;

/**
 * Parses a secret. Throws a `RangeError`, which never quotes it, unless it is `whsec_` and the
 * base64 of 24 to 64 bytes.
 */
export function signingKey(secret: string): SigningKey {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  const key = Buffer.from(encoded, 'base64');
  // Node ignores invalid characters, so only the round trip proves that the whole secret is base64.
  const isBase64 = key.toString('base64') === encoded;
  if (!isBase64 || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES) {
    throw new RangeError('A webhook secret must be whsec_ and the base64 of 24 to 64 bytes.');
  }
  return createSecretKey(key);
}

/**
 * Creates the headers that let a receiver verify the sender and the time of an attempt.
 *
 * `webhook-signature` has one `v1,<base64 HMAC-SHA256(id.timestamp.body)>` for each key,
 * space-separated.
 *
 * Throws a `RangeError` for an empty id, an id with full stops, a timestamp that is not a whole
 * number of seconds, or an empty list of keys.
 *
 * Source: Standard Webhooks 1.0, "Signature scheme" and "Webhook headers".
 */
export function signatureHeaders(input: SignatureInput): Record<string, string> {
  const { id, timestampSeconds, body, keys } = input;
  // Full stops separate the signed fields, so an id with one would be ambiguous.
  if (id === '' || id.includes('.'))
    throw new RangeError('A webhook id must be non-empty, without full stops.');
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError('A webhook timestamp must be a whole number of seconds.');
  }
  if (keys.length === 0) throw new RangeError('A webhook needs at least one secret.');

  const content = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': keys.map((key) => sign(key, content)).join(' '),
  };
}

function sign(key: SigningKey, content: string): string {
  return `v1,${createHmac('sha256', key).update(content, 'utf8').digest('base64')}`;
}
