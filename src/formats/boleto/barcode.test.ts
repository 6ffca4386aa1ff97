import { formatBoleto, getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dueFactor,
  encodeBarcode,
  formatDigitableLine,
  digitableLineOf,
  parseBarcode,
  type BoletoTitle,
} from './barcode.ts';
import { addDays, daysBetween } from '#formats/calendar/local-date.ts';
import { dueDateOf, parseDigitableLine } from '#test/support/boleto-decoder.ts';
import vectors from '#test/vectors/boleto.json' with { type: 'json' };

const day = fc
  .integer({ min: 0, max: daysBetween('2000-07-03', '2099-12-31') })
  .map((days) => addDays('2000-07-03', days));

const title: fc.Arbitrary<BoletoTitle> = fc.record({
  bankCode: fc.stringMatching(/^[0-79]\d{2}$/).filter((code) => code !== '000'),
  dueDate: day,
  amountCents: fc.integer({ min: 0, max: 9_999_999_999 }),
  freeField: fc.stringMatching(/^\d{25}$/),
});

const some: BoletoTitle = {
  bankCode: '001',
  dueDate: '2026-12-10',
  amountCents: 25_990,
  freeField: '0000001234567000000123417',
};

function parsed(text: string, parse = parseDigitableLine) {
  const decoding = parse(text);
  if (!decoding.ok) throw new Error(`${text} is rejected: ${decoding.failure}`);
  return decoding.boleto;
}

function replaceAt(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + 1);
}

describe.each(vectors.valid)('the boleto $id', (vector) => {
  const expected = {
    bankCode: vector.bankCode,
    checkDigit: vector.checkDigit,
    dueFactor: vector.dueDate === null ? null : vector.dueFactor,
    amountCents: vector.amountCents,
    freeField: vector.freeField,
    barcode: vector.barcode,
    digitableLine: vector.line,
  };

  test('is parsed from its barcode, line and formatted line', () => {
    expect(parsed(vector.barcode, parseBarcode)).toEqual(expected);
    expect(parsed(vector.line)).toEqual(expected);
    expect(parsed(vector.formattedLine)).toEqual(expected);
  });

  test('is encoded identically', () => {
    expect(encodeBarcode(vector)).toBe(vector.barcode);
    expect(digitableLineOf(vector.barcode)).toBe(vector.line);
    expect(formatDigitableLine(vector.line)).toBe(vector.formattedLine);
  });

  test('has one due date in each cycle', () => {
    for (const date of vector.dueDates) {
      expect(dueFactor(date)).toBe(vector.dueFactor);
      expect(dueDateOf(vector.dueFactor, addDays(date, 4499))).toBe(date);
      expect(dueDateOf(vector.dueFactor, addDays(date, -4499))).toBe(date);
    }
  });
});

