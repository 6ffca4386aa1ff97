import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { BANK_CODES, getBank } from './banks.ts';
import * as layouts from './layouts.ts';
import {
  blanks,
  cents,
  constant,
  cut,
  date,
  digits,
  document,
  exact,
  fileText,
  layout,
  parseRecord,
  text,
  overrideFields,
  writeRecord,
  type Field,
  type Layout,
  type Value,
} from './records.ts';

const RECORD = layout(
  constant(1, 3, '341'),
  digits('number', 4, 9),
  text('code', 10, 14),
  cut('name', 20, 29),
  cents('amount', 30, 44),
  date('day', 45, 52),
  document('holder', 53, 66),
  exact('key', 100, 119),
);
const VALUES = {
  number: 12,
  code: 'ab',
  name: 'João da Conceição',
  amount: 1050,
  day: '2026-11-24',
  holder: '12ABC34501DE35',
  key: 'Ana@x.com',
};

describe('writeRecord', () => {
  test('fills numbers with zeros, texts with blanks, and writes capitals without accents', () => {
    const line = writeRecord(RECORD, VALUES);
    expect(line).toHaveLength(240);
    expect(line.slice(0, 66)).toBe('341000012AB        JOAO DA CO0000000000010502411202612ABC34501DE35');
    expect(line.slice(99, 119)).toBe('Ana@x.com           ');
  });

  test.each<[string, Value, string]>([
    ['number', 1_234_567, 'number does not fit columns 4 to 9'],
    ['number', '12x', 'number does not fit columns 4 to 9'],
    ['amount', -1, 'amount does not fit columns 30 to 44'],
    ['amount', 1.5, 'amount does not fit columns 30 to 44'],
    ['code', 'abcdef', 'code does not fit columns 10 to 14'],
    ['day', '2026-02-30', 'day does not fit columns 45 to 52'],
    ['holder', '12.345', 'holder does not fit columns 53 to 66'],
    ['key', 'ã', 'key does not fit columns 100 to 119'],
  ])('rejects a %s of %s naming the field, not the value', (name, value, message) => {
    expect(() => writeRecord(RECORD, { ...VALUES, [name]: value })).toThrow(new RangeError(message));
  });

  test('rejects a missing value', () => {
    const { day: _day, ...others } = VALUES;
    expect(() => writeRecord(RECORD, others)).toThrow('day is missing');
  });
});

describe('parseRecord', () => {
  test('names each invalid field and its columns', () => {
    const line = writeRecord(RECORD, VALUES);
    const broken = `${line.slice(0, 3)}00x012${line.slice(9, 44)}31022026${line.slice(52)}`;
    expect(parseRecord(RECORD, broken)).toEqual({
      ok: false,
      errors: ['number (columns 4 to 9) must be digits', 'day (columns 45 to 52) must be a day as DDMMYYYY'],
    });
  });

  test('reads blanks as absent values', () => {
    const read = parseRecord(RECORD, ' '.repeat(240));
    expect(read).toMatchObject({ ok: true, values: { number: '', amount: 0, day: null, holder: '' } });
  });
});

describe('layout', () => {
  test('rejects fields that overlap or lie outside the record', () => {
    expect(() => layout(digits('a', 1, 5), digits('b', 5, 6))).toThrow('b cannot have columns 5 to 6');
    expect(() => layout(digits('a', 240, 241))).toThrow(RangeError);
  });

  test('replaces the fields in the columns of overridden fields', () => {
    const varied = overrideFields(RECORD, digits('wide', 8, 12), blanks(45, 52));
    expect(varied.map(({ name }) => name).filter((name) => name !== '')).toEqual([
      'wide',
      'name',
      'amount',
      'holder',
      'key',
    ]);
  });
});

test('writes file texts as printable ASCII', () => {
  expect(fileText('  Ação  nº 1 – Łódź/ÆØ ß “x” 🙂 ')).toBe('ACAO NO 1 - LODZ/AEO SS X');
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (any) => /^[ -~]*$/.test(fileText(any))));
});

/** A value of a field that is parsed back unchanged. */
function valueOf({ kind, from, to }: Field): fc.Arbitrary<Value> {
  const width = to - from + 1;
  const ofWidth = (unit: string) =>
    fc.string({ unit: fc.constantFrom(...unit.split('')), minLength: width, maxLength: width });
  switch (kind) {
    case 'digits':
    case 'time':
      return ofWidth('0123456789');
    case 'document':
      return ofWidth('0123456789ABC');
    case 'cents':
      return fc.nat({ max: Math.min(10 ** width - 1, Number.MAX_SAFE_INTEGER) });
    case 'date':
      return fc.option(
        fc
          .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
          .map((any) => any.toISOString().slice(0, 10)),
      );
    case 'text':
    case 'cut':
      return ofWidth('ABC 12/').map((any) => fileText(any));
    case 'exact':
      return ofWidth('abcABC@.').map((any) => any.trimEnd());
    case 'constant':
      return fc.constant('');
  }
}

function valuesOf(fields: Layout): fc.Arbitrary<Readonly<Record<string, Value>>> {
  const named = fields.filter(({ name }) => name !== '');
  return fc.record(Object.fromEntries(named.map((field) => [field.name, valueOf(field)])));
}

const all: readonly (readonly [string, Layout])[] = [
  ...Object.entries(layouts).map(([name, fields]) => [name, fields] as const),
  ...BANK_CODES.flatMap((code) => {
    const { collection, payments } = getBank(code);
    const { fileHeader, batchHeader, p, q, t, u, trailer, fileTrailer } = collection;
    const { a, b, bOfAccount, fileHeader: header, batchHeader: batch } = payments;
    const of = { fileHeader, batchHeader, p, q, t, u, trailer, fileTrailer, header, batch, a, b, bOfAccount };
    return Object.entries(of).map(([name, fields]) => [`${code} ${name}`, fields] as const);
  }),
];

test.each(all)('%s covers every column once and parses what it wrote', (_name, fields) => {
  expect(
    fields.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_one, i) => from + i)),
  ).toEqual(Array.from({ length: 240 }, (_one, i) => i + 1));
  // A name may occur twice (an account that a bank requires twice) and then has one value, as wide
  // as the narrower field.
  const names = fields.map(({ name }) => name).filter((name) => name !== '');
  fc.assert(
    fc.property(valuesOf(fields), (values) => {
      const line = writeRecord(fields, values);
      expect(line).toHaveLength(240);
      const read = parseRecord(fields, line);
      expect(read).toEqual({ ok: true, values });
      if (!read.ok) return;
      expect(writeRecord(fields, read.values)).toBe(line);
    }),
    { numRuns: 20 },
  );
  expect(names.length).toBeGreaterThan(2);
});
