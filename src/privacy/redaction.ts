/** Finds what names a person in texts that anybody may have written, and puts a mark in its place. */

export const REDACTION_MARK = 'apagado';

/** What stands in a payer's own columns afterwards. Each is of the form that its member must have. */
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

/** Shorter than this, a text names nobody by itself, and is replaced only where it is the whole text. */
const MIN_WORD_LENGTH = 4;

/** Shorter numbers are amounts and counts, whatever reference a seller gave somebody: no document or phone is one. */
const MIN_DIGITS = 8;

/** Replaces in a text; answers the same text where nothing of the person stands in it. */
export type Redact = (text: string) => string;

/**
 * `others` are found too: other ways in which the person was shown.
 *
 * Case, accents, blanks and the punctuation of documents make no difference, and `\u00e9` is an é. A name inside a longer word stays.
 */
export function createRedactor(
  { name, email, phone, document, externalRef }: Person,
  ...others: readonly string[]
): Redact {
  const words = [email, name, ...(externalRef === null ? [] : [externalRef]), ...others].map((word) =>
    word.normalize('NFC'),
  );
  const whole = new Set([...words, phone, document].map(fold));
  const parts = [
    ...words
      .map(fold)
      .filter((word) => word.length >= MIN_WORD_LENGTH)
      .map(wordPattern)
      .filter((part) => part !== ''),
    ...[document, phone].filter((digits) => digits.length >= MIN_DIGITS).map(digitsPattern),
  ];
  if (parts.length === 0) return (text) => (whole.has(fold(text.normalize('NFC'))) ? REDACTION_MARK : text);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => {
    if (text !== '' && whole.has(fold(text.normalize('NFC')))) return REDACTION_MARK;
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

/** As long as the text, so that a place in one is the same place in the other. */
const fold = (text: string): string =>
  Array.from(text.toWellFormed())
    .map((character) => {
      const base = character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
      return base.length === character.length ? base : character;
    })
    .join('');

/**
 * What stands between words is no part of a word, so that a pattern finds its way through it in one way alone: a name of many
 * plus signs would otherwise be looked for in as many ways as there are to deal them out.
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

/** What an address spells otherwise. */
const URL_ENCODED_FORMS: Readonly<Record<string, string>> = { '@': '(?:@|%40)' };

/** Digits and letters of a document, however they are set apart. */
const digitsPattern = (digits: string): string =>
  Array.from(fold(digits), (digit) => RegExp.escape(digit)).join('[.\\-/ ()]{0,2}');

/** An address that names the person, in its path or query, keeps only its host. */
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

/** In every text, long number and name of a member. */
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
