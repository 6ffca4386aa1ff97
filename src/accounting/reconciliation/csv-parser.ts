/** Reads CSV text (RFC 4180, separated by commas) record by record, in time linear in its length. */

/** A record, or what is wrong with it. `line` is the line of the text it begins on, counted from 1. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string };

/** More values than any record of ours has; what is longer is not taken apart to its end. */
const MAX_CELLS = 20;

/** Finds the next place of a character, and looks again only when that place has been passed. */
class CharacterFinder {
  readonly #text: string;
  readonly #character: string;
  #found = -1;

  constructor(text: string, character: string) {
    this.#text = text;
    this.#character = character;
  }

  /** The end of the text where there is none. */
  nextFrom(at: number): number {
    if (this.#found < at) {
      const found = this.#text.indexOf(this.#character, at);
      this.#found = found === -1 ? this.#text.length : found;
    }
    return this.#found;
  }
}

/** Yields every record, blank lines too (as one empty value). Never throws. */
export function* parseCsv(text: string): Generator<CsvRecord> {
  const commas = new CharacterFinder(text, ',');
  const breaks = new CharacterFinder(text, '\n');
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const begins = line;
    const cells: string[] = [];
    let problem: string | undefined;
    for (;;) {
      let end: number;
      if (text[at] === '"') {
        const quoted = parseQuoted(text, at);
        if (quoted === undefined) {
          yield { line: begins, problem: 'a value that begins with a quote must end with one' };
          return;
        }
        end = quoted.end;
        line += quoted.breaks;
        cells.push(quoted.value);
        if (text.startsWith('\r\n', end)) end += 1;
        if (end < text.length && text[end] !== ',' && text[end] !== '\n') {
          problem = 'a quoted value must be followed by a comma or the end of the line';
        }
      } else {
        end = Math.min(commas.nextFrom(at), breaks.nextFrom(at));
        const value = text.slice(at, end);
        if (value.includes('"')) problem = 'a value with a quote in it must be quoted, and the quote doubled';
        cells.push(text[end] !== ',' && value.endsWith('\r') ? value.slice(0, -1) : value);
      }
      if (cells.length > MAX_CELLS) problem ??= `must not have more than ${MAX_CELLS} values`;
      if (problem === undefined && text[end] === ',') {
        at = end + 1;
        continue;
      }
      // What is malformed is passed over up to the end of its line.
      at = breaks.nextFrom(end) + 1;
      line += 1;
      break;
    }
    yield problem === undefined ? { line: begins, cells } : { line: begins, problem };
  }
}

/** A value from its opening quote on; undefined where nothing closes it. */
function parseQuoted(
  text: string,
  opening: number,
): { readonly value: string; readonly end: number; readonly breaks: number } | undefined {
  let closing = text.indexOf('"', opening + 1);
  while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
  if (closing === -1) return undefined;
  const written = text.slice(opening + 1, closing);
  const value = written.replaceAll('""', '"');
  return { value, end: closing + 1, breaks: written.split('\n').length - 1 };
}
