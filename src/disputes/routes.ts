import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, readPeriod } from '#http/dates.ts';
import { commonErrors, nullable, Timestamp } from '#http/envelope.ts';
import { ErrorBody, HttpError } from '#http/errors.ts';
import { callingSeller } from '#http/guard.ts';
import { pageQuery } from '#http/pages.ts';
import type { App } from '#http/server.ts';
import { filled, withRules } from '#http/validation.ts';
import { DISPUTE_STATUSES, type Dispute, type DisputesService } from './service.ts';

export const DisputeSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  transactionId: Type.String({ format: 'uuid' }),
  status: Type.Enum([...DISPUTE_STATUSES]),
  amount: Type.Integer({ description: 'Cents held.' }),
  reason: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  appealUntil: Timestamp,
  resolvedAt: nullable(Timestamp),
  resolvedBy: nullable(Type.String()),
  appealReason: nullable(Type.String()),
});

/** Disputes answer their list inside `data`, also where there is one. */
export const DisputesSchema = Type.Object({
  status: Type.Literal(true),
  data: Type.Object({
    data: Type.Array(DisputeSchema),
    count: Type.Integer(),
    take: Type.Integer(),
    skip: Type.Integer(),
  }),
});

const { take, skip } = pageQuery;

export const disputeFilters = {
  take,
  skip,
  status: Type.Optional(Type.Enum([...DISPUTE_STATUSES])),
  transactionId: Type.Optional(Type.String({ format: 'uuid' })),
  ...dateQuery,
};

export function disputeRoutes(app: App, { disputes }: { readonly disputes: DisputesService }): void {
  app.get(
    '/disputes',
    {
      config: { access: 'disputes:read' },
      schema: {
        summary: 'List disputes, newest first',
        tags: ['Disputes'],
        querystring: withRules(Type.Object(disputeFilters), [dateRule]),
        response: { 200: DisputesSchema, ...commonErrors },
      },
    },
    async (request) => {
      const { query } = request;
      const filter = {
        sellerId: callingSeller(request).id,
        status: query.status,
        transactionId: query.transactionId,
        ...readPeriod(query),
      };
      const found = await disputes.list(filter, query);
      return wrapped(found.disputes, found.count, query);
    },
  );

  app.get(
    '/disputes/:id',
    {
      config: { access: 'disputes:read' },
      schema: {
        summary: 'Read a dispute',
        tags: ['Disputes'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: DisputesSchema, 404: ErrorBody, ...commonErrors },
      },
    },
    async (request) => {
      const found = await disputes.find({ sellerId: callingSeller(request).id, id: request.params.id });
      if (found === undefined) throw new HttpError(404, 'Record Not Found');
      return wrapped([found]);
    },
  );

  app.post(
    '/disputes/appeal',
    {
      config: { access: 'disputes:appeal' },
      schema: {
        summary: 'Appeal an open dispute',
        tags: ['Disputes'],
        body: Type.Object({ disputeId: filled(100), appealReason: filled(2000) }),
        response: { 200: DisputesSchema, 404: ErrorBody, 422: ErrorBody, ...commonErrors },
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
      return wrapped([result]);
    },
  );
}

export function wrapped(
  found: readonly Dispute[],
  count = found.length,
  page: { readonly take: number; readonly skip: number } = { take: 10, skip: 0 },
): Static<typeof DisputesSchema> {
  return { status: true, data: { data: found.map(viewDispute), count, take: page.take, skip: page.skip } };
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
