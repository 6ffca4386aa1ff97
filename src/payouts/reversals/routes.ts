import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, nullable, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, pageQuery, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import * as examples from './examples.ts';
import { REVERSAL_REASONS } from '#payments/provider-events/reversal-port.ts';
import { REVERSAL_STATUSES, type PaymentReversal, type ReversalsService } from './service.ts';

const tags = ['Operator'];

export const ReversalSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sellerId: Type.String({ format: 'uuid' }),
    transactionId: Type.String({ format: 'uuid' }),
    method: Type.Enum([...METHODS], { description: 'Of the charge it was paid for.' }),
    amount: Type.Integer({ description: 'Cents; all of what came.' }),
    reason: Type.Enum([...REVERSAL_REASONS]),
    status: Type.Enum([...REVERSAL_STATUSES], { description: 'MANUAL waits for the operator.' }),
    provider: Type.String({ description: 'Who reported the money.' }),
    reportId: Type.String({ description: "The provider's own id of the payment." }),
    attempts: Type.Integer({ description: 'Calls of the provider.' }),
    providerReference: nullable(Type.String({ description: "The provider's own id of the return." })),
    detail: nullable(Type.String({ description: 'Why no machine can send it.' })),
    settledBy: nullable(Type.String({ format: 'uuid', description: "The operator's user who settled it." })),
    note: nullable(Type.String({ description: 'What the operator did.' })),
    sentAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Return' },
);

const ListQuery = withCrossFieldRules(
  Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...REVERSAL_STATUSES])),
    sellerId: Type.Optional(Type.String({ format: 'uuid' })),
    transactionId: Type.Optional(Type.String({ format: 'uuid' })),
    ...dateQuery,
  }),
  [dateRule],
);

/** The operator sees what goes back to payers, and settles what no machine can send. */
export function reversalOperatorRoutes(
  app: App,
  { reversals }: { readonly reversals: ReversalsService },
): void {
  app.get(
    '/admin/reversals',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturns',
        summary: 'List the money that goes back to payers, newest first',
        description:
          'Money that came for a charge that had ended, was paid before, or asked for another amount. It never was the seller’s.',
        tags,
        examples: { answer: examples.LISTED },
        querystring: ListQuery,
        response: { 200: pageEnvelope(ReversalSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { status, sellerId, transactionId } = query;
      const filter = { status, sellerId, transactionId, period: parsePeriod(query) };
      const { items, count } = await reversals.list(filter, parsePage(query));
      return pageResponse(items, count, query.take, viewReversal);
    },
  );

  app.post(
    '/admin/reversals/:id/settle',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'settleReturn',
        summary: 'Note that money was sent back by hand',
        tags,
        refusals: {
          404: ['Return not found'],
          422: ['Return cannot be settled while it is SENT'],
        },
        examples: { body: examples.NOTE, answer: examples.SETTLED },
        params: Type.Object({ id: Type.String() }),
        body: Type.Object({ note: nonEmptyString(500) }),
        response: { 200: envelope(ReversalSchema) },
      },
    },
    async (request) => {
      const result = await reversals.settle(request.params.id, auditActorOf(request), request.body.note);
      switch (result.kind) {
        case 'settled':
          return ok(viewReversal(result.reversal));
        case 'unknown':
          throw new HttpError(404, 'Return not found');
        case 'impossible':
          throw new HttpError(422, `Return cannot be settled while it is ${result.from}`);
      }
    },
  );
}

function viewReversal(reversal: PaymentReversal): Static<typeof ReversalSchema> {
  return {
    id: reversal.id,
    sellerId: reversal.sellerId,
    transactionId: reversal.transactionId,
    method: reversal.method,
    amount: reversal.amount,
    reason: reversal.reason,
    status: reversal.status,
    provider: reversal.provider,
    reportId: reversal.eventId,
    attempts: reversal.attempts,
    providerReference: reversal.providerReference,
    detail: reversal.detail,
    settledBy: reversal.settledBy,
    note: reversal.note,
    sentAt: reversal.sentAt?.toISOString() ?? null,
    createdAt: reversal.createdAt.toISOString(),
    updatedAt: reversal.updatedAt.toISOString(),
  };
}