describe('encodeBarcode', () => {
  test('is reversible for any title', () => {
    fc.assert(
      fc.property(title, (any) => {
        const barcode = encodeBarcode(any);
        const fromBarcode = parsed(barcode, parseBarcode);
        expect(fromBarcode).toMatchObject({
          bankCode: any.bankCode,
          amountCents: any.amountCents,
          freeField: any.freeField,
          barcode,
        });
        expect(dueDateOf(fromBarcode.dueFactor!, any.dueDate!)).toBe(any.dueDate);
        expect(parsed(fromBarcode.digitableLine)).toEqual(fromBarcode);
        expect(parsed(formatDigitableLine(fromBarcode.digitableLine))).toEqual(fromBarcode);
      }),
    );
  });

  test('is parsed by an independent library', () => {
    fc.assert(
      fc.property(title, (any) => {
        const line = digitableLineOf(encodeBarcode(any));
        expect(isValidBoleto(line)).toBe(true);
        expect(formatBoleto(line)).toBe(formatDigitableLine(line));
        const referenceDate = new Date(`${any.dueDate}T12:00:00`);
        const info = getBoletoInfo(line, { referenceDate })!;
        expect(info.amount).toBe(any.amountCents);
        expect(info.bankCode).toBe(any.bankCode);
        expect(info.expirationDate!.toLocaleDateString('sv-SE')).toBe(any.dueDate);
      }),
    );
  });

  test('computes a check digit from 1 to 9', () => {
    const found = new Set<number>();
    for (let amountCents = 0; amountCents < 100; amountCents++) {
      found.add(parsed(encodeBarcode({ ...some, amountCents }), parseBarcode).checkDigit);
    }
    expect([...found].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    { bankCode: '1' },
    { bankCode: '000' },
    { bankCode: '800' },
    { bankCode: 'abc' },
    { bankCode: '0011' },
    { dueDate: '2000-07-02' },
    { dueDate: '2026-02-30' },
    { amountCents: -1 },
    { amountCents: 0.5 },
    { amountCents: NaN },
    { amountCents: 10_000_000_000 },
    { freeField: '' },
    { freeField: '0'.repeat(24) },
    { freeField: `${'0'.repeat(24)}x` },
  ])('rejects %o', (wrong) => {
    expect(() => encodeBarcode({ ...some, ...wrong })).toThrow(RangeError);
  });
});

describe('dueFactor', () => {
  test.each([
    ['2000-07-03', '1000'],
    ['2000-07-04', '1001'],
    ['2012-04-27', '5316'],
    ['2025-02-20', '9998'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2025-02-23', '1001'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ])('returns for %s the factor %s', (date, factor) => {
    expect(dueFactor(date)).toBe(factor);
  });

  test('increases by one per day', () => {
    fc.assert(
      fc.property(day, (date) => {
        const factor = Number(dueFactor(date));
        expect(Number(dueFactor(addDays(date, 1)))).toBe(factor === 9999 ? 1000 : factor + 1);
      }),
    );
  });
});

describe('dueDateOf', () => {
  test.each([
    ['9999', '2025-02-22', '2025-02-21'],
    ['1000', '2025-02-21', '2025-02-22'],
    ['1000', '1998-01-01', '2000-07-03'],
    ['1656', '2026-11-20', '2026-12-10'],
    ['9999', '2040-01-01', '2049-10-13'],
  ])('maps %s near %s to %s', (factor, reference, date) => {
    expect(dueDateOf(factor, reference)).toBe(date);
  });

  test.each(['0000', '0999', '999', '10000', 'abcd', ''])('rejects "%s"', (factor) => {
    expect(() => dueDateOf(factor, '2026-01-01')).toThrow(RangeError);
  });
});

describe('parseDigitableLine', () => {
  const good = vectors.valid.find(({ id }) => id === 'new-cycle-2026-12-10')!;

  test.each(vectors.invalid)('rejects $id: $failure', ({ line, failure }) => {
    expect(parseDigitableLine(line)).toEqual({ ok: false, failure });
    expect(isValidBoleto(line)).toBe(false);
  });

  test.each([
    ['', 'length'],
    [good.barcode, 'length'],
    [`${good.line}0`, 'length'],
    ['846100000005246100291102005460339004695895061080', 'collection'],
    [`${good.line} `, 'characters'],
    [`${good.line}\n`, 'characters'],
    [good.line.replace('5', '５'), 'characters'],
    [good.formattedLine.replaceAll(' ', ''), 'characters'],
    [good.formattedLine.replace(' ', '  '), 'characters'],
    [good.formattedLine.replace('.', ' '), 'characters'],
  ])('rejects "%s": %s', (line, failure) => {
    expect(parseDigitableLine(line)).toEqual({ ok: false, failure });
  });

  test('rejects every single wrong digit in a field and names the field', () => {
    fc.assert(
      fc.property(title, fc.nat(31), fc.integer({ min: 1, max: 9 }), (any, at, by) => {
        const line = digitableLineOf(encodeBarcode(any));
        const wrong = replaceAt(line, at, String((Number(line[at]) + by) % 10));
        const failure = at < 10 ? 'field-1' : at < 21 ? 'field-2' : 'field-3';
        expect(parseDigitableLine(wrong)).toEqual({ ok: false, failure });
      }),
    );
  });

  // Three remainders share the check digit 1.
  test('rejects a wrong digit in factor or amount unless the check digit is 1', () => {
    fc.assert(
      fc.property(title, fc.integer({ min: 32, max: 46 }), fc.integer({ min: 1, max: 9 }), (any, at, by) => {
        const line = digitableLineOf(encodeBarcode(any));
        const decoding = parseDigitableLine(replaceAt(line, at, String((Number(line[at]) + by) % 10)));
        fc.pre(at === 32 || line[32] !== '1');
        expect(decoding).toEqual({ ok: false, failure: 'check-digit' });
      }),
    );
  });
});

describe('parseBarcode', () => {
  const barcode = vectors.valid[0]!.barcode;

  test.each([
    ['', 'length'],
    [barcode.slice(1), 'length'],
    [vectors.valid[0]!.line, 'length'],
    [`${barcode}\n`, 'characters'],
    [` ${barcode}`, 'characters'],
    [replaceAt(barcode, 9, 'x'), 'characters'],
    ['84610000000246100291100054603390069589506108', 'collection'],
    [`000${barcode.slice(3)}`, 'bank'],
    [replaceAt(barcode, 3, '0'), 'currency'],
    [replaceAt(barcode, 4, '0'), 'check-digit'],
  ])('rejects "%s": %s', (text, failure) => {
    expect(parseBarcode(text)).toEqual({ ok: false, failure });
  });

  test('parses an amount above R$ 100 million, which replaces the factor', () => {
    const digits = `001901234567890123${some.freeField}`;
    const boleto = '123456789'
      .split('')
      .map((digit) => digits.slice(0, 4) + digit + digits.slice(4))
      .map((text) => parseBarcode(text))
      .find(({ ok }) => ok);
    expect(boleto).toMatchObject({ boleto: { dueFactor: null, amountCents: 1_234_567_890_123 } });
  });
});

describe('digitableLineOf and formatDigitableLine', () => {
  test('reject other lengths and characters', () => {
    expect(() => digitableLineOf('1'.repeat(43))).toThrow(RangeError);
    expect(() => digitableLineOf('x'.repeat(44))).toThrow(RangeError);
    expect(() => formatDigitableLine('1'.repeat(48))).toThrow(RangeError);
  });
});
