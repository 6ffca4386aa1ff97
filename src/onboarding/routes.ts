import { isDeepStrictEqual } from 'node:util';

import { Type } from 'typebox';

import { deletedEnvelope, envelope, ok } from '#platform/http/envelope.ts';
import { HttpError, ValidationError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, isRecentlyVerified } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import {
  acceptUploads,
  downloadHeaders,
  fileResponse,
  UPLOAD_BODY_LIMIT,
  UPLOAD_ERRORS,
  uploadOf,
} from '#platform/http/uploads.ts';
import type { ApplicationFailure, IncompleteApplication } from './changes.ts';
import { MAX_DOCUMENTS } from './drafting.ts';
import { requireChanged, tooManyMessages } from './errors.ts';
import * as examples from './examples.ts';
import {
  AnswerBody,
  ApplicationChanges,
  ApplicationDocumentSchema,
  ApplicationSchema,
  DocumentQuery,
  viewApplication,
  viewDocument,
} from './schema.ts';
import type { ApplicationsService } from './service.ts';

export interface ApplicationRouteDeps {
  readonly applications: ApplicationsService;
}

const tags = ['Applications'];
/** An application is completed before the seller is active. */
const config = { access: 'application:own', anySellerStatus: true, peopleOnly: true } as const;
const documentParams = Type.Object({ documentId: Type.String() });

/** The application of the signed-in owner's seller. For users only: an API key gets 403. */
export function applicationRoutes(app: App, deps: ApplicationRouteDeps): void {
  registerRead(app, deps);
  registerChange(app, deps);
  registerSubmit(app, deps);
  registerUpload(app, deps);
  registerDownload(app, deps);
  registerDelete(app, deps);
}

