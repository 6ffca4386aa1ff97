import { Type } from 'typebox';

import { countedEnvelope, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError, InvalidFileError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_FILE_BYTES } from '#platform/http/file-errors.ts';
import { importErrors } from './errors.ts';
import * as examples from './examples.ts';
import {
  ExchangeSchema,
  IdParams,
  LineDecisionBody,
  LineParams,
  LinesQuery,
  LinesToReviewQuery,
  ReturnFileSchema,
  ReturnLineSchema,
  ReturnsQuery,
  ShipmentBody,
  ShipmentSchema,
  ShipmentsQuery,
  ReturnImportSchema,
  ImportedReturnSchema,
} from './schema.ts';
import type { LineDecision } from './return-file.ts';
import type { CnabService } from './service.ts';
import { viewLine, viewReturnFile, viewShipment, viewImportedReturn } from './views.ts';

const tags = ['CNAB files'];

interface CnabDeps {
  readonly cnab: CnabService;
}

/** The operator downloads remittance files for its bank and uploads the bank's return files. */
export function cnabRoutes(app: App, deps: CnabDeps): void {
  registerDescribeExchange(app, deps);
  registerCreateShipment(app, deps);
  registerListShipments(app, deps);
  registerReadShipmentFile(app, deps);
  registerImportReturn(app, deps);
  registerListReturns(app, deps);
  registerReadReturn(app, deps);
  registerListReturnLines(app, deps);
  registerListLinesToReview(app, deps);
  registerDecideReturnLine(app, deps);
}

function registerDescribeExchange(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getBankExchange',
        summary: 'Retrieve the CNAB configuration',
        description: 'Returns the bank with which files are exchanged, and the services that use them.',
        tags,
        examples: { response: examples.EXCHANGE },
        response: { 200: envelope(ExchangeSchema) },
      },
    },
    async () => ok(cnab.describeExchange()),
  );
}

function registerCreateShipment(app: App, { cnab }: CnabDeps): void {
  app.post(
    '/admin/cnab/shipments',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'createShipment',
        summary: 'Create a remittance file',
        description:
          'Creates the next CNAB 240 remittance file of a service, with at most 5,000 waiting ' +
          'records. Each record is sent in one file only. Returns the record of the ' +
          'file; download it with `GET /v1/admin/cnab/shipments/{id}/file`.',
        tags,
        errors: ['file_exchange_not_configured', 'nothing_to_ship', 'payouts_paused'],
        examples: { body: examples.NEW_SHIPMENT, response: examples.CREATED_SHIPMENT },
        body: ShipmentBody,
        response: { 201: envelope(ShipmentSchema) },
      },
    },
    async (request, reply) => {
      const result = await cnab.createShipment(request.body.service, auditActorOf(request));
      if (result.kind === 'not-configured') throw new HttpError('file_exchange_not_configured');
      if (result.kind === 'empty') throw new HttpError('nothing_to_ship');
      if (result.kind === 'paused') throw new HttpError('payouts_paused');
      return reply.code(201).send(ok(viewShipment(result.shipment)));
    },
  );
}

function registerListShipments(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/shipments',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listShipments',
        summary: 'List remittance files',
        description: 'Returns one page of the remittance files, newest first.',
        tags,
        examples: { response: examples.SHIPMENTS },
        querystring: ShipmentsQuery,
        response: { 200: pageEnvelope(ShipmentSchema) },
      },
    },
    async (request) => {
      const { service, take } = request.query;
      const { items, count } = await cnab.listShipments(service, parsePage(request.query));
      return pageResponse(items, count, take, viewShipment);
    },
  );
}

function registerReadShipmentFile(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/shipments/:id/file',
    {
      // The file contains personal data of payers and payees.
      config: { access: 'operator:write' },
      schema: {
        operationId: 'downloadShipmentFile',
        summary: 'Download a remittance file',
        description: 'Returns the remittance file as text, to be sent to the bank.',
        tags,
        errors: ['shipment_not_found'],
        examples: { response: examples.FILE },
        params: IdParams,
        response: {
          200: {
            description: 'The file: lines of 240 columns.',
            content: { 'text/plain': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const file = await cnab.findShipmentFile(request.params.id);
      if (file === undefined) throw new HttpError('shipment_not_found');
      await cnab.markShipmentWritten(file.shipment.id);
      const { sequence, number } = file.shipment;
      const name = `${sequence.toLowerCase()}-${String(number).padStart(6, '0')}.rem`;
      return reply
        .type('text/plain; charset=us-ascii')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(file.bytes);
    },
  );
}

const BAD_FILE = [
  'line 7: must have 240 columns, has 239',
  'line 12: states 10 records, the file has 9',
  'line 4: must be the trailer of the file (type 9): the file is cut off',
];

/** Registers the import in a scope of its own, which accepts text bodies of up to a file's size. */
function registerImportReturn(app: App, { cnab }: CnabDeps): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler(importErrors.handle);
    scope.post(
      '/admin/cnab/returns',
      {
        bodyLimit: MAX_FILE_BYTES,
        config: { access: 'operator:write' },
        schema: {
          operationId: 'importReturnFile',
          summary: 'Import a return file',
          description:
            'Imports a CNAB 240 return file of the bank and applies its events. The body is the ' +
            'file (`text/plain`). An incomplete file is rejected as a whole. Each event is applied ' +
            'once, even if several files report it. Importing the same file again returns the ' +
            'outcomes with status 200 and applies lines that a crash left unapplied. Returns the ' +
            'outcomes of its lines.',
          tags,
          file: 'text/plain',
          errors: [
            new InvalidFileError(BAD_FILE),
            'file_exchange_not_configured',
            ...importErrors.documented,
          ],
          examples: { body: examples.FILE, response: examples.IMPORTED_RETURN },
          response: { 200: envelope(ReturnImportSchema), 201: envelope(ReturnImportSchema) },
        },
      },
      async (request, reply) => {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const result = await cnab.importReturn(bytes, auditActorOf(request));
        if (result.kind === 'not-configured') throw new HttpError('file_exchange_not_configured');
        if (result.kind === 'rejected') throw new InvalidFileError(result.problems);
        const repeated = result.kind === 'repeated';
        return reply
          .code(repeated ? 200 : 201)
          .send(ok({ ...viewImportedReturn(result.imported), repeated }));
      },
    );
  });
}

