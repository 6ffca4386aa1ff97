import { Type } from 'typebox';

import { envelope, ok, pageEnvelope } from '#http/envelope.ts';
import { callingUserId } from '#http/guard.ts';
import { cutPage, readPage } from '#http/pages.ts';
import type { App } from '#http/server.ts';
import { filled } from '#http/validation.ts';
import { impossible, WithdrawalMissing } from '#withdrawals/errors.ts';
import { OperatorListQuery, OperatorWithdrawalSchema, readStatuses } from '#withdrawals/schema.ts';
import type { DecidedResult, WithdrawalsService } from '#withdrawals/service.ts';
import * as shown from '#withdrawals/examples.ts';
import { viewForOperator } from '#withdrawals/views.ts';

const ById = Type.Object({ id: Type.String() });
const tags = ['Operator'];
const decided = { 200: envelope(OperatorWithdrawalSchema) };
const missing = { 404: ['Withdrawal not found'] };

/** The operator's decisions over withdrawals. */
export function operatorWithdrawalRoutes(
  app: App,
  { withdrawals }: { readonly withdrawals: WithdrawalsService },
): void {
  app.get(
    '/admin/withdrawals',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllWithdrawals',
        summary: 'List the withdrawals of all sellers, newest first',
        tags,
        examples: { answer: shown.LISTED_FOR_OPERATOR },
        querystring: OperatorListQuery,
        response: { 200: pageEnvelope(OperatorWithdrawalSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = { statuses: readStatuses(query.status), sellerId: query.sellerId };
      const { found, count } = await withdrawals.listOfAllSellers(filter, readPage(query));
      const { records, nextCursor } = cutPage(found, query.take);
      return { status: true as const, data: records.map(viewForOperator), count, nextCursor };
    },
  );

  app.post(
    '/admin/withdrawals/:id/approve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'approveWithdrawal',
        summary: 'Approve a withdrawal',
        tags,
        refusals: { ...missing, 422: ['Withdrawal cannot go from REJECTED to APPROVED'] },
        examples: { answer: shown.APPROVED },
        params: ById,
        response: decided,
      },
    },
    async (request) => {
      const { id } = request.params;
      return answer(await withdrawals.approve(id, callingUserId(request)));
    },
  );

  app.post(
    '/admin/withdrawals/:id/reject',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'rejectWithdrawal',
        summary: 'Reject a withdrawal; its amount goes back to the available balance',
        tags,
        refusals: { ...missing, 422: ['Withdrawal cannot go from APPROVED to REJECTED'] },
        examples: { body: { 'With a reason': { reason: 'unknown beneficiary' } }, answer: shown.REJECTED },
        params: ById,
        body: Type.Object({ reason: filled(255) }),
        response: decided,
      },
    },
    async (request) => {
      const { id } = request.params;
      return answer(await withdrawals.reject(id, callingUserId(request), request.body.reason));
    },
  );
}

function answer(result: DecidedResult) {
  switch (result.kind) {
    case 'applied':
      return ok(viewForOperator(result.withdrawal));
    case 'unknown':
      throw new WithdrawalMissing();
    case 'impossible':
      throw impossible(result.from, result.to);
  }
}
