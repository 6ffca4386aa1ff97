import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';

/** Spans of time that reports are cut into, pure. Days are days in São Paulo. */

export const INTERVALS = ['hour', 'day', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Days that a report may cover, by what it is cut into: each of them answers at most some hundred spans. */
export const MAX_DAYS: Readonly<Record<Interval, number>> = { hour: 31, day: 366, month: 1_830 };

/** Some days, the last one among them. */
export interface DateRange {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/**
 * The days before, to compare with: as many of them, or, cut into months, as many months earlier. A month's last day
 * goes with the last day of the other month.
 */
export function previousPeriod({ first, last }: DateRange, interval: Interval): DateRange {
  const length = daysBetween(first, last) + 1;
  if (interval !== 'month') return { first: addDays(first, -length), last: addDays(first, -1) };
  const [from, to] = [Temporal.PlainDate.from(first), Temporal.PlainDate.from(last)];
  const months = (to.year - from.year) * 12 + to.month - from.month + 1;
  const [start, end] = [from.subtract({ months }), to.subtract({ months })];
  const whole = to.day === to.daysInMonth;
  return {
    first: start.toString(),
    last: (whole ? end.with({ day: end.daysInMonth }) : end).toString(),
  };
}

/** The first instants of the spans, in their order, and under which each of `starts` is added up. */
export interface BucketLayout {
  readonly starts: readonly string[];
  /** The span of a day (`YYYY-MM-DD`) or of an hour's first instant. */
  readonly bucketOf: (start: string) => string;
}

/** Asking the zone's calendar takes longer than the rest of a report, and the answer never changes. */
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
  // A month that the period begins within begins with the period.
  const monthStart = (day: LocalDate) => {
    const begin = `${day.slice(0, 8)}01`;
    return startOfDay(begin < first ? first : begin);
  };
  return { starts: [...new Set(days.map(monthStart))], bucketOf: monthStart };
}
