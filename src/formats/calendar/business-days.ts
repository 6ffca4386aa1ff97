/**
 * The days on which Brazilian banks clear payments.
 *
 * Sources: Resolução CMN nº 4.880/2020 (no business days are Saturdays, Sundays, national holidays, Carnival Monday
 * and Tuesday, Good Friday and Corpus Christi, wherever in the country), the laws that make the national holidays
 * (nº 662/1949, 6.802/1980, 10.607/2002, and 14.759/2023 for 20 November), and FEBRABAN's yearly calendar, by which
 * nothing is cleared on the last business day of a year. Holidays of states and cities close branches there, but do
 * not stop the clearing.
 */
import { addDays, weekday, type LocalDate } from './local-date.ts';

/** Holidays on the same day every year. */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];

/** Consciência Negra, a national holiday since Lei nº 14.759/2023. */
const BLACK_AWARENESS = '11-20';
const BLACK_AWARENESS_SINCE = 2024;

/** Carnival Monday and Tuesday, Good Friday and Corpus Christi, in days from Easter Sunday. */
const FROM_EASTER = [-48, -47, -2, 60];

/** More days than any term of this gateway has; beyond it a caller has mixed up units. */
const MAX_BUSINESS_DAYS = 10_000;

const SUNDAY = 0;
const SATURDAY = 6;

interface BankYear {
  readonly holidays: readonly LocalDate[];
  readonly withoutClearing: LocalDate;
  /** Both, to look days up. */
  readonly closed: ReadonlySet<LocalDate>;
}

const years = new Map<number, BankYear>();

/**
 * The bank holidays of a year in order, those on weekends included, as they are by the laws in force today: before
 * 2000 some of these days were none.
 *
 * @param year 1583 (the first whole Gregorian year) to 9999.
 * @throws RangeError for any other year.
 */
export function bankHolidays(year: number): readonly LocalDate[] {
  return bankYear(year).holidays;
}

/**
 * The last weekday of a year that is no holiday: banks work among themselves, but clear nothing. 31 December,
 * or the Friday before it when that is a weekend.
 *
 * @throws RangeError unless the year is 1583 to 9999.
 */
export function dayWithoutClearing(year: number): LocalDate {
  return bankYear(year).withoutClearing;
}

/**
 * Whether payments are cleared on a day: no weekend, no bank holiday, not the year's day without clearing.
 *
 * @throws RangeError when it is no date, or its year is before 1583.
 */
export function isBusinessDay(date: LocalDate): boolean {
  return !isWeekend(date) && !bankYear(Number(date.slice(0, 4))).closed.has(date);
}

/**
 * The day that is so many business days after a day, which itself does not count and need not be one: one business
 * day after a Saturday is Monday. A negative count goes back, and 0 is the day itself whatever it is.
 *
 * @param count a whole number, -10,000 to 10,000.
 * @throws RangeError for any other count, when it is no date, or the year leaves 1583 to 9999.
 */
export function addBusinessDays(date: LocalDate, count: number): LocalDate {
  if (!Number.isInteger(count) || Math.abs(count) > MAX_BUSINESS_DAYS) {
    throw new RangeError(`${count} is no count of business days`);
  }
  let day = addDays(date, 0);
  for (let left = Math.abs(count); left > 0; left--) day = stepToBusinessDay(day, Math.sign(count));
  return day;
}

/**
 * The first business day after a day.
 *
 * @throws RangeError when it is no date, or the year leaves 1583 to 9999.
 */
export function nextBusinessDay(date: LocalDate): LocalDate {
  return addBusinessDays(date, 1);
}

/**
 * The day itself when it is a business day, else the first one after it: until when a boleto that falls due on that
 * day can be paid without being late.
 *
 * @throws RangeError when it is no date, or the year leaves 1583 to 9999.
 */
export function businessDayOnOrAfter(date: LocalDate): LocalDate {
  return isBusinessDay(date) ? date : nextBusinessDay(date);
}

function stepToBusinessDay(from: LocalDate, step: number): LocalDate {
  let day = addDays(from, step);
  while (!isBusinessDay(day)) day = addDays(day, step);
  return day;
}

function isWeekend(date: LocalDate): boolean {
  const day = weekday(date);
  return day === SATURDAY || day === SUNDAY;
}

function bankYear(year: number): BankYear {
  let known = years.get(year);
  if (known === undefined) years.set(year, (known = makeBankYear(year)));
  return known;
}

function makeBankYear(year: number): BankYear {
  if (!Number.isInteger(year) || year < 1583 || year > 9999) {
    throw new RangeError(`${year} is no year of the bank calendar`);
  }
  const easter = easterSunday(year);
  const fixed = year >= BLACK_AWARENESS_SINCE ? [...FIXED, BLACK_AWARENESS] : FIXED;
  // Good Friday can be 21 April, which then stands here once.
  const holidays = [
    ...new Set([
      ...fixed.map((day) => `${year}-${day}`),
      ...FROM_EASTER.map((days) => addDays(easter, days)),
    ]),
  ].sort();
  let withoutClearing = `${year}-12-31`;
  while (isWeekend(withoutClearing)) withoutClearing = addDays(withoutClearing, -1);
  return { holidays, withoutClearing, closed: new Set([...holidays, withoutClearing]) };
}

/** The Gregorian computus in the form of Meeus, Jones and Butcher (Meeus, Astronomical Algorithms, chapter 8). */
function easterSunday(year: number): LocalDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekdayShift = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const exception = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451);
  // Days after 22 March, the earliest Easter.
  return addDays(`${year}-03-22`, epact + weekdayShift - 7 * exception);
}
