import { Type } from 'typebox';

import { tooManyApiKeys } from '#identity/api-keys/errors.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as schema from './schema.ts';
import type { ApprovalsService } from './service.ts';

export interface ApprovalRouteDeps {
  readonly approvals: ApprovalsService;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Approvals'];

/** Requests of one ADMIN that a second one approves or rejects. */
export function approvalRoutes(app: App, deps: ApprovalRouteDeps): void {
  registerList(app, deps);
  registerApprove(app, deps);
  registerReject(app, deps);
}

function registerList(app: App, { approvals }: ApprovalRouteDeps): void {
  app.get(
    '/admin/approvals',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listApprovals',
        summary: 'List approvals',
        description: 'Returns one page of the requests that need approval by a second ADMIN, newest first.',
        tags,
        examples: { response: schema.LISTED },
        querystring: schema.ApprovalsQuery,
        response: { 200: pageEnvelope(schema.ApprovalSchema) },
      },
    },
    async ({ query }) => {
      const { items, count } = await approvals.list(query.status, parsePage(query));
      return pageResponse(items, count, query.take, schema.viewApproval);
    },
  );
}

function registerApprove(app: App, { approvals }: ApprovalRouteDeps): void {
  app.post(
    '/admin/approvals/:id/approve',
    {
      config: { access: 'operator:write', stepUp: true },
      schema: {
        operationId: 'approveRequest',
        summary: 'Approve a request',
        description:
          'Executes a PENDING request of another ADMIN. An ADMIN that another user created less than 24 ' +
          'hours ago cannot approve. Returns the request with its result, which no other operation ' +
          'returns.',
        tags,
        errors: [
          'approval_not_found',
          'approval_own_request',
          'approval_not_pending',
          'approver_too_new',
          'email_taken',
          'email_not_configured',
          'user_not_found',
          'last_admin',
          'second_factor_not_active',
          'second_factor_reset_pending',
          'seller_not_found',
          tooManyApiKeys(),
        ],
        examples: { response: schema.APPROVED },
        params: ById,
        response: { 200: envelope(schema.ExecutedApprovalSchema) },
      },
    },
    async (request) => {
      const approved = await approvals.approve(request.params.id, auditActorOf(request));
      return ok({ ...schema.viewApproval(approved), result: approved.result });
    },
  );
}

function registerReject(app: App, { approvals }: ApprovalRouteDeps): void {
  app.post(
    '/admin/approvals/:id/reject',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'rejectRequest',
        summary: 'Reject a request',
        description:
          'Rejects a PENDING request with a reason. The ADMIN who made the request can withdraw ' +
          'it this way. Returns the request.',
        tags,
        errors: ['approval_not_found', 'approval_not_pending'],
        examples: { body: schema.REJECTION, response: schema.REJECTED },
        params: ById,
        body: Type.Object({ reason: nonEmptyString(255, 'Why it is rejected.') }),
        response: { 200: envelope(schema.ApprovalSchema) },
      },
    },
    async (request) => {
      const { reason } = request.body;
      const rejected = await approvals.reject(request.params.id, auditActorOf(request), reason);
      return ok(schema.viewApproval(rejected));
    },
  );
}
