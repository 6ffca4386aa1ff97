import { Type, type Static } from 'typebox';

import { dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { unwrapChange, TransactionNotFoundError } from '#payments/transactions/errors.ts';
import type { TransactionsService } from '#payments/transactions/service.ts';
import { disputeFilters, disputeStatuses, DisputeSchema, viewDispute } from './routes.ts';
import * as examples from './examples.ts';
import type { DisputesService, OperatorDispute } from './service.ts';

export const OpenDisputeBody = Type.Object({
  reason: nonEmptyString(255),
  amount: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AMOUNT_CENTS,
        description: 'Cents; all that is left unless told.',
      }),
    ),
  ),
});

const TOO_MUCH = 'Amount must not be more than what has not been refunded';

/** The operator sees whose it is. */
export const OperatorDisputeSchema = Type.Object(
  {
    ...DisputeSchema.properties,
    sellerId: Type.String({ format: 'uuid' }),
    sellerName: Type.String(),
  },
  { title: 'OperatorDispute' },
);

const viewOperatorDispute = (dispute: OperatorDispute): Static<typeof OperatorDisputeSchema> => ({
  ...viewDispute(dispute),
  sellerId: dispute.sellerId,
  sellerName: dispute.sellerName,
});

interface DisputeOperatorDeps {
  readonly disputes: DisputesService;
  readonly transactions: TransactionsService;
}

/** The operator opens disputes that a bank has told of, and ends them. */
export function disputeOperatorRoutes(app: App, { disputes, transactions }: DisputeOperatorDeps): void {
  const params = Type.Object({ id: Type.String() });

  app.post(
    '/admin/transactions/:id/dispute',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'openDispute',
        summary: 'Open a dispute over a charge',
        tags: ['Operator'],
        description: 'What has not been refunded is held, unless told otherwise. The charge becomes DISPUTE.',
        refusals: {
          404: ['Transaction not found'],
          422: ['Transaction cannot go from PENDING to DISPUTE', TOO_MUCH],
        },
        examples: {
          body: { 'All that is left': { reason: 'product not received' } },
          answer: examples.OPENED,
        },
        params,
        body: OpenDisputeBody,
        response: { 201: envelope(DisputeSchema) },
      },
    },
    async (request, reply) => {
      const transaction = await transactions.findById(request.params.id);
      if (transaction === undefined) throw new TransactionNotFoundError();
      const { reason, amount } = request.body;
      const result = await disputes.open(
        { sellerId: transaction.sellerId, id: transaction.id },
        { reason, amount: amount ?? null, by: auditActorOf(request) },
      );
      if (result.kind === 'opened') return reply.code(201).send(ok(viewDispute(result.dispute)));
      // Never reached with an answer: a refusal is thrown.
      unwrapChange(result.result, TOO_MUCH);
      throw new HttpError(422, 'Dispute cannot be opened');
    },
  );

  app.get(
    '/admin/disputes',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listAllDisputes',
        summary: 'List disputes of all sellers, newest first',
        tags: ['Operator'],
        examples: { answer: examples.LISTED_FOR_OPERATOR },
        querystring: withCrossFieldRules(
          Type.Object({ ...disputeFilters, sellerId: Type.Optional(Type.String({ format: 'uuid' })) }),
          [disputeStatuses.rule, dateRule],
        ),
        response: {
          200: envelope(
            Type.Object({
              data: Type.Array(OperatorDisputeSchema),
              count: Type.Integer(),
              take: Type.Integer(),
              skip: Type.Integer(),
            }),
          ),
        },
      },
    },
    async (request) => {
      const { query } = request;
      const { sellerId, transactionId } = query;
      const statuses = disputeStatuses.parse(query.status);
      const filter = { sellerId, statuses, transactionId, ...parsePeriod(query) };
      const { disputes: items, count } = await disputes.listForOperator(filter, query);
      return ok({ data: items.map(viewOperatorDispute), count, take: query.take, skip: query.skip });
    },
  );

  app.get(
    '/admin/disputes/:id',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readAnyDispute',
        summary: 'Read a dispute of any seller',
        tags: ['Operator'],
        refusals: { 404: ['Record Not Found'] },
        examples: { answer: examples.FOUND_BY_OPERATOR },
        params,
        response: { 200: envelope(OperatorDisputeSchema) },
      },
    },
    async (request) => {
      const dispute = await disputes.findForOperator(request.params.id);
      if (dispute === undefined) throw new HttpError(404, 'Record Not Found');
      return ok(viewOperatorDispute(dispute));
    },
  );

  app.post(
    '/admin/disputes/:id/resolve',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'resolveDispute',
        summary: "End a dispute: RESOLVED in the seller's favour, REJECTED in the payer's",
        tags: ['Operator'],
        refusals: { 404: ['Record Not Found'], 422: ['Dispute cannot go from RESOLVED to REJECTED'] },
        examples: { body: { "In the seller's favour": { outcome: 'RESOLVED' } }, answer: examples.RESOLVED },
        params,
        body: Type.Object({ outcome: Type.Enum(['RESOLVED', 'REJECTED']) }),
        response: { 200: envelope(DisputeSchema) },
      },
    },
    async (request) => {
      const result = await disputes.resolveById(
        request.params.id,
        request.body.outcome,
        auditActorOf(request),
      );
      if (result.kind === 'unknown') throw new HttpError(404, 'Record Not Found');
      if (result.kind === 'impossible')
        throw new HttpError(422, `Dispute cannot go from ${result.from} to ${result.to}`);
      return ok(viewDispute(result.dispute));
    },
  );
}
