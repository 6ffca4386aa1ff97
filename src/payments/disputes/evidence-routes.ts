import { Type } from 'typebox';

import { envelope, listEnvelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import {
  acceptUploads,
  downloadHeaders,
  fileResponse,
  UPLOAD_BODY_LIMIT,
  UPLOAD_ERRORS,
  uploadOf,
  type UploadedFile,
} from '#platform/http/uploads.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { MAX_ATTACHMENTS, MAX_MESSAGES, type AddResult, type EvidenceService } from './evidence.ts';
import {
  AttachmentSchema,
  EvidenceSchema,
  MessageSchema,
  viewAttachment,
  viewMessage,
} from './evidence-schema.ts';
import * as examples from './examples.ts';
import type { DisputesService } from './service.ts';

interface EvidenceRouteDeps {
  readonly evidence: EvidenceService;
}

interface OperatorEvidenceDeps extends EvidenceRouteDeps {
  readonly disputes: DisputesService;
}

const tags = ['Disputes'];
const params = Type.Object({ id: Type.String() });
const attachmentParams = Type.Object({
  id: Type.String({ description: 'The id of the dispute.' }),
  attachmentId: Type.String({ description: 'The id of the attachment.' }),
});

/** Evidence of the seller: files and messages. */
export function evidenceRoutes(app: App, deps: EvidenceRouteDeps): void {
  registerAttach(app, deps);
  registerListAttachments(app, deps);
  registerDownload(app, deps);
  registerAddMessage(app, deps);
  registerListMessages(app, deps);
}

/** The same evidence, as the operator reads it before the decision. */
export function evidenceOperatorRoutes(app: App, deps: OperatorEvidenceDeps): void {
  registerOperatorList(app, deps);
  registerOperatorDownload(app, deps);
}

const tooManyMessages = new HttpError('too_much_evidence', {
  message: `Dispute must have at most ${MAX_MESSAGES} messages`,
});

function registerAttach(app: App, { evidence }: EvidenceRouteDeps): void {
  void app.register(async (scope: App) => {
    acceptUploads(scope);
    scope.post(
      '/disputes/:id/attachments',
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        config: { access: 'disputes:appeal', file: true },
        schema: {
          operationId: 'attachToDispute',
          summary: 'Attach a file to a dispute',
          description:
            'Attaches a PDF, PNG or JPEG of at most 5 MiB, before or after the appeal, until ' +
            `\`appealUntil\`. A dispute has at most ${MAX_ATTACHMENTS} files. The type is detected from ` +
            "the content. The file is stored encrypted, and deleted when the payer's data is erased. " +
            'Returns the attachment.',
          tags,
          file: 'multipart/form-data',
          errors: [
            'dispute_not_found',
            'dispute_evidence_closed',
            'too_much_evidence',
            'rate_limited',
            ...UPLOAD_ERRORS,
          ],
          examples: { response: examples.ATTACHED },
          params,
          response: { 201: envelope(AttachmentSchema) },
        },
      },
      async (request, reply) => {
        const key = { sellerId: callingSeller(request).id, id: request.params.id };
        const result = await evidence.addAttachment(key, uploadOf(request), auditActorOf(request));
        const added = unwrapAdded(result, new HttpError('too_much_evidence'));
        return reply.code(201).send(ok(viewAttachment(added)));
      },
    );
  });
}

function registerListAttachments(app: App, { evidence }: EvidenceRouteDeps): void {
  app.get(
    '/disputes/:id/attachments',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'listDisputeAttachments',
        summary: 'List attachments of a dispute',
        description: 'Returns the attachments of a dispute, oldest first.',
        tags,
        errors: ['dispute_not_found'],
        examples: { response: examples.ATTACHMENTS },
        params,
        response: { 200: listEnvelope(AttachmentSchema) },
      },
    },
    async (request) => {
      const found = await evidence.list({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw new HttpError('dispute_not_found');
      const data = found.attachments.map(viewAttachment);
      return { ...ok(data), count: data.length };
    },
  );
}

function registerDownload(app: App, { evidence }: EvidenceRouteDeps): void {
  app.get(
    '/disputes/:id/attachments/:attachmentId',
    {
      config: { access: 'disputes:read', file: true },
      schema: {
        operationId: 'downloadDisputeAttachment',
        summary: 'Download an attachment',
        description: 'Returns the file. Browsers download the file instead of displaying it.',
        tags,
        errors: ['attachment_not_found', 'rate_limited'],
        params: attachmentParams,
        response: { 200: fileResponse },
      },
    },
    async (request, reply) => {
      const { id, attachmentId } = request.params;
      const key = { sellerId: callingSeller(request).id, id };
      const { name, type, bytes } = requireFile(await evidence.readAttachment(key, attachmentId));
      return reply.type(type).headers(downloadHeaders(name)).send(bytes);
    },
  );
}

