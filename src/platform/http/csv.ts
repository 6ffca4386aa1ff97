import { Readable } from 'node:stream';

import { Type, type TSchema } from 'typebox';

import { csvLine, type Cell } from './csv-line.ts';

/** CSV exports (RFC 4180): any number of records in constant memory. */

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
}

/** The size at which buffered text is sent. */
const CHUNK_CHARACTERS = 32 * 1024;

/**
 * Starts a CSV download. The route returns the stream. Rows are read only as fast as the client
 * receives them, and `rows` is closed when the client disconnects.
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

/** The response schema of a list with an export: a page as JSON, or CSV. */
export const pageOrCsv = <T extends TSchema>(page: T) => ({
  description: 'A page of the list; with `export=true` the whole list as CSV.',
  content: {
    'application/json': { schema: page },
    'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) },
  },
});

/** The query parameter that requests CSV. */
export const exportQuery = {
  export: Type.Boolean({
    default: false,
    description: '`true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`.',
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
