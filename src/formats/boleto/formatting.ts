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

/** What Windows-1252 has beyond ISO 8859-1. */
const WINDOWS_1252_EXTRAS = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Letters of names in Brazil that no Unicode decomposition brings to Latin ones. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' };

/**
 * A text as the standard fonts of PDF can show it, in Windows-1252. Letters with foreign accents
 * lose them, anything else that has no place there becomes a question mark, and spaces do not pile
 * up.
 */
export function toWindows1252(text: string): string {
  let shown = '';
  for (const char of text.normalize('NFC').replaceAll(/[\s\p{Cc}]+/gu, ' ')) {
    shown += isWindowsChar(char) ? char : (TRANSLITERATIONS[char] ?? stripAccents(char));
  }
  // Afterwards once more: some marks come apart into a space and a mark.
  return shown.replaceAll(/ +/g, ' ').trim();
}

function stripAccents(char: string): string {
  const shown = Array.from(char.normalize('NFKD'))
    .filter((part) => isWindowsChar(part))
    .join('');
  // Joiners, variation selectors and marks on their own take no room.
  return shown === '' && !/[\p{M}\p{Cf}]/u.test(char) ? '?' : shown;
}

function isWindowsChar(char: string): boolean {
  const isLatin1 = char >= '\u00a1' && char <= '\u00ff' && char !== '\u00ad';
  return isLatin1 || (char >= ' ' && char <= '~') || WINDOWS_1252_EXTRAS.includes(char);
}
