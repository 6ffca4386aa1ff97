import { Type } from 'typebox';

import { dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import type { Dispute } from './dispute.ts';
import * as examples from './examples.ts';
import { disputeFilters, DisputesSchema, disputeStatuses } from './schema.ts';
import type { DisputesService } from './service.ts';
import { viewDisputes, type SellerDispute } from './views.ts';

interface DisputeRouteDeps {
  readonly disputes: DisputesService;
  readonly transactions: Pick<TransactionsService, 'findSaleNames'>;
}

/** Adds the payers to disputes of one seller. */
async function withPayers(
  { transactions }: DisputeRouteDeps,
  disputes: readonly Dispute[],
): Promise<readonly SellerDispute[]> {
  const [first] = disputes;
  if (first === undefined) return [];
  const ids = disputes.map(({ transactionId }) => transactionId);
  const sales = await transactions.findSaleNames(first.sellerId, [...new Set(ids)]);
  const names = new Map(sales.map(({ id, customerName }) => [id, customerName]));
  return disputes.map((dispute) => ({ ...dispute, customerName: names.get(dispute.transactionId) ?? '' }));
}

export function disputeRoutes(app: App, deps: DisputeRouteDeps): void {
  registerList(app, deps);
  registerGet(app, deps);
  registerAppeal(app, deps);
}

const sort = Type.Optional(
  Type.Enum(['appealUntil'], {
    description: 'Sort order. `appealUntil` lists the nearest deadline first. Defaults to newest first.',
  }),
);

function registerList(app: App, deps: DisputeRouteDeps): void {
  app.get(
    '/disputes',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'listDisputes',
        summary: 'List disputes',
        description: 'Returns one page of the disputes of the seller, by default newest first.',
        tags: ['Disputes'],
        examples: { response: examples.LISTED },
        querystring: withCrossFieldRules(Type.Object({ ...disputeFilters, sort }), [
          disputeStatuses.rule,
          dateRule,
        ]),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = {
        sellerId: callingSeller(request).id,
        statuses: disputeStatuses.parse(query.status),
        transactionId: query.transactionId,
        sort: query.sort,
        ...parsePeriod(query),
      };
      const { items, count } = await deps.disputes.list(filter, query);
      return viewDisputes(await withPayers(deps, items), count, query);
    },
  );
}

function registerGet(app: App, deps: DisputeRouteDeps): void {
  app.get(
    '/disputes/:id',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'getDispute',
        summary: 'Retrieve a dispute',
        description: 'Returns a dispute, as a list with one item.',
        tags: ['Disputes'],
        errors: ['dispute_not_found'],
        examples: { response: examples.LISTED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const dispute = await deps.disputes.find({
        sellerId: callingSeller(request).id,
        id: request.params.id,
      });
      if (dispute === undefined) throw new HttpError('dispute_not_found');
      return viewDisputes(await withPayers(deps, [dispute]));
    },
  );
}

function registerAppeal(app: App, deps: DisputeRouteDeps): void {
  app.post(
    '/disputes/appeal',
    {
      config: { access: 'disputes:appeal' },
      schema: {
        operationId: 'appealDispute',
        summary: 'Appeal an open dispute',
        description:
          'Appeals an OPEN dispute with a reason, until `appealUntil`. Returns the dispute, ' +
          'which becomes UNDER_REVIEW. A dispute without an appeal is lost.',
        tags: ['Disputes'],
        errors: ['dispute_not_found', 'dispute_not_appealable'],
        examples: { body: examples.APPEAL, response: examples.APPEALED },
        body: Type.Object({
          disputeId: nonEmptyString(100, 'The dispute to appeal.'),
          appealReason: nonEmptyString(
            2000,
            "Why the payment is legitimate. The operator or the payer's bank decides on this basis.",
          ),
        }),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const { disputeId, appealReason } = request.body;
      const key = { sellerId: callingSeller(request).id, id: disputeId };
      const result = await deps.disputes.appeal(key, appealReason, auditActorOf(request));
      switch (result.kind) {
        case 'appealed':
          return viewDisputes(await withPayers(deps, [result.dispute]));
        case 'unknown':
          throw new HttpError('dispute_not_found');
        case 'impossible':
          throw new HttpError('dispute_not_appealable');
      }
    },
  );
}
