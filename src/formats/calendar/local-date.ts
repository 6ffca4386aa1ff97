/** Days of the civil calendar without a time and without a zone, proleptic Gregorian (ISO 8601). */

/** A day as `YYYY-MM-DD`, years 0000 to 9999. Such texts compare in the order of time. */
export type LocalDate = string;

const PATTERN = /^\d{4}-\d{2}-\d{2}$/;

const MILLISECONDS_PER_DAY = 86_400_000;

/** Whether a text is written as a `LocalDate` and the day exists: `2026-02-29` does not. */
export function isLocalDate(text: string): boolean {
  if (!PATTERN.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * The day so many days later, or earlier when negative.
 *
 * @throws RangeError when the date is none, the days are no whole number, or the year leaves four digits.
 */
export function addDays(date: LocalDate, days: number): LocalDate {
  if (!Number.isSafeInteger(days)) throw new RangeError(`${days} is no whole number of days`);
  return fromDayNumber(dayNumber(date) + days);
}

/**
 * Days from one day to another, negative when the second is earlier.
 *
 * @throws RangeError when either is no date.
 */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * The day of the week, 0 for Sunday to 6 for Saturday.
 *
 * @throws RangeError when it is no date.
 */
export function weekday(date: LocalDate): number {
  // 1970-01-01 was a Thursday. The remainder of a negative number is negative, hence the second turn.
  return (((dayNumber(date) + 4) % 7) + 7) % 7;
}

/** Days since 1970-01-01. */
function dayNumber(date: LocalDate): number {
  if (!isLocalDate(date)) throw new RangeError(`${date} is no date of the form YYYY-MM-DD`);
  return Date.parse(date) / MILLISECONDS_PER_DAY;
}

function fromDayNumber(days: number): LocalDate {
  const date = new Date(days * MILLISECONDS_PER_DAY);
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (iso.length !== 24) throw new RangeError('The year of a date has four digits');
  return iso.slice(0, 10);
}
