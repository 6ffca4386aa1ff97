/** Texts that people enter: whether anything of them is visible, and how they read in ASCII. */
import anyAscii from 'any-ascii';

const VISIBLE = /[^\s\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Emoji and the characters that only modify or join them. Trade mark signs are text. */
const EMOJI = /(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u20e3]/gu;

/** Zero-width characters, bidirectional controls and variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** False if the text consists of blanks, controls, zero-width characters and marks alone. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * Removes emoji and invisible characters, composes accents, and replaces each sequence of blanks
 * and controls by one space.
 */
export function toPlainText(text: string): string {
  return text
    .replaceAll(EMOJI, '')
    .replaceAll(INVISIBLE, '')
    .normalize('NFC')
    .replaceAll(/[\s\p{Cc}\u2800]+/gu, ' ')
    .trim();
}

/** Transliterates a text of any script to printable ASCII, without emoji. May return ''. */
export function toAscii(text: string): string {
  return anyAscii(toPlainText(text))
    .replaceAll(/[^ -~]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Whether a letter or digit is left of the text in ASCII, which is what banks accept as a name. */
export function isTransliterable(text: string): boolean {
  return /[A-Za-z0-9]/.test(toAscii(text));
}
