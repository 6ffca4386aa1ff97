import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';

import { nullable } from './envelope.ts';
import type { FieldErrorCode } from './error-codes.ts';
import { HttpError } from './errors.ts';
import { nameString, nonEmptyString, validatorCompiler, withCrossFieldRules } from './validation.ts';

/** The messages for a value; none if it is valid. */
function messagesOf(schema: TSchema, value: unknown, httpPart = 'body'): readonly string[] {
  const result = validatorCompiler({ schema, httpPart })(value);
  if ('value' in result) return [];
  const { error } = result;
  if (!(error instanceof HttpError)) throw error;
  const { statusCode, body } = error;
  expect(statusCode).toBe(400);
  return typeof body === 'string' ? [body] : body;
}

const one = (member: TSchema) => Type.Object({ a: member });

describe('validation messages', () => {
  it.each<readonly [TSchema, unknown, readonly string[]]>([
    [Type.Integer(), '1', ['a must be an integer number']],
    [Type.Integer(), 1.5, ['a must be an integer number']],
    [Type.Integer(), null, ['a must be an integer number']],
    [Type.Number(), 'x', ['a must be a number conforming to the specified constraints']],
    [Type.String(), 1, ['a must be a string']],
    [Type.Boolean(), 0, ['a must be a boolean value']],
    [Type.Object({}), [], ['a must be an object']],
    [Type.Object({}), 'x', ['a must be an object']],
    [Type.Array(Type.String()), {}, ['a must be an array']],
    [Type.Array(Type.String()), [1], ['a.0 must be a string']],
    [Type.Array(Type.String(), { minItems: 1 }), [], ['a should not be empty']],
    [Type.Array(Type.String(), { maxItems: 1 }), ['x', 'y'], ['a must contain no more than 1 elements']],
    [Type.Integer({ minimum: 3 }), 2, ['a must not be less than 3']],
    [Type.Integer({ maximum: 3 }), 4, ['a must not be greater than 3']],
    [Type.String({ minLength: 3 }), 'xy', ['a must be longer than or equal to 3 characters']],
    [Type.String({ maxLength: 3 }), 'wxyz', ['a must be shorter than or equal to 3 characters']],
    [Type.Enum(['X', 'Y']), 'Z', ['a must be one of the following values: X, Y']],
    [Type.Enum(['X', 'Y']), 5, ['a must be one of the following values: X, Y']],
    [Type.String({ format: 'uuid' }), 'x', ['a must be a UUID']],
    [Type.String({ format: 'email' }), 'x', ['a must be an email']],
    [Type.String({ format: 'https-url' }), 'x', ['a must be an HTTPS URL']],
    [nonEmptyString(9), ' ', ['a should not be empty']],
    [nonEmptyString(9), '\u200b\u202e', ['a should not be empty']],
    [nameString(9, ''), '\u200b\u00a0', ['a should not be empty']],
    [nameString(9, ''), '🙂', ['a must contain a letter or a digit']],
    [Type.Unsafe({ type: 'object', maxProperties: 1 }), { x: 1, y: 2 }, ['a must have at most 1 keys']],
    [Type.String({ pattern: '^x$', 'x-rule': 'must be an x' }), 'y', ['a must be an x']],
  ])('schema %j rejects %j', (member, value, words) => {
    expect(messagesOf(one(member), { a: value })).toEqual(words);
  });

  it.each<readonly [TSchema, string]>([
    [Type.Integer({ minimum: 3 }), 'a must be an integer number'],
    [Type.String(), 'a must be a string'],
    [Type.String({ maxLength: 3 }), 'a must be a string'],
    [Type.Boolean(), 'a must be a boolean value'],
    [Type.Object({ b: Type.String() }), 'a must be an object'],
    [Type.Array(Type.String(), { minItems: 1 }), 'a must be an array'],
    [Type.Enum(['X', 'Y']), 'a must be one of the following values: X, Y'],
    [Type.String({ format: 'email' }), 'a must be an email'],
    [Type.String({ format: 'https-url' }), 'a must be an HTTPS URL'],
    [nonEmptyString(9), 'a should not be empty'],
    [nameString(9, ''), 'a should not be empty'],
    [Type.String({ pattern: '^x$', 'x-rule': 'must be an x' }), 'a must be an x'],
  ])('schema %j returns one message for a missing field', (member, words) => {
    expect(messagesOf(one(member), {})).toEqual([words]);
  });

  it('count code points, not UTF-16 units', () => {
    const schema = one(Type.String({ maxLength: 3 }));
    expect(messagesOf(schema, { a: '🐦🐦🐦' })).toEqual([]);
    expect(messagesOf(schema, { a: '🐦🐦🐦🐦' })).toHaveLength(1);
  });

  it('allow null for a nullable field, and no other type', () => {
    const schema = one(nullable(Type.Integer({ minimum: 1 })));
    expect(messagesOf(schema, { a: null })).toEqual([]);
    expect(messagesOf(schema, { a: 'null' })).toEqual(['a must be an integer number']);
    expect(messagesOf(schema, { a: 0 })).toEqual(['a must not be less than 1']);
  });
});

