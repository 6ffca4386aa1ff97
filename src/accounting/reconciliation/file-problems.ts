import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of what can be wrong with a line of CSV text. */
const CSV_PROBLEMS = [
  'a value that begins with a quote must end with one',
  'a quoted value must be followed by a comma or the end of the line',
  'a value with a quote in it must be quoted, and the quote doubled',
  'must not have more than {count} values',
] as const;

/** Templates of what can be wrong with a line of a settlement file. */
export const LINE_PROBLEMS = [
  ...CSV_PROBLEMS,
  'must have {count} values separated by commas',
  'values must be separated by commas, not by semicolons',
  'column {name} is missing',
  'column {name} must appear once',
  'columns must be {names} and optionally reference',
  'id must be 1 to 100 printable ASCII characters and begin with a letter or digit',
  'type must be one of the following values: {names}',
  'amount must be an integer number of cents from 1 to {cents}',
  'fee must be an integer number of cents from 0 to {cents}',
  'date must be a day as YYYY-MM-DD from {date} to {otherDate}',
  'reference must be a UUID or empty',
] as const;

/** Templates of what can be wrong with a settlement file as a whole. */
export const FILE_PROBLEMS = [
  'file must be UTF-8 text',
  'file must begin with a line of column names',
  'file must not have more than {count} lines',
  'file must have a line for each movement',
  'there are more problems',
] as const;

export type CsvProblem = TextOf<(typeof CSV_PROBLEMS)[number]>;
type LineProblem = TextOf<(typeof LINE_PROBLEMS)[number]>;
export type SettlementProblem = TextOf<(typeof FILE_PROBLEMS)[number]> | `line ${number}: ${LineProblem}`;

export const problemAt = (line: number, problem: LineProblem): SettlementProblem =>
  `line ${line}: ${problem}`;
