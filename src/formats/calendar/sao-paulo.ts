import { formatLocalDate, parseLocalDate, type LocalDate } from './local-date.ts';

/**
 * The time zone of bank clearing and of the Banco Central. It has had no daylight saving time since
 * 2019, but older records do, and a law may reintroduce it.
 */
export const SAO_PAULO = 'America/Sao_Paulo';

/**
 * The day of an instant in São Paulo.
 *
 * @throws RangeError for an invalid date or a year outside 1 to 9999.
 */
export function saoPauloDate(instant: Date): LocalDate {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(SAO_PAULO);
  return formatLocalDate(requireYear(zoned.toPlainDate()));
}

/** An instant in Brazilian format: `23/11/2026 14:03:10`, in São Paulo. */
export function saoPauloTime(instant: Date): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(SAO_PAULO);
  const [year, month, day] = formatLocalDate(requireYear(zoned.toPlainDate())).split('-');
  return `${day}/${month}/${year} ${zoned.toPlainTime().toString({ smallestUnit: 'second' })}`;
}

/**
 * The first instant of a day in São Paulo: 01:00 if daylight saving time begins at midnight.
 *
 * @throws RangeError for an invalid date or year 0.
 */
export function startOfSaoPauloDay(date: LocalDate): Date {
  const day = requireYear(parseLocalDate(date));
  return new Date(day.toZonedDateTime(SAO_PAULO).epochMilliseconds);
}

/** PostgreSQL has no year 0. */
function requireYear(date: Temporal.PlainDate): Temporal.PlainDate {
  if (date.year < 1) throw new RangeError(`The year of ${date.toString()} is not 1 to 9999`);
  return date;
}
