/** Draws on a PDF page in millimeters from the upper left corner. */
import type { Bar } from './barcode-image.ts';
import { toPrintable, toTextRuns, type PdfFont, type PdfFonts, type TextRun } from './pdf-fonts.ts';
import type { QrBitmap } from '#qr';

const POINTS_PER_MILLIMETER = 72 / 25.4;

/** The height of capitals relative to the font size. */
const ASCENT = 0.729;

/** The padding of a cell, in millimeters. */
const INSET = 0.9;

const LABEL_SIZE = 5.5;
const VALUE_SIZE = 8;

/** Millimeters from the top of a cell to its first value, and between values. */
const FIRST_VALUE = 3.4;
const NEXT_VALUE = 3.2;

/** More characters than fit into any line. Bounds the cost of a long text. */
const MAX_LINE_CHARACTERS = 300;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface LineBox extends Point {
  readonly width: number;
}

export interface Box extends LineBox {
  readonly height: number;
}

/** A line of text. Text before an ending is cut to fit; the ending follows after a dash. */
export type Value = string | { readonly text: string; readonly ending: string };

interface TextStyle {
  /** In points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  /** Narrows a text that is too wide instead of cutting it. */
  readonly narrow?: boolean;
}

interface Cell extends Box {
  readonly label: string;
  /** One line each, cut where the cell ends. */
  readonly values?: readonly Value[];
  readonly bold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
}

export class PdfCanvas {
  readonly #doc: PDFKit.PDFDocument;
  readonly #fonts: PdfFonts;

  constructor(doc: PDFKit.PDFDocument, fonts: PdfFonts) {
    this.#doc = doc;
    this.#fonts = fonts;
    for (const { name, file } of Object.values(fonts)) doc.registerFont(name, Buffer.from(file));
  }

