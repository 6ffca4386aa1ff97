import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEndToEndId } from '#test/support/pix-decoder.ts';
import { generateEndToEndId } from './end-to-end-id.ts';
import vectors from '#test/vectors/pix.json' with { type: 'json' };

describe('isEndToEndId', () => {
  test.each(vectors.endToEndIds)('returns $valid for $text', ({ text, valid }) => {
    expect(isEndToEndId(text)).toBe(valid);
  });

  test.each([
    ['202402291200', true],
    ['202302291200', false],
    ['190002291200', false],
    ['200002291200', true],
    ['202604311200', false],
    ['202612312359', true],
    ['202612312400', false],
    ['202612312360', false],
    ['202600011200', false],
    ['202601001200', false],
  ])('returns %s for the time %s', (time, valid) => {
    expect(isEndToEndId(`E12345678${time}abcdef12345`)).toBe(valid);
  });

  test.each([
    '',
    'e12345678202009091221abcdef12345',
    'E1234567a202009091221abcdef12345',
    'E12345678202009091221abcdef1234-',
    'E12345678202009091221abcdef123456',
    'E12345678202009091221abcdef12345\n',
  ])('rejects "%s"', (text) => {
    expect(isEndToEndId(text)).toBe(false);
  });
});

describe('generateEndToEndId', () => {
  test('has the UTC time and random alphanumerics', () => {
    const date = new Date('2026-09-09T23:21:59.999-03:00');
    expect(generateEndToEndId('12345678', date, (below) => below - 1)).toBe(
      'E12345678202609100221zzzzzzzzzzz',
    );
    expect(generateEndToEndId('12ABC345', date, () => 0)).toBe('E12ABC34520260910022100000000000');
  });

  test('is valid and unique for any ISPB and time', () => {
    const ispb = fc.stringMatching(/^[0-9A-Z]{8}$/);
    const date = fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(ispb, date, (issuer, time) => {
        const id = generateEndToEndId(issuer, time);
        expect(isEndToEndId(id)).toBe(true);
        expect(generateEndToEndId(issuer, time)).not.toBe(id);
      }),
    );
  });

  test('rejects an invalid ISPB or date', () => {
    expect(() => generateEndToEndId('1234567', new Date())).toThrow(RangeError);
    expect(() => generateEndToEndId('12345678', new Date(NaN))).toThrow(RangeError);
    expect(() => generateEndToEndId('12345678', new Date(8.64e15))).toThrow(RangeError);
  });
});