describe('an array that is too long', () => {
  const schema = one(Type.Array(Type.Object({ b: Type.Integer(), c: Type.String() }), { maxItems: 3 }));
  const inner = one(
    Type.Array(Type.Object({ list: Type.Array(Type.Integer(), { maxItems: 2 }) }), { maxItems: 2 }),
  );

  it('is reported, with errors for a bounded number of its entries', () => {
    const messages = messagesOf(schema, { a: Array.from({ length: 100_000 }, () => ({})) });
    expect(messages).toHaveLength(1 + 4 * 2);
    expect(messages[0]).toBe('a must contain no more than 3 elements');
    expect(messages.at(-1)).toBe('a.3.c must be a string');
  });

  it('is reported at any depth', () => {
    expect(
      messagesOf(inner, { a: [{ list: [] }, { list: Array.from({ length: 100_000 }, () => 'x') }] }),
    ).toEqual([
      'a.1.list must contain no more than 2 elements',
      ...[0, 1, 2].map((at) => `a.1.list.${at} must be an integer number`),
    ]);
    const nullable = one(Type.Union([Type.Array(Type.Integer(), { maxItems: 2 }), Type.Null()]));
    expect(messagesOf(nullable, { a: Array.from({ length: 100_000 }, () => 'x') }).length).toBeLessThan(10);
    expect(messagesOf(nullable, { a: null })).toEqual([]);
  });

  it('is reported if all entries are valid, and a shorter one is accepted', () => {
    const good = Array.from({ length: 4 }, () => ({ b: 1, c: 'x' }));
    expect(messagesOf(schema, { a: good })).toEqual(['a must contain no more than 3 elements']);
    expect(messagesOf(schema, { a: good.slice(1) })).toEqual([]);
  });
});

describe('a body that is not an object', () => {
  it.each([[[]], ['x'], [1], [true]])('is rejected: %j', (value) => {
    expect(messagesOf(one(Type.String()), value)).toEqual(['body must be an object']);
  });

  it('but absent is treated as empty', () => {
    for (const value of [undefined, null]) {
      expect(messagesOf(one(Type.String()), value)).toEqual(['a must be a string']);
    }
  });
});

describe('several violations', () => {
  const schema = Type.Object({
    z: Type.Integer(),
    list: Type.Array(Type.Object({ y: Type.String(), x: Type.Integer() })),
    inner: Type.Object({ b: Type.String(), a: Type.Integer() }),
    end: Type.Optional(Type.String({ minLength: 5, pattern: '^\\d+$', 'x-rule': 'must be digits' })),
  });

  it('are reported at once, in the order of the schema, whatever the order of the body', () => {
    const value = {
      end: 'x',
      inner: { a: 'x', b: 1 },
      list: [{ x: 1, y: '' }, { x: 'a', y: 1 }, {}],
      z: '1',
    };
    expect(messagesOf(schema, value)).toEqual([
      'z must be an integer number',
      'list.1.y must be a string',
      'list.1.x must be an integer number',
      'list.2.y must be a string',
      'list.2.x must be an integer number',
      'inner.b must be a string',
      'inner.a must be an integer number',
      'end must be longer than or equal to 5 characters',
      'end must be digits',
    ]);
  });

  it('order array entries by index', () => {
    const list = Array.from({ length: 12 }, (_, i) => ({ x: i === 2 || i === 10 ? 'a' : i, y: '' }));
    expect(messagesOf(schema, { z: 1, list, inner: { a: 1, b: '' } })).toEqual([
      'list.2.x must be an integer number',
      'list.10.x must be an integer number',
    ]);
  });

  it('keep field names that contain a slash or tilde', () => {
    const strange = Type.Object({ 'a/b': Type.Integer(), 'c~d': Type.Integer() });
    expect(messagesOf(strange, { 'a/b': 'x', 'c~d': 'x' })).toEqual([
      'a/b must be an integer number',
      'c~d must be an integer number',
    ]);
  });
});

