/**
 * The EndToEndId of a Pix payment, its id from payer to receiver. Source: Banco Central do Brasil, "Manual de
 * Padrões para Iniciação do Pix" and the SPI's message catalogue: `E`, the eight characters of the ISPB, the
 * UTC time as yyyyMMddHHmm, and eleven characters of the issuer's choice; 32 in all, case-sensitive.
 */
import { randomInt } from 'node:crypto';

const PATTERN = /^E[0-9A-Z]{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})[0-9A-Za-z]{11}$/;

/** Digits, or since alphanumeric CNPJs exist, whose first eight characters an ISPB is, also letters. */
const ISPB = /^[0-9A-Z]{8}$/;

const ALPHANUMERICS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Whether a text is an EndToEndId whose time exists in the calendar. */
export function isEndToEndId(text: string): boolean {
  const [, year, month, day, hour, minute] = (PATTERN.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  if (hour === undefined || hour > 23 || minute === undefined || minute > 59) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeapYear ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Makes a new EndToEndId.
 *
 * @param ispb the eight characters of the payer's institution.
 * @param date when the payment was started; its year must have four digits.
 * @param random a whole number from 0 to below its argument; tests pass their own.
 * @throws RangeError for anything else as an ISPB or a date.
 */
export function generateEndToEndId(
  ispb: string,
  date: Date,
  random: (below: number) => number = (below) => randomInt(below),
): string {
  if (!ISPB.test(ispb)) throw new RangeError('An ISPB is eight digits or upper-case letters');
  const iso = date.toISOString();
  if (iso.length !== 24) throw new RangeError('The year of an EndToEndId has four digits');
  const time = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13) + iso.slice(14, 16);
  let suffix = '';
  for (let i = 0; i < 11; i++) suffix += ALPHANUMERICS[random(ALPHANUMERICS.length)];
  return `E${ispb}${time}${suffix}`;
}
