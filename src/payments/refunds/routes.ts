import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { bodyHash, keyReused, orKeyReused } from '#platform/http/idempotency.ts';
import type { KeysService } from '#payments/idempotency/service.ts';
import type { App } from '#platform/http/server.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import { changedOr } from '#payments/transactions/errors.ts';
import { REFUNDED } from '#payments/transactions/examples.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import { viewTransaction } from '#payments/transactions/views.ts';
import { operationOf, type RefundsService } from './service.ts';

const TOO_MUCH = 'Amount must not be more than what is left to refund';
const TOO_LATE = 'PIX can be refunded up to 90 days after payment';

const Params = Type.Object({ id: Type.String() });

type Answer = Static<typeof TransactionSchema>;

export function refundRoutes(
  app: App,
  { refunds, keys }: { readonly refunds: RefundsService; readonly keys: KeysService },
): void {
  app.post(
    '/transactions/:id/refund',
    {
      config: { access: 'refunds:create', idempotent: true },
      errorHandler: orKeyReused(async (sellerId, key, { params }) => {
        if (!Value.Check(Params, params) || !isUuid(params.id)) return false;
        return keys.isUsed({ sellerId, operation: operationOf(params), key });
      }),
      schema: {
        operationId: 'refundTransaction',
        summary: 'Return money to the payer, whole or in part',
        tags: ['Transactions'],
        description:
          'A charge that is returned as a whole becomes REFUNDED. The fee is kept, so the available balance may go below zero by it. PIX can be returned for 90 days.',
        refusals: {
          404: ['Transaction not found'],
          422: ['Transaction cannot go from PENDING to REFUNDED', TOO_MUCH, TOO_LATE, 'Insufficient balance'],
        },
        examples: {
          body: { 'All that is left': {}, 'A part': { amount: 4990, reason: 'one mug was broken' } },
          answer: REFUNDED,
        },
        params: Params,
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
        if (failure.kind === 'too-late') throw new HttpError(422, TOO_LATE);
        return ok(viewTransaction(changedOr(failure, TOO_MUCH)));
      }
      if (result.kind === 'replayed') reply.header('idempotency-replayed', 'true');
      return ok(result.answer);
    },
  );
}