describe('a cross-field rule', () => {
  const schema = withCrossFieldRules(
    Type.Object({ from: Type.Integer(), to: Type.Integer(), last: Type.String() }),
    [
      ({ from, to }) =>
        typeof from === 'number' && typeof to === 'number' && from > to
          ? [{ path: ['to'], rule: 'must not be before startDate' }]
          : [],
    ],
  );

  it('is reported in the position of its field', () => {
    expect(messagesOf(schema, { from: 2, to: 1, last: 3 })).toEqual([
      'to must not be before startDate',
      'last must be a string',
    ]);
    expect(messagesOf(schema, { from: 1, to: 2, last: '' })).toEqual([]);
  });

  it('is not reported for a field of the wrong type', () => {
    const eager = withCrossFieldRules(Type.Object({ a: Type.Integer() }), [
      () => [{ path: ['a'], rule: 'is malformed' }],
    ]);
    expect(messagesOf(eager, { a: 'x' })).toEqual(['a must be an integer number']);
    expect(messagesOf(eager, { a: 1 })).toEqual(['a is malformed']);
  });
});

describe('type coercion', () => {
  const schema = Type.Object({
    count: Type.Integer({ default: 10 }),
    flag: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String()),
  });
  const read = (value: unknown, httpPart: string) => validatorCompiler({ schema, httpPart })(value);

  it('applies to a query, including defaults', () => {
    expect(read({ count: '7', flag: 'true', text: '5' }, 'querystring')).toEqual({
      value: { count: 7, flag: true, text: '5' },
    });
    expect(read({}, 'querystring')).toEqual({ value: { count: 10 } });
  });

  it('does not apply to a body', () => {
    expect(messagesOf(schema, { count: '7', flag: 'true', text: 5 })).toEqual([
      'count must be an integer number',
      'flag must be a boolean value',
      'text must be a string',
    ]);
    expect(messagesOf(schema, {})).toEqual(['count must be an integer number']);
  });

  it.each(['', ' ', 'x', '1.5', '1e999', 'Infinity', 'NaN', 'true', 'null'])(
    'rejects %j as a number in a query',
    (text) => {
      const bounded = one(Type.Integer({ minimum: 1, maximum: 100 }));
      expect(messagesOf(bounded, { a: text }, 'querystring')).toHaveLength(1);
    },
  );
});

