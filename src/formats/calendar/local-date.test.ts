import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, daysBetween, isLocalDate } from './local-date.ts';

const day = fc
  .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('isLocalDate', () => {
  test.each(['2026-01-01', '2024-02-29', '2000-02-29', '0000-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isLocalDate(text)).toBe(true);
  });

  test.each([
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-00-01',
    '2026-01-00',
    '2026-13-01',
    '2026-1-1',
    '26-01-01',
    '02026-01-01',
    '+002026-01-01',
    '2026-01-01T00:00:00Z',
    '2026-01-01\n',
    ' 2026-01-01',
    '٢٠٢٦-٠١-٠١',
  ])('rejects "%s"', (text) => {
    expect(isLocalDate(text)).toBe(false);
  });
});

describe('addDays and daysBetween', () => {
  test.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-01-01', -1, '2025-12-31'],
    ['1997-10-07', 1000, '2000-07-03'],
  ])('%s and %i is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });

  test('are inverse functions', () => {
    fc.assert(
      fc.property(day, day, (from, to) => {
        expect(addDays(from, daysBetween(from, to))).toBe(to);
        expect(daysBetween(from, to)).toBe(0 - daysBetween(to, from));
        expect(Math.sign(daysBetween(from, to))).toBe(from === to ? 0 : from < to ? 1 : -1);
      }),
    );
  });

  test('reject invalid dates and years outside 0 to 9999', () => {
    expect(() => addDays('2026-02-30', 1)).toThrow(RangeError);
    expect(() => addDays('2026-02-20', 0.5)).toThrow(RangeError);
    expect(() => addDays('9999-12-31', 1)).toThrow(RangeError);
    expect(() => addDays('0000-01-01', -1)).toThrow(RangeError);
    expect(() => addDays('2026-01-01', Number.MAX_SAFE_INTEGER)).toThrow(RangeError);
    expect(() => daysBetween('2026-01-01', 'tomorrow')).toThrow(RangeError);
  });
});
