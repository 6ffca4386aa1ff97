import { describe, expect, it } from 'vitest';

import { dateRule, parsePeriod } from './date-filters.ts';

const at = (text: string) => new Date(text);

describe('date filters', () => {
  it.each([
    // A day in São Paulo, endDate inclusive.
    ['2026-03-01', '2026-03-01', '2026-03-01T03:00:00Z', '2026-03-02T03:00:00Z'],
    ['2026-12-31', '2026-12-31', '2026-12-31T03:00:00Z', '2027-01-01T03:00:00Z'],
    // On 2018-11-04 clocks advanced at midnight: the day began at one o'clock, two hours behind
    // UTC.
    ['2018-11-04', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    // A timestamp is used unchanged; the end includes its millisecond.
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00.001Z'],
    [
      '2026-03-01T10:00:00.5-03:00',
      '2026-03-01T10:00-03:00',
      '2026-03-01T13:00:00.500Z',
      '2026-03-01T13:00:00.001Z',
    ],
    // Without a time zone it is São Paulo time.
    ['2026-03-01T00:00', '2026-03-01T23:59:59', '2026-03-01T03:00:00Z', '2026-03-02T02:59:59.001Z'],
  ])('from %s to %s', (startDate, endDate, from, before) => {
    expect(dateRule({ startDate, endDate })).toEqual([]);
    expect(parsePeriod({ startDate, endDate })).toEqual({ from: at(from), before: at(before) });
  });

  it('are unbounded by default', () => {
    expect(parsePeriod({})).toEqual({ from: undefined, before: undefined });
  });

  it.each([
    '',
    'today',
    '2026-02-30',
    '2026-13-01',
    '2026-3-1',
    '01/03/2026',
    '2026-03-01T25:00:00Z',
    '2026-03-01 10:00',
    '2026-03-01T10:00:00+99:00',
  ])('reject %j', (startDate) => {
    expect(dateRule({ startDate, endDate: '2026-03-01' })).toEqual([
      { path: ['startDate'], rule: 'must be a valid ISO 8601 date string', code: 'invalid_format' },
    ]);
  });
});
