/**
 * Fixed-width records of FEBRABAN's exchange files: 240 columns, fields addressed by first and last
 * column, counted from 1. Numbers are right-aligned and padded with zeros. Texts are left-aligned,
 * padded with blanks, in capitals without accents.
 */
import type { FileProblem } from './problems.ts';
import { isLocalDate, type LocalDate } from '#formats/calendar/local-date.ts';
import { toAscii } from '#formats/text.ts';

export const WIDTH = 240;

type Kind =
  /** Digits, also of numbers beyond the safe integer range. */
  | 'digits'
  /** A CPF or CNPJ. A CNPJ issued since July 2026 may contain letters. */
  | 'document'
  | 'text'
  /** A text that may be truncated: names and addresses. */
  | 'cut'
  /** A case-sensitive text: Pix keys. */
  | 'exact'
  | 'cents'
  /** DDMMYYYY; zeros if absent. */
  | 'date'
  /** HHMMSS. */
  | 'time';

export interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind: Kind | 'constant';
  /** Text of a constant field. Ignored when parsing. */
  readonly constant?: string;
}

/** All columns of a record in order. Unnamed columns are blank constants. */
export type Layout = readonly Field[];

export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

const fieldOf =
  (kind: Kind) =>
  (name: string, from: number, to: number): Field => ({ name, from, to, kind });

export const digits = fieldOf('digits');
export const document = fieldOf('document');
export const text = fieldOf('text');
export const cut = fieldOf('cut');
export const exact = fieldOf('exact');
export const cents = fieldOf('cents');
export const date = fieldOf('date');
export const time = fieldOf('time');

export const constant = (from: number, to: number, content: string): Field => ({
  name: '',
  from,
  to,
  kind: 'constant',
  constant: content.padEnd(to - from + 1),
});
export const zeros = (from: number, to: number): Field => constant(from, to, '0'.repeat(to - from + 1));
export const blanks = (from: number, to: number): Field => constant(from, to, '');

/**
 * Builds a layout of these fields, with blanks between them.
 *
 * @throws RangeError if two fields overlap or one is outside the record.
 */
export function layout(...fields: readonly Field[]): Layout {
  const ordered = fields.toSorted((a, b) => a.from - b.from);
  const all: Field[] = [];
  let next = 1;
  for (const field of ordered) {
    if (field.from < next || field.to < field.from || field.to > WIDTH) {
      throw new RangeError(`${field.name} cannot have columns ${field.from} to ${field.to}`);
    }
    if (field.from > next) all.push(blanks(next, field.from - 1));
    all.push(field);
    next = field.to + 1;
  }
  if (next <= WIDTH) all.push(blanks(next, WIDTH));
  return all;
}

/** Returns a layout in which the given fields replace whatever occupied their columns. */
export function overrideFields(base: Layout, ...fields: readonly Field[]): Layout {
  const remaining = base.filter(
    (one) => !isBlank(one) && !fields.some((other) => one.from <= other.to && other.from <= one.to),
  );
  return layout(...remaining, ...fields);
}

const isBlank = ({ kind, constant: content }: Field): boolean =>
  kind === 'constant' && content?.trim() === '';

const widthOf = ({ from, to }: Field): number => to - from + 1;

/**
 * Writes one record.
 *
 * @throws RangeError naming the field, never its value, if a value is missing or does not fit.
 */
export function writeRecord(fields: Layout, values: Values): string {
  return fields.map((field) => encodeField(field, values)).join('');
}

function encodeField(field: Field, values: Values): string {
  if (field.kind === 'constant') return field.constant ?? '';
  if (!Object.hasOwn(values, field.name)) throw new RangeError(`${field.name} is missing`);
  const value = values[field.name] ?? '';
  const width = widthOf(field);
  const filled = encodeValue(field.kind, value, width);
  if (filled?.length !== width) {
    throw new RangeError(`${field.name} does not fit columns ${field.from} to ${field.to}`);
  }
  return filled;
}

function encodeValue(kind: Kind, value: string | number, width: number): string | undefined {
  const plain = String(value);
  switch (kind) {
    case 'digits':
    case 'cents':
    case 'time':
      return /^\d*$/.test(plain) ? plain.padStart(width, '0') : undefined;
    case 'document':
      return /^[\dA-Z]*$/.test(plain) ? plain.padStart(width, '0') : undefined;
    case 'date':
      if (plain === '') return '0'.repeat(width);
      return isLocalDate(plain) ? plain.split('-').toReversed().join('') : undefined;
    case 'text':
      return fileText(plain).padEnd(width);
    case 'cut':
      return fileText(plain).slice(0, width).padEnd(width);
    case 'exact':
      return /^[\x20-\x7e]*$/.test(plain) ? plain.padEnd(width) : undefined;
  }
}

/**
 * Converts a text of any script to the ASCII characters that banks accept. Others become blanks.
 */
export function fileText(value: string): string {
  return toAscii(value)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9 !#$%&'()*+,\-./:;=?@_]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

export type RecordParseResult =
  | { readonly ok: true; readonly values: Values }
  | { readonly ok: false; readonly errors: readonly FileProblem[] };

/** Parses a record of 240 columns. Errors name each invalid field and its columns. */
export function parseRecord(fields: Layout, line: string): RecordParseResult {
  const values: Record<string, Value> = {};
  const errors: FileProblem[] = [];
  for (const field of fields) {
    if (field.kind === 'constant') continue;
    const raw = line.slice(field.from - 1, field.to);
    const value = parseValue(field.kind, raw);
    if (value === undefined)
      errors.push(`${field.name} (columns ${field.from} to ${field.to}) must be ${FORMATS[field.kind]}`);
    else values[field.name] = value;
  }
  return errors.length === 0 ? { ok: true, values } : { ok: false, errors };
}

const FORMATS: Readonly<Record<Kind, string>> = {
  digits: 'digits',
  document: 'digits or letters',
  cents: 'an amount in digits',
  date: 'a day as DDMMYYYY',
  time: 'digits',
  text: 'text',
  cut: 'text',
  exact: 'text',
};

/** Banks leave unused fields blank, numeric ones included. */
function parseValue(kind: Kind, raw: string): Value | undefined {
  const trimmed = raw.trim();
  switch (kind) {
    case 'text':
    case 'cut':
    case 'exact':
      return raw.trimEnd();
    case 'document':
      return /^[\dA-Z]*$/.test(trimmed) ? trimmed : undefined;
    case 'digits':
    case 'time':
      return /^\d*$/.test(trimmed) ? trimmed : undefined;
    case 'cents': {
      const amount = Number(trimmed);
      return /^\d*$/.test(trimmed) && Number.isSafeInteger(amount) ? amount : undefined;
    }
    case 'date':
      return parseDate(trimmed);
  }
}

function parseDate(raw: string): LocalDate | null | undefined {
  if (/^0*$/.test(raw)) return null;
  const day = raw.replace(/^(\d{2})(\d{2})(\d{4})$/, '$3-$2-$1');
  return isLocalDate(day) ? day : undefined;
}

/** Returns a text or digits; '' if the layout has no such field. */
export function textOf(values: Values, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

/** Returns an amount in cents; 0 if the layout has no such field. */
export function centsOf(values: Values, name: string): number {
  const value = values[name];
  return typeof value === 'number' ? value : 0;
}

/** Returns a date, or null if it is absent. */
export function dateOf(values: Values, name: string): LocalDate | null {
  const value = values[name];
  return typeof value === 'string' && isLocalDate(value) ? value : null;
}
