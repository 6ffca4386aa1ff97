import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';

export const INTERVALS = ['hour', 'day', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Maximum days of a report by interval. They limit a report to several hundred buckets. */
export const MAX_DAYS: Readonly<Record<Interval, number>> = { hour: 31, day: 366, month: 1_830 };

/** Days in São Paulo, both inclusive. */
export interface DateRange {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/**
 * The period to compare with: the same number of days before, or for months, the same number of
 * months earlier. The last day of a month corresponds to the last day of the earlier month.
 */
export function previousPeriod({ first, last }: DateRange, interval: Interval): DateRange {
  const length = daysBetween(first, last) + 1;
  if (interval !== 'month') return { first: addDays(first, -length), last: addDays(first, -1) };
  const [from, to] = [Temporal.PlainDate.from(first), Temporal.PlainDate.from(last)];
  const months = (to.year - from.year) * 12 + to.month - from.month + 1;
  const [start, end] = [from.subtract({ months }), to.subtract({ months })];
  const endsMonth = to.day === to.daysInMonth;
  return {
    first: start.toString(),
    last: (endsMonth ? end.with({ day: end.daysInMonth }) : end).toString(),
  };
}

export interface BucketLayout {
  /** The start times of the buckets, in order. */
  readonly starts: readonly string[];
  /** Returns the bucket of a day (`YYYY-MM-DD`) or of the start of an hour. */
  readonly bucketOf: (start: string) => string;
}

/** Time zone calculations take longer than the rest of a report, and their results never change. */
const startCache = new Map<LocalDate, string>();
const MAX_CACHED_STARTS = 10_000;

function startOfDay(day: LocalDate): string {
  let start = startCache.get(day);
  if (start === undefined) {
    start = startOfSaoPauloDay(day).toISOString();
    if (startCache.size >= MAX_CACHED_STARTS) startCache.clear();
    startCache.set(day, start);
  }
  return start;
}

export function splitIntoBuckets({ first, last }: DateRange, interval: Interval): BucketLayout {
  if (interval === 'hour') {
    const [from, before] = [startOfSaoPauloDay(first), startOfSaoPauloDay(addDays(last, 1))];
    const starts: string[] = [];
    for (let ms = from.getTime(); ms < before.getTime(); ms += 3_600_000)
      starts.push(new Date(ms).toISOString());
    return { starts, bucketOf: (start) => start };
  }
  const days = Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => addDays(first, index));
  if (interval === 'day') return { starts: days.map(startOfDay), bucketOf: startOfDay };
  // The first month starts with the period.
  const monthStart = (day: LocalDate) => {
    const firstOfMonth = `${day.slice(0, 8)}01`;
    return startOfDay(firstOfMonth < first ? first : firstOfMonth);
  };
  return { starts: [...new Set(days.map(monthStart))], bucketOf: monthStart };
}