describe('format email', () => {
  it.each([
    'ana@example.com',
    'a@b.co',
    'ana.souza+loja@mail.example.com.br',
    "o'neil@example.com",
    'ana@exämple.com.br',
    '0@0.example',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', (text) => {
    expect(messagesOf(one(Type.String({ format: 'email' })), { a: text })).toEqual([]);
  });

  it.each([
    '',
    '@',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@.com',
    'ana@example.',
    'ana@exa mple.com',
    'ana souza@example.com',
    'ana@@example.com',
    'ana@souza@example.com',
    '.ana@example.com',
    'ana.@example.com',
    'a..na@example.com',
    'ana@exam..ple.com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@exa_mple.com',
    'ana@[127.0.0.1]',
    'Ana <ana@example.com>',
    'ana@example.com\n',
    'ana@example.com, bob@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a.'.repeat(130)}com`,
  ])('rejects %j', (text) => {
    expect(messagesOf(one(Type.String({ format: 'email' })), { a: text })).toEqual(['a must be an email']);
  });

  it('rejects very long values in bounded time', () => {
    const started = performance.now();
    for (const text of [
      `${'a'.repeat(100_000)}@`,
      `a@${'a.'.repeat(50_000)}`,
      '@'.repeat(100_000),
      `a@${'-'.repeat(100_000)}`,
    ]) {
      expect(messagesOf(one(Type.String({ format: 'email' })), { a: text })).toHaveLength(1);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('format https-url', () => {
  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM/Hook',
    'https://example.com:8443/hook?a=1#b',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://exämple.com/',
  ])('accepts %s', (text) => {
    expect(messagesOf(one(Type.String({ format: 'https-url' })), { a: text })).toEqual([]);
  });

  it.each([
    '',
    'http://example.com',
    'example.com',
    '//example.com',
    'https:/example.com',
    'https:example.com',
    'https://',
    'https://user@example.com',
    'https://user:password@example.com',
    'https://:password@example.com',
    'ftp://example.com',
    ' https://example.com',
    'javascript:alert(1)//https://example.com',
    'https://exa mple.com',
    'https://127.0.0.1\\@example.com',
    'https://example.com/\nx',
    'https://exa\u00ADmple.com',
  ])('rejects %j', (text) => {
    expect(messagesOf(one(Type.String({ format: 'https-url' })), { a: text })).toEqual([
      'a must be an HTTPS URL',
    ]);
  });

  it.each([
    [`https://example.com/${'a'.repeat(2048)}`, 'The URL is longer than 2048 characters.'],
    ['https://example.com:444/hook', 'The port must be 443 or above 1023.'],
    ['https://shop..example.com/', 'The host name is not valid.'],
  ])('explains why %j cannot be called', (text, reason) => {
    expect(messagesOf(one(Type.String({ format: 'https-url' })), { a: text })).toEqual([
      `a must be an HTTPS URL that can be called: ${reason}`,
    ]);
  });
});

const conflict = () => [{ path: ['a'], rule: 'must be an array', code: 'invalid_combination' }] as const;

describe('the code of an invalid field', () => {
  it.each<readonly [TSchema, unknown, FieldErrorCode]>([
    [Type.Integer(), undefined, 'required'],
    [Type.Integer(), null, 'required'],
    [nonEmptyString(5), ' ', 'required'],
    [Type.Array(Type.String(), { minItems: 1 }), [], 'required'],
    [Type.Integer(), '1', 'invalid_type'],
    [Type.Enum(['X', 'Y']), 'Z', 'invalid_option'],
    [Type.String({ format: 'email' }), 'x', 'invalid_format'],
    [Type.String({ pattern: '^x$', 'x-rule': 'must be an x' }), 'y', 'invalid_format'],
    [Type.Integer({ minimum: 3 }), 2, 'too_small'],
    [Type.Integer({ maximum: 3 }), 4, 'too_large'],
    [Type.String({ minLength: 3 }), 'xy', 'too_short'],
    [Type.String({ maxLength: 3 }), 'wxyz', 'too_long'],
    [Type.Array(Type.String(), { maxItems: 1 }), ['x', 'y'], 'too_many'],
    [Type.Object({}, { maxProperties: 1 }), { x: 1, y: 2 }, 'too_many'],
  ])('for schema %j and value %j is %s', (schema, value, code) => {
    const result = validatorCompiler({ schema: one(schema), httpPart: 'body' })({ a: value });
    expect(result).toMatchObject({ error: { code: 'validation_failed', errors: [{ path: 'a', code }] } });
  });

  it('is the code of the cross-field rule, or invalid_value', () => {
    const schema = withCrossFieldRules(Type.Object({ a: Type.Integer(), b: Type.Integer() }), [
      conflict,
      () => [{ path: ['b'], rule: 'is malformed' }],
    ]);
    expect(validatorCompiler({ schema, httpPart: 'body' })({ a: 1, b: 1 })).toMatchObject({
      error: {
        errors: [
          { path: 'a', code: 'invalid_combination', message: 'a must be an array' },
          { path: 'b', code: 'invalid_value', message: 'b is malformed' },
        ],
      },
    });
  });
});
