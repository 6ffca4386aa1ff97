/**
 * The fonts of printed boletos: DejaVu, which has Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian
 * and Georgian letters. Documents contain the glyphs that they use.
 */
import { readFile } from 'node:fs/promises';

import { toAscii, toPlainText } from '#formats/text.ts';

const FILES = {
  regular: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
  mono: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
} as const;

type FontName = keyof typeof FILES;

export interface PdfFont {
  readonly name: FontName;
  readonly file: Uint8Array;
  /** Whether the font has a glyph for the character. */
  readonly hasGlyph: (character: string) => boolean;
}

export type PdfFonts = Readonly<Record<FontName, PdfFont>>;

let loading: Promise<PdfFonts> | undefined;

/** Reads the fonts on first use: two megabytes that most processes never need. */
export async function loadPdfFonts(): Promise<PdfFonts> {
  loading ??= readFonts();
  return loading;
}

async function readFonts(): Promise<PdfFonts> {
  const [regular, bold, mono] = await Promise.all([readFont('regular'), readFont('bold'), readFont('mono')]);
  return { regular, bold, mono };
}

async function readFont(name: FontName): Promise<PdfFont> {
  const { create } = await import('fontkit');
  const file = await readFile(new URL(FILES[name]));
  const font = create(file);
  return { name, file, hasGlyph: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) };
}

/**
 * A text as the font can print it. Characters without a glyph, such as Chinese ones, are
 * transliterated. Emoji and invisible characters are left out.
 */
export function toPrintable(text: string, { hasGlyph }: PdfFont): string {
  let printable = '';
  for (const character of toPlainText(text)) {
    // Characters of two UTF-16 units could be divided where a line is cut.
    const isPrintable = character.length === 1 && hasGlyph(character);
    printable += isPrintable ? character : toAscii(character);
  }
  return printable.replaceAll(/ +/g, ' ').trim();
}

/** Words of Arabic, Hebrew or N'Ko with the blanks between them. */
const RIGHT_TO_LEFT_RUN =
  /([\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}](?:[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{M}]| (?=[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}]))*)/u;

/** A part of a line whose characters have one direction. */
export interface TextRun {
  readonly text: string;
  readonly rightToLeft: boolean;
}

/** Divides a line, which itself is written from left to right, into runs of one direction. */
export function toTextRuns(line: string): readonly TextRun[] {
  return line
    .split(RIGHT_TO_LEFT_RUN)
    .map((text, index) => ({ text, rightToLeft: index % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
