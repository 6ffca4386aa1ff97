/**
 * A bank calendar independent of the gateway's: Easter by table, days counted in UTC at a fixed
 * offset.
 */

const DAY = 86_400_000;
/** São Paulo has had no daylight saving time since 2019. */
const BEHIND_UTC = 3 * 3_600_000;

const EASTER: Readonly<Record<number, string>> = {
  2026: '04-05',
  2027: '03-28',
  2028: '04-16',
  2029: '04-01',
  2030: '04-21',
  2031: '04-13',
  2032: '03-28',
  2033: '04-17',
  2034: '04-09',
  2035: '03-25',
  2036: '04-13',
  2037: '04-05',
  2038: '04-25',
  2039: '04-10',
  2040: '04-01',
  2041: '04-21',
  2042: '04-06',
  2043: '03-29',
  2044: '04-17',
  2045: '04-09',
  2046: '03-25',
  2047: '04-14',
  2048: '04-05',
  2049: '04-18',
  2050: '04-10',
  2051: '04-02',
  2052: '04-21',
  2053: '04-06',
  2054: '03-29',
  2055: '04-18',
  2056: '04-02',
  2057: '04-22',
  2058: '04-14',
  2059: '03-30',
  2060: '04-18',
  2061: '04-10',
  2062: '03-26',
  2063: '04-15',
  2064: '04-06',
  2065: '03-29',
  2066: '04-11',
  2067: '04-03',
  2068: '04-22',
  2069: '04-14',
  2070: '03-30',
};

const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'];

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY;
const nameOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

function isHoliday(day: number): boolean {
  const name = nameOf(day);
  if (FIXED.includes(name.slice(5))) return true;
  const year = Number(name.slice(0, 4));
  const easter = EASTER[year];
  if (easter === undefined) throw new Error(`the model's calendar has no Easter for ${year}`);
  // Carnival Monday and Tuesday, Good Friday, Corpus Christi.
  return [-48, -47, -2, 60].includes(day - numberOf(`${year}-${easter}`));
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * DAY).getUTCDay());

export function isBankDay(name: string): boolean {
  const day = numberOf(name);
  if (isWeekend(day) || isHoliday(day)) return false;
  // The last weekday of a year has no clearing.
  const last = numberOf(`${name.slice(0, 4)}-12-31`);
  const closing = [last, last - 1, last - 2].find((one) => !isWeekend(one));
  return day !== closing;
}

/** The day in São Paulo, `YYYY-MM-DD`. */
export const dayOf = (instant: number): string => nameOf(Math.floor((instant - BEHIND_UTC) / DAY));

/** Midnight in São Paulo. Milliseconds. */
export const startOfDay = (name: string): number => numberOf(name) * DAY + BEHIND_UTC;

/** Midnight in São Paulo, `count` bank days after the day of `instant`. Milliseconds. */
export function bankDaysLater(instant: number, count: number): number {
  let day = Math.floor((instant - BEHIND_UTC) / DAY);
  for (let left = count; left > 0;) {
    day += 1;
    if (isBankDay(nameOf(day))) left -= 1;
  }
  return day * DAY + BEHIND_UTC;
}

/**
 * The last millisecond at which a boleto due at `instant` can be paid: the end of that or the next
 * bank day.
 */
export function endOfBankDay(instant: number): number {
  let day = Math.floor((instant - BEHIND_UTC) / DAY);
  while (!isBankDay(nameOf(day))) day += 1;
  return (day + 1) * DAY + BEHIND_UTC - 1;
}
