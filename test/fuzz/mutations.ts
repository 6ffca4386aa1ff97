import {
  atMember,
  CONTENT_TYPES,
  define,
  encoded,
  strangeBody,
  corruptBytes,
  withBytes,
  withText,
} from './bodies.ts';
import { headerText, setHeader, wellFormed, type Mutation } from './draft.ts';
import { misframe } from './framing.ts';
import {
  flood,
  inPath,
  rawQuery,
  SEGMENTS,
  strangeCookie,
  strangeCredentials,
  strangeHeader,
  strangePath,
} from './headers.ts';
import { hostileName, hostileText, hostileValue, nested, write } from './values.ts';

/** The mutations of a request and their weights. A mutation that does not apply returns false. */
export const MUTATIONS: readonly (readonly [number, string, Mutation])[] = [
  [
    30,
    'another field value',
    (draft) => atMember(draft, (holder, key, { random }) => void (holder[key] = hostileValue(random))),
  ],
  [6, 'a missing field', (draft) => atMember(draft, (holder, key) => void delete holder[key])],
  [
    6,
    'an unknown field',
    (draft) =>
      atMember(draft, (holder, _key, { random }) =>
        define(holder, hostileName(random), hostileValue(random)),
      ),
  ],
  [
    3,
    'a duplicate field',
    (draft) =>
      withText(draft, (text, random) =>
        text.replace('{', () => {
          const names = ['amount', '__proto__', 'constructor', 'method', 'email', 'password'];
          return `{${JSON.stringify(random.pick(names))}:${write(hostileValue(random))},`;
        }),
      ),
  ],
  [
    3,
    'another body',
    (draft) => (draft.json === undefined ? false : void (draft.json = hostileValue(draft.random))),
  ],
  [
    2,
    'a nested body',
    (draft) =>
      withText(draft, (_text, random) =>
        random.chance(0.5)
          ? write(nested(random.pick([20, 33, 1_000]), random.chance(0.5)))
          : '['.repeat(100_000),
      ),
  ],
  [4, 'changed bytes of the body', (draft) => withBytes(draft, corruptBytes)],
  [2, 'another encoding of the body', (draft) => withBytes(draft, encoded)],
  [
    2,
    'a large body',
    (draft) =>
      withBytes(draft, ({ random }) =>
        Buffer.from(
          random.pick([
            `"${'x'.repeat(256 * 1024 - 2)}"`,
            `"${'x'.repeat(256 * 1024)}"`,
            `[${'0,'.repeat(120_000)}0]`,
            `{"items":[${'0,'.repeat(120_000)}0]}`,
            `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
            ' '.repeat(200_000),
          ]),
        ),
      ),
  ],
  [3, 'another content type', (draft) => setHeader(draft, 'content-type', draft.random.pick(CONTENT_TYPES))],
  [
    2,
    'an unexpected body',
    (draft) => (draft.json !== undefined || draft.body !== undefined ? false : strangeBody(draft)),
  ],
  [
    10,
    'another query value',
    (draft) => {
      const known = draft.operation?.query ?? [];
      return known.length === 0
        ? false
        : void draft.query.push([draft.random.pick(known).name, hostileText(draft.random)]);
    },
  ],
  [
    3,
    'a repeated query parameter',
    (draft) => {
      if (draft.query.length === 0) return false;
      const [name, value] = draft.random.pick(draft.query);
      return void draft.query.push([
        draft.random.pick([name, `${name}[]`, `${name}[0]`, `${name}[a]`, name.toUpperCase()]),
        draft.random.chance(0.5) ? value : hostileText(draft.random),
      ]);
    },
  ],
  [
    2,
    'unknown query parameters',
    (draft) => void draft.query.push([hostileName(draft.random), hostileText(draft.random)]),
  ],
  [3, 'a malformed or long query', (draft) => void (draft.rawQuery = rawQuery(draft.random))],
  [
    7,
    'another id in the path',
    (draft) =>
      inPath(draft, ({ random }) =>
        random.chance(0.5)
          ? encodeURIComponent(wellFormed(hostileText(random))).slice(0, 6_000)
          : random.pick(SEGMENTS),
      ),
  ],
  [3, 'another path', (draft) => void (draft.path = strangePath(draft))],
  [
    3,
    'another method',
    (draft) =>
      void (draft.method = draft.random.pick([
        'GET',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'HEAD',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
        'MKCOL',
        'LOCK',
        'REPORT',
        'QUERY',
        'M-SEARCH',
      ])),
  ],
  [
    4,
    'the Idempotency-Key is another',
    (draft) => setHeader(draft, 'idempotency-key', headerText(draft.random)),
  ],
  [5, 'credentials are others', (draft) => strangeCredentials(draft)],
  [3, 'cookies are others', (draft) => setHeader(draft, 'cookie', strangeCookie(draft.random))],
  [6, 'a header is there', (draft) => void draft.headers.push(strangeHeader(draft.random))],
  [1, 'there are many headers, or long ones', (draft) => flood(draft)],
  [
    2,
    'the body comes in chunks',
    (draft) =>
      draft.json === undefined && draft.body === undefined ? false : void (draft.framing = 'chunked'),
  ],
  [3, 'the framing is wrong', (draft) => misframe(draft)],
];
