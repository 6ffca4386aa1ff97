import { Type } from 'typebox';

import { requireChanged, tooManyMessages } from '#onboarding/errors.ts';
import * as examples from '#onboarding/examples.ts';
import {
  ApplicationSchema,
  ApplicationsQuery,
  ApplicationSummarySchema,
  MAX_MESSAGE_LENGTH,
  QuestionBody,
  RejectionBody,
  viewApplication,
  viewSummary,
} from '#onboarding/schema.ts';
import type { ApplicationsService } from '#onboarding/service.ts';
import { described, envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { downloadHeaders, fileResponse } from '#platform/http/uploads.ts';
import { nonEmptyString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { FeesSchema, feesRule, parseFees } from '#sellers/fees/schema.ts';
import { SellerChanges } from './schema.ts';

export interface OperatorApplicationDeps {
  readonly applications: ApplicationsService;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Applications'];
const decisionErrors = ['application_not_found', 'application_closed'] as const;

/** The rule of a schedule that is a member of the body. */
const nestedFeesRule: CrossFieldRule = ({ fees }) =>
  typeof fees === 'object' && fees !== null
    ? feesRule({ ...fees }).map((violation) => ({ ...violation, path: ['fees', ...violation.path] }))
    : [];

/** Without the limits that a second ADMIN may have to approve. */
const Limits = Type.Omit(SellerChanges, ['status', 'autoApproveUpTo', 'negativeBalanceUpTo'], {
  title: 'ApprovedLimits',
  description: 'The limits of the seller. Omitted ones stay unchanged.',
});

const ApprovalBody = withCrossFieldRules(
  Type.Object(
    {
      message: Type.Optional(nonEmptyString(MAX_MESSAGE_LENGTH, 'It is emailed to the applicant.')),
      fees: Type.Optional(described(FeesSchema, 'The fees of the seller. If omitted, they stay unchanged.')),
      limits: Type.Optional(Limits),
    },
    { title: 'ApplicationApproval' },
  ),
  [nestedFeesRule],
);

/** Applications for an account, as the operator decides on them. */
export function operatorApplicationRoutes(app: App, deps: OperatorApplicationDeps): void {
  registerList(app, deps);
  registerRead(app, deps);
  registerDownload(app, deps);
  registerAsk(app, deps);
  registerApprove(app, deps);
  registerReject(app, deps);
}

function registerList(app: App, { applications }: OperatorApplicationDeps): void {
  app.get(
    '/admin/applications',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listApplications',
        summary: 'List applications',
        description: 'Returns one page of the applications of sellers, newest first.',
        tags,
        examples: { response: examples.APPLICATIONS },
        querystring: ApplicationsQuery,
        response: { 200: pageEnvelope(ApplicationSummarySchema) },
      },
    },
    async ({ query }) => {
      const { items, count } = await applications.list(query.status, parsePage(query));
      return pageResponse(items.map(viewSummary), count, query.take, (application) => application);
    },
  );
}

function registerRead(app: App, { applications }: OperatorApplicationDeps): void {
  app.get(
    '/admin/applications/:id',
    {
      config: { access: 'operator:read', personalData: 'seller' },
      schema: {
        operationId: 'getSellerApplication',
        summary: 'Retrieve an application',
        description: 'Returns an application with its details, documents and messages.',
        tags,
        errors: ['application_not_found'],
        examples: { response: examples.APPLICATION },
        params: ById,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const found = await applications.find(request.params.id);
      if (found === undefined) throw new HttpError('application_not_found');
      return ok(viewApplication(found));
    },
  );
}

function registerDownload(app: App, { applications }: OperatorApplicationDeps): void {
  app.get(
    '/admin/applications/:id/documents/:documentId',
    {
      config: { access: 'operator:read', personalData: 'seller', file: true },
      schema: {
        operationId: 'downloadAnyApplicationDocument',
        summary: 'Download a document',
        description: 'Returns a file of an application. Browsers download the file instead of displaying it.',
        tags,
        errors: ['document_not_found', 'rate_limited'],
        params: Type.Object({
          id: Type.String({ description: 'The id of the application.' }),
          documentId: Type.String({ description: 'The id of the document.' }),
        }),
        response: { 200: fileResponse },
      },
    },
    async (request, reply) => {
      const { id, documentId } = request.params;
      const file = await applications.readDocument(id, documentId);
      if (file === undefined) throw new HttpError('document_not_found');
      return reply.type(file.type).headers(downloadHeaders(file.name)).send(file.bytes);
    },
  );
}

function registerAsk(app: App, { applications }: OperatorApplicationDeps): void {
  app.post(
    '/admin/applications/:id/ask',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'askApplicant',
        summary: 'Ask the applicant a question',
        description:
          'Emails a question to the applicant, who can then change the application and submit it again ' +
          'with an answer. Returns the application.',
        tags,
        errors: [...decisionErrors, tooManyMessages],
        examples: { body: examples.QUESTION, response: examples.APPLICATION },
        params: ById,
        body: QuestionBody,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const asked = await applications.ask(params.id, body.message, auditActorOf(request));
      return ok(viewApplication(requireChanged(asked, tooManyMessages)));
    },
  );
}

function registerApprove(app: App, { applications }: OperatorApplicationDeps): void {
  app.post(
    '/admin/applications/:id/approve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'approveApplication',
        summary: 'Approve an application',
        description:
          'Makes the seller ACTIVE, with the fees and limits of the body, and emails the applicant. The ' +
          'application need not be complete. To set `autoApproveUpTo` and `negativeBalanceUpTo`, use ' +
          '`PATCH /v1/admin/sellers/{id}`. Returns the application.',
        tags,
        errors: [...decisionErrors],
        examples: { body: examples.APPROVAL, response: examples.APPROVED },
        params: ById,
        body: ApprovalBody,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const { message, fees, limits = {} } = request.body;
      // The body may have members that the schema does not list, such as a status.
      const known = Object.keys(Limits.properties);
      const approval = {
        message,
        fees: fees && parseFees(fees),
        limits: Object.fromEntries(Object.entries(limits).filter(([name]) => known.includes(name))),
      };
      const approved = await applications.approve(request.params.id, approval, auditActorOf(request));
      return ok(viewApplication(requireChanged(approved)));
    },
  );
}

function registerReject(app: App, { applications }: OperatorApplicationDeps): void {
  app.post(
    '/admin/applications/:id/reject',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'rejectApplication',
        summary: 'Reject an application',
        description:
          'Closes the seller, and emails the reason to the applicant. What the applicant presented, and ' +
          'the name, tax ID and users of the seller, are deleted after `applicationRetentionDays` of the ' +
          'settings. Returns the application.',
        tags,
        errors: [...decisionErrors],
        examples: { body: examples.REJECTION, response: examples.REJECTED },
        params: ById,
        body: RejectionBody,
        response: { 200: envelope(ApplicationSchema) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const rejected = await applications.reject(params.id, body.message, auditActorOf(request));
      return ok(viewApplication(requireChanged(rejected)));
    },
  );
}
