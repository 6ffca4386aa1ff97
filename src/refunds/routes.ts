import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import { commonErrors, envelope, nullable, ok } from '#http/envelope.ts';
import { ErrorBody, HttpError } from '#http/errors.ts';
import { callingSeller, idempotencyKey } from '#http/guard.ts';
import { bodyHash } from '#http/idempotency.ts';
import type { App } from '#http/server.ts';
import { MAX_AMOUNT_CENTS } from '#money.ts';
import { changedOr, keyReused } from '#transactions/errors.ts';
import { TransactionSchema } from '#transactions/schema.ts';
import { viewTransaction } from '#transactions/views.ts';
import type { RefundsService } from './service.ts';

type Answer = Static<typeof TransactionSchema>;

export function refundRoutes(app: App, { refunds }: { readonly refunds: RefundsService }): void {
  app.post(
    '/transactions/:id/refund',
    {
      config: { access: 'refunds:create', idempotent: true },
      schema: {
        summary: 'Return money to the payer, whole or in part',
        tags: ['Transactions'],
        params: Type.Object({ id: Type.String() }),
        body: Type.Object({
          amount: Type.Optional(
            nullable(
              Type.Integer({
                minimum: 1,
                maximum: MAX_AMOUNT_CENTS,
                description: 'Cents; all that is left unless told.',
              }),
            ),
          ),
          reason: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
        }),
        response: {
          200: envelope(TransactionSchema),
          404: ErrorBody,
          409: ErrorBody,
          422: ErrorBody,
          ...commonErrors,
        },
      },
    },
    async (request, reply) => {
      const { amount, reason } = request.body;
      const result = await refunds.refund<Answer>(
        {
          key: { sellerId: callingSeller(request).id, id: request.params.id },
          amount: amount ?? null,
          reason: reason ?? null,
          idempotencyKey: idempotencyKey(request),
          bodyHash: bodyHash(request.body),
        },
        viewTransaction,
        (kept): kept is Answer => Value.Check(Type.Object({ id: Type.String() }), kept),
      );
      if (result.kind === 'reused') throw keyReused();
      if (result.kind === 'refused') {
        const { failure } = result;
        if (failure.kind === 'too-late')
          throw new HttpError(422, 'PIX can be refunded up to 90 days after payment');
        return ok(viewTransaction(changedOr(failure, 'Amount must not be more than what is left to refund')));
      }
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return ok(result.answer);
    },
  );
}
