import { Type } from 'typebox';

import { invalidTransition, WithdrawalNotFoundError } from '#payouts/withdrawals/errors.ts';
import * as examples from '#payouts/withdrawals/examples.ts';
import {
  OperatorListQuery,
  OperatorPageSchema,
  OperatorWithdrawalSchema,
  withdrawalStatuses,
} from '#payouts/withdrawals/schema.ts';
import type { AlreadyApproved, DecisionResult } from '#payouts/withdrawals/approval.ts';
import type { WithdrawalsService } from '#payouts/withdrawals/service.ts';
import {
  OPERATOR_CSV_COLUMNS,
  viewForOperator,
  type OperatorWithdrawalView,
} from '#payouts/withdrawals/views.ts';
import type { OperatorWithdrawal } from '#payouts/withdrawals/withdrawal.ts';
import type { ApprovalsService } from './approvals/service.ts';
import { localizedTable, pageOrCsv, sendCsv } from '#platform/http/csv.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, isRecentlyVerified } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import type { Settings, SettingsService } from '#sellers/settings/service.ts';

export interface WithdrawalRouteDeps {
  readonly withdrawals: WithdrawalsService;
  readonly settings: SettingsService;
  readonly approvals: ApprovalsService;
  /** In a browser, the approval of more than this amount of cents needs a verified user. */
  readonly stepUpAbove: number;
}

const ById = Type.Object({ id: Type.String() });
const tags = ['Withdrawals'];
const response = { 200: envelope(OperatorWithdrawalSchema) };

/** The withdrawals of all sellers, and the operator's decisions on them. */
export function operatorWithdrawalRoutes(app: App, deps: WithdrawalRouteDeps): void {
  registerList(app, deps);
  registerRead(app, deps);
  registerApprove(app, deps);
  registerReject(app, deps);
}

function registerList(app: App, { withdrawals, settings }: WithdrawalRouteDeps): void {
  app.get(
    '/admin/withdrawals',
    {
      config: { access: 'operator:read', personalData: 'withdrawal' },
      schema: {
        operationId: 'listAllWithdrawals',
        summary: 'List withdrawals of all sellers',
        description:
          'Returns one page of the withdrawals of all sellers, by default newest first, or all of them ' +
          'as CSV with `export=true`.',
        tags,
        examples: { response: examples.LISTED_FOR_OPERATOR },
        querystring: OperatorListQuery,
        response: { 200: pageOrCsv(OperatorPageSchema) },
      },
    },
    async (request, reply) => {
      const { query } = request;
      const { sellerId, sort } = query;
      const filter = { statuses: withdrawalStatuses.parse(query.status), sellerId, sort };
      const currentSettings = await settings.get();
      if (query.export) {
        const rows = viewAll(withdrawals.iterateForOperator(filter), currentSettings);
        const table = localizedTable(OPERATOR_CSV_COLUMNS, query.locale);
        return sendCsv(reply, 'withdrawals.csv', table, rows);
      }
      const { items, count, totalAmount } = await withdrawals.listForOperator(filter, parsePage(query));
      const page = pageResponse(items, count, query.take, (item) => viewForOperator(item, currentSettings));
      return totalAmount === undefined ? page : { ...page, totalAmount };
    },
  );
}

function registerRead(app: App, { withdrawals, settings }: WithdrawalRouteDeps): void {
  app.get(
    '/admin/withdrawals/:id',
    {
      config: { access: 'operator:read', personalData: 'withdrawal' },
      schema: {
        operationId: 'getAnyWithdrawal',
        summary: 'Retrieve a withdrawal',
        description: 'Returns a withdrawal of any seller, with its approvals.',
        tags,
        errors: ['withdrawal_not_found'],
        examples: { response: examples.APPROVED },
        params: ById,
        response,
      },
    },
    async (request) => {
      const withdrawal = await withdrawals.findForOperator(request.params.id);
      if (withdrawal === undefined) throw new WithdrawalNotFoundError();
      return ok(viewForOperator(withdrawal, await settings.get()));
    },
  );
}

function registerApprove(
  app: App,
  { withdrawals, settings, approvals, stepUpAbove }: WithdrawalRouteDeps,
): void {
  app.post(
    '/admin/withdrawals/:id/approve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'approveWithdrawal',
        summary: 'Approve a withdrawal',
        description:
          'Approves a PENDING withdrawal. It is paid once the seller is ACTIVE. If `rollingAmount` is ' +
          'above `twoPersonApprovalAbove`, the first approval is recorded and the withdrawal stays ' +
          'PENDING; a second ADMIN completes it. An ADMIN that another user created less than 24 hours ' +
          'ago cannot approve. In a browser session, the approval of a withdrawal of more than ' +
          '`STEP_UP_WITHDRAWAL_ABOVE` requires a sign-in or step-up within the last five minutes ' +
          '(otherwise 403 `step_up_required`). Returns the withdrawal.',
        tags,
        errors: [
          'withdrawal_not_found',
          invalidTransition('REJECTED', 'APPROVED'),
          'withdrawal_already_approved',
          'approver_too_new',
          'step_up_required',
        ],
        examples: { response: examples.APPROVED },
        params: ById,
        response,
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await isRecentlyVerified(request))) {
        const withdrawal = await withdrawals.findForOperator(id);
        if (withdrawal !== undefined && withdrawal.amount > stepUpAbove)
          throw new HttpError('step_up_required');
      }
      await approvals.requireSettled(auditActorOf(request));
      const decision = await withdrawals.approve(id, auditActorOf(request));
      return ok(viewForOperator(decidedWithdrawal(decision), await settings.get()));
    },
  );
}

function registerReject(app: App, { withdrawals, settings }: WithdrawalRouteDeps): void {
  app.post(
    '/admin/withdrawals/:id/reject',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'rejectWithdrawal',
        summary: 'Reject a withdrawal',
        description:
          'Rejects a withdrawal that is PENDING, or APPROVED but not submitted, with a reason ' +
          'that the seller sees. Its amount returns to the available balance. Returns the ' +
          'withdrawal.',
        tags,
        errors: ['withdrawal_not_found', invalidTransition('PROCESSING', 'REJECTED')],
        examples: {
          body: { 'With a reason': { reason: 'unknown beneficiary' } },
          response: examples.REJECTED,
        },
        params: ById,
        body: Type.Object({ reason: nonEmptyString(255, 'Reason, which the seller sees.') }),
        response,
      },
    },
    async (request) => {
      const { reason } = request.body;
      const decision = await withdrawals.reject(request.params.id, auditActorOf(request), reason);
      return ok(viewForOperator(decidedWithdrawal(decision), await settings.get()));
    },
  );
}

/** Returns the withdrawal that was decided. Throws the HTTP error of any other result. */
function decidedWithdrawal(result: DecisionResult | AlreadyApproved): OperatorWithdrawal {
  switch (result.kind) {
    case 'applied':
      return result.withdrawal;
    case 'already-approved':
      throw new HttpError('withdrawal_already_approved');
    case 'unknown':
      throw new WithdrawalNotFoundError();
    case 'impossible':
      throw invalidTransition(result.from, result.to);
  }
}

async function* viewAll(
  withdrawals: AsyncIterable<OperatorWithdrawal>,
  settings: Settings,
): AsyncGenerator<OperatorWithdrawalView> {
  for await (const withdrawal of withdrawals) yield viewForOperator(withdrawal, settings);
}
