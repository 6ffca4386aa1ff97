import { describe, expect, it } from 'vitest';

import { monthlyRevenue, movementOf, revenueMonths } from './revenue.ts';

const of = (status: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'PAST_DUE', amount = 1_000) => ({
  status,
  amount,
  interval: 'MONTHLY' as const,
});

describe('monthlyRevenue', () => {
  it.each([
    ['WEEKLY', 4_333],
    ['MONTHLY', 1_000],
    ['QUARTERLY', 333],
    ['SEMIANNUAL', 167],
    ['YEARLY', 83],
  ] as const)('of R$ 10,00 %s is %i', (interval, cents) => {
    expect(monthlyRevenue({ status: 'ACTIVE', amount: 1_000, interval })).toBe(cents);
    expect(monthlyRevenue({ status: 'PAUSED', amount: 1_000, interval })).toBe(0);
  });
});

describe('movementOf', () => {
  it('counts a cancellation of a paused subscription, and nothing for PAST_DUE', () => {
    const day = '2026-11-24';
    expect(movementOf(of('PAUSED'), of('CANCELLED'), day)).toMatchObject({ revenue: 0, ended: 1 });
    expect(movementOf(of('ACTIVE'), of('PAST_DUE'), day)).toBeUndefined();
    expect(movementOf(of('ACTIVE'), of('ACTIVE', 1_500), day)).toMatchObject({ revenue: 500 });
  });
});

describe('revenueMonths', () => {
  it('sums up the months before, and relates cancellations to the start of the month', () => {
    const none = { recovered: 0, recoveredAmount: 0 };
    const totals = [
      { month: '2026-08', revenue: 8_000, subscriptions: 8, ended: 0, ...none },
      { month: '2026-10', revenue: -1_000, subscriptions: -1, ended: 2, ...none },
    ];
    const shown = revenueMonths(totals, '2026-11-24', 4);
    expect(shown.map((one) => [one.month, one.monthlyRevenue, one.churn])).toEqual([
      ['2026-08', 8_000, null],
      ['2026-09', 8_000, 0],
      ['2026-10', 7_000, 2_500],
      ['2026-11', 7_000, 0],
    ]);
  });
});
