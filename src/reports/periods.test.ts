import { describe, expect, it } from 'vitest';

import { splitIntoBuckets, previousPeriod } from './periods.ts';

describe('the previous period', () => {
  it.each([
    ['day', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['hour', '2026-03-01', '2026-03-07', '2026-02-22', '2026-02-28'],
    ['day', '2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
    ['month', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['month', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['month', '2026-03-01', '2026-03-15', '2026-02-01', '2026-02-15'],
    ['month', '2026-01-01', '2026-06-30', '2025-07-01', '2025-12-31'],
    ['month', '2026-03-31', '2026-03-31', '2026-02-28', '2026-02-28'],
  ] as const)('for the interval %s of %s to %s is %s to %s', (interval, first, last, from, to) => {
    expect(previousPeriod({ first, last }, interval)).toEqual({ first: from, last: to });
  });
});

describe('buckets', () => {
  it('by day start at midnight in São Paulo, an hour earlier during daylight saving time', () => {
    const { starts, bucketOf } = splitIntoBuckets({ first: '2018-11-03', last: '2018-11-05' }, 'day');
    expect(starts).toEqual([
      '2018-11-03T03:00:00.000Z',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ]);
    expect(bucketOf('2018-11-05')).toBe(starts[2]);
  });

  it('by hour are the elapsed hours, also of a day with 23 hours', () => {
    const { starts } = splitIntoBuckets({ first: '2018-11-04', last: '2018-11-04' }, 'hour');
    expect(starts).toHaveLength(23);
    expect(splitIntoBuckets({ first: '2026-03-01', last: '2026-03-02' }, 'hour').starts).toHaveLength(48);
  });

  it('by month start with the period and then with each month', () => {
    const { starts, bucketOf } = splitIntoBuckets({ first: '2026-01-15', last: '2026-03-02' }, 'month');
    expect(starts).toEqual([
      '2026-01-15T03:00:00.000Z',
      '2026-02-01T03:00:00.000Z',
      '2026-03-01T03:00:00.000Z',
    ]);
    expect(bucketOf('2026-01-31')).toBe(starts[0]);
    expect(bucketOf('2026-03-02')).toBe(starts[2]);
  });
});
