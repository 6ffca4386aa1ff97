import { parseLocalDate } from '#formats/calendar/local-date.ts';
import { isCharging } from './states.ts';
import type { Interval, Invoice, Subscription } from './subscription.ts';

/**
 * Monthly recurring revenue, churn and recovered payments. Amounts in cents; all functions are
 * pure.
 */

const CYCLES_PER_YEAR: Readonly<Record<Interval, number>> = {
  WEEKLY: 52,
  MONTHLY: 12,
  QUARTERLY: 4,
  SEMIANNUAL: 2,
  YEARLY: 1,
};

/** What a subscription is worth a month while it is charged, rounded half up. */
export function monthlyRevenue({
  status,
  amount,
  interval,
}: Pick<Subscription, 'status' | 'amount' | 'interval'>): number {
  return isCharging(status) ? Math.round((amount * CYCLES_PER_YEAR[interval]) / 12) : 0;
}

/** What changed in a month. */
export interface MonthTotals {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Cents a month more, or less. */
  readonly revenue: number;
  /** Charging subscriptions more, or fewer. */
  readonly subscriptions: number;
  readonly ended: number;
  readonly recovered: number;
  readonly recoveredAmount: number;
}

/** What a change adds to the month of its day. */
export interface Movement extends Omit<MonthTotals, 'month'> {
  readonly day: string;
}

type Stage = Pick<Subscription, 'status' | 'amount' | 'interval'>;

/** The change from one stage of a subscription to the next; undefined if it counts nowhere. */
export function movementOf(before: Stage | null, after: Stage, day: string): Movement | undefined {
  const was = before !== null && isCharging(before.status);
  const revenue = monthlyRevenue(after) - (before === null ? 0 : monthlyRevenue(before));
  const subscriptions = Number(isCharging(after.status)) - Number(was);
  const ended = Number((was || before?.status === 'PAUSED') && after.status === 'CANCELLED');
  if (revenue === 0 && subscriptions === 0 && ended === 0) return undefined;
  return { day, revenue, subscriptions, ended, recovered: 0, recoveredAmount: 0 };
}

/** A payment after an attempt had failed; undefined if none had. */
export const recoveryOf = ({ attempts, amount }: Invoice, day: string): Movement | undefined =>
  attempts > 1
    ? { day, revenue: 0, subscriptions: 0, ended: 0, recovered: 1, recoveredAmount: amount }
    : undefined;

export interface RevenueMonth {
  readonly month: string;
  /** At its end, or now. */
  readonly monthlyRevenue: number;
  readonly activeSubscriptions: number;
  readonly canceled: number;
  /** Canceled ones in hundredths of a percent of those at its start; null if there were none. */
  readonly churn: number | null;
  readonly recoveredPayments: number;
  readonly recoveredAmount: number;
}

/** The last months up to that of `day`, oldest first. */
export function revenueMonths(totals: readonly MonthTotals[], day: string, count: number): RevenueMonth[] {
  const current = parseLocalDate(day).toPlainYearMonth();
  const months = Array.from({ length: count }, (_, index) =>
    current.subtract({ months: count - 1 - index }).toString(),
  );
  const until = (month: string) => totals.filter((one) => one.month <= month);
  const sum = (of: readonly MonthTotals[], name: 'revenue' | 'subscriptions') =>
    of.reduce((all, one) => all + one[name], 0);
  return months.map((month) => {
    const of = totals.find((one) => one.month === month);
    const [all, canceled] = [until(month), of?.ended ?? 0];
    const atStart = sum(all, 'subscriptions') - (of?.subscriptions ?? 0);
    return {
      month,
      monthlyRevenue: sum(all, 'revenue'),
      activeSubscriptions: sum(all, 'subscriptions'),
      canceled,
      churn: atStart > 0 ? Math.round((canceled * 10_000) / atStart) : null,
      recoveredPayments: of?.recovered ?? 0,
      recoveredAmount: of?.recoveredAmount ?? 0,
    };
  });
}
