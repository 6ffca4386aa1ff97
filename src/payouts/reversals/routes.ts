import { Type, type Static } from 'typebox';

import { dateQuery, dateRule, readPeriod } from '#platform/http/dates.ts';
import { envelope, nullable, ok, pageEnvelope, Timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { authorOf } from '#platform/http/guard.ts';
import { pageOf, pageQuery, readPage } from '#platform/http/pages.ts';
import type { App } from '#platform/http/server.ts';
import { filled, withRules } from '#platform/http/validation.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import * as shown from './examples.ts';
import { RETURN_REASONS, RETURN_STATUSES, type PaymentReturn, type ReturnsService } from './service.ts';

const tags = ['Operator'];

export const ReturnSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sellerId: Type.String({ format: 'uuid' }),
    transactionId: Type.String({ format: 'uuid' }),
    method: Type.Enum([...METHODS], { description: 'Of the charge it was paid for.' }),
    amount: Type.Integer({ description: 'Cents; all of what came.' }),
    reason: Type.Enum([...RETURN_REASONS]),
    status: Type.Enum([...RETURN_STATUSES], { description: 'MANUAL waits for the operator.' }),
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

const ListQuery = withRules(
  Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...RETURN_STATUSES])),
    sellerId: Type.Optional(Type.String({ format: 'uuid' })),
    transactionId: Type.Optional(Type.String({ format: 'uuid' })),
    ...dateQuery,
  }),
  [dateRule],
);

/** The operator sees what goes back to payers, and settles what no machine can send. */
export function returnOperatorRoutes(app: App, { returns }: { readonly returns: ReturnsService }): void {
  app.get(
    '/admin/returns',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReturns',
        summary: 'List the money that goes back to payers, newest first',
        description:
          'Money that came for a charge that had ended, was paid before, or asked for another amount. It never was the seller’s.',
        tags,
        examples: { answer: shown.LISTED },
        querystring: ListQuery,
        response: { 200: pageEnvelope(ReturnSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { status, sellerId, transactionId } = query;
      const filter = { status, sellerId, transactionId, period: readPeriod(query) };
      const { found, count } = await returns.list(filter, readPage(query));
      return pageOf(found, count, query.take, viewReturn);
    },
  );

  app.post(
    '/admin/returns/:id/settle',
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
        examples: { body: shown.NOTE, answer: shown.SETTLED },
        params: Type.Object({ id: Type.String() }),
        body: Type.Object({ note: filled(500) }),
        response: { 200: envelope(ReturnSchema) },
      },
    },
    async (request) => {
      const result = await returns.settle(request.params.id, authorOf(request), request.body.note);
      switch (result.kind) {
        case 'settled':
          return ok(viewReturn(result.settled));
        case 'unknown':
          throw new HttpError(404, 'Return not found');
        case 'impossible':
          throw new HttpError(422, `Return cannot be settled while it is ${result.from}`);
      }
    },
  );
}

function viewReturn(one: PaymentReturn): Static<typeof ReturnSchema> {
  return {
    id: one.id,
    sellerId: one.sellerId,
    transactionId: one.transactionId,
    method: one.method,
    amount: one.amount,
    reason: one.reason,
    status: one.status,
    provider: one.provider,
    reportId: one.reportId,
    attempts: one.attempts,
    providerReference: one.providerReference,
    detail: one.detail,
    settledBy: one.settledBy,
    note: one.note,
    sentAt: one.sentAt?.toISOString() ?? null,
    createdAt: one.createdAt.toISOString(),
    updatedAt: one.updatedAt.toISOString(),
  };
}
