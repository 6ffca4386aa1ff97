/**
 * The BR Code of a Pix charge ("Pix copia e cola"), the text behind its QR code.
 *
 * Sources: Banco Central do Brasil, "Manual de Padrões para Iniciação do Pix" and "Manual do BR Code", which
 * profile the EMV QR Code Specification for Payment Systems, Merchant-Presented Mode (EMV QRCPS-MPM). A code is
 * a sequence of data objects: two digits of ID, two of length in characters, and the value.
 */

import { crc16 } from './crc16.ts';

/** The longest location that fits object 26 beside the GUI: 99 − (4 + 14) − 4. */
export const MAX_LOCATION_LENGTH = 77;

/** The largest amount that object 54 can carry, 13 characters, in cents. */
export const MAX_AMOUNT_CENTS = 999_999_999_999;

const GUI = 'br.gov.bcb.pix';
const NAME_LENGTH = 25;
const CITY_LENGTH = 15;

/** What stands where nothing printable is left of a name or city; neither may be empty. */
const DEFAULT_NAME = 'RECEBEDOR';
const DEFAULT_CITY = 'BRASIL';

/** Characters common in Brazilian trade names that no Unicode decomposition brings to ASCII. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
};

export interface DynamicBrCode {
  /** Host and path of the charge's payload, without `https://`, printable ASCII without spaces. */
  readonly location: string;
  /** Integer cents, 1 to 999,999,999,999. */
  readonly amountCents: number;
  /** Reduced to ASCII and to 25 characters. */
  readonly merchantName: string;
  /** Reduced to ASCII and to 15 characters. */
  readonly merchantCity: string;
}

/**
 * Writes a dynamic BR Code, which can be paid once (object 01 is "12"). Its txid (62-05) is `***`, as the
 * manual asks of a dynamic code: the payload at the location says it.
 *
 * @returns the code, ASCII, at most 220 characters.
 * @throws RangeError when the location or the amount cannot be written; both are our own.
 */
