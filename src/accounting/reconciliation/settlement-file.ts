import { problemAt, type SettlementProblem } from './file-problems.ts';
import { addDays, isLocalDate, type LocalDate } from '#formats/calendar/local-date.ts';
import type { Column } from '#platform/http/csv.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { yieldEvery } from '#platform/kit/event-loop.ts';
import { parseCsv, type CsvRecord } from './csv-parser.ts';

/** The format of settlement files. docs/settlement-files.md describes it. */

/** A PAYMENT is money in, the others are money out. */
export const SETTLEMENT_TYPES = ['PAYMENT', 'REFUND', 'CHARGEBACK', 'WITHDRAWAL'] as const;
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** One movement of money as the provider settled it. Amounts in cents. */
export interface SettlementLine {
  /** The provider's own id, or the gateway's if the provider has none. */
  readonly id: string;
  readonly type: SettlementType;
  /** What the payer paid or the payee received. */
  readonly amount: number;
  /** What the provider charges the operator. */
  readonly fee: number;
  /** The São Paulo day it was settled on. */
  readonly date: LocalDate;
  /** The gateway's id of the record, if the provider returns it. */
  readonly reference: string | null;
}

export interface NumberedLine extends SettlementLine {
  /** The line of the file, counted from 1; the header is the first. */
  readonly number: number;
}

export const MAX_FILE_LINES = 200_000;
const MAX_REPORTED_PROBLEMS = 100;

/** Lines may be dated this many days before the day of the file, for holidays, and after it. */
export const DAYS_BEFORE = 7;
export const DAYS_AFTER = 1;

const REQUIRED_COLUMNS = ['id', 'type', 'amount', 'fee', 'date'] as const;
const COLUMN_NAMES = [...REQUIRED_COLUMNS, 'reference'] as const;
type ColumnName = (typeof COLUMN_NAMES)[number];

/** The columns in the order in which the gateway writes them. */
export const SETTLEMENT_COLUMNS: readonly Column<SettlementLine>[] = COLUMN_NAMES.map((name) => ({
  name,
  value: (line) => line[name],
}));

export type ParsedFile =
  | { readonly ok: true; readonly lines: readonly NumberedLine[] }
  /** Each problem is a sentence with the number of the line and the rule. */
  | { readonly ok: false; readonly problems: readonly SettlementProblem[] };

/**
 * Parsing yields to the event loop after this many records, so that a large file does not delay
 * payments.
 */
const RECORDS_PER_TURN = 2_000;

/** Parses the settlement file of a day. Never throws. */
export async function parseSettlementFile(bytes: Uint8Array, day: LocalDate): Promise<ParsedFile> {
  const text = decode(bytes);
  if (text === undefined) return { ok: false, problems: ['file must be UTF-8 text'] };
  const records = parseCsv(text);
  const header = records.next();
  if (header.done === true) return { ok: false, problems: ['file must begin with a line of column names'] };
  const columns = parseHeader(header.value);
  if ('problems' in columns) return { ok: false, problems: columns.problems };
  const dates = dateRangeOf(day);
  const lines: NumberedLine[] = [];
  const problems: SettlementProblem[] = [];
  const afterRecord = yieldEvery(RECORDS_PER_TURN);
  let recordCount = 0;
  for (const record of records) {
    recordCount += 1;
    if (recordCount > MAX_FILE_LINES) {
      problems.push(`file must not have more than ${MAX_FILE_LINES} lines`);
      break;
    }
    await afterRecord();
    // Blank lines are ignored.
    if ('cells' in record && record.cells.length === 1 && record.cells[0] === '') continue;
    const parsed = parseLine(record, columns.columnIndexes, dates);
    if ('line' in parsed) lines.push(parsed.line);
    else problems.push(...parsed.problems);
    if (problems.length > MAX_REPORTED_PROBLEMS) {
      problems.splice(MAX_REPORTED_PROBLEMS, problems.length, 'there are more problems');
      break;
    }
  }
  if (problems.length === 0 && lines.length === 0) problems.push('file must have a line for each movement');
  return problems.length === 0 ? { ok: true, lines } : { ok: false, problems };
}

