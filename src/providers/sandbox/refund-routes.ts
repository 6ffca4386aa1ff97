import { Type } from 'typebox';

import type { OperationOutcome } from '#payments/operations/completion.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { RefundsService } from '#payments/refunds/service.ts';
import * as examples from '#payments/transactions/examples-queries.ts';
import { RefundSchema, viewRefund } from '#payments/transactions/refund-schema.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import type { NamedExamples } from '#platform/openapi/route-schema.ts';

export interface SandboxRefundDeps {
  readonly refunds: RefundsService;
  readonly providerOperations: ProviderOperations;
}

interface Simulation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly to: 'DONE' | 'FAILED';
  readonly outcome: OperationOutcome;
  readonly response: NamedExamples;
}

const SIMULATIONS: Readonly<Record<string, Simulation>> = {
  complete: {
    operationId: 'sandboxCompleteRefund',
    summary: 'Simulate a successful refund',
    description:
      'Completes a PENDING refund. A refund of a Pix or card payment is PENDING if the email of the ' +
      'payer ends with `@banco-lento.example`. All other refunds are completed at once. Returns the ' +
      'refund, which becomes DONE.',
    to: 'DONE',
    outcome: { kind: 'done', reference: null },
    response: examples.REFUND,
  },
  fail: {
    operationId: 'sandboxFailRefund',
    summary: 'Simulate a failed refund',
    description:
      'Fails a PENDING refund and returns its amount to the balance. ' +
      'Returns the refund, which becomes FAILED.',
    to: 'FAILED',
    outcome: { kind: 'refused', reason: 'failed at the provider' },
    response: examples.FAILED_REFUND,
  },
};

const invalidRefundTransition = (from: string, to: string): HttpError =>
  new HttpError('invalid_transition', { message: `Refund cannot go from ${from} to ${to}` });

/** Simulates the outcomes of refunds. Registered in the sandbox only. */
export function sandboxRefundRoutes(app: App, deps: SandboxRefundDeps): void {
  for (const [name, simulation] of Object.entries(SIMULATIONS)) {
    registerSimulation(app, deps, name, simulation);
  }
}

function registerSimulation(
  app: App,
  { refunds, providerOperations }: SandboxRefundDeps,
  name: string,
  { operationId, summary, description, to, outcome, response }: Simulation,
): void {
  app.post(
    `/sandbox/refunds/:id/${name}`,
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId,
        summary,
        description,
        errors: ['refund_not_found', invalidRefundTransition('DONE', to)],
        examples: { response },
        tags: ['Sandbox'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(RefundSchema) },
      },
    },
    async (request) => {
      const key = { sellerId: callingSeller(request).id, id: request.params.id };
      const before = await refunds.find(key);
      if (before === undefined) throw new HttpError('refund_not_found');
      const operation = await providerOperations.find(before.id);
      if (operation === undefined || !(await providerOperations.complete(operation, outcome)))
        throw invalidRefundTransition(before.status, to);
      const after = await refunds.find(key);
      if (after === undefined) throw new HttpError('refund_not_found');
      return ok(viewRefund(after));
    },
  );
}
