/**
 * The days on which Brazilian banks clear payments.
 *
 * Sources: Resolução CMN nº 4.880/2020, under which Saturdays, Sundays, national holidays, Carnival
 * Monday and Tuesday, Good Friday and Corpus Christi are not business days in the whole country;
 * the laws that define the national holidays (nº 662/1949, 6.802/1980, 10.607/2002, and 14.759/2023
 * for 20 November); and FEBRABAN's annual calendar, which has no clearing on the last business day
 * of a year. State and city holidays close branches but do not affect clearing.
 */
import { formatLocalDate, parseLocalDate, type LocalDate } from './local-date.ts';

/** Holidays on the same day every year. */
const FIXED_HOLIDAYS = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];

/** Consciência Negra, a national holiday since Lei nº 14.759/2023. */
const BLACK_AWARENESS = '11-20';
const BLACK_AWARENESS_SINCE = 2024;

/** Carnival Monday and Tuesday, Good Friday and Corpus Christi, in days from Easter Sunday. */
const DAYS_FROM_EASTER = [-48, -47, -2, 60];

/** More than any term of the gateway. A larger count is a mistake in the unit. */
const MAX_BUSINESS_DAYS = 10_000;

const FRIDAY = 5;

interface BankYear {
  readonly holidays: readonly LocalDate[];
  readonly withoutClearing: LocalDate;
  readonly closedDays: ReadonlySet<LocalDate>;
}

const years = new Map<number, BankYear>();

/**
 * The bank holidays of a year in order, including those on weekends, under the laws in force today.
 * Some of them were not holidays before 2000.
 *
 * @param year 1583 (the first whole Gregorian year) to 9999.
 * @throws RangeError for any other year.
 */
export function bankHolidays(year: number): readonly LocalDate[] {
  return bankYear(year).holidays;
}

/**
 * The last day of a year that is not on a weekend, on which banks work but clear no payments:
 * 31 December or the Friday before it.
 *
 * @throws RangeError for a year outside 1583 to 9999.
 */
export function dayWithoutClearing(year: number): LocalDate {
  return bankYear(year).withoutClearing;
}

/**
 * Whether payments are cleared on a day.
 *
 * @throws RangeError for an invalid date or a year before 1583.
 */
export function isBusinessDay(date: LocalDate): boolean {
  return hasClearing(parseLocalDate(date));
}

/**
 * Adds business days to a day, which need not be one and does not count: one business day after a
 * Saturday is Monday. A negative count goes back. A count of 0 returns the day itself.
 *
 * @param count an integer from -10,000 to 10,000.
 * @throws RangeError for any other count, an invalid date, or a year outside 1583 to 9999.
 */
export function addBusinessDays(date: LocalDate, count: number): LocalDate {
  if (!Number.isInteger(count) || Math.abs(count) > MAX_BUSINESS_DAYS) {
    throw new RangeError(`${count} is not a valid number of business days`);
  }
  const step = { days: Math.sign(count) };
  let day = parseLocalDate(date);
  for (let remaining = Math.abs(count); remaining > 0; remaining -= 1) {
    do day = day.add(step);
    while (!hasClearing(day));
  }
  return formatLocalDate(day);
}

/**
 * The first business day after a day.
 *
 * @throws RangeError for an invalid date or a year outside 1583 to 9999.
 */
export function nextBusinessDay(date: LocalDate): LocalDate {
  return addBusinessDays(date, 1);
}

/**
 * The day itself if it is a business day, otherwise the next one. A boleto that is due on a day can
 * be paid on time until then.
 *
 * @throws RangeError for an invalid date or a year outside 1583 to 9999.
 */
export function businessDayOnOrAfter(date: LocalDate): LocalDate {
  return isBusinessDay(date) ? date : nextBusinessDay(date);
}

function hasClearing(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= FRIDAY && !bankYear(day.year).closedDays.has(day.toString());
}

function bankYear(year: number): BankYear {
  let cached = years.get(year);
  if (cached === undefined) years.set(year, (cached = computeBankYear(year)));
  return cached;
}

function computeBankYear(year: number): BankYear {
  if (!Number.isInteger(year) || year < 1583 || year > 9999) {
    throw new RangeError(`The year ${year} is not 1583 to 9999`);
  }
  const easter = easterSunday(year);
  const fixed = year >= BLACK_AWARENESS_SINCE ? [...FIXED_HOLIDAYS, BLACK_AWARENESS] : FIXED_HOLIDAYS;
  // A set, because Good Friday can be 21 April.
  const holidays = new Set([
    ...fixed.map((day) => `${year}-${day}`),
    ...DAYS_FROM_EASTER.map((days) => easter.add({ days }).toString()),
  ]);
  let last = new Temporal.PlainDate(year, 12, 31);
  while (last.dayOfWeek > FRIDAY) last = last.subtract({ days: 1 });
  const withoutClearing = last.toString();
  return {
    holidays: [...holidays].toSorted(),
    withoutClearing,
    closedDays: holidays.add(withoutClearing),
  };
}

/**
 * The Gregorian computus by Meeus, Jones and Butcher (Meeus, Astronomical Algorithms, chapter 8).
 */
function easterSunday(year: number): Temporal.PlainDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekdayShift = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const exception = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451);
  // 22 March is the earliest Easter.
  return new Temporal.PlainDate(year, 3, 22).add({ days: epact + weekdayShift - 7 * exception });
}
