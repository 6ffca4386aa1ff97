import { Type, type Static } from 'typebox';

import { parsePeriod } from '#platform/http/date-filters.ts';
import { envelope, ok, pageEnvelope } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import { pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import type { PaymentReversal } from './reversal.ts';
import { ListQuery, ReversalSchema } from './schema.ts';
import type { ReversalsService } from './service.ts';

const tags = ['Reversals'];

interface ReversalRouteDeps {
  readonly reversals: ReversalsService;
}

export function reversalOperatorRoutes(app: App, deps: ReversalRouteDeps): void {
  registerList(app, deps);
  registerSettle(app, deps);
}

function registerList(app: App, { reversals }: ReversalRouteDeps): void {
  app.get(
    '/admin/reversals',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listReversals',
        summary: 'List reversals',
        description:
          'Returns one page of the reversals, newest first. A reversal returns a payment to the ' +
          'payer because it was late, a duplicate or of the wrong amount. Such payments are ' +
          'never credited to the seller.',
        tags,
        examples: { response: examples.LISTED },
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
}

function registerSettle(app: App, { reversals }: ReversalRouteDeps): void {
  app.post(
    '/admin/reversals/:id/settle',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'settleReversal',
        summary: 'Mark a reversal as sent',
        description:
          'Marks a MANUAL reversal as SENT, with a note. Use it after you have returned the money ' +
          'yourself. Nothing is sent to the provider. Returns the reversal.',
        tags,
        errors: ['reversal_not_found', notSettleable('SENT')],
        examples: { body: examples.NOTE, response: examples.SENT },
        params: Type.Object({ id: Type.String() }),
        body: Type.Object({ note: nonEmptyString(500, 'How the money was returned, for the audit log.') }),
        response: { 200: envelope(ReversalSchema) },
      },
    },
    async (request) => {
      const { params, body } = request;
      const result = await reversals.settle(params.id, auditActorOf(request), body.note);
      switch (result.kind) {
        case 'updated':
          return ok(viewReversal(result.reversal));
        case 'unknown':
          throw new HttpError('reversal_not_found');
        case 'impossible':
          throw notSettleable(result.from);
      }
    },
  );
}

const notSettleable = (status: PaymentReversal['status']): HttpError =>
  new HttpError('invalid_transition', { message: `Reversal cannot be marked as sent while it is ${status}` });

function viewReversal(reversal: PaymentReversal): Static<typeof ReversalSchema> {
  const { eventId, sentAt, createdAt, updatedAt, ...fields } = reversal;
  return {
    ...fields,
    reportId: eventId,
    sentAt: sentAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
