import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { statusFilter } from '#platform/http/status-filter.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { DISPUTE_STATUSES, type Dispute, type DisputesService } from './service.ts';

export const DisputeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    transactionId: Type.String({ format: 'uuid' }),
    status: Type.Enum([...DISPUTE_STATUSES]),
    amount: Type.Integer({ description: 'Cents held.' }),
    reason: Type.String(),
    createdBy: Type.String({ description: "Who opened it: PAYER, or an operator's user." }),
    createdAt: Timestamp,
    appealUntil: Type.String({
      format: 'date-time',
      description: 'Until then the seller may appeal; after it the dispute is lost.',
    }),
    resolvedAt: nullable(Timestamp),
    resolvedBy: nullable(Type.String({ description: "Who ended it: an operator's user, or `deadline`." })),
    appealReason: nullable(Type.String()),
  },
  { title: 'Dispute' },
);

/** Disputes answer their list inside `data`, also where there is one. */
export const DisputesSchema = Type.Object(
  {
    status: Type.Literal(true),
    data: Type.Object({
      data: Type.Array(DisputeSchema),
      count: Type.Integer(),
      take: Type.Integer(),
      skip: Type.Integer(),
    }),
  },
  { title: 'Disputes' },
);

const { take, skip } = pageQuery;

export const disputeStatuses = statusFilter(DISPUTE_STATUSES);

export const disputeFilters = {
  take,
  skip,
  status: disputeStatuses.querySchema,
  transactionId: Type.Optional(Type.String({ format: 'uuid' })),
  ...dateQuery,
};

export function disputeRoutes(app: App, { disputes }: { readonly disputes: DisputesService }): void {
  app.get(
    '/disputes',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'listDisputes',
        summary: 'List disputes, newest first',
        tags: ['Disputes'],
        examples: { answer: examples.LISTED },
        querystring: withCrossFieldRules(Type.Object(disputeFilters), [disputeStatuses.rule, dateRule]),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = {
        sellerId: callingSeller(request).id,
        statuses: disputeStatuses.parse(query.status),
        transactionId: query.transactionId,
        ...parsePeriod(query),
      };
      const result = await disputes.list(filter, query);
      return toDisputeList(result.disputes, result.count, query);
    },
  );

  app.get(
    '/disputes/:id',
    {
      config: { access: 'disputes:read' },
      schema: {
        operationId: 'getDispute',
        summary: 'Read a dispute',
        tags: ['Disputes'],
        description: 'Answered as a list of one.',
        refusals: { 404: ['Record Not Found'] },
        examples: { answer: examples.LISTED },
        params: Type.Object({ id: Type.String() }),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const dispute = await disputes.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (dispute === undefined) throw new HttpError(404, 'Record Not Found');
      return toDisputeList([dispute]);
    },
  );

  app.post(
    '/disputes/appeal',
    {
      config: { access: 'disputes:appeal' },
      schema: {
        operationId: 'appealDispute',
        summary: 'Appeal an open dispute',
        tags: ['Disputes'],
        description: 'Up to `appealUntil`. A dispute that nobody appeals is lost then.',
        refusals: { 404: ['Record Not Found'], 422: ['Dispute cannot be appealed'] },
        examples: { body: examples.APPEAL, answer: examples.APPEALED },
        body: Type.Object({ disputeId: nonEmptyString(100), appealReason: nonEmptyString(2000) }),
        response: { 200: DisputesSchema },
      },
    },
    async (request) => {
      const { disputeId, appealReason } = request.body;
      const result = await disputes.appeal(
        { sellerId: callingSeller(request).id, id: disputeId },
        appealReason,
      );
      if (result === 'unknown') throw new HttpError(404, 'Record Not Found');
      if (result === undefined) throw new HttpError(422, 'Dispute cannot be appealed');
      return toDisputeList([result]);
    },
  );
}

export function toDisputeList(
  disputes: readonly Dispute[],
  count = disputes.length,
  page: { readonly take: number; readonly skip: number } = { take: 10, skip: 0 },
): Static<typeof DisputesSchema> {
  return { status: true, data: { data: disputes.map(viewDispute), count, take: page.take, skip: page.skip } };
}

export function viewDispute(dispute: Dispute): Static<typeof DisputeSchema> {
  return {
    id: dispute.id,
    transactionId: dispute.transactionId,
    status: dispute.status,
    amount: dispute.amount,
    reason: dispute.reason,
    createdBy: dispute.createdBy,
    createdAt: dispute.createdAt.toISOString(),
    appealUntil: dispute.appealUntil.toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
    resolvedBy: dispute.resolvedBy,
    appealReason: dispute.appealReason,
  };
}
