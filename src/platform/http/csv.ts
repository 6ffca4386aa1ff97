import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { Type, type TSchema } from 'typebox';

import { releaseCapacity } from './admission-control.ts';
import { csvLine, writeBrazilian, type BrazilianColumn, type Cell, type WrittenAmount } from './csv-line.ts';
import type { ExportLimiter } from './export-limiter.ts';
import { ownerOf, type Principal } from './principal.ts';

/** CSV exports (RFC 4180): any number of records in constant memory. */

export interface Column<Row> {
  readonly name: string;
  readonly value: (row: Row) => Cell;
  /** By default as in other files. */
  readonly brazil?: BrazilianColumn;
}

/** The columns of a file, and how it is written. */
interface Table<Row> {
  readonly columns: readonly {
    readonly name: string;
    readonly value: (row: Row) => Cell | WrittenAmount;
  }[];
  readonly separator: ',' | ';';
  /** Precedes the first line. */
  readonly prefix: string;
}

/** By default for programs: commas, and values as in the API. */
const tableOf = <Row>(columns: readonly Column<Row>[] | Table<Row>): Table<Row> =>
  'separator' in columns ? columns : { columns, separator: ',', prefix: '' };

/**
 * A file that spreadsheets open in Brazil, where the comma is the decimal separator. The byte order
 * mark makes Excel read UTF-8.
 */
const brazilianTable = <Row>(columns: readonly Column<Row>[]): Table<Row> => ({
  columns: columns.map(({ name, value, brazil = { name } }) => ({
    name: brazil.name,
    value: (row) => writeBrazilian(value(row), brazil),
  })),
  separator: ';',
  prefix: '\uFEFF',
});

/** The size at which buffered text is sent. */
const CHUNK_CHARACTERS = 32 * 1024;

/** The part of a Fastify reply that an export needs. */
interface ExportReply {
  headers(values: Readonly<Record<string, string>>): unknown;
  readonly raw: ServerResponse;
  readonly request: { readonly raw: IncomingMessage; readonly principal: Principal | null };
  readonly server: { readonly exportLimiter: ExportLimiter };
}

/**
 * Starts a CSV download, after waiting for those before it. The route returns the stream.
 *
 * @throws HttpError 429 if too many exports are open.
 */
export async function sendCsv<Row>(
  reply: ExportReply,
  fileName: string,
  columns: readonly Column<Row>[] | Table<Row>,
  rows: AsyncIterable<Row>,
): Promise<Readable> {
  const { request, server } = reply;
  const { exportLimiter } = server;
  releaseCapacity(request.raw);
  const close = await exportLimiter.open(ownerOf(request.principal));
  reply.raw.once('close', close);
  if (reply.raw.destroyed) close();
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  });
  return createCsvStream(exportLimiter, columns, rows);
}

/**
 * Rows are read only as fast as the client receives them, and `rows` is closed when the client
 * disconnects.
 */
export function createCsvStream<Row>(
  exportLimiter: ExportLimiter,
  columns: readonly Column<Row>[] | Table<Row>,
  rows: AsyncIterable<Row>,
): Readable {
  return Readable.from(chunks(exportLimiter, tableOf(columns), rows), { objectMode: false });
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
    description: '`true` returns all matching records as CSV instead of one page.',
  }),
};

/** The query parameter that chooses the format of a CSV. */
export const csvLocaleQuery = {
  locale: Type.Optional(
    Type.Enum(['pt-BR'], {
      description:
        'Format of the CSV. `pt-BR` is for spreadsheets in Brazil: Portuguese headers and labels, ' +
        'semicolons, amounts in reais with decimal commas, and local times.',
    }),
  ),
};

/** The table of a file in the format that `csvLocaleQuery` chose. */
export const localizedTable = <Row>(columns: readonly Column<Row>[], locale: 'pt-BR' | undefined) =>
  locale === 'pt-BR' ? brazilianTable(columns) : columns;

async function* chunks<Row>(
  exportLimiter: ExportLimiter,
  { columns, separator, prefix }: Table<Row>,
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  const iterator = rows[Symbol.asyncIterator]();
  const header = columns.map(({ name }) => name);
  let text = prefix + csvLine(header, separator);
  const readChunk = async () => {
    while (text.length < CHUNK_CHARACTERS) {
      const next = await iterator.next();
      if (next.done === true) return true;
      text += csvLine(
        columns.map(({ value }) => value(next.value)),
        separator,
      );
    }
    return false;
  };
  try {
    for (let isLast = false; !isLast;) {
      isLast = await exportLimiter.runStep(readChunk);
      const chunk = text;
      text = '';
      if (chunk !== '') yield chunk;
    }
  } finally {
    await iterator.return?.();
  }
}
