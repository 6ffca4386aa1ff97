import { Type } from 'typebox';

import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError, businessError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { toDocumentedErrors } from '#platform/openapi/route-schema.ts';
import { sendImportError, BODY_ERRORS, REFUSALS, RETURN_NOT_FOUND, SHIPMENT_NOT_FOUND } from './errors.ts';
import * as shown from './examples.ts';
import { MAX_FILE_BYTES } from '#cnab/codec/file.ts';
import {
  ExchangeSchema,
  IdParams,
  LinesQuery,
  ReturnFileSchema,
  ReturnLineSchema,
  ReturnsQuery,
  ShipmentBody,
  ShipmentSchema,
  ShipmentsQuery,
  ReturnImportSchema,
  ImportedReturnSchema,
} from './schema.ts';
import type { CnabService } from './service.ts';
import { viewLine, viewReturnFile, viewShipment, viewImportedReturn } from './views.ts';

const tags = ['Operator'];

interface CnabDeps {
  readonly cnab: CnabService;
}

/** The operator exchanges files with its bank: what is sent is made here, what came is taken in. */
export function cnabRoutes(app: App, deps: CnabDeps): void {
  shipmentRoutes(app, deps);
  importRoute(app, deps);
  returnRoutes(app, deps);
}

function shipmentRoutes(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getBankExchange',
        summary: 'With which bank files are exchanged, and what goes by them',
        tags,
        examples: { answer: shown.EXCHANGE },
        response: { 200: envelope(ExchangeSchema) },
      },
    },
    async () => ok(cnab.describeExchange()),
  );

  app.post(
    '/admin/cnab/shipments',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'makeShipment',
        summary: 'Make the next CNAB 240 file for the bank',
        description:
          'Takes what waits, at most 5000 records, each in one file whoever asks and however often. The file is kept: `GET /v1/admin/cnab/shipments/{id}/file`.',
        tags,
        refusals: toDocumentedErrors(REFUSALS),
        examples: { body: shown.NEW_SHIPMENT, answer: shown.CREATED_SHIPMENT },
        body: ShipmentBody,
        response: { 201: envelope(ShipmentSchema) },
      },
    },
    async (request, reply) => {
      const result = await cnab.createShipment(request.body.service, auditActorOf(request));
      if (result.kind === 'not-set-up') throw businessError(REFUSALS.NOT_SET_UP);
      if (result.kind === 'nothing') throw businessError(REFUSALS.NOTHING);
      return reply.code(201).send(ok(viewShipment(result.shipment)));
    },
  );

  app.get(
    '/admin/cnab/shipments',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listShipments',
        summary: 'List the files that were made for the bank, newest first',
        tags,
        examples: { answer: shown.SHIPMENTS },
        querystring: ShipmentsQuery,
        response: { 200: pageEnvelope(ShipmentSchema) },
      },
    },
    async (request) => {
      const { service, take } = request.query;
      const { found, count } = await cnab.listShipments(service, parsePage(request.query));
      return pageResponse(found, count, take, viewShipment);
    },
  );

  app.get(
    '/admin/cnab/shipments/:id/file',
    {
      // It names payers and payees: for whoever sends it to the bank.
      config: { access: 'operator:write' },
      schema: {
        operationId: 'readShipmentFile',
        summary: 'The file as it was made, byte for byte',
        tags,
        refusals: { 404: [SHIPMENT_NOT_FOUND] },
        examples: { answer: shown.FILE },
        params: IdParams,
        response: {
          200: {
            description: 'The file, lines of 240 columns.',
            content: { 'text/plain': { schema: Type.Unsafe<Buffer>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const found = await cnab.findShipmentFile(request.params.id);
      if (found === undefined) throw new HttpError(404, SHIPMENT_NOT_FOUND);
      const { sequence, number } = found.shipment;
      const name = `${sequence.toLowerCase()}-${String(number).padStart(6, '0')}.rem`;
      return reply
        .type('text/plain; charset=us-ascii')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(found.bytes);
    },
  );
}

const BAD_FILE = [
  'line 7: must have 240 columns, has 239',
  'line 12: tells of 10 records, the file has 9',
  'line 4: must be the trailer of the file (type 9): the file is cut off',
];

/** In a scope of its own: its body is a file, and its limit is a file's. */
function importRoute(app: App, { cnab }: CnabDeps): void {
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('text/plain', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler(sendImportError);
    scope.post(
      '/admin/cnab/returns',
      {
        bodyLimit: MAX_FILE_BYTES,
        config: { access: 'operator:write' },
        schema: {
          operationId: 'takeReturn',
          summary: "Take in the bank's CNAB 240 return file",
          description:
            'The body is the file (`text/plain`). A file that is not whole is refused; of a whole one each line counts once, whichever files tell of it. The same bytes again change nothing and ' +
            'answer with 200 what came of them; where a crash left lines that wait, they are worked on.',
          tags,
          file: 'text/plain',
          refusals: { 400: [BAD_FILE], 422: [REFUSALS.NOT_SET_UP[1]], ...toDocumentedErrors(BODY_ERRORS) },
          examples: { body: shown.FILE, answer: shown.IMPORTED_RETURN },
          response: { 200: envelope(ReturnImportSchema), 201: envelope(ReturnImportSchema) },
        },
      },
      async (request, reply) => {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const result = await cnab.importReturn(bytes, auditActorOf(request));
        if (result.kind === 'not-set-up') throw businessError(REFUSALS.NOT_SET_UP);
        if (result.kind === 'refused') throw new HttpError(400, result.problems);
        const repeated = result.kind === 'repeated';
        return reply
          .code(repeated ? 200 : 201)
          .send(ok({ ...viewImportedReturn(result.imported), repeated }));
      },
    );
  });
}

function returnRoutes(app: App, { cnab }: CnabDeps): void {
  app.get(
    '/admin/cnab/returns',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturnFiles',
        summary: "List the bank's files that were taken in, newest first",
        tags,
        examples: { answer: shown.RETURNS },
        querystring: ReturnsQuery,
        response: { 200: pageEnvelope(ReturnFileSchema) },
      },
    },
    async (request) => {
      const { found, count } = await cnab.listReturns(parsePage(request.query));
      return pageResponse(found, count, request.query.take, viewReturnFile);
    },
  );

  app.get(
    '/admin/cnab/returns/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readReturnFile',
        summary: "Read what came of one of the bank's files",
        tags,
        refusals: { 404: [RETURN_NOT_FOUND] },
        examples: { answer: shown.RETURN },
        params: IdParams,
        response: { 200: envelope(ImportedReturnSchema) },
      },
    },
    async (request) => {
      const imported = await cnab.findReturn(request.params.id);
      if (imported === undefined) throw new HttpError(404, RETURN_NOT_FOUND);
      return ok(viewImportedReturn(imported));
    },
  );

  app.get(
    '/admin/cnab/returns/:id/lines',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturnLines',
        summary: "List the lines of one of the bank's files, with tariffs and what came of each",
        tags,
        refusals: { 404: [RETURN_NOT_FOUND] },
        examples: { answer: shown.LINES },
        params: IdParams,
        querystring: LinesQuery,
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Array(ReturnLineSchema),
            count: Type.Integer({ description: 'Lines that match, on all pages.' }),
          }),
        },
      },
    },
    async (request) => {
      const found = await cnab.listReturnLines(request.params.id, request.query);
      if (found === undefined) throw new HttpError(404, RETURN_NOT_FOUND);
      return { status: true as const, data: found.lines.map(viewLine), count: found.count };
    },
  );
}
