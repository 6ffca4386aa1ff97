/**
 * The barcode of a boleto (44 digits) and its digitable line (47 digits, "linha digitável").
 *
 * Sources: Banco Central do Brasil, Carta-Circular nº 2.926/2000 (layout, both check digits, due
 * factor), and FEBRABAN's communiqué on the due factor, which restarts at 1000 on 2025-02-22.
 *
 * Barcode: bank 3, currency 1 (9 for real), check digit 1, due factor 4, amount 10, free field 25.
 *
 * Line: bank, currency, free field 1–5, digit; free field 6–15, digit; free field 16–25, digit;
 * check digit; due factor, amount.
 */
import { daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { modulo10, weightedSum } from './check-digits.ts';

/** Ten digits of cents, the largest amount with a due factor. */
const MAX_BOLETO_CENTS = 9_999_999_999;

const REAL = '9';

/** The first date with a due factor, 1000. */
const FIRST_DUE_DATE: LocalDate = '2000-07-03';
const FIRST_FACTOR = 1000;

/** Factors run from 1000 to 9999 and then restart. */
const CYCLE_DAYS = 9000;

const NO_DUE_DATE = '0000';

export interface BoletoTitle {
  /** The bank's three-digit clearing code (COMPE). */
  readonly bankCode: string;
  /** Null for a boleto that is payable at sight. */
  readonly dueDate: LocalDate | null;
  /** Integer cents, 0 to 9,999,999,999. With 0, the payer chooses the amount. */
  readonly amountCents: number;
  /** 25 digits, defined by each bank. */
  readonly freeField: string;
}

/** The content of a barcode. */
export interface Boleto {
  readonly bankCode: string;
  /** 1 to 9. */
  readonly checkDigit: number;
  /** Four digits, or null. */
  readonly dueFactor: string | null;
  /** Integer cents; 0 if the payer chooses. Above 9,999,999,999 only without a due factor. */
  readonly amountCents: number;
  readonly freeField: string;
  /** 44 digits. */
  readonly barcode: string;
  /** 47 digits. */
  readonly digitableLine: string;
}

/** Why a text is not the barcode of a boleto. */
export type BarcodeFailure =
  /** A character is not a digit. */
  | 'characters'
  | 'length'
  /** A utility or tax bill ("arrecadação", begins with 8), which is not a boleto. */
  | 'collection'
  /** The bank code is 000. */
  | 'bank'
  /** The currency is not 9, the real. */
  | 'currency'
  | 'check-digit';

export type BarcodeDecoding =
  | { readonly ok: true; readonly boleto: Boleto }
  | { readonly ok: false; readonly failure: BarcodeFailure };

/**
 * Encodes the barcode of a boleto.
 *
 * @returns 44 digits.
 * @throws RangeError for an invalid member.
 */
export function encodeBarcode(title: BoletoTitle): string {
  const { bankCode, dueDate, amountCents, freeField } = title;
  // Readers interpret a barcode that begins with 8 as a utility bill.
  if (!/^(?!000)[0-79]\d{2}$/.test(bankCode)) throw new RangeError(`${bankCode} is not a bank code`);
  if (!/^\d{25}$/.test(freeField)) throw new RangeError('A free field must be 25 digits');
  if (!Number.isInteger(amountCents) || amountCents < 0 || amountCents > MAX_BOLETO_CENTS) {
    throw new RangeError('The amount of a boleto must be 0 to 9,999,999,999 whole cents');
  }
  const factor = dueDate === null ? NO_DUE_DATE : dueFactor(dueDate);
  const head = bankCode + REAL;
  const tail = factor + String(amountCents).padStart(10, '0') + freeField;
  return head + barcodeDigit(head + tail) + tail;
}

/**
 * The digitable line of a barcode.
 *
 * @param barcode 44 digits. The check digit is not verified.
 * @returns 47 digits.
 * @throws RangeError for other than 44 digits.
 */
export function digitableLineOf(barcode: string): string {
  if (!/^\d{44}$/.test(barcode)) throw new RangeError('A barcode must be 44 digits');
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  return fields.map((field) => field + modulo10(field)).join('') + barcode.slice(4, 19);
}

/**
 * The printed form of a line: `34191.09123 34567.850127 34567.000004 6 10000000012345`.
 *
 * @throws RangeError for other than 47 digits.
 */
export function formatDigitableLine(line: string): string {
  if (!/^\d{47}$/.test(line)) throw new RangeError('A digitable line must be 47 digits');
  const field = (from: number, to: number) => `${line.slice(from, from + 5)}.${line.slice(from + 5, to)}`;
  return `${field(0, 10)} ${field(10, 21)} ${field(21, 32)} ${line[32]} ${line.slice(33)}`;
}

/**
 * The due factor of a date: the days since 1997-10-07, restarting at 1000 after 9999 (2025-02-21).
 *
 * @returns four digits, 1000 to 9999.
 * @throws RangeError for an invalid date or one before 2000-07-03.
 */
export function dueFactor(date: LocalDate): string {
  const days = daysBetween(FIRST_DUE_DATE, date);
  if (days < 0) throw new RangeError('Dates before 2000-07-03 have no due factor');
  return String(FIRST_FACTOR + (days % CYCLE_DAYS));
}

/** Parses a barcode: exactly 44 digits with a valid check digit. */
export function parseBarcode(text: string): BarcodeDecoding {
  if (/\D/.test(text)) return failed('characters');
  if (text.length !== 44) return failed('length');
  if (text.startsWith('8')) return failed('collection');
  if (text.startsWith('000')) return failed('bank');
  if (text[3] !== REAL) return failed('currency');
  if (barcodeDigit(text.slice(0, 4) + text.slice(5)) !== text[4]) return failed('check-digit');

  // Without a due factor, its digits belong to the amount.
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

function failed(failure: BarcodeFailure): BarcodeDecoding {
  return { ok: false, failure };
}

/** 11 minus the remainder, but 1 instead of 0, 10 and 11. */
function barcodeDigit(digits: string): string {
  const digit = 11 - (weightedSum(digits, 9) % 11);
  return String(digit > 9 ? 1 : digit);
}
