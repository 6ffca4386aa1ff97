import type { Random } from './random.ts';

/** Values that an attacker would send. */

/** Contained in every generated text: no log line may contain it. */
export const MARK = 'zqfuzz';

/** A number in its JSON notation, which a JavaScript number could not represent. */
export class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const NUMBERS: readonly (number | Written)[] = [
  0,
  1,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  0.5,
  1.005,
  99_999_999_999,
  ...[
    '-0',
    '1e400',
    '-1e400',
    '1e-7',
    '1E2',
    '9007199254740993',
    '1e308',
    '5e-324',
    '12.0',
    '100000000000000000000',
    '9223372036854775807',
    '9223372036854775808',
  ].map((text) => new Written(text)),
  // Not JSON.
  ...['01', '+1', '.5', '1.', '0x10', 'NaN', 'Infinity', '1_000', "'a'", 'undefined'].map(
    (text) => new Written(text),
  ),
];

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'length',
  'then',
  'toJSON',
  '$ref',
  '',
];

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  `a\0${MARK}`,
  '\uD800',
  `\uDC00${MARK}`,
  '\uFEFF',
  '\u202Eevil\u202C',
  'مرحبا بالعالم',
  'e\u0301'.repeat(20),
  'a' + '\u0300'.repeat(200),
  '👩‍👩‍👧‍👦'.repeat(10),
  'İıſKß',
  '\u2028\u2029',
  '\u001B[31mred\u001B[0m\u0007',
  `x\r\n{"level":"error","msg":"${MARK}"}\r\n`,
  `"}\n{"level":"fatal","${MARK}":"`,
  `%0d%0aset-cookie:%20${MARK}=1`,
  '%00',
  '%c0%ae',
  '%',
  `'; DROP TABLE transactions; -- ${MARK}`,
  `' OR 1=1 -- ${MARK}`,
  '$1',
  '\\',
  "\\'",
  '%s%n%x',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '<!--#exec cmd="id"-->',
  "=cmd|' /C calc'!A0",
  '+1+1',
  '-1',
  '@SUM(A1)',
  ';=1+1',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'https://localhost/',
  'https://[::1]/',
  'https://user:pass@example.com/',
  'https://0x7f.1/',
  'javascript:alert(1)',
  'null',
  'undefined',
  'true',
  '[object Object]',
  'NaN',
  '1e400',
  '9007199254740993',
  '-0',
  '０１２',
  '١٢٣',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '+275760-09-13T00:00:00.000Z',
  '-271821-04-19T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-11-22T00:00:00+25:00',
  '2026-11-22T24:00:00Z',
  '2018-11-04',
  'a@b',
  `${MARK}@example.com`,
  `"${MARK} x"@example.com`,
  'a'.repeat(64) + '@' + 'b'.repeat(250) + '.com',
  '00000000000',
  '11111111111',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  '{00000000-0000-4000-8000-000000000000}',
  '00000000-0000-4000-8000-000000000000\n',
  ...NAMES,
];

/** A text: a known problematic one, a long one, or random characters. */
export function hostileText(random: Random): string {
  return random.weighted<() => string>([
    [6, () => random.pick(TEXTS)],
    [1, () => MARK.repeat(random.pick([10, 100, 1_000]))],
    [
      1,
      () =>
        random
          .pick(['a', '0', ' ', '\t', '%', '/', '.', '-', '"', '\\', 'é', '😀'])
          .repeat(random.pick([63, 256, 257, 2_049, 20_000])),
    ],
    [1, () => random.hex(random.pick([37, 300, 5_000]))],
    [2, () => Array.from({ length: random.between(1, 40) }, () => anyCharacter(random)).join('')],
  ])();
}

function anyCharacter(random: Random): string {
  return String.fromCodePoint(
    random.weighted<() => number>([
      [4, () => random.between(0x20, 0x7e)],
      [1, () => random.between(0, 0x1f)],
      [1, () => random.between(0x80, 0x7ff)],
      [1, () => random.between(0xd700, 0xe000)],
      [1, () => random.between(0xfff0, 0x10400)],
    ])(),
  );
}

export const hostileName = (random: Random): string =>
  random.chance(0.6) ? random.pick(NAMES) : hostileText(random);

/** Any JSON value of another type than expected. */
export function hostileValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [5, () => hostileText(random)],
    [4, () => random.pick(NUMBERS)],
    [1, () => null],
    [1, () => random.chance(0.5)],
    [1, () => []],
    [1, () => ({})],
    [
      1,
      () => Object.fromEntries([[random.pick(['a', 'constructor', 'toString', '$gt']), hostileText(random)]]),
    ],
    [1, () => nested(random.pick([5, 31, 32, 33, 200]), random.chance(0.5))],
    [
      1,
      () =>
        Array.from({ length: random.pick([1, 2, 101, 1_001, 20_000]) }, () => random.pick([0, '', null, {}])),
    ],
    [
      1,
      () =>
        Object.fromEntries(Array.from({ length: random.pick([21, 51, 2_000]) }, (_, at) => [`k${at}`, 'v'])),
    ],
  ])();
}

export function nested(levels: number, inArrays: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = inArrays ? [value] : { a: value };
  return value;
}

/** JSON in which `__proto__` is a field, names can repeat, and numbers keep their notation. */
export function write(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
