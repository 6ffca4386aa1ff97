/** Replaces the personal data of a payer in free text. */

export const REDACTION_MARK = 'apagado';

/** The fields of an erased payer. Each has the format of its field. */
export const ERASED_PAYER = {
  name: 'Apagado',
  email: 'apagado@apagado.invalid',
  phone: '00000000000',
} as const;
export const erasedDocument = (type: string): string => '0'.repeat(type === 'CNPJ' ? 14 : 11);

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly document: string;
  readonly externalRef: string | null;
}

/** Shorter words identify no person and are replaced only if they are the whole text. */
const MIN_WORD_LENGTH = 4;

/** Shorter numbers are amounts and counts. Every document and phone number is longer. */
const MIN_DIGITS = 8;

/** Redacts a text. Returns it unchanged if it does not contain personal data. */
export type Redact = (text: string) => string;

/**
 * Creates a function that redacts the data of a person, and `aliases`: other forms in which the
 * data was displayed.
 *
 * Ignores case, accents, whitespace and the punctuation of documents, and decodes `\u00e9`. A match
 * within a longer word or number is not replaced. A number may be next to letters, as in
 * `CPF52998224725`, and a phone number may have Brazil's country code.
 */
export function createRedactor(
  { name, email, phone, document, externalRef }: Person,
  ...aliases: readonly string[]
): Redact {
  const words = [email, name, ...(externalRef === null ? [] : [externalRef]), ...aliases].map((word) =>
    word.normalize('NFC'),
  );
  const wholeTexts = new Set([...words, phone, document].map(fold));
  const patterns = [
    ...words
      .map(fold)
      .filter((word) => word.length >= MIN_WORD_LENGTH)
      .map(wordPattern)
      .filter((pattern) => pattern !== '')
      .map((pattern) => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`),
    ...[document, phone]
      .filter((digits) => digits.length >= MIN_DIGITS)
      .map((digits) => `(?<!\\p{N})(?:55[.\\-/ ()]{0,2})?${digitsPattern(digits)}(?!\\p{N})`),
  ];
  if (patterns.length === 0)
    return (text) => (wholeTexts.has(fold(text.normalize('NFC'))) ? REDACTION_MARK : text);
  const pattern = new RegExp(patterns.join('|'), 'gu');
  return (text) => {
    if (text !== '' && wholeTexts.has(fold(text.normalize('NFC')))) return REDACTION_MARK;
    const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    let redacted = '';
    let from = 0;
    for (const { 0: match, index } of fold(plain).matchAll(pattern)) {
      redacted += plain.slice(from, index) + REDACTION_MARK;
      from = index + match.length;
    }
    return from === 0 ? text : redacted + plain.slice(from);
  };
}

/** Removes case and accents. The result has the same length, so that positions correspond. */
const fold = (text: string): string =>
  Array.from(text.toWellFormed())
    .map((character) => {
      const base = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
      return base.length === character.length ? base : character;
    })
    .join('');

/**
 * A pattern for words and the separators between them. Separators are not part of a word, so that a
 * text matches in one way only: otherwise a name of many plus signs would cause exponential
 * backtracking.
 */
const wordPattern = (word: string): string =>
  word
    .split(/(?:\s|\+|%20|%2b)+/)
    .filter((part) => part !== '')
    .map((part) =>
      Array.from(
        part,
        (character) => `${URL_ENCODED_FORMS[character] ?? RegExp.escape(character)}\\p{M}*`,
      ).join(''),
    )
    .join('(?:\\s|\\+|%20|%2b)+');

/** Characters that a URL may percent-encode. */
const URL_ENCODED_FORMS: Readonly<Record<string, string>> = { '@': '(?:@|%40)' };

/** A pattern for the digits and letters of a document or phone number, with any punctuation. */
const digitsPattern = (digits: string): string =>
  Array.from(fold(digits), (digit) => RegExp.escape(digit)).join('[.\\-/ ()]{0,2}');

/** Reduces a URL that contains personal data to its origin. */
export function redactUrl(url: string, redact: Redact): string {
  const plain = decodeUrl(url);
  if (redact(url) === url && redact(plain) === plain) return url;
  return URL.canParse(url) ? `${new URL(url).origin}/${REDACTION_MARK}` : REDACTION_MARK;
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

/** Redacts all strings, long numbers and member names of a JSON value. */
export function redactJson(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = String(value);
    return text.length < MIN_DIGITS || redact(text) === text ? value : REDACTION_MARK;
  }
  if (Array.isArray(value)) return value.map((part) => redactJson(part, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [redact(name), redactJson(part, redact)]),
  );
}
