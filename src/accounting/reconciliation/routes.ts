import { Type } from 'typebox';

import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { countedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { InvalidFileError, ValidationError } from '#platform/http/errors.ts';
import { importErrors } from './errors.ts';
import * as examples from './examples.ts';
import { MAX_FILE_BYTES } from '#platform/http/file-errors.ts';
import {
  DayReportSchema,
  DifferenceSchema,
  DifferencesQuery,
  FileSchema,
  FilesQuery,
  ImportedSchema,
  ImportQuery,
  readDays,
  ReportQuery,
} from './schema.ts';
import type { ReconciliationService } from './service.ts';
import type { DifferenceRow } from './store-matching.ts';
import { CSV_COLUMNS, viewDay, viewDifference, viewFile } from './views.ts';

const tags = ['Reconciliation'];

interface RouteDeps {
  readonly reconciliation: ReconciliationService;
}

/** The reconciliation of settlement files with the ledger. */
export function reconciliationRoutes(app: App, deps: RouteDeps): void {
  registerImportFile(app, deps);
  registerListFiles(app, deps);
  registerReadDays(app, deps);
  registerListDifferences(app, deps);
}

const INVALID_FILE_PROBLEMS = [
  'line 7: amount must be an integer number of cents from 1 to 9999999999',
  'line 9: must have 6 values separated by commas',
];

/** The route has its own scope because its body is a file, with its own parser and size limit. */
function registerImportFile(app: App, { reconciliation }: RouteDeps): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.setErrorHandler(importErrors.handle);
    scope.post(
      '/admin/reconciliation/files',
      {
        bodyLimit: MAX_FILE_BYTES,
        config: { access: 'operator:write' },
        schema: {
          operationId: 'importSettlementFile',
          summary: 'Import a settlement file',
          description:
            'Imports a settlement file of a provider. The body is the file (`text/csv`); its ' +
            'format is described in docs/settlement-files.md. An invalid file is rejected as a ' +
            'whole. Importing the same file again changes nothing and returns the first import ' +
            'with status 200. Returns the file.',
          tags,
          file: 'text/csv',
          errors: [new InvalidFileError(INVALID_FILE_PROBLEMS), ...importErrors.documented],
          examples: { body: examples.SETTLEMENT_FILE_EXAMPLES, response: examples.IMPORT_EXAMPLES },
          querystring: ImportQuery,
          response: {
            200: envelope(ImportedSchema),
            201: envelope(ImportedSchema),
          },
        },
      },
      async (request, reply) => {
        const { provider, day } = request.query;
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const author = auditActorOf(request);
        const result = await reconciliation.importFile({ provider, day, bytes, author });
        if (result.kind === 'unknown-provider') throw unknownProvider(result.known);
        if (result.kind === 'refused') throw new InvalidFileError(result.problems);
        const repeated = result.kind === 'repeated';
        return reply.code(repeated ? 200 : 201).send(ok({ ...viewFile(result.file), repeated }));
      },
    );
  });
}

const unknownProvider = (known: readonly string[]): ValidationError =>
  new ValidationError([
    { path: ['provider'], rule: `must be one of the following values: ${known.join(', ')}` },
  ]);

function registerListFiles(app: App, { reconciliation }: RouteDeps): void {
  app.get(
    '/admin/reconciliation/files',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listSettlementFiles',
        summary: 'List settlement files',
        description: 'Returns one page of the imported settlement files, newest first.',
        tags,
        examples: { response: examples.FILE_LIST_EXAMPLES },
        querystring: FilesQuery,
        response: { 200: pageEnvelope(FileSchema) },
      },
    },
    async (request) => {
      const { provider, startDate, endDate, take } = request.query;
      const filter = { provider, from: startDate, to: endDate };
      const { items, count } = await reconciliation.listFiles(filter, parsePage(request.query));
      return pageResponse(items, count, take, viewFile);
    },
  );
}

function registerReadDays(app: App, { reconciliation }: RouteDeps): void {
  app.get(
    '/admin/reconciliation',
    {
      config: { access: 'operator:read', heavyRead: true },
      schema: {
        operationId: 'listReconciliationDays',
        summary: 'List reconciliation days',
        description:
          'Compares what providers settled with what the ledger contains, for each day and provider of a ' +
          'period, earliest day first. Includes entries that were booked after the import.',
        tags,
        examples: { response: examples.DAY_EXAMPLES },
        querystring: ReportQuery,
        response: {
          200: envelope(Type.Array(DayReportSchema, { description: 'One item for each day and provider.' })),
        },
      },
    },
    async (request) => {
      const { provider } = request.query;
      const days = await reconciliation.listDays({ provider, ...readDays(request.query) });
      return ok(days.map(viewDay));
    },
  );
}

function registerListDifferences(app: App, { reconciliation }: RouteDeps): void {
  app.get(
    '/admin/reconciliation/differences',
    {
      config: { access: 'operator:read', heavyRead: true },
      schema: {
        operationId: 'listDifferences',
        summary: 'List differences',
        description:
          'Returns one page of the file lines and ledger movements of a period that have no counterpart ' +
          'or differ from it, earliest day first, or all of them as CSV with `export=true`.',
        tags,
        examples: { response: examples.DIFFERENCE_EXAMPLES },
        querystring: DifferencesQuery,
        response: { 200: pageOrCsv(countedEnvelope(DifferenceSchema)) },
      },
    },
    async (request, reply) => {
      const { provider, kind, take, skip } = request.query;
      const period = { provider, ...readDays(request.query) };
      if (request.query.export) {
        const rows = viewDifferences(reconciliation.streamDifferences(period, kind));
        return sendCsv(reply, 'reconciliation.csv', localizedTable(CSV_COLUMNS, request.query.locale), rows);
      }
      const { differences, count } = await reconciliation.listDifferences(period, kind, { take, skip });
      return { status: true as const, data: differences.map(viewDifference), count };
    },
  );
}

async function* viewDifferences(rows: AsyncIterable<DifferenceRow>) {
  for await (const row of rows) yield viewDifference(row);
}
