/**
 * A whole exchange file: header, batches of details between a header and a trailer, trailer. Types of records stand in
 * column 8: 0 and 9 around the file, 1 and 5 around a batch, 3 for details.
 */
import { WIDTH } from './records.ts';

/** Larger files are not looked at. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** So many problems are named; a file that is something else altogether would name each of its lines. */
const MAX_PROBLEMS = 50;

export interface Line {
  /** Counted from 1, as editors do. */
  readonly number: number;
  readonly text: string;
}

export interface FileBatch {
  readonly header: Line;
  readonly details: readonly Line[];
  readonly trailer: Line;
}

export interface ExchangeFile {
  readonly header: Line;
  readonly batches: readonly FileBatch[];
  readonly trailer: Line;
}

export type FileParseResult =
  | { readonly ok: true; readonly file: ExchangeFile }
  /** Nothing of it can be trusted: one sentence for each thing that is wrong, by line number. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** The bytes of a file, lines as DOS ends them. */
export function fileBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
}

/**
 * Reads a file's lines and holds them against what the file says of itself: widths, the order of records, numbers of
 * batches and details, and both trailers' counts. What the details tell is judged by whoever reads them.
 */
export function parseFile(bytes: Buffer): FileParseResult {
  const lines = linesOf(bytes);
  const problems: string[] = [];
  const problem = (line: number, message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(`line ${line}: ${message}`);
  };
  for (const { number, text } of lines) {
    if (text.length !== WIDTH) problem(number, `must have ${WIDTH} columns, has ${text.length}`);
  }
  if (lines.length === 0) problem(1, 'the file is empty');
  if (problems.length > 0) return { ok: false, problems };

  const [header, ...rest] = lines;
  const trailer = rest.pop();
  if (header === undefined || typeOf(header) !== '0') problem(1, 'must be the header of the file (type 0)');
  if (trailer === undefined || typeOf(trailer) !== '9') {
    problem(lines.length, 'must be the trailer of the file (type 9): the file is cut off');
  }
  if (header === undefined || trailer === undefined || problems.length > 0) return { ok: false, problems };

  const batches = batchesOf(rest, problem);
  checkTrailer(trailer, batches.length, lines.length, problem);
  const bank = bankOf(header);
  for (const line of lines) {
    if (bankOf(line) !== bank) problem(line.number, `must be of bank ${bank}, is of ${bankOf(line)}`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, file: { header, batches, trailer } };
}

/** The bank that a record is of. */
export const bankOf = ({ text }: Line): string => text.slice(0, 3);
/** The segment of a detail: A, B, P, Q, T, U … */
export const segmentOf = ({ text }: Line): string => text.slice(13, 14);

const DOS_EOF = '\u001a';
const typeOf = ({ text }: Line): string => text.slice(7, 8);
const batchOf = ({ text }: Line): string => text.slice(3, 7);
const numberIn = ({ text }: Line, from: number, to: number): number => {
  const digits = text.slice(from - 1, to);
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
};

function linesOf(bytes: Buffer): readonly Line[] {
  const lines = bytes.toString('latin1').split(/\r\n|\n/);
  // Files of old systems end with the mark of DOS.
  while (lines.at(-1)?.replaceAll(DOS_EOF, '').trim() === '') lines.pop();
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

type ReportProblem = (line: number, message: string) => void;

function batchesOf(lines: readonly Line[], problem: ReportProblem): readonly FileBatch[] {
  const batches: FileBatch[] = [];
  let open: { readonly header: Line; readonly details: Line[] } | undefined;
  for (const line of lines) {
    switch (typeOf(line)) {
      case '1':
        if (open !== undefined) problem(line.number, 'a batch begins before the last one has ended');
        open = { header: line, details: [] };
        break;
      case '3':
      // Records at the beginning and the end of a batch, which no bank here gives a meaning that is read.
      case '2':
      case '4':
        if (open === undefined) problem(line.number, 'a detail stands outside a batch');
        else if (batchOf(line) !== batchOf(open.header)) {
          problem(line.number, `must be of batch ${batchOf(open.header)}, is of ${batchOf(line)}`);
        } else open.details.push(line);
        break;
      case '5':
        if (open === undefined) problem(line.number, 'a batch ends that has not begun');
        else {
          checkBatch(open, line, problem);
          batches.push({ ...open, trailer: line });
        }
        open = undefined;
        break;
      default:
        problem(line.number, `type ${JSON.stringify(typeOf(line))} has no place here`);
    }
  }
  if (open !== undefined) problem(open.header.number, 'the batch that begins here has no trailer');
  return batches;
}

function checkBatch(
  { header, details }: { readonly header: Line; readonly details: readonly Line[] },
  trailer: Line,
  problem: ReportProblem,
): void {
  if (batchOf(trailer) !== batchOf(header)) {
    problem(trailer.number, `must be of batch ${batchOf(header)}, is of ${batchOf(trailer)}`);
  }
  const records = details.length + 2;
  const declared = numberIn(trailer, 18, 23);
  if (declared !== records)
    problem(trailer.number, `tells of ${formatCount(declared)} records, the batch has ${records}`);
}

function checkTrailer(trailer: Line, batches: number, records: number, problem: ReportProblem): void {
  const declaredBatches = numberIn(trailer, 18, 23);
  if (declaredBatches !== batches) {
    problem(trailer.number, `tells of ${formatCount(declaredBatches)} batches, the file has ${batches}`);
  }
  const declared = numberIn(trailer, 24, 29);
  if (declared !== records)
    problem(trailer.number, `tells of ${formatCount(declared)} records, the file has ${records}`);
}

const formatCount = (declared: number): string =>
  Number.isNaN(declared) ? 'no number of' : String(declared);