export function encodeDynamicBrCode(charge: DynamicBrCode): string {
  const { location } = charge;
  if (!isLocation(location)) throw new RangeError('A location is 1 to 77 characters of host and path');
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

function encodeObject(id: string, value: string): string {
  return id + (value.length < 10 ? '0' : '') + value.length + value;
}

/** Reais with a point and two decimals, cut from the digits so that no fraction is ever computed. */
function amountText(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 1 || cents > MAX_AMOUNT_CENTS) {
    throw new RangeError('The amount of a BR Code is 1 to 999,999,999,999 whole cents');
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
 * Accents go, other foreign characters are dropped and spaces do not pile up, because readers disagree whether
 * a length counts characters or bytes; the two are only the same in ASCII. May return ''.
 */
function toPrintableAscii(text: string, maxLength: number): string {
  let ascii = '';
  for (const char of text.normalize('NFKD')) {
    const isControl = char < ' ';
    const spelled = isControl ? ' ' : char <= '~' ? char : (TRANSLITERATIONS[char] ?? '');
    if (spelled === ' ' && (ascii === '' || ascii.endsWith(' '))) continue;
    ascii += spelled;
  }
  return ascii.slice(0, maxLength).trimEnd();
}

/** Why a text is no BR Code for Pix. */
export type BrCodeFailure =
  /** The text does not end with a whole checksum (object 63). */
  | 'truncated'
  /** The checksum is another. */
  | 'crc'
  /** An object's length is no number, or reaches beyond what encloses it. */
  | 'length'
  /** An ID occurs twice in one place. */
  | 'duplicate'
  /** Object 00 is not the first one, or not "01". */
  | 'format'
  /** Object 01 is neither "11" nor "12". */
  | 'point-of-initiation'
  /** No account template (26 to 51) carries the GUI of Pix. */
  | 'gui'
  /** The account names neither a key (01) nor a location (25). */
  | 'no-key-or-url'
  /** The account names both. */
  | 'key-and-url'
  /** Object 52 is not four digits. */
  | 'category'
  /** Object 53 is not 986, the real. */
  | 'currency'
  /** Object 54 is no amount with a decimal point, or is zero in a static code that is no Pix Saque. */
  | 'amount'
  /** Object 58 is not BR. */
  | 'country'
  /** Object 59 or 60 is missing or empty. */
  | 'merchant';

/** What a BR Code says. A member is null where the code is silent. */
export interface BrCode {
  /** Dynamic codes name a location, static ones a key. */
  readonly type: 'static' | 'dynamic';
  /** "12": can be paid once. "11": many times. */
  readonly pointOfInitiation: '11' | '12' | null;
  readonly key: string | null;
  /** Host and path without `https://`. */
  readonly location: string | null;
  /** Integer cents. In a dynamic code only a hint; the payload at the location counts. */
  readonly amountCents: number | null;
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Reference label (62-05); `***` stands for none. */
  readonly txid: string | null;
  /** Free text for the payer (26-02). */
  readonly additionalInfo: string | null;
  /** Four hexadecimal digits, upper case. */
  readonly crc: string;
}

export type BrCodeDecoding =
  | { readonly ok: true; readonly brCode: BrCode }
  | { readonly ok: false; readonly failure: BrCodeFailure };

/**
 * Reads a BR Code strictly: what an emitter must not write is named as a failure. Where apps in the field are
 * lenient it is too: the GUI and the checksum in any case, names, cities and txids longer than an emitter may
 * write them, accents (the checksum is then that of the UTF-8 bytes).
 */
export function decodeBrCode(text: string): BrCodeDecoding {
  const brCode = parseBrCode(text);
  return typeof brCode === 'string' ? { ok: false, failure: brCode } : { ok: true, brCode };
}

function parseBrCode(text: string): BrCode | BrCodeFailure {
  const crc = text.slice(-4).toUpperCase();
  if (text.slice(-8, -4) !== '6304') return 'truncated';
  if (crc16(Buffer.from(text.slice(0, -4)).toString('latin1')) !== crc) return 'crc';
  const objects = parseObjects(text);
  if (typeof objects === 'string') return objects;
  const failure = checkFixedObjects(objects);
  if (failure !== null) return failure;

  const account = parsePixAccount(objects);
  if (typeof account === 'string') return account;
  const amountCents = parseAmount(objects.get('54'), account);
  if (amountCents === 'amount') return amountCents;
  const additional = parseObjects(objects.get('62') ?? '');
  if (typeof additional === 'string') return additional;

  const pointOfInitiation = objects.get('01') ?? null;
  if (pointOfInitiation !== null && pointOfInitiation !== '11' && pointOfInitiation !== '12') {
    return 'point-of-initiation';
  }
  const merchantName = objects.get('59') ?? '';
  const merchantCity = objects.get('60') ?? '';
  if (merchantName === '' || merchantCity === '') return 'merchant';
  return {
    type: account.location === null ? 'static' : 'dynamic',
    pointOfInitiation,
    key: account.key,
    location: account.location,
    amountCents,
    merchantName,
    merchantCity,
    txid: additional.get('05') ?? null,
    additionalInfo: account.additionalInfo,
    crc,
  };
}

/** The values by ID, in the order of the text. */
function parseObjects(text: string): Map<string, string> | 'length' | 'duplicate' {
  const objects = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const head = text.slice(at, at + 4);
    if (!/^\d{4}$/.test(head)) return 'length';
    const id = head.slice(0, 2);
    const start = at + 4;
    at = start + Number(head.slice(2));
    if (at > text.length) return 'length';
    if (objects.has(id)) return 'duplicate';
    objects.set(id, text.slice(start, at));
  }
  return objects;
}

/** The objects that say the same in every BR Code. */
function checkFixedObjects(objects: ReadonlyMap<string, string>): BrCodeFailure | null {
  const [first] = objects.keys();
  const last = [...objects.keys()].at(-1);
  if (first !== '00' || objects.get('00') !== '01') return 'format';
  // The text ends like a checksum, but inside the value of another object.
  if (last !== '63' || objects.get('63')?.length !== 4) return 'truncated';
  if (!/^\d{4}$/.test(objects.get('52') ?? '')) return 'category';
  if (objects.get('53') !== '986') return 'currency';
  if (objects.get('58') !== 'BR') return 'country';
  return null;
}

interface PixAccount {
  readonly key: string | null;
  readonly location: string | null;
  readonly additionalInfo: string | null;
  /** Pix Saque (26-03, the ISPB of who hands out the cash), whose static code may carry a zero amount. */
  readonly isWithdrawal: boolean;
}

function parsePixAccount(objects: ReadonlyMap<string, string>): PixAccount | BrCodeFailure {
  for (const [id, value] of objects) {
    if (id < '26' || id > '51') continue;
    const account = parseObjects(value);
    if (typeof account === 'string') return account;
    if (account.get('00')?.toLowerCase() !== GUI) continue;
    const key = account.get('01') || null;
    const location = account.get('25') || null;
    if (key === null && location === null) return 'no-key-or-url';
    if (key !== null && location !== null) return 'key-and-url';
    const isWithdrawal = /^\d{8}$/.test(account.get('03') ?? '');
    return { key, location, additionalInfo: account.get('02') ?? null, isWithdrawal };
  }
  return 'gui';
}

function parseAmount(text: string | undefined, account: PixAccount): number | null | 'amount' {
  if (text === undefined) return null;
  const [, reais, cents = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (reais === undefined || text.length > 13) return 'amount';
  const amount = Number(reais + cents.padEnd(2, '0'));
  const mayBeZero = account.location !== null || account.isWithdrawal;
  return amount === 0 && !mayBeZero ? 'amount' : amount;
}
