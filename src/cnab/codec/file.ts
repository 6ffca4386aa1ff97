/**
 * The structure of a CNAB 240 file: a file header, batches of details between a batch header and
 * trailer, and a file trailer. Column 8 holds the record type: 0 and 9 for the file, 1 and 5 for a
 * batch, 3 for details.
 */
import { problemAt, type FileProblem } from './problems.ts';
import { WIDTH } from './records.ts';

/** Limits the report about a file in another format, where every line is wrong. */
const MAX_PROBLEMS = 50;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

interface FileBatch {
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
  /** The file is rejected as a whole. Each problem names its line. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Encodes lines as the bytes of a file, each line ending in CR LF. */
export function fileBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
}

/**
 * Parses a file and checks its structure: record widths, record order, batch numbers, and the
 * counts in both trailers. Contents of details are not checked.
 */
export function parseFile(bytes: Buffer): FileParseResult {
  const lines = linesOf(bytes);
  const problems: string[] = [];
  const report = (line: number, problem: FileProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problemAt(line, problem));
  };
  for (const { number, text } of lines) {
    if (text.length !== WIDTH) report(number, `must have ${WIDTH} columns, has ${text.length}`);
  }
  if (lines.length === 0) report(1, 'the file is empty');
  if (problems.length > 0) return { ok: false, problems };

  const [header, ...rest] = lines;
  const trailer = rest.pop();
  if (header === undefined || typeOf(header) !== '0') report(1, 'must be the header of the file (type 0)');
  if (trailer === undefined || typeOf(trailer) !== '9') {
    report(lines.length, 'must be the trailer of the file (type 9): the file is cut off');
  }
  if (header === undefined || trailer === undefined || problems.length > 0) return { ok: false, problems };

  const batches = batchesOf(rest, report);
  checkTrailer(trailer, batches.length, lines.length, report);
  const bank = bankOf(header);
  for (const line of lines) {
    if (bankOf(line) !== bank) report(line.number, `must belong to bank ${bank}, belongs to ${bankOf(line)}`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, file: { header, batches, trailer } };
}

const bankOf = ({ text }: Line): string => text.slice(0, 3);

/** Segment letter of a detail: A, B, P, Q, T, U … */
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
  // Older systems end files with the DOS end-of-file character.
  while (lines.at(-1)?.replaceAll(DOS_EOF, '').trim() === '') lines.pop();
  return lines.map((line, index) => ({ number: index + 1, text: line }));
}

type ProblemReporter = (line: number, problem: FileProblem) => void;

function batchesOf(lines: readonly Line[], report: ProblemReporter): readonly FileBatch[] {
  const batches: FileBatch[] = [];
  let open: { readonly header: Line; readonly details: Line[] } | undefined;
  for (const line of lines) {
    switch (typeOf(line)) {
      case '1':
        if (open !== undefined) report(line.number, 'a batch begins before the previous one has ended');
        open = { header: line, details: [] };
        break;
      case '3':
      // Optional records at the start and end of a batch. No supported bank uses them.
      case '2':
      case '4':
        if (open === undefined) report(line.number, 'the detail is outside a batch');
        else if (batchOf(line) !== batchOf(open.header)) {
          report(line.number, `must belong to batch ${batchOf(open.header)}, belongs to ${batchOf(line)}`);
        } else open.details.push(line);
        break;
      case '5':
        if (open === undefined) report(line.number, 'the batch trailer has no header');
        else {
          checkBatch(open, line, report);
          batches.push({ ...open, trailer: line });
        }
        open = undefined;
        break;
      default:
        report(line.number, `type ${JSON.stringify(typeOf(line))} is not allowed here`);
    }
  }
  if (open !== undefined) report(open.header.number, 'the batch header has no trailer');
  return batches;
}

function checkBatch(
  { header, details }: { readonly header: Line; readonly details: readonly Line[] },
  trailer: Line,
  report: ProblemReporter,
): void {
  if (batchOf(trailer) !== batchOf(header)) {
    report(trailer.number, `must belong to batch ${batchOf(header)}, belongs to ${batchOf(trailer)}`);
  }
  const records = details.length + 2;
  const declared = numberIn(trailer, 18, 23);
  if (declared !== records)
    report(trailer.number, `states ${formatCount(declared)} records, the batch has ${records}`);
}

function checkTrailer(trailer: Line, batches: number, records: number, report: ProblemReporter): void {
  const declaredBatches = numberIn(trailer, 18, 23);
  if (declaredBatches !== batches) {
    report(trailer.number, `states ${formatCount(declaredBatches)} batches, the file has ${batches}`);
  }
  const declared = numberIn(trailer, 24, 29);
  if (declared !== records)
    report(trailer.number, `states ${formatCount(declared)} records, the file has ${records}`);
}

const formatCount = (declared: number): string =>
  Number.isNaN(declared) ? 'no number of' : String(declared);
