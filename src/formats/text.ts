/** Text that users enter: whether any of it is visible, and its transliteration to ASCII. */
import anyAscii from 'any-ascii';

const VISIBLE = /[^\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji and the characters that only modify or join them. Trade mark signs are text. */
const EMOJI = /(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/gu;

/** Zero-width characters, bidirectional controls and variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Latin letters, digits and printable signs that the patterns above leave as they are. Most texts
 * consist of them, and the patterns are slow.
 */
const LATIN = /^[ -~À-ÿ]*$/;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** False if the text consists of blanks, controls, zero-width characters and marks alone. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * Removes emoji and invisible characters, composes accents, and replaces each sequence of blanks
 * and controls by one space.
 */
export function toPlainText(text: string): string {
  if (LATIN.test(text)) return text.replaceAll(/ {2,}/g, ' ').trim();
  return text
    .replaceAll(EMOJI, '')
    .replaceAll(INVISIBLE, '')
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\u2800]+/gu, ' ')
    .trim();
}

/** Transliterates a text of any script to printable ASCII, without emoji. May return ''. */
export function toAscii(text: string): string {
  const plain = toPlainText(text);
  if (PRINTABLE_ASCII.test(plain)) return plain;
  return anyAscii(plain)
    .replaceAll(/[^ -~]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

const ALPHANUMERIC = /[A-Za-z0-9]/;

/** Whether a letter or digit is left of the text in ASCII, which is what banks accept as a name. */
export function isTransliterable(text: string): boolean {
  return ALPHANUMERIC.test(text) || ALPHANUMERIC.test(toAscii(text));
}

/** The first characters of a text, by code point: never half of one. */
export const firstCharacters = (text: string, count: number): string =>
  Array.from(text).slice(0, count).join('');
