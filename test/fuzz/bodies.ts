import { gzipSync } from 'node:zlib';

import { bytesOf, setHeader, type Draft } from './draft.ts';
import type { Random } from './random.ts';
import { hostileValue, MARK, write, Written } from './values.ts';

/** Mutations of a body. */

/** A position in the body: an object or array, and one of its keys. */
export function atMember(
  draft: Draft,
  change: (holder: Record<string, unknown>, key: string, draft: Draft) => void,
): false | undefined {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || node instanceof Written || places.length > 300) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- lists and objects are changed by key
    const holder = node as Record<string, unknown>;
    for (const [key, value] of Object.entries(holder)) {
      places.push([holder, key]);
      walk(value);
    }
  };
  walk(draft.json);
  if (places.length === 0) return false;
  const [holder, key] = draft.random.pick(places);
  change(holder, key, draft);
  return undefined;
}

/** Also if the name is `__proto__`, for which an assignment would not create a field. */
export function define(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder)) {
    holder.push(value);
    return;
  }
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

export function withBytes(draft: Draft, change: (draft: Draft, bytes: Buffer) => Buffer): false | undefined {
  const bytes = bytesOf(draft);
  if (bytes === undefined) return false;
  draft.body = change(draft, bytes);
  return undefined;
}

export const withText = (draft: Draft, change: (text: string, random: Random) => string): false | undefined =>
  withBytes(draft, ({ random }, bytes) => Buffer.from(change(bytes.toString(), random)));

export function corruptBytes({ random }: Draft, bytes: Buffer): Buffer {
  const at = random.between(0, bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  return random.pick([
    () => before,
    () => after,
    () => Buffer.concat([before, Buffer.from([random.between(0, 255)]), after]),
    () => Buffer.concat([before, Buffer.from([random.between(0, 255)]), after.subarray(1)]),
    () =>
      Buffer.concat([
        before,
        random.pick(
          [[0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff, 0xfe], [0xf4, 0x90, 0x80, 0x80], [0]].map((one) =>
            Buffer.from(one),
          ),
        ),
        after,
      ]),
    () => Buffer.concat([bytes, bytes]),
    () =>
      Buffer.concat([
        before,
        Buffer.from(random.pick(['\\u0000', '\\ud800', '\\u', '\\x', ',', ']', '}', '/*', '//'])),
        after,
      ]),
    () => Buffer.alloc(0),
    () =>
      Buffer.from(
        random.pick([
          ' ',
          'null',
          '""',
          '[]',
          '0',
          'true',
          '{',
          '"',
          '{"a":}',
          '\uFEFF{}',
          '{}{}',
          `{"${MARK}":`,
        ]),
      ),
  ])();
}

export function encoded(draft: Draft, bytes: Buffer): Buffer {
  const text = bytes.toString();
  return draft.random.pick<() => Buffer>([
    () => {
      setHeader(
        draft,
        'content-encoding',
        draft.random.pick(['gzip', 'deflate', 'br', 'zstd', 'identity', 'x']),
      );
      return draft.random.chance(0.5) ? gzipSync(bytes) : bytes;
    },
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(text, 'latin1'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    () => Buffer.from(encodeURIComponent(text)),
    () => gzipSync(Buffer.alloc(10_000_000, 0x20)),
  ])();
}

export const CONTENT_TYPES = [
  '',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;charset=iso-8859-1',
  'application/json; charset="',
  'application/json;',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/jsonp',
  'application/vnd.api+json',
  'application/problem+json',
  'text/json',
  'text/plain',
  'text/csv',
  'text/csv; charset=utf-16',
  'text/xml',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/x-ndjson',
  '*/*',
  '/',
  'json',
  ';',
  'application/',
  'application/json\t',
  `application/json; ${'a'.repeat(3_000)}=b`,
  `application/${'j'.repeat(3_000)}`,
  '__proto__',
  'constructor',
];

export function strangeBody(draft: Draft): undefined {
  const { random } = draft;
  if (random.chance(0.8))
    setHeader(draft, 'content-type', random.chance(0.6) ? 'application/json' : random.pick(CONTENT_TYPES));
  draft.body = Buffer.from(
    random.chance(0.5)
      ? random.pick(['', '{}', '[]', 'null', '{', 'x', '0', '{"a":1}', '\0'])
      : write(hostileValue(random)),
  );
}
