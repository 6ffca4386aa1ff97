import { brandName } from '../../src/formats/card/brand-names.ts';
import { detectCardBrand, passesLuhn } from '../../src/formats/card/card-number.ts';

/** The brand of the digits typed so far; empty while they are of none. */
export function brandOf(digits: string): string {
  return digits === '' ? '' : brandName(detectCardBrand(digits.padEnd(16, '0')));
}

/** Spaces as printed on the card: 4-6-5 of American Express, 4-6-4 of Diners Club, else 4-4-4-4. */
export function formatNumber(digits: string): string {
  const groups = /^3[4-9]|^30/.test(digits) ? /^(.{1,4})(.{1,6})?(.{1,9})?$/ : undefined;
  const parts =
    groups === undefined ? (digits.match(/.{1,4}/g) ?? []) : (groups.exec(digits)?.slice(1) ?? []);
  return parts.filter(Boolean).join(' ');
}

export const isCardNumber = (digits: string): boolean => passesLuhn(digits);

/** `12/30` of `1230`, with a leading zero for `5`. */
export function formatExpiry(text: string): string {
  const digits = text.replaceAll(/\D/g, '').replace(/^([2-9])/, '0$1');
  const year = digits.slice(2, digits.startsWith('20', 2) && digits.length > 4 ? 6 : 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${year}` : digits;
}

export interface Expiry {
  readonly month: number;
  readonly year: number;
}

/** Undefined if the text is no month and year. */
export function parseExpiry(text: string): Expiry | undefined {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2])\/(\d{2}|20\d{2})$/.exec(text) ?? [];
  return month === '' ? undefined : { month: Number(month), year: Number(year.padStart(4, '20')) };
}

/** Whether a card has expired. It is valid until the end of its month. */
export function isPast({ month, year }: Expiry): boolean {
  const end = new Date(year, month, 1).getTime();
  const DAY_MS = 86_400_000;
  return Date.now() - DAY_MS > end;
}
