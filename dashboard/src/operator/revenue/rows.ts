import { formatDay, formatMonth } from '../../i18n/format.ts';
import { methodLabel } from '../../i18n/find-text.ts';
import { formatFullDay } from '../reconciliation/format-day.ts';
import type { RevenueReport } from '../queries.ts';

export const GROUPS = ['day', 'month', 'seller', 'method'] as const;
export type GroupBy = (typeof GROUPS)[number];
export type Row = RevenueReport['rows'][number];

/** What a row is about, as a table names it. */
export function nameOf(row: Row): string {
  if (row.day !== undefined) return formatFullDay(row.day);
  return shortNameOf(row);
}

/** The same for the axis of a chart. */
export function shortNameOf({ day, month, sellerId, sellerName, method }: Row): string {
  if (day !== undefined) return formatDay(day);
  if (month !== undefined) return formatMonth(`${month}-15T12:00:00-03:00`);
  if (method !== undefined) return methodLabel(method);
  return sellerName ?? sellerId ?? '';
}

export const keyOf = ({ day, month, sellerId, method }: Row): string =>
  day ?? month ?? sellerId ?? method ?? '';

const DAY_MS = 86_400_000;

/** The rows of a period by day, with zero on days without entries. */
export function fillDays(rows: readonly Row[], from: string, to: string): readonly Row[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: days }, (_, index) => {
    const day = dayAt(Date.parse(from) + index * DAY_MS);
    return byDay.get(day) ?? { day, ...ZERO };
  });
}

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** As many days as the period has, which end on the day before it. */
export function periodBefore({
  startDate,
  endDate,
}: {
  readonly startDate: string;
  readonly endDate: string;
}) {
  const start = Date.parse(startDate);
  const days = (Date.parse(endDate) - start) / DAY_MS + 1;
  return { startDate: dayAt(start - days * DAY_MS), endDate: dayAt(start - DAY_MS), days };
}

const ZERO = {
  charges: 0,
  volume: 0,
  feesEarned: 0,
  providerCosts: 0,
  margin: 0,
  refunds: 0,
  chargebacks: 0,
};