function registerRead(app: App, { applications }: ApplicationRouteDeps): void {
  app.get(
    '/application',
    {
      config,
      schema: {
        operationId: 'getApplication',
        summary: 'Retrieve your application',
        description: 'Returns the application of the seller, with its documents and messages.',
        tags,
        errors: ['application_not_found'],
        examples: { response: examples.APPLICATION },
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const found = await applications.find(callingSeller(request).id);
      if (found === undefined) throw new HttpError('application_not_found');
      return ok(viewApplication(found));
    },
  );
}

function registerChange(app: App, { applications }: ApplicationRouteDeps): void {
  app.patch(
    '/application',
    {
      config,
      schema: {
        operationId: 'updateApplication',
        summary: 'Complete your application',
        description:
          'Changes the given fields of an application that is DRAFT or QUESTION; omitted fields stay ' +
          'unchanged. Null clears a field. In a browser session, replacing a bank account that was ' +
          'already entered requires a sign-in or step-up within the last five minutes (otherwise 403 ' +
          '`step_up_required`). Returns the application.',
        tags,
        errors: ['application_not_found', 'application_closed', 'step_up_required'],
        examples: { body: examples.CHANGES, response: examples.APPLICATION },
        body: ApplicationChanges,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const { id } = callingSeller(request);
      const { phone, address, activity, expectedVolume, bankAccount } = request.body;
      if (bankAccount !== undefined && !(await isRecentlyVerified(request))) {
        const given = (await applications.find(id))?.details.bankAccount ?? null;
        if (given !== null && !isDeepStrictEqual(bankAccount, given)) throw new HttpError('step_up_required');
      }
      const changes = {
        ...(phone !== undefined && { phone }),
        ...(address !== undefined && { address }),
        ...(activity !== undefined && { activity }),
        ...(expectedVolume !== undefined && { expectedVolume }),
        ...(bankAccount !== undefined && { bankAccount }),
      };
      const changed = await applications.change(id, changes, auditActorOf(request));
      return ok(viewApplication(requireChanged(changed)));
    },
  );
}

function registerSubmit(app: App, { applications }: ApplicationRouteDeps): void {
  app.post(
    '/application/submit',
    {
      config,
      schema: {
        operationId: 'submitApplication',
        summary: 'Submit your application',
        description:
          'Submits the application to the operator. To answer a question from the operator, send ' +
          '`message`. If anything in `missing` is left, responds with 400 `validation_failed`, with one ' +
          'entry in `errors` for each. Returns the application.',
        tags,
        errors: ['application_not_found', 'application_closed', tooManyMessages],
        examples: { body: examples.ANSWER, response: examples.SUBMITTED },
        body: AnswerBody,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const { id } = callingSeller(request);
      const submitted = await applications.submit(id, request.body.message, auditActorOf(request));
      return ok(viewApplication(requireChanged(requireComplete(submitted), tooManyMessages)));
    },
  );
}

/** @throws ValidationError that names what is missing. */
function requireComplete<Result extends object>(
  result: Result | IncompleteApplication | ApplicationFailure,
): Result | ApplicationFailure {
  if (typeof result === 'string' || !isIncomplete(result)) return result;
  const { details, documents } = result.missing;
  const paths = [...details.map((name) => [name]), ...documents.map((kind) => ['documents', kind])];
  throw new ValidationError(paths.map((path) => ({ path, rule: 'should not be empty' })));
}

const isIncomplete = (result: object): result is IncompleteApplication => 'missing' in result;

function registerUpload(app: App, { applications }: ApplicationRouteDeps): void {
  void app.register(async (scope: App) => {
    acceptUploads(scope);
    scope.post(
      '/application/documents',
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        config: { ...config, file: true },
        schema: {
          operationId: 'uploadApplicationDocument',
          summary: 'Upload a document',
          description:
            'Adds a PDF, PNG or JPEG of at most 5 MiB to the application, while it is DRAFT or QUESTION. ' +
            `An application has at most ${MAX_DOCUMENTS} documents. The type is detected from the content. ` +
            'The file is stored encrypted. Returns the document.',
          tags,
          file: 'multipart/form-data',
          errors: [
            'application_not_found',
            'application_closed',
            'application_full',
            'rate_limited',
            ...UPLOAD_ERRORS,
          ],
          examples: { response: examples.DOCUMENT },
          querystring: DocumentQuery,
          response: { 201: envelope(ApplicationDocumentSchema) },
        },
      },
      async (request, reply) => {
        const upload = { kind: request.query.kind, file: uploadOf(request) };
        const { id } = callingSeller(request);
        const added = await applications.addDocument(id, upload, auditActorOf(request));
        return reply.code(201).send(ok(viewDocument(requireChanged(added))));
      },
    );
  });
}

function registerDownload(app: App, { applications }: ApplicationRouteDeps): void {
  app.get(
    '/application/documents/:documentId',
    {
      config: { ...config, file: true },
      schema: {
        operationId: 'downloadApplicationDocument',
        summary: 'Download a document',
        description:
          'Returns a file of the application. Browsers download the file instead of displaying it.',
        tags,
        errors: ['document_not_found', 'rate_limited'],
        params: documentParams,
        response: { 200: fileResponse },
      },
    },
    async (request, reply) => {
      const { id } = callingSeller(request);
      const file = await applications.readDocument(id, request.params.documentId);
      if (file === undefined) throw new HttpError('document_not_found');
      return reply.type(file.type).headers(downloadHeaders(file.name)).send(file.bytes);
    },
  );
}

function registerDelete(app: App, { applications }: ApplicationRouteDeps): void {
  app.delete(
    '/application/documents/:documentId',
    {
      config,
      schema: {
        operationId: 'deleteApplicationDocument',
        summary: 'Delete a document',
        description:
          'Deletes a document of an application that is DRAFT or QUESTION. Returns the id of the document.',
        tags,
        errors: ['document_not_found', 'application_closed'],
        examples: { response: examples.DELETED },
        params: documentParams,
        response: { 200: deletedEnvelope },
      },
    },
    async (request) => {
      const { documentId: id } = request.params;
      const result = await applications.removeDocument(callingSeller(request).id, id, auditActorOf(request));
      if (result === 'UNKNOWN') throw new HttpError('document_not_found');
      if (result !== 'DELETED') throw new HttpError('application_closed');
      return ok({ id });
    },
  );
}
