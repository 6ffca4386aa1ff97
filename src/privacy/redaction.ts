/** Finds what names a person in texts that anybody may have written, and puts a mark in its place. */

export const MARK = 'apagado';

/** What stands in a payer's own columns afterwards. Each is of the form that its member must have. */
export const ERASED = { name: 'Apagado', email: 'apagado@apagado.invalid', phone: '00000000000' } as const;
export const erasedDocument = (type: string): string => '0'.repeat(type === 'CNPJ' ? 14 : 11);

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly document: string;
  readonly externalRef: string | null;
}

/** Shorter than this, a text names nobody by itself, and is replaced only where it is the whole text. */
const TELLING = 4;

/** Shorter numbers are amounts and counts, whatever reference a seller gave somebody: no document or phone is one. */
const TELLING_DIGITS = 8;

/** Replaces in a text; answers the same text where nothing of the person stands in it. */
export type Scrub = (text: string) => string;

/**
 * `others` are found too: other ways in which the person was shown.
 *
 * Case, accents, blanks and the punctuation of documents make no difference, and `\u00e9` is an é. A name inside a longer word stays.
 */
export function scrubberOf(
  { name, email, phone, document, externalRef }: Person,
  ...others: readonly string[]
): Scrub {
  const words = [email, name, ...(externalRef === null ? [] : [externalRef]), ...others].map((word) =>
    word.normalize('NFC'),
  );
  const whole = new Set([...words, phone, document].map(folded));
  const parts = [
    ...words
      .map(folded)
      .filter((word) => word.length >= TELLING)
      .map(ofWord)
      .filter((part) => part !== ''),
    ...[document, phone].filter((digits) => digits.length >= TELLING_DIGITS).map(ofDigits),
  ];
  if (parts.length === 0) return (text) => (whole.has(folded(text.normalize('NFC'))) ? MARK : text);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return (text) => {
    if (text !== '' && whole.has(folded(text.normalize('NFC')))) return MARK;
    const plain = text.replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    let scrubbed = '';
    let from = 0;
    for (const { 0: found, index } of folded(plain).matchAll(pattern)) {
      scrubbed += plain.slice(from, index) + MARK;
      from = index + found.length;
    }
    return from === 0 ? text : scrubbed + plain.slice(from);
  };
}

/** As long as the text, so that a place in one is the same place in the other. */
const folded = (text: string): string =>
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
const ofWord = (word: string): string =>
  word
    .split(/(?:\s|\+|%20|%2b)+/)
    .filter((part) => part !== '')
    .map((part) =>
      Array.from(part, (character) => `${IN_ADDRESSES[character] ?? RegExp.escape(character)}\\p{M}*`).join(
        '',
      ),
    )
    .join('(?:\\s|\\+|%20|%2b)+');

/** What an address spells otherwise. */
const IN_ADDRESSES: Readonly<Record<string, string>> = { '@': '(?:@|%40)' };

/** Digits and letters of a document, however they are set apart. */
const ofDigits = (digits: string): string =>
  Array.from(folded(digits), (digit) => RegExp.escape(digit)).join('[.\\-/ ()]{0,2}');

/** An address that names the person, in its path or query, keeps only its host. */
export function scrubUrl(url: string, scrub: Scrub): string {
  const plain = decoded(url);
  if (scrub(url) === url && scrub(plain) === plain) return url;
  return URL.canParse(url) ? `${new URL(url).origin}/${MARK}` : MARK;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

/** In every text, long number and name of a member. */
export function scrubJson(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') {
    const text = String(value);
    return text.length < TELLING_DIGITS || scrub(text) === text ? value : MARK;
  }
  if (Array.isArray(value)) return value.map((part) => scrubJson(part, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [scrub(name), scrubJson(part, scrub)]),
  );
}
