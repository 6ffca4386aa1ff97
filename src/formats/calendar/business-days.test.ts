import { addBusinessDays as addBusinessDaysOfLibrary, getHolidays } from '@brazilian-utils/brazilian-utils';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addBusinessDays,
  bankHolidays,
  businessDayOnOrAfter,
  dayWithoutClearing,
  isBusinessDay,
  nextBusinessDay,
} from './business-days.ts';
import { addDays, daysBetween } from './local-date.ts';
import vectors from '#test/vectors/calendar.json' with { type: 'json' };

const day = fc
  .integer({ min: 0, max: daysBetween('1990-01-01', '2199-12-31') })
  .map((days) => addDays('1990-01-01', days));
const count = fc.integer({ min: 1, max: 400 });
const weekday = (date: string) => Temporal.PlainDate.from(date).dayOfWeek;

describe('bankHolidays', () => {
  test.each(Object.entries(vectors.bankHolidays))('returns the published list for %s', (year, days) => {
    expect(bankHolidays(Number(year))).toEqual(days);
  });

  test.each(vectors.goodFridays)('includes Good Friday, %s', (friday) => {
    expect(bankHolidays(Number(friday.slice(0, 4)))).toContain(friday);
    expect(weekday(friday)).toBe(5);
  });

  test('returns the holidays of an independent library from 2024 on', () => {
    for (let year = 2024; year <= 2099; year++) {
      const listed = getHolidays({ year })
        .filter(({ name }) => !/cinzas|páscoa|pascoa|véspera|servidor/i.test(name))
        .map(({ date }) => date.toLocaleDateString('sv-SE'));
      expect(bankHolidays(year)).toEqual([...new Set([...listed, carnivalMonday(year)])].sort());
    }
  });

  test('includes Carnival on a Monday and a Tuesday in any year', () => {
    for (let year = 1583; year <= 2600; year++) {
      const [monday, tuesday] = bankHolidays(year).filter((date) => /-0[23]-/.test(date));
      expect(weekday(monday!)).toBe(1);
      expect(weekday(tuesday!)).toBe(2);
    }
  });

  test('lists 21 April once if Good Friday falls on it', () => {
    expect(bankHolidays(2000).filter((date) => date === '2000-04-21')).toHaveLength(1);
  });

  test.each([1582, 10_000, 2026.5, NaN])('rejects the year %d', (year) => {
    expect(() => bankHolidays(year)).toThrow(RangeError);
  });
});

describe('dayWithoutClearing', () => {
  test.each(Object.entries(vectors.withoutClearing))('of %s is %s', (year, date) => {
    expect(dayWithoutClearing(Number(year))).toBe(date);
    expect(isBusinessDay(date)).toBe(false);
  });
});

describe('isBusinessDay', () => {
  test.each([
    ['2026-02-13', true, 'the Friday before Carnival'],
    ['2026-02-16', false, 'Carnival Monday'],
    ['2026-02-17', false, 'Carnival Tuesday'],
    ['2026-02-18', true, 'Ash Wednesday, although branches open at noon'],
    ['2026-04-02', true, 'Maundy Thursday'],
    ['2026-06-05', true, 'the Friday after Corpus Christi'],
    ['2023-11-20', true, 'before the law of 20 November'],
    ['2024-11-20', false, 'the first year of that law'],
    ['2026-12-24', true, 'Christmas Eve'],
    ['2026-12-30', true, 'the last day with clearing'],
    ['2028-12-29', false, 'the last weekday of a year that ends on a Sunday'],
    ['2026-01-25', false, 'a Sunday'],
    ['2026-01-26', true, 'the Monday after'],
    ['2027-01-25', true, 'a holiday of the city of São Paulo only'],
  ])('of %s is %s: %s', (date, expected) => {
    expect(isBusinessDay(date)).toBe(expected);
  });

  test.each(['', '2026-02-29', '2026-2-3', '20260203', '2026-02-03T00:00:00Z'])('rejects "%s"', (date) => {
    expect(() => isBusinessDay(date)).toThrow(RangeError);
  });
});

describe('addBusinessDays', () => {
  test.each([
    ['2026-02-13', 1, '2026-02-18'],
    ['2026-02-14', 1, '2026-02-18'],
    ['2026-12-30', 1, '2027-01-04'],
    ['2026-04-01', 2, '2026-04-06'],
    ['2026-04-18', 0, '2026-04-18'],
    ['2026-02-18', -1, '2026-02-13'],
    ['2027-01-04', -1, '2026-12-30'],
  ])('%s and %i is %s', (date, days, expected) => {
    expect(addBusinessDays(date, days)).toBe(expected);
  });

  test('returns a business day with the given number of business days in between', () => {
    fc.assert(
      fc.property(day, count, (from, days) => {
        const to = addBusinessDays(from, days);
        expect(isBusinessDay(to)).toBe(true);
        let passed = 0;
        for (let at = addDays(from, 1); at <= to; at = addDays(at, 1)) passed += isBusinessDay(at) ? 1 : 0;
        expect(passed).toBe(days);
      }),
    );
  });

  test('is additive and reversible', () => {
    fc.assert(
      fc.property(day, count, count, (from, first, second) => {
        const to = addBusinessDays(from, first + second);
        expect(addBusinessDays(addBusinessDays(from, first), second)).toBe(to);
        expect(addBusinessDays(to, -second)).toBe(addBusinessDays(from, first));
      }),
    );
  });

  test('is monotonic', () => {
    fc.assert(
      fc.property(day, day, count, (one, other, days) => {
        const [earlier, later] = one <= other ? [one, other] : [other, one];
        expect(addBusinessDays(earlier, days) <= addBusinessDays(later, days)).toBe(true);
      }),
    );
  });

  test('equals an independent library within a year', () => {
    const inAYear = fc
      .tuple(fc.integer({ min: 2024, max: 2099 }), fc.integer({ min: 0, max: 300 }))
      .map(([year, days]) => addDays(`${year}-01-02`, days));
    fc.assert(
      fc.property(inAYear, fc.integer({ min: 1, max: 30 }), (from, days) => {
        const to = addBusinessDays(from, days);
        const mondays = carnivalMonday(Number(from.slice(0, 4)));
        fc.pre(mondays < from || mondays > to);
        const [year, month, date] = from.split('-').map(Number);
        const expected = addBusinessDaysOfLibrary(new Date(year!, month! - 1, date), days);
        expect(expected?.toLocaleDateString('sv-SE')).toBe(to);
      }),
    );
  });

  test.each([0.5, NaN, Infinity, 10_001, -10_001])('rejects %d days', (days) => {
    expect(() => addBusinessDays('2026-01-02', days)).toThrow(RangeError);
  });
});

describe('nextBusinessDay and businessDayOnOrAfter', () => {
  test('differ only on business days', () => {
    fc.assert(
      fc.property(day, (date) => {
        const isOpen = isBusinessDay(date);
        expect(nextBusinessDay(date) > date).toBe(true);
        expect(businessDayOnOrAfter(date)).toBe(isOpen ? date : nextBusinessDay(date));
      }),
    );
  });

  test('are at most five days later', () => {
    fc.assert(
      fc.property(day, (date) => {
        expect(daysBetween(date, nextBusinessDay(date))).toBeLessThanOrEqual(5);
      }),
    );
  });
});

/** The library lists only the Tuesday of Carnival. */
function carnivalMonday(year: number): string {
  const tuesday = getHolidays({ year }).find(({ name }) => /carnaval/i.test(name))!;
  return addDays(tuesday.date.toLocaleDateString('sv-SE'), -1);
}
