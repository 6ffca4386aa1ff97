import {
  atMember,
  CONTENT_TYPES,
  define,
  encoded,
  strangeBody,
  tattered,
  withBytes,
  withText,
} from './bodies.ts';
import { headerText, setHeader, wellFormed, type Spoil } from './draft.ts';
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

/** What may be done to a request, and how often. One that has nothing to do it to answers false. */
export const MUTATIONS: readonly (readonly [number, string, Spoil])[] = [
  [
    30,
    'a member has another value',
    (draft) => atMember(draft, (holder, key, { random }) => void (holder[key] = hostileValue(random))),
  ],
  [6, 'a member is missing', (draft) => atMember(draft, (holder, key) => void delete holder[key])],
  [
    6,
    'a member is there that nobody knows',
    (draft) =>
      atMember(draft, (holder, _key, { random }) =>
        define(holder, hostileName(random), hostileValue(random)),
      ),
  ],
  [
    3,
    'a member comes twice',
    (draft) =>
      withText(draft, (text, random) =>
        text.replace(
          '{',
          () =>
            `{${JSON.stringify(random.pick(['amount', '__proto__', 'constructor', 'method', 'email', 'password']))}:${write(hostileValue(random))},`,
        ),
      ),
  ],
  [
    3,
    'the body is another value',
    (draft) => (draft.json === undefined ? false : void (draft.json = hostileValue(draft.random))),
  ],
  [
    2,
    'the body is nested',
    (draft) =>
      withText(draft, (_text, random) =>
        random.chance(0.5)
          ? write(nested(random.pick([20, 33, 1_000]), random.chance(0.5)))
          : '['.repeat(100_000),
      ),
  ],
  [4, 'bytes of the body are changed', (draft) => withBytes(draft, tattered)],
  [2, 'the body has another encoding', (draft) => withBytes(draft, encoded)],
  [
    2,
    'the body is large',
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
  [
    3,
    'the content type is another',
    (draft) => setHeader(draft, 'content-type', draft.random.pick(CONTENT_TYPES)),
  ],
  [
    2,
    'there is a body that nobody asked for',
    (draft) => (draft.json !== undefined || draft.body !== undefined ? false : strangeBody(draft)),
  ],
  [
    10,
    'a member of the query has another value',
    (draft) => {
      const known = draft.operation?.query ?? [];
      return known.length === 0
        ? false
        : void draft.query.push([draft.random.pick(known).name, hostileText(draft.random)]);
    },
  ],
  [
    3,
    'a member of the query comes again',
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
    'the query has members that nobody knows',
    (draft) => void draft.query.push([hostileName(draft.random), hostileText(draft.random)]),
  ],
  [3, 'the query is malformed or long', (draft) => void (draft.rawQuery = rawQuery(draft.random))],
  [
    7,
    'an id in the path is another',
    (draft) =>
      inPath(draft, ({ random }) =>
        random.chance(0.5)
          ? encodeURIComponent(wellFormed(hostileText(random))).slice(0, 6_000)
          : random.pick(SEGMENTS),
      ),
  ],
  [3, 'the path is another', (draft) => void (draft.path = strangePath(draft))],
  [
    3,
    'the method is another',
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
