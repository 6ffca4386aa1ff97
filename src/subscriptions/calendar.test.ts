import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { addDays, daysBetween } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { cycleDate, nextCycleAfter, openingTime, retryDate, waitsForPrevious } from './calendar.ts';
import { INTERVALS, type SubscriptionMethod } from './subscription.ts';

const dates = (startDate: string, interval: (typeof INTERVALS)[number], count: number) =>
  Array.from({ length: count }, (_, cycle) => cycleDate({ startDate, interval }, cycle));

describe('cycleDate', () => {
  it.each([
    ['2027-01-31', 'MONTHLY', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['2028-01-30', 'MONTHLY', ['2028-01-30', '2028-02-29', '2028-03-30']],
    ['2028-02-29', 'YEARLY', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2026-11-30', 'QUARTERLY', ['2026-11-30', '2027-02-28', '2027-05-30']],
    ['2026-08-31', 'SEMIANNUAL', ['2026-08-31', '2027-02-28', '2027-08-31']],
    ['2026-12-28', 'WEEKLY', ['2026-12-28', '2027-01-04', '2027-01-11']],
  ] as const)('of %s %s clamps to the last day of the month only', (start, interval, expected) => {
    expect(dates(start, interval, expected.length)).toEqual(expected);
  });
});

const starts = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2020-01-01', days));

describe('the cycles of every schedule', () => {
  it('are in order, and in months on the day of the start or the last one', () => {
    fc.assert(
      fc.property(starts, fc.constantFrom(...INTERVALS), fc.nat(200), (startDate, interval, cycle) => {
        const schedule = { startDate, interval };
        const [date, next] = [cycleDate(schedule, cycle), cycleDate(schedule, cycle + 1)];
        expect(daysBetween(date, next)).toBeGreaterThanOrEqual(7);
        const isStartDay = date.slice(8) === startDate.slice(8);
        const isLastDay = addDays(date, 1).slice(8) === '01';
        expect(interval === 'WEEKLY' || isStartDay || (isLastDay && date.slice(8) < startDate.slice(8))).toBe(
          true,
        );
      }),
    );
  });

  it('continue after now, with the first one that was not missed', () => {
    fc.assert(
      fc.property(
        starts,
        fc.constantFrom(...INTERVALS),
        fc.integer({ min: 0, max: 3_000 }),
        (startDate, interval, days) => {
          const schedule = { startDate, interval };
          const now = new Date(startOfSaoPauloDay(addDays(startDate, days)).getTime() + 1);
          const cycle = nextCycleAfter(schedule, 0, now);
          expect(startOfSaoPauloDay(cycleDate(schedule, cycle)) > now).toBe(true);
          expect(cycle === 0 || startOfSaoPauloDay(cycleDate(schedule, cycle - 1)) <= now).toBe(true);
        },
      ),
    );
  });

  it('are retried three times within seven days, before the next one', () => {
    const dueDate = '2027-02-28';
    const last = { chargeDate: '2027-03-03' };
    const retriesOf = (method: SubscriptionMethod) =>
      [3, 2, 1, 0].map((retriesLeft) => retryDate({ method }, { dueDate, retriesLeft }, last));
    expect(retriesOf('CREDIT_CARD')).toEqual(['2027-03-02', '2027-03-04', '2027-03-06', undefined]);
    // A charge that reached the bank late is retried after its day.
    expect(retriesOf('PIX_AUTOMATICO')).toEqual(['2027-03-05', '2027-03-05', '2027-03-05', undefined]);
  });
});

describe('openingTime', () => {
  it('of Pix Automático is ten days before the date, of others the start of the day in São Paulo', () => {
    expect(openingTime({ method: 'CREDIT_CARD' }, '2027-01-31').toISOString()).toBe(
      '2027-01-31T03:00:00.000Z',
    );
    expect(saoPauloDate(openingTime({ method: 'PIX_AUTOMATICO' }, '2027-01-31'))).toBe('2027-01-21');
  });

  it('of a weekly Pix Automático does not wait for the retries of the week before', () => {
    expect(waitsForPrevious({ method: 'PIX_AUTOMATICO', interval: 'WEEKLY' })).toBe(false);
    expect(waitsForPrevious({ method: 'PIX_AUTOMATICO', interval: 'MONTHLY' })).toBe(true);
    expect(waitsForPrevious({ method: 'BOLETO', interval: 'MONTHLY' })).toBe(false);
  });
});
