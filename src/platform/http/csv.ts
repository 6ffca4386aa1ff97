import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

import { Type, type TSchema } from 'typebox';

import { releaseCapacity } from './admission-control.ts';
import { csvLine, tableOf, type Column, type Table } from './csv-line.ts';
import type { ExportLimiter } from './export-limiter.ts';
import { ownerOf, type Principal } from './principal.ts';

export { localizedTable, type Column } from './csv-line.ts';

/** CSV exports (RFC 4180): any number of records in constant memory. */

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
