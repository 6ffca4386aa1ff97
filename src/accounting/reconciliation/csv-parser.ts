import type { CsvProblem } from './file-problems.ts';

/**
 * Parses CSV text (RFC 4180, separated by commas) record by record, in time linear in its length.
 */

/** A record or its problem. `line` is the line of the text on which it begins, counted from 1. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: CsvProblem };

/** Parsing of a record stops after this many cells. */
const MAX_CELLS = 20;

/** Finds the next position of a character, and searches again only after passing it. */
class CharacterFinder {
  readonly #text: string;
  readonly #character: string;
  #next = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** Returns the length of the text when the character does not occur again. */
  nextFrom(position: number): number {
    if (this.#next < position) {
      const next = this.#text.indexOf(this.#character, position);
      this.#next = next === -1 ? this.#text.length : next;
    }
    return this.#next;
  }
}

/** Yields every record; a blank line is a record with one empty cell. Never throws. */
export function* parseCsv(text: string): Generator<CsvRecord> {
  const commas = new CharacterFinder(text, ',');
  const lineBreaks = new CharacterFinder(text, '\n');
  let position = 0;
  let line = 1;
  while (position < text.length) {
    const firstLine = line;
    const cells: string[] = [];
    let problem: CsvProblem | undefined;
    for (;;) {
      let end: number;
      if (text[position] === '"') {
        const quoted = parseQuoted(text, position);
        if (quoted === undefined) {
          yield { line: firstLine, problem: 'a value that begins with a quote must end with one' };
          return;
        }
        end = quoted.end;
        line += quoted.lineBreaks;
        cells.push(quoted.value);
        if (text.startsWith('\r\n', end)) end += 1;
        if (end < text.length && text[end] !== ',' && text[end] !== '\n') {
          problem = 'a quoted value must be followed by a comma or the end of the line';
        }
      } else {
        end = Math.min(commas.nextFrom(position), lineBreaks.nextFrom(position));
        const value = text.slice(position, end);
        if (value.includes('"')) problem = 'a value with a quote in it must be quoted, and the quote doubled';
        cells.push(text[end] !== ',' && value.endsWith('\r') ? value.slice(0, -1) : value);
      }
      if (cells.length > MAX_CELLS) problem ??= `must not have more than ${MAX_CELLS} values`;
      if (problem === undefined && text[end] === ',') {
        position = end + 1;
        continue;
      }
      // After a problem the rest of the line is skipped.
      position = lineBreaks.nextFrom(end) + 1;
      line += 1;
      break;
    }
    yield problem === undefined ? { line: firstLine, cells } : { line: firstLine, problem };
  }
}

/** Parses a value from its opening quote on. Returns undefined when no quote closes it. */
function parseQuoted(
  text: string,
  opening: number,
): { readonly value: string; readonly end: number; readonly lineBreaks: number } | undefined {
  let closing = text.indexOf('"', opening + 1);
  while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
  if (closing === -1) return undefined;
  const value = text.slice(opening + 1, closing).replaceAll('""', '"');
  return { value, end: closing + 1, lineBreaks: value.split('\n').length - 1 };
}
