/**
 * The barcode of a boleto (44 digits) and the line under which it is typed (47 digits, "linha digitável").
 *
 * Sources: Banco Central do Brasil, Carta-Circular nº 2.926/2000 (layout, both check digits, due factor), and
 * FEBRABAN's communiqué on the due factor, which restarts at 1000 on 2025-02-22.
 *
 * Barcode: bank 3, currency 1 (9, the real), check digit 1, due factor 4, amount 10, free field 25.
 * Line: bank, currency, free field 1–5, digit; free field 6–15, digit; 16–25, digit; check digit; factor, amount.
 */
import { modulo10, weightedSum } from './check-digits.ts';
import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';

/** The largest amount beside a due factor: ten digits of cents. */
export const MAX_BOLETO_CENTS = 9_999_999_999;

const REAL = '9';

/** Factor 1000, the first day that has one. */
const FIRST_DUE_DATE: LocalDate = '2000-07-03';
const FIRST_FACTOR = 1000;

/** Factors run from 1000 to 9999 and start again. */
const CYCLE_DAYS = 9000;

const NO_DUE_DATE = '0000';

const FORMATTED_LINE = /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/;

export interface BoletoTitle {
  /** The bank's three-digit clearing code (COMPE). */
  readonly bankCode: string;
  /** Null: payable at sight. */
  readonly dueDate: LocalDate | null;
  /** Integer cents, 0 to 9,999,999,999. 0: the payer decides. */
  readonly amountCents: number;
  /** 25 digits, whose meaning is the bank's own. */
  readonly freeField: string;
}

/** What a barcode says. */
export interface Boleto {
  readonly bankCode: string;
  /** 1 to 9. */
  readonly checkDigit: number;
  /** Four digits, or null when there is none. `dueDateOf` tells which day it means. */
  readonly dueFactor: string | null;
  /** Integer cents; 0 where the payer decides. Above 9,999,999,999 only without a due factor. */
  readonly amountCents: number;
  readonly freeField: string;
  /** 44 digits. */
  readonly barcode: string;
  /** 47 digits. */
  readonly digitableLine: string;
}

/** Why a text is no boleto. */
export type BoletoFailure =
  /** Other characters than digits, or dots and spaces elsewhere than in a formatted line. */
  | 'characters'
  /** Not 44 digits in a barcode, 47 in a line. */
  | 'length'
  /** A bill of a utility or a tax ("arrecadação", begins with 8), which is paid, but is no boleto. */
  | 'collection'
  /** The bank code is 000. */
  | 'bank'
  /** The currency is not 9, the real. */
  | 'currency'
  /** The check digit of the line's first, second or third field is another. */
  | 'field-1'
  | 'field-2'
  | 'field-3'
  /** The check digit over everything is another. */
  | 'check-digit';

export type BoletoDecoding =
  | { readonly ok: true; readonly boleto: Boleto }
  | { readonly ok: false; readonly failure: BoletoFailure };

/**
 * Writes the barcode of a boleto; `lineOf` turns it into the line.
 *
 * @returns 44 digits.
 * @throws RangeError when a member cannot be written; all of them are our own.
 */
export function encodeBarcode(title: BoletoTitle): string {
  const { bankCode, dueDate, amountCents, freeField } = title;
  // Readers take a code that begins with 8 for a utility's bill.
  if (!/^(?!000)[0-79]\d{2}$/.test(bankCode)) throw new RangeError(`${bankCode} is no bank code`);
  if (!/^\d{25}$/.test(freeField)) throw new RangeError('A free field is 25 digits');
  if (!Number.isInteger(amountCents) || amountCents < 0 || amountCents > MAX_BOLETO_CENTS) {
    throw new RangeError('The amount of a boleto is 0 to 9,999,999,999 whole cents');
  }
  const factor = dueDate === null ? NO_DUE_DATE : dueFactor(dueDate);
  const before = bankCode + REAL;
  const after = factor + String(amountCents).padStart(10, '0') + freeField;
  return before + barcodeDigit(before + after) + after;
}

/**
 * The line that is typed instead of reading the barcode.
 *
 * @param barcode 44 digits, whose check digit is not looked at.
 * @returns 47 digits.
 * @throws RangeError when it is not 44 digits.
 */
