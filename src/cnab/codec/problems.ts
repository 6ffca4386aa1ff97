import type { TextOf } from '#platform/kit/templates.ts';

/** Templates of what can be wrong with a return file or one of its lines. */
export const FILE_PROBLEMS = [
  'must have {columns} columns, has {found}',
  'the file is empty',
  'the file is from bank {bank}, the gateway is configured for {configured}',
  'must be a return file (code 2 in column 143)',
  'must be the header of the file (type 0)',
  'must be the trailer of the file (type 9): the file is cut off',
  'must belong to bank {bank}, belongs to {found}',
  'must belong to batch {batch}, belongs to {found}',
  'a batch begins before the previous one has ended',
  'the detail is outside a batch',
  'the batch trailer has no header',
  'the batch header has no trailer',
  'type {type} is not allowed here',
  'states {count} records, the batch has {found}',
  'states {count} batches, the file has {found}',
  'states {count} records, the file has {found}',
  'states a sum of {cents}, the batch adds up to {otherCents}',
  'segment U has no segment T before it',
  'segment T has no segment U after it',
  'segments T and U have different movements',
  'for another agreement',
  '{field} (columns {firstColumn} to {lastColumn}) must be {format}',
  'segment U: {field} (columns {firstColumn} to {lastColumn}) must be {format}',
] as const;

export type FileProblem = TextOf<(typeof FILE_PROBLEMS)[number]>;

export const problemAt = (line: number, problem: FileProblem): string => `line ${line}: ${problem}`;

/** A detail that cannot be parsed or belongs to another agreement. */
export interface InvalidLine {
  readonly line: number;
  readonly problem: string;
}

export const invalidLine = (line: number, problem: FileProblem): InvalidLine => ({ line, problem });
