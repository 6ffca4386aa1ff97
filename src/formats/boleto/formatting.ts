/** How values are written in a boleto, on paper and on the page. */
import { weightedSum } from './check-digits.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';

/** `1.234,56` for 123456 cents. Cut from the digits, so that no fraction is ever computed. */
export function formatAmount(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3}){1,5}$)/g, '.')},${digits.slice(-2)}`;
}

/** `31/12/2026` for `2026-12-31`. */
export function formatDate(date: LocalDate): string {
  const [year, month, day] = date.split('-');
  return `${day}/${month}/${year}`;
}

/**
 * A bank's code with its digit, `341-7`, as it is printed beside the line: modulo 11 with weights 2
 * to 4, where 10 is 0, but X at Sicredi.
 *
 * @param bankCode three digits.
 */
export function bankCodeWithDigit(bankCode: string): string {
  if (bankCode === '748') return '748-X';
  const digit = 11 - (weightedSum(bankCode, 9) % 11);
  return `${bankCode}-${digit > 9 ? 0 : digit}`;
}
