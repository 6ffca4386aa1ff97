import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A record id: a UUID that passes as version 4, whose first 48 bits are the creation time in
 * milliseconds. A primary key that starts with it is therefore also the order of creation, and no
 * second index is needed for a newest-first list. 74 bits stay random.
 */
export function newId(nowMs: number): string {
  return timePrefix(nowMs) + randomUUID().slice(13);
}

/** The prefix of the last time, which the ids of a request share. */
let lastPrefix = { ms: NaN, text: '' };

function timePrefix(ms: number): string {
  if (ms !== lastPrefix.ms) {
    const time = ms.toString(16).padStart(12, '0');
    lastPrefix = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}` };
  }
  return lastPrefix.text;
}

/** The bounds of all ids. */
export const MIN_ID = '00000000-0000-0000-0000-000000000000';
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest id of a record of that time. The ids of a period are a range of the primary key. */
export function minIdAt(ms: number): string {
  return `${timePrefix(Math.max(0, ms))}-0000-0000-000000000000`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function isUuidV4(text: string): boolean {
  return UUID_V4.test(text);
}

/**
 * SHA-256 of a credential. Credentials of ours carry 122 random bits or more, so a plain hash is
 * enough at rest.
 */
export function hashCredential(credential: string): Buffer {
  return createHash('sha256').update(credential).digest();
}

export type ApiKeyMode = 'test' | 'live';

/**
 * An API key: `sk_test_` or `sk_live_`, 32 random bytes in base62 (43 characters), and a
 * 6-character checksum.
 */
export function newApiKey(mode: ApiKeyMode): string {
  const body = `sk_${mode}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`;
  return body + checksum(body);
}

/** Whether the text has a valid checksum. Rejects mistyped keys without a database query. */
export function isApiKey(text: string): boolean {
  if (text.length !== 57 || !(text.startsWith('sk_test_') || text.startsWith('sk_live_'))) return false;
  return checksum(text.slice(0, -6)) === text.slice(-6);
}

/** The part of a key that may be displayed after its creation. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, 12);
}

/** Without big integers, since each request with a key is checked. */
function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let i = 0; i < 6; i += 1) {
    sum = BASE62.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
