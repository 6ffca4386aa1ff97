import { Type } from 'typebox';

import { pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { authorOf } from '#platform/http/guard.ts';
import { pageOf, readPage } from '#platform/http/pages.ts';
import type { App } from '#platform/http/server.ts';
import { filled } from '#platform/http/validation.ts';
import type { Settings, SettingsService } from '#sellers/settings/service.ts';
import { APPROVED_BEFORE, impossible, WithdrawalMissing } from '#payouts/withdrawals/errors.ts';
import {
  OperatorListQuery,
  OperatorWithdrawalSchema,
  withdrawalStatuses,
} from '#payouts/withdrawals/schema.ts';
import type { ApprovedBefore, DecidedResult, WithdrawalsService } from '#payouts/withdrawals/service.ts';
import * as shown from '#payouts/withdrawals/examples.ts';
import {
  OPERATOR_CSV_COLUMNS,
  viewForOperator,
  type OperatorWithdrawalView,
} from '#payouts/withdrawals/views.ts';
import type { OwnedWithdrawal } from '#payouts/withdrawals/withdrawal.ts';

const ById = Type.Object({ id: Type.String() });
const tags = ['Operator'];
const decided = { 200: envelope(OperatorWithdrawalSchema) };
const missing = { 404: ['Withdrawal not found'] };

/** The operator's decisions over withdrawals. */
export function operatorWithdrawalRoutes(
  app: App,
  { withdrawals, settings }: { readonly withdrawals: WithdrawalsService; readonly settings: SettingsService },
): void {
  app.get(
    '/admin/withdrawals',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllWithdrawals',
        summary: 'List the withdrawals of all sellers, newest first, or export them as CSV',
        tags,
        examples: { answer: shown.LISTED_FOR_OPERATOR },
        querystring: OperatorListQuery,
        response: { 200: pageOrCsv(pageEnvelope(OperatorWithdrawalSchema)) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const filter = { statuses: withdrawalStatuses.read(query.status), sellerId: query.sellerId };
      const now = await settings.read();
      if (query.export) {
        const all = views(withdrawals.allOfAllSellers(filter), now);
        return sendCsv(reply, 'withdrawals.csv', OPERATOR_CSV_COLUMNS, all);
      }
      const { found, count } = await withdrawals.listOfAllSellers(filter, readPage(query));
      return pageOf(found, count, query.take, (one) => viewForOperator(one, now));
    },
  );

  app.get(
    '/admin/withdrawals/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readAnyWithdrawal',
        summary: 'Read a withdrawal of any seller, with its approvals',
        tags,
        refusals: missing,
        examples: { answer: shown.APPROVED },
        params: ById,
        response: decided,
      },
    },
    async (request) => {
      const found = await withdrawals.findOfAnySeller(request.params.id);
      if (found === undefined) throw new WithdrawalMissing();
      return ok(viewForOperator(found, await settings.read()));
    },
  );

  app.post(
    '/admin/withdrawals/:id/approve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'approveWithdrawal',
        summary: 'Approve a withdrawal',
        description:
          'Above `twoPersonApprovalAbove` the first approval is recorded and the withdrawal stays PENDING; a second ADMIN completes it.',
        tags,
        refusals: { ...missing, 422: ['Withdrawal cannot go from REJECTED to APPROVED', APPROVED_BEFORE] },
        examples: { answer: shown.APPROVED },
        params: ById,
        response: decided,
      },
    },
    async (request) => {
      const { id } = request.params;
      return answer(await withdrawals.approve(id, authorOf(request)));
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
      return answer(await withdrawals.reject(id, authorOf(request), request.body.reason));
    },
  );

  async function answer(result: DecidedResult | ApprovedBefore) {
    switch (result.kind) {
      case 'applied':
        return ok(viewForOperator(result.withdrawal, await settings.read()));
      case 'approved-before':
        throw new HttpError(422, APPROVED_BEFORE);
      case 'unknown':
        throw new WithdrawalMissing();
      case 'impossible':
        throw impossible(result.from, result.to);
    }
  }
}

async function* views(
  found: AsyncIterable<OwnedWithdrawal>,
  settings: Settings,
): AsyncGenerator<OperatorWithdrawalView> {
  for await (const withdrawal of found) yield viewForOperator(withdrawal, settings);
}