/** Returns the text without its byte order mark, or undefined if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

type ColumnIndexes = Readonly<Record<ColumnName, number>>;

/** Returns the index of each column. Columns may be in any order. */
function parseHeader(
  header: CsvRecord,
): { readonly columnIndexes: ColumnIndexes } | { readonly problems: readonly SettlementProblem[] } {
  if ('problem' in header) return { problems: [problemAt(1, header.problem)] };
  const names = header.cells;
  if (names.length === 1 && names[0]?.includes(';') === true) {
    return { problems: [problemAt(1, 'values must be separated by commas, not by semicolons')] };
  }
  const problems = [
    ...REQUIRED_COLUMNS.filter((name) => !names.includes(name)).map((name) =>
      problemAt(1, `column ${name} is missing`),
    ),
    ...COLUMN_NAMES.filter((name) => names.indexOf(name) !== names.lastIndexOf(name)).map((name) =>
      problemAt(1, `column ${name} must appear once`),
    ),
  ];
  if (names.some((name) => !isKnownColumn(name))) {
    problems.push(problemAt(1, `columns must be ${REQUIRED_COLUMNS.join(', ')} and optionally reference`));
  }
  if (problems.length > 0) return { problems };
  const indexOf = (name: ColumnName): number => names.indexOf(name);
  return {
    columnIndexes: {
      id: indexOf('id'),
      type: indexOf('type'),
      amount: indexOf('amount'),
      fee: indexOf('fee'),
      date: indexOf('date'),
      reference: indexOf('reference'),
    },
  };
}

const isKnownColumn = (name: string): boolean => COLUMN_NAMES.some((known) => known === name);

interface DateRange {
  readonly earliest: LocalDate;
  readonly latest: LocalDate;
}

const dateRangeOf = (day: LocalDate): DateRange => ({
  earliest: addDays(day, -DAYS_BEFORE),
  latest: addDays(day, DAYS_AFTER),
});

/** Printable ASCII that begins with a letter or digit and does not end with a space. */
const ID = /^[A-Za-z0-9](?:[ -~]{0,98}[!-~])?$/;
const CENTS = /^\d{1,10}$/;

function parseLine(
  record: CsvRecord,
  columnIndexes: ColumnIndexes,
  { earliest, latest }: DateRange,
): { readonly line: NumberedLine } | { readonly problems: readonly SettlementProblem[] } {
  const number = record.line;
  if ('problem' in record) return { problems: [problemAt(number, record.problem)] };
  const { cells } = record;
  const width = REQUIRED_COLUMNS.length + (columnIndexes.reference === -1 ? 0 : 1);
  if (cells.length !== width) {
    return { problems: [problemAt(number, `must have ${width} values separated by commas`)] };
  }
  const cell = (name: ColumnName): string => cells[columnIndexes[name]] ?? '';
  const problems: SettlementProblem[] = [];
  const check = (valid: boolean, rule: Parameters<typeof problemAt>[1]): void => {
    if (!valid) problems.push(problemAt(number, rule));
  };
  const id = cell('id');
  const type = SETTLEMENT_TYPES.find((known) => known === cell('type'));
  const [amount, fee] = [parseCents(cell('amount')), parseCents(cell('fee'))];
  const date = cell('date');
  const reference = cell('reference');
  check(ID.test(id), 'id must be 1 to 100 printable ASCII characters and begin with a letter or digit');
  check(type !== undefined, `type must be one of the following values: ${SETTLEMENT_TYPES.join(', ')}`);
  check(
    amount !== undefined && amount > 0,
    `amount must be an integer number of cents from 1 to ${MAX_AMOUNT_CENTS}`,
  );
  check(fee !== undefined, `fee must be an integer number of cents from 0 to ${MAX_AMOUNT_CENTS}`);
  check(
    isLocalDate(date) && date >= earliest && date <= latest,
    `date must be a day as YYYY-MM-DD from ${earliest} to ${latest}`,
  );
  check(reference === '' || isUuid(reference), 'reference must be a UUID or empty');
  if (problems.length > 0 || type === undefined || amount === undefined || fee === undefined) {
    return { problems };
  }
  return {
    line: {
      number,
      // The gateway's ids are lower case. Ids of providers may be case-sensitive.
      id: isUuid(id) ? id.toLowerCase() : id,
      type,
      amount,
      fee,
      date,
      reference: reference === '' ? null : reference.toLowerCase(),
    },
  };
}

/** Returns undefined if the text is not an amount. */
const parseCents = (text: string): number | undefined => (CENTS.test(text) ? Number(text) : undefined);
