/** A calendar day as `YYYY-MM-DD`, years 0000 to 9999. Such texts sort by time. */
export type LocalDate = string;

const PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the text is written as a `LocalDate` and the day exists. `2026-02-29` does not. */
export function isLocalDate(text: string): boolean {
  try {
    parseLocalDate(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds days to a date, or subtracts them if negative.
 *
 * @throws RangeError for an invalid date, a fraction of a day, or a result outside years 0 to 9999.
 */
export function addDays(date: LocalDate, days: number): LocalDate {
  return formatLocalDate(parseLocalDate(date).add({ days }));
}

/**
 * The days from one date to another, negative if the second is earlier.
 *
 * @throws RangeError for an invalid date.
 */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return parseLocalDate(from).until(parseLocalDate(to)).days;
}

/** @throws RangeError for an invalid date. */
export function parseLocalDate(date: LocalDate): Temporal.PlainDate {
  if (!PATTERN.test(date)) throw new RangeError(`${date} is not a date of the form YYYY-MM-DD`);
  return Temporal.PlainDate.from(date);
}

/** @throws RangeError for a year outside 0 to 9999. */
export function formatLocalDate(date: Temporal.PlainDate): LocalDate {
  if (date.year < 0 || date.year > 9999)
    throw new RangeError(`The year of ${date.toString()} is not 0 to 9999`);
  return date.toString();
}
