import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { ProviderOperations } from '#payments/operations/service.ts';
import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import type { DocumentedErrors, NamedExamples } from '#platform/openapi/route-schema.ts';
import { AMOUNT_RULES, amountNotAllowed, invalidTransition, unwrapChange } from './errors.ts';
import * as examples from './examples.ts';
import { TransactionSchema } from './schema.ts';
import { viewTransaction } from './views.ts';

interface TransactionActionDeps {
  readonly providerOperations: ProviderOperations;
  readonly publicUrl: string;
}

/** The seller's actions on a transaction, except refunds. */
export function transactionActionRoutes(
  app: App,
  { providerOperations: operations, publicUrl }: TransactionActionDeps,
): void {
  registerCancel(app, operations, publicUrl);
  registerVoid(app, operations, publicUrl);
  registerCapture(app, operations, publicUrl);
}

function registerCancel(app: App, operations: ProviderOperations, publicUrl: string): void {
  const route = actionRoute({
    operationId: 'cancelTransaction',
    summary: 'Cancel an unpaid transaction',
    description:
      'Ends a transaction that has not been paid. Returns the transaction, which becomes ' +
      'FAILED. A payment that arrives later is recorded and returned to the payer.',
    errors: [invalidTransition('PAID', 'FAILED')],
    response: examples.CANCELLED,
  });
  app.post('/transactions/:id/cancel', route, async (request) => {
    const result = await operations.cancel(keyOf(request), auditActorOf(request));
    return ok(viewTransaction(unwrapChange(result, AMOUNT_RULES.authorization), publicUrl));
  });
}

function registerVoid(app: App, operations: ProviderOperations, publicUrl: string): void {
  const route = actionRoute({
    operationId: 'voidTransaction',
    summary: 'Void an authorization',
    description:
      'Ends an AUTHORIZED card payment without charging it. Returns the transaction, which ' +
      'becomes FAILED.',
    errors: [invalidTransition('PAID', 'FAILED')],
    response: examples.VOIDED,
  });
  app.post('/transactions/:id/void', route, async (request) => {
    const result = await operations.void(keyOf(request), auditActorOf(request));
    return ok(viewTransaction(unwrapChange(result, AMOUNT_RULES.authorization), publicUrl));
  });
}

const keyOf = (request: FastifyRequest<{ readonly Params: { readonly id: string } }>) => ({
  sellerId: callingSeller(request).id,
  id: request.params.id,
});

const CaptureBody = Type.Object({
  amount: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_AMOUNT_CENTS,
        description: 'Cents. Defaults to the whole amount.',
      }),
    ),
  ),
});

function registerCapture(app: App, operations: ProviderOperations, publicUrl: string): void {
  const { schema, ...route } = actionRoute({
    operationId: 'captureTransaction',
    summary: 'Capture an authorized card payment',
    description:
      'Charges an AUTHORIZED card payment that is not in review, in full or in part. After a partial ' +
      'capture, `amount` is the captured amount, and the rest cannot be captured. Returns the ' +
      'transaction, which becomes PAID. If a card provider must confirm the capture first, the ' +
      'transaction stays AUTHORIZED until then; TRANSACTION_UPDATED is sent when it becomes PAID. An ' +
      'authorization that is not captured expires after five days.',
    errors: [
      invalidTransition('FAILED', 'PAID'),
      amountNotAllowed(AMOUNT_RULES.authorization),
      amountNotAllowed(AMOUNT_RULES.capture),
    ],
    response: examples.CAPTURED,
  });
  const bodyExamples = { 'In full': {}, 'In part': { amount: 9900 } };
  app.post(
    '/transactions/:id/capture',
    {
      ...route,
      schema: { ...schema, body: CaptureBody, examples: { ...schema.examples, body: bodyExamples } },
    },
    async (request) => {
      const { amount } = request.body;
      const result = await operations.capture(keyOf(request), amount ?? null, auditActorOf(request));
      if (result.kind === 'other-amount') throw amountNotAllowed(AMOUNT_RULES.capture);
      if (result.kind === 'pending') return ok(viewTransaction(result.transaction, publicUrl));
      return ok(viewTransaction(unwrapChange(result, AMOUNT_RULES.authorization), publicUrl));
    },
  );
}

interface ActionDocs {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly errors: DocumentedErrors;
  readonly response: NamedExamples;
}

const actionRoute = ({ response, errors, ...docs }: ActionDocs) => ({
  config: { access: 'transactions:create' as const },
  schema: {
    ...docs,
    errors: ['transaction_not_found', ...errors] satisfies DocumentedErrors,
    examples: { response },
    tags: ['Transactions'],
    params: Type.Object({ id: Type.String() }),
    response: { 200: envelope(TransactionSchema) },
  },
});
