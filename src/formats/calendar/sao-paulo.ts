/**
 * The civil day in São Paulo, where the clearing and the Banco Central keep their hours. The offset comes from the
 * zone database that the runtime carries: there is no summer time since 2019, but records may be older, and a law
 * may bring it back.
 */
import { isLocalDate, type LocalDate } from './local-date.ts';

const DAY = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * What São Paulo has been behind UTC, in milliseconds, shortest first: summer time, standard time since 1914, and the
 * local mean time before.
 */
const OFFSETS = [2 * 3_600_000, 3 * 3_600_000, 3 * 3_600_000 + 6 * 60_000 + 28_000];

/**
 * The day that an instant belongs to in São Paulo.
 *
 * @throws RangeError when the date is invalid or its year is not 1 to 9999.
 */
export function saoPauloDate(instant: Date): LocalDate {
  // Before the year 1 the formatter counts years of another era.
  if (instant.getUTCFullYear() < 1) throw new RangeError('The year of a date is 1 to 9999');
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of DAY.formatToParts(instant)) parts[type] = value;
  const date = `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
  if (!isLocalDate(date)) throw new RangeError('The year of a date is 1 to 9999');
  return date;
}

/**
 * The first instant of a day in São Paulo. Where summer time begins at midnight, that is one o'clock.
 *
 * @throws RangeError when it is no date.
 */
export function startOfSaoPauloDay(date: LocalDate): Date {
  if (!isLocalDate(date)) throw new RangeError(`${date} is no date of the form YYYY-MM-DD`);
  const midnight = Date.parse(date);
  for (const offset of OFFSETS) {
    const start = new Date(midnight + offset);
    // Days follow one another without going back, and no earlier candidate belonged to this one.
    if (saoPauloDate(start) === date) return start;
  }
  throw new RangeError(`${date} has no beginning in São Paulo`);
}
