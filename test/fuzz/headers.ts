import { headerText, wellFormed, type Draft } from './draft.ts';
import type { Random } from './random.ts';
import { hostileText, MARK } from './values.ts';

/** Mutations of path, query and headers. */

export function rawQuery(random: Random): string {
  return random.pick([
    () => '%',
    () => '%zz=%',
    () => 'take=%c0%ae&skip=%ff',
    () => '&&&&=&==&=a',
    () => 'take=1&'.repeat(random.pick([10, 500, 1_500])),
    () => `a=${'b'.repeat(random.pick([100, 8_000, 15_000]))}`,
    () => `${'a[b]'.repeat(500)}=1`,
    () => Array.from({ length: 1_200 }, (_, at) => `k${at}=1`).join('&'),
    () => '__proto__[take]=1&constructor[prototype][take]=1&__proto__=1',
    () => 'take=1?take=2#x',
    () => 'take=1;skip=2',
    () => `take=${encodeURIComponent(wellFormed(hostileText(random))).slice(0, 8_000)}`,
    () => 'take=1+1&cursor=%00&status=%0d%0a',
  ])();
}

export const SEGMENTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cwindows',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '%E0%80%AF',
  '%ff',
  '%ed%a0%80',
  '%u0041',
  '*',
  ':id',
  '{id}',
  'me',
  'search',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e400',
  '__proto__',
  'constructor',
  'toString',
  '%20',
  '+',
  ';a=b',
  ',',
  '%0d%0aset-cookie:x=1',
  '%E2%80%AE',
  '%F0%9F%98%80',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01a1fb66-e70d-4426-bcd4-28d378d6b6c',
  '01a1fb66-e70d-4426-bcd4-28d378d6b6c11',
  '01A1FB66-E70D-4426-BCD4-28D378D6B6C1',
  '01a1fb66e70d4426bcd428d378d6b6c1',
  '01a1fb66-e70d-4426-bcd4-28d378d6b6c1%0a',
  '%7b01a1fb66-e70d-4426-bcd4-28d378d6b6c1%7d',
  "01a1fb66-e70d-4426-bcd4-28d378d6b6c1'--",
];

export function inPath(draft: Draft, change: (draft: Draft) => string): false | undefined {
  const parts = draft.path.split('/');
  const ids = parts.flatMap((part, at) => (/^[0-9a-f-]{36}$/.test(part) ? [at] : []));
  if (ids.length === 0) return false;
  parts[draft.random.pick(ids)] = change(draft);
  draft.path = parts.join('/');
  return undefined;
}

const PARENTS = ['..%2f', '%2e%2e/', '../', '..\\', '.%2e/', '%252e%252e%252f'];
const SECRET_FILES = ['package.json', 'etc/passwd', 'src/main.ts', '.data/demo.json'];

export function strangePath({ random, path }: Draft): string {
  return random.pick([
    () => `${path}/`,
    () => `${path}//`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => path.replace('/v1', '/v1/..//v1'),
    () => path.replace('/v1', '/%76%31'),
    () => `${path}/${random.pick(SEGMENTS)}`,
    () => `${path}%2f`,
    () => `${path}.json`,
    () => `${path};x=1`,
    () => `${path}/${'a'.repeat(random.pick([300, 9_000, 16_000]))}`,
    () => `${path}${'/x'.repeat(2_000)}`,
    () =>
      path
        .split('/')
        .map((part) => Buffer.from(part).toString('hex').replaceAll(/../g, '%$&'))
        .join('/'),
    () => `/dashboard/assets/${random.pick(SEGMENTS)}`,
    () => `/assets/${random.pick(SEGMENTS)}`,
    () => `/dashboard/${random.pick(PARENTS).repeat(random.between(1, 8))}${random.pick(SECRET_FILES)}`,
    () => `/v1/${encodeURIComponent(wellFormed(hostileText(random))).slice(0, 8_000)}`,
  ])();
}

const forged = (members: object): string => Buffer.from(JSON.stringify(members)).toString('base64url');