function registerListReturns(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/returns',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturnFiles',
        summary: 'List return files',
        description: 'Returns one page of the imported return files, newest first.',
        tags,
        examples: { response: examples.RETURNS },
        querystring: ReturnsQuery,
        response: { 200: pageEnvelope(ReturnFileSchema) },
      },
    },
    async (request) => {
      const { items, count } = await cnab.listReturns(parsePage(request.query));
      return pageResponse(items, count, request.query.take, viewReturnFile);
    },
  );
}

function registerReadReturn(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/returns/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getReturnFile',
        summary: 'Retrieve a return file',
        description: 'Returns an imported return file and the outcomes of its lines.',
        tags,
        errors: ['return_file_not_found'],
        examples: { response: examples.RETURN },
        params: IdParams,
        response: { 200: envelope(ImportedReturnSchema) },
      },
    },
    async (request) => {
      const imported = await cnab.findReturn(request.params.id);
      if (imported === undefined) throw new HttpError('return_file_not_found');
      return ok(viewImportedReturn(imported));
    },
  );
}

function registerListReturnLines(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/returns/:id/lines',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturnLines',
        summary: 'List lines of a return file',
        description:
          'Returns the lines of a return file with their fees and outcomes, in the order of the file.',
        tags,
        errors: ['return_file_not_found'],
        examples: { response: examples.LINES },
        params: IdParams,
        querystring: LinesQuery,
        response: {
          200: countedEnvelope(ReturnLineSchema),
        },
      },
    },
    async (request) => {
      const page = await cnab.listReturnLines(request.params.id, request.query);
      if (page === undefined) throw new HttpError('return_file_not_found');
      return { status: true as const, data: page.lines.map(viewLine), count: page.count };
    },
  );
}

function registerListLinesToReview(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/lines-to-review',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listLinesToReview',
        summary: 'List return lines to review',
        description:
          'Returns the lines of all return files that wait for a decision, those of the oldest file first.',
        tags,
        examples: { response: examples.LINES },
        querystring: LinesToReviewQuery,
        response: { 200: countedEnvelope(ReturnLineSchema) },
      },
    },
    async (request) => {
      const { lines, count } = await cnab.listLinesToReview(request.query);
      return { status: true as const, data: lines.map(viewLine), count };
    },
  );
}

function registerDecideReturnLine(app: App, { cnab }: CnabDeps): void {
  app.post(
    '/admin/cnab/returns/:id/lines/:line/decide',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'decideReturnLine',
        summary: 'Resolve a return line',
        description:
          'Accepts or dismisses a line that needs review. A payment that two files report is ' +
          'credited once: accept it as a second payment, which is returned to the payer, or ' +
          'dismiss it. If the bank reported a payout as paid and then as failed, accept the ' +
          'failure only if the withdrawal is still PROCESSING and the bank confirms that nothing was ' +
          'paid. Accept a line that failed, or that was dated in the future and is due, to process it ' +
          'again. All other lines can only be dismissed. Returns the line.',
        tags,
        errors: ['return_line_not_found', notDecidable('ACCEPTED')],
        examples: { body: examples.DECISION, response: examples.DECIDED },
        params: LineParams,
        body: LineDecisionBody,
        response: { 200: envelope(ReturnLineSchema) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const number = /^\d{1,9}$/.test(params.line) ? Number(params.line) : 0;
      const key = { returnId: params.id, number };
      const result = await cnab.decideReturnLine(key, body, auditActorOf(request));
      switch (result.kind) {
        case 'decided':
          return ok(viewLine(result.line));
        case 'unknown':
          throw new HttpError('return_line_not_found');
        case 'impossible':
          throw notDecidable(body.decision);
      }
    },
  );
}

const notDecidable = (decision: LineDecision): HttpError =>
  new HttpError('invalid_transition', { message: `Return line cannot be ${decision}` });
