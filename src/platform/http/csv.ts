import { Readable } from 'node:stream';

import { Type, type TSchema } from 'typebox';

import { csvLine, type Cell } from './csv-line.ts';

/** CSV exports (RFC 4180): any number of records in constant memory, and no cell that a spreadsheet would run. */

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
}

/** Text is handed on when so much of it has come together. */
const CHUNK_CHARACTERS = 32 * 1024;

/**
 * Prepares a CSV download; the handler returns what this returns. Records are taken from the source as fast as the client
 * reads and no faster; when the client goes away, the source is ended.
 */
export function sendCsv<Row>(
  reply: { headers(values: Record<string, string>): unknown },
  fileName: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
): Readable {
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  });
  return Readable.from(chunks(columns, rows), { objectMode: false });
}

/** The answer of a list that can also be exported: the page as JSON, or CSV. */
export const pageOrCsv = <T extends TSchema>(page: T) => ({
  description: 'A page of the list; with `export=true` all of it as CSV.',
  content: {
    'application/json': { schema: page },
    'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) },
  },
});

/** The query member that asks for CSV. */
export const exportQuery = {
  export: Type.Boolean({
    default: false,
    description: 'True answers every matching record as CSV; take, skip and cursor do not apply.',
  }),
};

async function* chunks<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  let text = csvLine(columns.map(({ name }) => name));
  for await (const row of rows) {
    text += csvLine(columns.map(({ value }) => value(row)));
    if (text.length >= CHUNK_CHARACTERS) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}