export function strangeCredentials(draft: Draft): undefined {
  const { random, world } = draft;
  const bearer = world.credentialOf('owner')['authorization'] ?? '';
  const key = world.credentialOf('owner key')['x-api-key'] ?? '';
  const [head = '', claims = '', signature = ''] = bearer.replace('Bearer ', '').split('.');
  const [name, value] = random.pick<() => [string, string]>([
    () => ['authorization', headerText(random)],
    () => ['authorization', `Bearer ${headerText(random)}`],
    () => [
      'authorization',
      `Bearer ${random.pick([
        `${head}.${claims}.`,
        `${head}.${claims}`,
        `${forged({ alg: 'none' })}.${claims}.`,
        `${forged({ alg: 'none' })}.${claims}.${signature}`,
        `${head}.${forged({ sub: world.ids.user.own[0] })}.${signature}`,
        `${head}.${claims}.${signature}x`,
        `${head}..${signature}`,
        '...',
        'a.b.c',
      ])}`,
    ],
    () => [
      'authorization',
      random.pick([
        `bearer ${head}`,
        'Bearer',
        'Bearer ',
        `Basic ${Buffer.from('a:b').toString('base64')}`,
        'Digest x',
        `Negotiate ${'A'.repeat(4_000)}`,
        `Bearer ${'.'.repeat(1_990)}`,
        `Bearer ${'a'.repeat(2_000)}`,
      ]),
    ],
    () => ['x-api-key', headerText(random)],
    () => [
      'x-api-key',
      random.pick([
        key.slice(0, -1),
        `${key}x`,
        key.toUpperCase(),
        ` ${key}`,
        `${key},${key}`,
        'sk_test_',
        `sk_live_${key.slice(8)}`,
        'sk_test_'.padEnd(57, 'A'),
      ]),
    ],
    () => ['x-api-key', ''],
  ])();
  draft.headers.push([name, value]);
  if (random.chance(0.5)) draft.caller = 'anonymous';
}

const BAD_TOKENS = ['%', '%00', '%c0%ae', '"', '""', 'x'.repeat(1_001), 's:x.y', '%E0%A4%A'];

export const strangeCookie = (random: Random): string =>
  random.pick([
    () => headerText(random),
    () => `refresh=${headerText(random)}`,
    () => `refresh=${random.pick([...BAD_TOKENS, random.uuid()])}; device=${headerText(random)}`,
    () => `__proto__=1; constructor=2; refresh=3; refresh=${random.uuid()}`,
    () => 'a=b; '.repeat(1_000),
    () => ';;;=;==;=',
    () => `device=${random.pick(['a.b.c', '....', 'eyJhbGciOiJub25lIn0.e30.'])}`,
  ])();

export function strangeHeader(random: Random): [string, string] {
  return random.pick<() => [string, string]>([
    () => ['x-request-id', headerText(random)],
    () => [
      'accept',
      random.pick([
        '',
        '*/*',
        'text/csv',
        'application/xml',
        'text/html',
        `${'a/b,'.repeat(1_000)}*/*`,
        headerText(random),
      ]),
    ],
    () => [
      'accept-encoding',
      random.pick([
        'gzip',
        'br;q=0',
        'identity;q=0',
        '*;q=0',
        `${'gzip,'.repeat(2_000)}br`,
        headerText(random),
      ]),
    ],
    () => ['accept-language', headerText(random)],
    () => [
      'if-none-match',
      random.pick(['*', '"x"', 'W/"x"', `${'"a",'.repeat(2_000)}"b"`, headerText(random)]),
    ],
    () => ['if-modified-since', headerText(random)],
    () => [
      'range',
      random.pick([
        'bytes=0-',
        'bytes=-1',
        'bytes=9999999999999999999-',
        `bytes=${'0-1,'.repeat(1_000)}0-1`,
        headerText(random),
      ]),
    ],
    () => [
      'x-forwarded-for',
      random.pick([
        '127.0.0.1',
        '::1',
        '',
        ',,,',
        'a'.repeat(1_000),
        '1.2.3.4,'.repeat(500),
        headerText(random),
      ]),
    ],
    () => ['x-forwarded-host', headerText(random)],
    () => ['x-forwarded-proto', headerText(random)],
    () => ['forwarded', 'for=1.2.3.4;host=evil.example;proto=https'],
    () => [
      'host',
      random.pick(['', 'evil.example', 'a'.repeat(2_000), '[::1', 'localhost:99999', headerText(random)]),
    ],
    () => ['x-http-method-override', 'DELETE'],
    () => ['x-original-url', '/v1/admin/sellers'],
    () => ['origin', random.pick(['null', 'https://evil.example', headerText(random)])],
    () => ['referer', headerText(random)],
    () => ['user-agent', random.chance(0.5) ? headerText(random) : `${'Version/'.repeat(1_500)} Safari`],
    () => ['upgrade', random.pick(['websocket', 'h2c', 'TLS/1.0'])],
    () => ['expect', random.pick(['100-continue', 'x', '200-ok'])],
    () => ['te', 'trailers, deflate;q=0.5'],
    () => ['x-requested-by', headerText(random)],
    () => ['sec-fetch-site', random.pick(['cross-site', 'same-origin', 'none', ''])],
    () => [
      random.pick(['__proto__', 'constructor', 'x', 'X-Api-Key-', 'content-disposition']),
      headerText(random),
    ],
  ])();
}

export function flood(draft: Draft): undefined {
  const { random } = draft;
  const [number, length] = random.pick([
    [100, 10],
    [1_500, 1],
    [2_500, 1],
    [1, 7_000],
    [1, 17_000],
    [10, 2_000],
  ] as const);
  for (let at = 0; at < number; at += 1) draft.headers.push([`x-${MARK}-${at}`, 'v'.repeat(length)]);
}
