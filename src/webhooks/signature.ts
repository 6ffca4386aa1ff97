import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** What is signed: one attempt to deliver one message. */
export interface SignatureInput {
  /** The message's id, the same for every attempt, so that a receiver can drop repetitions. No full stops. */
  readonly id: string;
  /** When this attempt is made, in whole seconds since 1970. */
  readonly timestampSeconds: number;
  /** The request body exactly as it is sent. */
  readonly body: string;
  /** The keys of the live secrets, newest first. Two of them while a rotated secret is still accepted. */
  readonly keys: readonly SigningKey[];
}

/**
 * Makes a signing secret: `whsec_` and the base64 of 32 random bytes.
 *
 * Source: Standard Webhooks 1.0, "Symmetric signatures" (24 to 64 bytes).
 */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** A secret made ready for signing. Its bytes are not among the program's strings. */
export type SigningKey = KeyObject;

/**
 * Reads a secret. Throws a `RangeError`, which never quotes it, where it is not `whsec_` and the base64 of 24 to 64
 * bytes.
 */
export function signingKey(secret: string): SigningKey {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : '';
  const key = Buffer.from(encoded, 'base64');
  // Node skips characters it does not know, so only the round trip shows that the whole secret was base64.
  const wellFormed = key.toString('base64') === encoded;
  if (!wellFormed || key.length < MIN_SECRET_BYTES || key.length > MAX_SECRET_BYTES) {
    throw new RangeError('A webhook secret must be whsec_ and the base64 of 24 to 64 bytes.');
  }
  return createSecretKey(key);
}

/**
 * Makes the three headers that let a receiver check who sent a message and when.
 *
 * `webhook-signature` holds one `v1,<base64 HMAC-SHA256(id.timestamp.body)>` for each key, parted by
 * spaces.
 *
 * Throws a `RangeError` for an empty or dotted id, a timestamp that is not a whole number of seconds, or no key at all.
 *
 * Source: Standard Webhooks 1.0, "Signature scheme" and "Webhook headers".
 */
export function signatureHeaders(input: SignatureInput): Record<string, string> {
  const { id, timestampSeconds, body, keys } = input;
  // A full stop parts the signed fields, so an id that holds one could be read as another id and timestamp.
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
