import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from './local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from './sao-paulo.ts';

const instant = fc.date({
  min: new Date('1910-01-01T12:00:00Z'),
  max: new Date('2199-12-31T12:00:00Z'),
  noInvalidDate: true,
});

describe('saoPauloDate', () => {
  test.each([
    ['2026-01-01T02:59:59.999Z', '2025-12-31'],
    ['2026-01-01T03:00:00.000Z', '2026-01-01'],
    ['2018-12-31T01:59:59.999Z', '2018-12-30'],
    ['2018-12-31T02:00:00.000Z', '2018-12-31'],
    ['2024-02-29T23:00:00.000-03:00', '2024-02-29'],
  ])('returns for %s the day %s', (time, date) => {
    expect(saoPauloDate(new Date(time))).toBe(date);
  });

  test('rejects invalid dates and years outside 1 to 9999', () => {
    expect(() => saoPauloDate(new Date(NaN))).toThrow(RangeError);
    expect(() => saoPauloDate(new Date(8.64e15))).toThrow(RangeError);
    expect(() => saoPauloDate(new Date('-000001-06-01T12:00:00Z'))).toThrow(RangeError);
  });
});

describe('startOfSaoPauloDay', () => {
  test.each([
    ['2026-06-15', '2026-06-15T03:00:00.000Z', 'standard time'],
    ['2018-12-15', '2018-12-15T02:00:00.000Z', 'summer time'],
    ['2018-11-04', '2018-11-04T03:00:00.000Z', 'midnight is skipped'],
    ['2018-11-05', '2018-11-05T02:00:00.000Z', 'the day after the skip'],
    ['2019-02-16', '2019-02-16T02:00:00.000Z', 'a day of 25 hours'],
    ['2019-02-17', '2019-02-17T03:00:00.000Z', 'the day after'],
    ['1913-12-31', '1913-12-31T03:06:28.000Z', 'local mean time'],
  ])('returns for %s the time %s, because %s', (date, time) => {
    expect(startOfSaoPauloDay(date).toISOString()).toBe(time);
  });

  test('is the first instant of the day', () => {
    fc.assert(
      fc.property(instant, (any) => {
        const date = saoPauloDate(any);
        const start = startOfSaoPauloDay(date);
        expect(saoPauloDate(start)).toBe(date);
        expect(saoPauloDate(new Date(start.getTime() - 1))).toBe(addDays(date, -1));
        expect(start <= any).toBe(true);
        expect(any < startOfSaoPauloDay(addDays(date, 1))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', '2026-02-30', '0000-01-01', '2026-01-01T00:00:00Z'])('rejects "%s"', (date) => {
    expect(() => startOfSaoPauloDay(date)).toThrow(RangeError);
  });
});