function registerAddMessage(app: App, { evidence }: EvidenceRouteDeps): void {
  app.post(
    '/disputes/:id/messages',
    {
      config: { access: 'disputes:appeal' },
      schema: {
        operationId: 'addDisputeMessage',
        summary: 'Add a message to a dispute',
        description:
          'Adds a message to the appeal, until `appealUntil`. A message is not an appeal: without an ' +
          `appeal, the dispute is lost. A dispute has at most ${MAX_MESSAGES} messages. Returns the message.`,
        tags,
        errors: ['dispute_not_found', 'dispute_evidence_closed', tooManyMessages],
        examples: { body: examples.MESSAGE, response: examples.MESSAGE_ADDED },
        params,
        body: Type.Object({ text: nonEmptyString(2000, 'What you add to your appeal.') }),
        response: { 201: envelope(MessageSchema) },
      },
    },
    async (request, reply) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const result = await evidence.addMessage(key, request.body.text, auditActorOf(request));
      return reply.code(201).send(ok(viewMessage(unwrapAdded(result, tooManyMessages))));
    },
  );
}

function registerListMessages(app: App, { evidence }: EvidenceRouteDeps): void {
  app.get(
    '/disputes/:id/messages',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'listDisputeMessages',
        summary: 'List messages of a dispute',
        description: 'Returns the messages that the seller has added to the appeal, oldest first.',
        tags,
        errors: ['dispute_not_found'],
        examples: { response: examples.MESSAGES },
        params,
        response: { 200: listEnvelope(MessageSchema) },
      },
    },
    async (request) => {
      const found = await evidence.list({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw new HttpError('dispute_not_found');
      const data = found.messages.map(viewMessage);
      return { ...ok(data), count: data.length };
    },
  );
}

function registerOperatorList(app: App, { disputes, evidence }: OperatorEvidenceDeps): void {
  app.get(
    '/admin/disputes/:id/evidence',
    {
      config: { access: 'operator:read', personalData: 'dispute' },
      schema: {
        operationId: 'listDisputeEvidence',
        summary: 'List evidence of a dispute',
        description: 'Returns the files and messages of a dispute of any seller, oldest first.',
        tags,
        errors: ['dispute_not_found'],
        examples: { response: examples.EVIDENCE },
        params,
        response: { 200: envelope(EvidenceSchema) },
      },
    },
    async (request) => {
      const dispute = await disputes.findForOperator(request.params.id);
      const found = dispute && (await evidence.list(dispute));
      if (found === undefined) throw new HttpError('dispute_not_found');
      const { attachments, messages } = found;
      return ok({ attachments: attachments.map(viewAttachment), messages: messages.map(viewMessage) });
    },
  );
}

function registerOperatorDownload(app: App, { disputes, evidence }: OperatorEvidenceDeps): void {
  app.get(
    '/admin/disputes/:id/attachments/:attachmentId',
    {
      config: { access: 'operator:read', personalData: 'dispute', file: true },
      schema: {
        operationId: 'downloadAnyDisputeAttachment',
        summary: 'Download an attachment',
        description:
          'Returns a file of a dispute of any seller. Browsers download the file instead of ' +
          'displaying it.',
        tags,
        errors: ['attachment_not_found', 'rate_limited'],
        params: attachmentParams,
        response: { 200: fileResponse },
      },
    },
    async (request, reply) => {
      const { id, attachmentId } = request.params;
      const dispute = await disputes.findForOperator(id);
      const file = requireFile(dispute && (await evidence.readAttachment(dispute, attachmentId)));
      return reply.type(file.type).headers(downloadHeaders(file.name)).send(file.bytes);
    },
  );
}

function requireFile<File extends Pick<UploadedFile, 'name'>>(file: File | undefined): File {
  if (file === undefined) throw new HttpError('attachment_not_found');
  return file;
}

/** @throws HttpError if nothing was added; `full` if the dispute has no room. */
function unwrapAdded<Added>(result: AddResult<Added>, full: HttpError): Added {
  switch (result.kind) {
    case 'added':
      return result.added;
    case 'unknown':
      throw new HttpError('dispute_not_found');
    case 'closed':
      throw new HttpError('dispute_evidence_closed');
    case 'full':
      throw full;
  }
}
