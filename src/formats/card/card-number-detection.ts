import { isValidCnpj } from '@brazilian-utils/brazilian-utils';

import { detectCardBrand, passesLuhn, type CardBrand } from './card-number.ts';

/**
 * The lengths of the numbers that each brand issues. An IMEI has the length of Amex, not its
 * prefix.
 */
const LENGTHS: Readonly<Record<CardBrand, readonly number[]>> = {
  VISA: [13, 16, 19],
  MASTERCARD: [16],
  ELO: [16],
  AMEX: [15],
  HIPERCARD: [13, 16, 19],
  DINERS: [14, 16],
  DISCOVER: [16, 19],
  JCB: [16, 19],
};

/** How digits are grouped on cards, by the lengths of the groups. */
const GROUPINGS: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
  [4, 3, 3, 3],
];

/** Most texts, which need no normalization. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Digits and the separators between their groups. */
const DIGIT_GROUPS = /\d+(?:[\s.\u2010-\u2015-]{1,3}\d+)*/g;

/**
 * Long numbers that are no card numbers: ids and digests in hexadecimal, the line of a boleto, and
 * the access key of an invoice (NF-e).
 */
const OTHER_NUMBERS = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?=\d*[a-f])[0-9a-f]{24,}\b/gi,
  /\b\d{5}\.?\d{5}\s\d{5}\.?\d{6}\s\d{5}\.?\d{6}\s\d\s\d{14}\b/g,
  /\b(?:\d{4}\s){10}\d{4}\b/g,
] as const;

/**
 * Whether a text contains a card number: digits, contiguous or grouped as on a card, with an
 * issuer's prefix, a length of that brand, and a check digit that fits. Timestamps, IMEIs, CNPJs,
 * article numbers (EAN-13), UUIDs and boleto lines are none.
 */
export function containsCardNumber(text: string): boolean {
  let rest = PRINTABLE_ASCII.test(text)
    ? text
    : toAsciiDigits(text.normalize('NFKC').replaceAll(/\p{Cf}/gu, ''));
  if (!/\d{3}/.test(rest)) return false;
  for (const pattern of OTHER_NUMBERS) rest = rest.replaceAll(pattern, ' ');
  return [...rest.matchAll(DIGIT_GROUPS)].some(([sequence]) => hasCardNumber(sequence.split(/\D+/)));
}

/**
 * Decimal digits of any script as 0 to 9. The ten digits of a script have consecutive code points.
 */
function toAsciiDigits(text: string): string {
  return text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}

function hasCardNumber(groups: readonly string[]): boolean {
  return groups.some(
    (group, start) =>
      isCardNumber(group) ||
      GROUPINGS.some((grouping) => {
        const candidate = groups.slice(start, start + grouping.length);
        const isGrouped = grouping.every((length, index) => candidate[index]?.length === length);
        return isGrouped && isCardNumber(candidate.join(''));
      }),
  );
}

function isCardNumber(digits: string): boolean {
  const brand = detectCardBrand(digits);
  if (brand === null || !LENGTHS[brand].includes(digits.length) || !passesLuhn(digits)) return false;
  if (digits.length === 14) return !isValidCnpj(digits, { version: 1 });
  return digits.length !== 13 || !isEan13(digits);
}

/** Whether the last digit is the check digit of an article number. */
function isEan13(digits: string): boolean {
  const weighted = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3));
  const sum = weighted.reduce((total, value) => total + value, 0);
  return sum % 10 === 0;
}
