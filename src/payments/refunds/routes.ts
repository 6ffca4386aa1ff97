import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { auditActorOf, callingSeller, idempotencyKey } from '#platform/http/guard.ts';
import { hashBody, keyReusedError, handleReusedKey } from '#platform/http/idempotency.ts';
import type { IdempotencyKeysService } from '#payments/idempotency/service.ts';
import type { App } from '#platform/http/server.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import {
  AMOUNT_RULES,
  amountNotAllowed,
  invalidTransition,
  unwrapChange,
} from '#payments/transactions/errors.ts';
import { REFUNDED } from '#payments/transactions/examples.ts';
import { TransactionSchema } from '#payments/transactions/schema.ts';
import { viewTransaction } from '#payments/transactions/views.ts';
import { idempotencyOperation, type RefundsService } from './service.ts';

const Params = Type.Object({ id: Type.String() });

const RefundBody = Type.Object({
  amount: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AMOUNT_CENTS,
        description: 'In cents; defaults to the remaining amount.',
      }),
    ),
  ),
  reason: Type.Optional(
    nullable(Type.String({ maxLength: 255, description: 'Why the payment is refunded.' })),
  ),
});

interface RefundRouteDeps {
  readonly refunds: RefundsService;
  readonly keys: IdempotencyKeysService;
  readonly publicUrl: string;
}

export function refundRoutes(app: App, { refunds, keys, publicUrl }: RefundRouteDeps): void {
  app.post(
    '/transactions/:id/refund',
    {
      config: { access: 'refunds:create', idempotent: true },
      errorHandler: handleReusedKey(async (sellerId, key, { params }) => {
        if (!Value.Check(Params, params) || !isUuid(params.id)) return false;
        return keys.isUsed({ sellerId, operation: idempotencyOperation(params), key });
      }),
      schema: {
        operationId: 'refundTransaction',
        summary: 'Refund a transaction',
        description:
          'Returns a payment to the payer, in full or in part. The transaction must be PAID: ' +
          'cancel an unpaid one, and void an authorized one. Returns the transaction, which ' +
          'becomes REFUNDED once nothing remains. The fee is not returned, so a refund may make the ' +
          'available balance negative. Pix payments can be refunded for 90 days, but not while a ' +
          'MED claim on them is open. The refund of a boleto that was not paid by its Pix code is ' +
          'only booked: transfer its amount to the payer outside the gateway.',
        tags: ['Transactions'],
        errors: [
          'transaction_not_found',
          invalidTransition('PENDING', 'REFUNDED'),
          amountNotAllowed(AMOUNT_RULES.refund),
          'refund_period_ended',
          'med_claim_open',
          'insufficient_balance',
        ],
        examples: {
          body: { 'The remaining amount': {}, 'In part': { amount: 4990, reason: 'one mug was broken' } },
          response: REFUNDED,
        },
        params: Params,
        body: RefundBody,
        response: { 200: envelope(TransactionSchema) },
      },
    },
    async (request, reply) => {
      const { amount, reason } = request.body;
      const result = await refunds.refund({
        key: { sellerId: callingSeller(request).id, id: request.params.id },
        amount: amount ?? null,
        reason: reason ?? null,
        idempotencyKey: idempotencyKey(request),
        bodyHash: hashBody(request.body),
        actor: auditActorOf(request),
      });
      switch (result.kind) {
        case 'reused':
          throw keyReusedError();
        case 'refused':
          if (result.failure.kind === 'too-late') throw new HttpError('refund_period_ended');
          if (result.failure.kind === 'claimed') throw new HttpError('med_claim_open');
          return ok(viewTransaction(unwrapChange(result.failure, AMOUNT_RULES.refund), publicUrl));
        case 'replayed':
          reply.header('idempotency-replayed', 'true');
          return ok(result.response);
        case 'done':
          return ok(result.response);
      }
    },
  );
}
