import { parseBarcode, type BarcodeFailure, type Boleto } from '#formats/boleto/barcode.ts';
import { modulo10 } from '#formats/boleto/check-digits.ts';
import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';

/** Decoders for what the gateway only encodes. Tests verify its output with them. */

const FORMATTED_LINE = /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/;

export type DigitableLineDecoding =
  | { readonly ok: true; readonly boleto: Boleto }
  | {
      readonly ok: false;
      /** With the field of the line whose check digit is wrong. */
      readonly failure: BarcodeFailure | 'field-1' | 'field-2' | 'field-3';
    };

/**
 * Parses 47 digits, or exactly the form of `formatDigitableLine`. Reports the first wrong field.
 */
export function parseDigitableLine(text: string): DigitableLineDecoding {
  const line = FORMATTED_LINE.test(text) ? text.replaceAll(/\D/g, '') : text;
  if (/\D/.test(line)) return { ok: false, failure: 'characters' };
  if (line.startsWith('8') && line.length === 48) return { ok: false, failure: 'collection' };
  if (line.length !== 47) return { ok: false, failure: 'length' };
  if (modulo10(line.slice(0, 9)) !== line[9]) return { ok: false, failure: 'field-1' };
  if (modulo10(line.slice(10, 20)) !== line[20]) return { ok: false, failure: 'field-2' };
  if (modulo10(line.slice(21, 31)) !== line[31]) return { ok: false, failure: 'field-3' };
  const free = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);
  return parseBarcode(line.slice(0, 4) + line.slice(32) + free);
}

/** Factor 1000. */
const FIRST_DUE_DATE: LocalDate = '2000-07-03';
const CYCLE_DAYS = 9000;

/**
 * The date of a due factor. It has one in each cycle of 9,000 days; the result is the one nearest
 * to the reference.
 *
 * @throws RangeError for a factor outside 1000 to 9999 or an invalid date.
 */
export function dueDateOf(factor: string, reference: LocalDate): LocalDate {
  if (!/^[1-9]\d{3}$/.test(factor)) throw new RangeError(`${factor} is not a due factor`);
  const first = addDays(FIRST_DUE_DATE, Number(factor) - 1000);
  const cycles = Math.round(daysBetween(first, reference) / CYCLE_DAYS);
  return addDays(first, Math.max(cycles, 0) * CYCLE_DAYS);
}
