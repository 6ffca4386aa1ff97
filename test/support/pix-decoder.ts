import { isLocalDate } from '#formats/calendar/local-date.ts';
import { crc16 } from '#formats/pix/crc16.ts';

/**
 * Decoders for the Pix formats that the gateway only encodes. Tests verify its output with them.
 */

const GUI = 'br.gov.bcb.pix';

/** Why a text is not a BR Code for Pix. */
type BrCodeFailure =
  /** The text does not end with a checksum (object 63). */
  | 'truncated'
  /** The checksum is wrong. */
  | 'crc'
  /** The length of an object is not a number, or exceeds the enclosing object. */
  | 'length'
  /** An ID occurs twice in an object. */
  | 'duplicate'
  /** Object 00 is not the first one, or not "01". */
  | 'format'
  /** Object 01 is neither "11" nor "12". */
  | 'point-of-initiation'
  /** No account template (26 to 51) has the GUI of Pix. */
  | 'gui'
  /** The account has neither a key (01) nor a location (25). */
  | 'no-key-or-url'
  /** The account has both. */
  | 'key-and-url'
  /** Object 52 is not four digits. */
  | 'category'
  /** Object 53 is not 986, the real. */
  | 'currency'
  /** Object 54 is not a decimal amount, or is zero in a static code other than for Pix Saque. */
  | 'amount'
  /** Object 58 is not BR. */
  | 'country'
  /** Object 59 or 60 is missing or empty. */
  | 'merchant';

/** The content of a BR Code. Members without an object are null. */
interface BrCode {
  /** Dynamic codes have a location, static codes a key. */
  readonly type: 'static' | 'dynamic';
  /** "12": can be paid once. "11": many times. */
  readonly pointOfInitiation: '11' | '12' | null;
  readonly key: string | null;
  /** Host and path without `https://`. */
  readonly location: string | null;
  /** Integer cents. In a dynamic code, the payload at the location takes precedence. */
  readonly amountCents: number | null;
  readonly merchantName: string;
  readonly merchantCity: string;
  /** Reference label (62-05); `***` for none. */
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
 * Decodes a BR Code and rejects what the specification forbids. Like the apps of banks, it accepts
 * the GUI and the checksum in any case, names, cities and txids of any length, and accents (the
 * checksum is then that of the UTF-8 bytes).
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

/** Values by ID, in the order of the text. */
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

/** Checks the objects with the same value in every BR Code. */
function checkFixedObjects(objects: ReadonlyMap<string, string>): BrCodeFailure | null {
  const [first] = objects.keys();
  const last = [...objects.keys()].at(-1);
  if (first !== '00' || objects.get('00') !== '01') return 'format';
  // The text may end like a checksum inside another object.
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
  /** Pix Saque (26-03, the ISPB of the cash provider), whose static code may have a zero amount. */
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

const END_TO_END_ID = /^E[0-9A-Z]{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})[0-9A-Za-z]{11}$/;

/** Whether a text is an EndToEndId with a valid time. */
export function isEndToEndId(text: string): boolean {
  const [, year, month, day, hour, minute] = END_TO_END_ID.exec(text) ?? [];
  return isLocalDate(`${year}-${month}-${day}`) && Number(hour) <= 23 && Number(minute) <= 59;
}