export function digitableLineOf(barcode: string): string {
  if (!/^\d{44}$/.test(barcode)) throw new RangeError('A barcode is 44 digits');
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  return fields.map((field) => field + modulo10(field)).join('') + barcode.slice(4, 19);
}

/**
 * A line as it is printed: `34191.09123 34567.850127 34567.000004 6 10000000012345`.
 *
 * @throws RangeError when it is not 47 digits.
 */
export function formatDigitableLine(line: string): string {
  if (!/^\d{47}$/.test(line)) throw new RangeError('A line is 47 digits');
  const field = (from: number, to: number) => `${line.slice(from, from + 5)}.${line.slice(from + 5, to)}`;
  return `${field(0, 10)} ${field(10, 21)} ${field(21, 32)} ${line[32]} ${line.slice(33)}`;
}

/**
 * The due factor of a day: the days since 1997-10-07, after 9999 (2025-02-21) again from 1000.
 *
 * @returns four digits, 1000 to 9999.
 * @throws RangeError when it is no date or before 2000-07-03.
 */
export function dueFactor(date: LocalDate): string {
  const days = daysBetween(FIRST_DUE_DATE, date);
  if (days < 0) throw new RangeError('No day before 2000-07-03 has a due factor');
  return String(FIRST_FACTOR + (days % CYCLE_DAYS));
}

/**
 * The day that a due factor means. It means one in each cycle of 9,000 days, so this is the one nearest to a day
 * that the boleto is known to be from, such as today; nobody publishes a rule.
 *
 * @param factor 1000 to 9999.
 * @throws RangeError when it is no such factor or the reference is no date.
 */
export function dueDateOf(factor: string, reference: LocalDate): LocalDate {
  if (!/^[1-9]\d{3}$/.test(factor)) throw new RangeError(`${factor} is no due factor`);
  const first = addDays(FIRST_DUE_DATE, Number(factor) - FIRST_FACTOR);
  const cycles = Math.round(daysBetween(first, reference) / CYCLE_DAYS);
  return addDays(first, Math.max(cycles, 0) * CYCLE_DAYS);
}

/** Reads a barcode strictly: 44 digits and nothing else, with the right check digit. */
export function parseBarcode(text: string): BoletoDecoding {
  if (/\D/.test(text)) return failed('characters');
  if (text.length !== 44) return failed('length');
  if (text.startsWith('8')) return failed('collection');
  if (text.startsWith('000')) return failed('bank');
  if (text[3] !== REAL) return failed('currency');
  if (barcodeDigit(text.slice(0, 4) + text.slice(5)) !== text[4]) return failed('check-digit');

  // A factor that begins with 0 is none: its digits then belong to the amount.
  const hasFactor = text[5] !== '0';
  return {
    ok: true,
    boleto: {
      bankCode: text.slice(0, 3),
      checkDigit: Number(text[4]),
      dueFactor: hasFactor ? text.slice(5, 9) : null,
      amountCents: Number(text.slice(hasFactor ? 9 : 5, 19)),
      freeField: text.slice(19),
      barcode: text,
      digitableLine: digitableLineOf(text),
    },
  };
}

/**
 * Reads a line strictly: 47 digits, or exactly as `formatLine` writes it. Fields are checked in their order, so that
 * the first failure tells a person where to look.
 */
export function parseDigitableLine(text: string): BoletoDecoding {
  const line = FORMATTED_LINE.test(text) ? text.replaceAll(/\D/g, '') : text;
  if (/\D/.test(line)) return failed('characters');
  if (line.startsWith('8') && line.length === 48) return failed('collection');
  if (line.length !== 47) return failed('length');
  if (modulo10(line.slice(0, 9)) !== line[9]) return failed('field-1');
  if (modulo10(line.slice(10, 20)) !== line[20]) return failed('field-2');
  if (modulo10(line.slice(21, 31)) !== line[31]) return failed('field-3');
  const free = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);
  return parseBarcode(line.slice(0, 4) + line.slice(32) + free);
}

function failed(failure: BoletoFailure): BoletoDecoding {
  return { ok: false, failure };
}

/** The check digit over the barcode: 11 less the remainder, but 1 where that is 0, 10 or 11. */
function barcodeDigit(digits: string): string {
  const digit = 11 - (weightedSum(digits, 9) % 11);
  return String(digit > 9 ? 1 : digit);
}
