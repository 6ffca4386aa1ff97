/**
 * The BR Code of a Pix charge ("Pix copia e cola"), the text of its QR code.
 *
 * Sources: Banco Central do Brasil, "Manual de Padrões para Iniciação do Pix" and "Manual do BR
 * Code", profiles of the EMV QR Code Specification for Payment Systems, Merchant-Presented Mode
 * (EMV QRCPS-MPM). A code is a sequence of data objects: a two-digit ID, a two-digit length in
 * characters, and the value.
 */

import { toAscii } from '#formats/text.ts';
import { crc16 } from './crc16.ts';

/** The longest location that fits into object 26 with the GUI: 99 − (4 + 14) − 4. */
export const MAX_LOCATION_LENGTH = 77;

/** The largest amount in object 54, which has 13 characters, in cents. */
const MAX_AMOUNT_CENTS = 999_999_999_999;

const GUI = 'br.gov.bcb.pix';
const NAME_LENGTH = 25;
const CITY_LENGTH = 15;

/** Used if a name or city has no printable character. Neither may be empty. */
const DEFAULT_NAME = 'RECEBEDOR';
const DEFAULT_CITY = 'BRASIL';

export interface DynamicBrCode {
  /** Host and path of the payload, without `https://`. Printable ASCII without spaces. */
  readonly location: string;
  /** Integer cents, 1 to 999,999,999,999. */
  readonly amountCents: number;
  /** Converted to ASCII and cut to 25 characters. */
  readonly merchantName: string;
  /** Converted to ASCII and cut to 15 characters. */
  readonly merchantCity: string;
}

/**
 * Encodes a dynamic BR Code, which can be paid once (object 01 is "12"). Its txid (62-05) is `***`,
 * as the manual requires for dynamic codes: the payload at the location contains it.
 *
 * @returns the code, at most 220 ASCII characters.
 * @throws RangeError for an invalid location or amount.
 */
export function encodeDynamicBrCode(charge: DynamicBrCode): string {
  const { location } = charge;
  if (!isLocation(location))
    throw new RangeError('The location of a BR Code must be 1 to 77 characters of host and path');
  const account = encodeObject('00', GUI) + encodeObject('25', location);
  const payload =
    '000201' +
    '010212' +
    encodeObject('26', account) +
    '52040000' +
    '5303986' +
    encodeObject('54', amountText(charge.amountCents)) +
    '5802BR' +
    encodeObject('59', toPrintableAscii(charge.merchantName, NAME_LENGTH) || DEFAULT_NAME) +
    encodeObject('60', toPrintableAscii(charge.merchantCity, CITY_LENGTH) || DEFAULT_CITY) +
    '62070503***' +
    '6304';
  return payload + crc16(payload);
}

export interface RecurringBrCode extends Pick<DynamicBrCode, 'merchantName' | 'merchantCity'> {
  /** The location of the recurrence. */
  readonly location: string;
  /** A payment that is part of it. */
  readonly payment: Pick<DynamicBrCode, 'location' | 'amountCents'> | null;
}

/**
 * Encodes a composite BR Code of Pix Automático: object 80 has the location of the recurrence, and
 * objects 26 and 54 those of the payment, if there is one.
 *
 * @throws RangeError for an invalid location or amount.
 */
export function encodeRecurringBrCode({ location, payment, ...merchant }: RecurringBrCode): string {
  const locations = payment === null ? [location] : [location, payment.location];
  if (!locations.every(isLocation))
    throw new RangeError('The location of a BR Code must be 1 to 77 characters of host and path');
  const account = encodeObject('00', GUI) + (payment === null ? '' : encodeObject('25', payment.location));
  const payload =
    '000201' +
    '010212' +
    encodeObject('26', account) +
    '52040000' +
    '5303986' +
    (payment === null ? '' : encodeObject('54', amountText(payment.amountCents))) +
    '5802BR' +
    encodeObject('59', toPrintableAscii(merchant.merchantName, NAME_LENGTH) || DEFAULT_NAME) +
    encodeObject('60', toPrintableAscii(merchant.merchantCity, CITY_LENGTH) || DEFAULT_CITY) +
    '62070503***' +
    encodeObject('80', encodeObject('00', GUI) + encodeObject('25', location)) +
    '6304';
  return payload + crc16(payload);
}

function encodeObject(id: string, value: string): string {
  return id + (value.length < 10 ? '0' : '') + value.length + value;
}

/** Reais with a point and two decimals, without floating-point arithmetic. */
function amountText(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_AMOUNT_CENTS) {
    throw new RangeError('The amount of a BR Code must be 1 to 999,999,999,999 whole cents');
  }
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function isLocation(text: string): boolean {
  if (text.length < 1 || text.length > MAX_LOCATION_LENGTH || text.includes('://')) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || code > 0x7e) return false;
  }
  return true;
}

/**
 * Transliterates to ASCII. Readers disagree whether lengths count characters or bytes, which are
 * equal only in ASCII. May return ''.
 */
function toPrintableAscii(text: string, maxLength: number): string {
  return toAscii(text).slice(0, maxLength).trimEnd();
}