  /** One line of text whose capitals begin at `y`, cut with an ellipsis to the width. */
  text(value: Value, { x, y, width }: LineBox, style: TextStyle): void {
    const { size, bold = false, align = 'left', narrow = false } = style;
    const font = bold ? this.#fonts.bold : this.#fonts.regular;
    this.#doc.font(font.name).fontSize(size);
    const { text: start, ending } = typeof value === 'string' ? { text: value, ending: '' } : value;
    const whole = toLine(start, font);
    const shown = narrow
      ? whole
      : this.#fit(whole, points(width), ending === '' ? '' : ` – ${toLine(ending, font)}`);
    const scale = Math.min(1, points(width) / Math.max(1, this.#widthOf(shown)));
    const slack = points(width) - scale * this.#widthOf(shown);
    const indent = align === 'left' ? 0 : align === 'right' ? slack : slack / 2;
    this.#put(shown, { x: points(x) + indent, y: points(y) + ASCENT * size }, scale);
  }

  /** Paragraphs broken at words, cut with an ellipsis to the box. */
  paragraph(paragraphs: readonly string[], { x, y, width, height }: Box, size: number): void {
    this.#doc.font(this.#fonts.regular.name).fontSize(size);
    const leading = 1.3 * size;
    const maxLines = Math.floor((points(height) - size) / leading) + 1;
    const lines: string[] = [];
    for (const text of paragraphs) {
      if (lines.length > maxLines) break;
      lines.push(...this.#wrap(text.slice(0, maxLines * MAX_LINE_CHARACTERS), points(width), maxLines));
    }
    const shown = lines.slice(0, maxLines);
    if (lines.length > maxLines) shown[maxLines - 1] = this.#fit(`${shown[maxLines - 1]}…`, points(width));
    const first = points(y) + ASCENT * size;
    for (const [i, line] of shown.entries()) this.#put(line, { x: points(x), y: first + i * leading });
  }

  /**
   * A code in a monospaced font over several lines. Viewers copy it as one line, because the
   * document contains it as ActualText (ISO 32000-1, section 14.9.4).
   */
  code(text: string, { x, y, width }: LineBox, size: number): void {
    const doc = this.#doc;
    doc.font(this.#fonts.mono.name).fontSize(size);
    const perLine = Math.floor(points(width) / doc.widthOfString('0'));
    doc.markContent('Span', { actual: text });
    for (let at = 0, line = 0; at < text.length; at += perLine, line++) {
      const baseline = points(y) + ASCENT * size + line * 1.2 * size;
      this.#put(text.slice(at, at + perLine), { x: points(x), y: baseline });
    }
    doc.endMarkedContent();
  }

  /** A bordered cell with its label in the upper left corner and its values below. */
  cell({ label, values = [], bold = false, align = 'left', ...box }: Cell): void {
    this.frame(box);
    const x = box.x + INSET;
    const width = box.width - 2 * INSET;
    this.text(label, { x, y: box.y + INSET, width }, { size: LABEL_SIZE });
    for (const [i, value] of values.entries()) {
      const y = box.y + FIRST_VALUE + i * NEXT_VALUE;
      this.text(value, { x, y, width }, { size: VALUE_SIZE, bold, align });
    }
  }

  frame({ x, y, width, height }: Box): void {
    this.#doc.rect(points(x), points(y), points(width), points(height)).lineWidth(0.5).stroke('black');
  }

  /** A straight line with a width in millimeters. */
  line(from: Point, to: Point, width: number, dashed = false): void {
    const doc = this.#doc.moveTo(points(from.x), points(from.y)).lineTo(points(to.x), points(to.y));
    doc.lineWidth(points(width));
    if (dashed) doc.dash(3, { space: 2 });
    doc.stroke('black').undash();
  }

  /** A barcode on white, its quiet zones of ten modules outside the box. */
  bars(bars: readonly Bar[], modules: number, box: Box): void {
    const module = points(box.width) / modules;
    const [x, y, height] = [points(box.x), points(box.y), points(box.height)];
    this.#doc.rect(x - 10 * module, y, points(box.width) + 20 * module, height).fill('white');
    for (const { at, width } of bars) this.#doc.rect(x + at * module, y, width * module, height);
    this.#doc.fill('black');
  }

  /** A QR symbol with its quiet zone on white, the quiet zone inside the square. */
  qr({ width: modules, stride, rows }: QrBitmap, x: number, y: number, side: number): void {
    const module = points(side) / modules;
    this.#doc.rect(points(x), points(y), points(side), points(side)).fill('white');
    const isDark = (column: number, row: number) =>
      column < modules && ((rows[row * stride + (column >>> 3)]! >>> (7 - (column & 7))) & 1) === 0;
    // A single path, because separately filled rectangles show hairlines between them.
    for (let row = 0; row < modules; row++) {
      for (let column = 0; column < modules; column++) {
        if (!isDark(column, row)) continue;
        const from = column;
        while (isDark(column + 1, row)) column++;
        const [left, top] = [points(x) + from * module, points(y) + row * module];
        this.#doc.rect(left, top, (column + 1 - from) * module, module);
      }
    }
    this.#doc.fill('black');
  }

  /** Draws text in the current font with its baseline at `y`, in points. */
  #put(text: string, { x, y }: Point, scale = 1): void {
    this.#doc.fillColor('black').save();
    if (scale < 1) this.#doc.scale(scale, 1, { origin: [x, y] });
    let left = x;
    for (const run of toTextRuns(text)) {
      const options = layoutOf(run);
      this.#doc.text(run.text, left, y, { baseline: 'alphabetic', lineBreak: false, ...options });
      left += this.#doc.widthOfString(run.text, options);
    }
    this.#doc.restore();
  }

  #widthOf(text: string): number {
    return toTextRuns(text).reduce(
      (width, run) => width + this.#doc.widthOfString(run.text, layoutOf(run)),
      0,
    );
  }

  #fit(text: string, width: number, ending = ''): string {
    if (this.#isWithin(text + ending, width)) return text + ending;
    if (ending !== '' && !this.#isWithin(`…${ending}`, width)) return this.#fit(text + ending, width);
    let [length, tooLong] = [0, Math.min(text.length, MAX_LINE_CHARACTERS)];
    while (length + 1 < tooLong) {
      const middle = Math.floor((length + tooLong) / 2);
      if (this.#isWithin(`${text.slice(0, middle)}…${ending}`, width)) length = middle;
      else tooLong = middle;
    }
    return `${text.slice(0, length).trimEnd()}…${ending}`;
  }

  /** The lines of a paragraph, at most one more than fit. A word wider than a line is cut. */
  #wrap(text: string, width: number, maxLines: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of toPrintable(text, this.#fonts.regular).split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (this.#isWithin(longer, width)) {
        line = longer;
      } else {
        if (line !== '') lines.push(line);
        line = this.#fit(word, width);
      }
      if (lines.length > maxLines) return lines;
    }
    return [...lines, line];
  }

  #isWithin(text: string, width: number): boolean {
    return this.#widthOf(text) <= width;
  }
}

/** Cuts the text first, which bounds the cost of the conversion. */
function toLine(text: string, font: PdfFont): string {
  return toPrintable(text.slice(0, 2 * MAX_LINE_CHARACTERS), font);
}

/** With a list of features, PDFKit lays a run out as a whole, not each word by itself. */
function layoutOf({ rightToLeft }: TextRun): PDFKit.Mixins.TextOptions {
  return rightToLeft ? { features: [] } : {};
}

function points(millimeters: number): number {
  return millimeters * POINTS_PER_MILLIMETER;
}
