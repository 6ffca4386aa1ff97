import { Type } from 'typebox';

import type { Clock } from '#platform/kit/clock.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { newId } from '#platform/kit/ids.ts';
import type { NamedExamples } from '#platform/openapi/route-schema.ts';
import { invalidTransition, WithdrawalNotFoundError } from '#payouts/withdrawals/errors.ts';
import { FAILED, PAID } from '#payouts/withdrawals/examples.ts';
import { WithdrawalSchema } from '#payouts/withdrawals/schema.ts';
import type { WithdrawalsService } from '#payouts/withdrawals/service.ts';
import type { WithdrawalEvent } from '#payouts/withdrawals/states.ts';
import { viewWithdrawal } from '#payouts/withdrawals/views.ts';

export interface SandboxWithdrawalDeps {
  readonly clock: Clock;
  readonly withdrawals: WithdrawalsService;
}

interface Simulation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly eventAt: (now: Date) => WithdrawalEvent;
  /** Error if the withdrawal's status does not allow the event. */
  readonly error: HttpError;
  readonly response: NamedExamples;
}

const SIMULATIONS: Readonly<Record<string, Simulation>> = {
  pay: {
    operationId: 'sandboxPayWithdrawal',
    summary: 'Simulate a successful payout',
    description: 'Completes a PROCESSING withdrawal. Returns the withdrawal, which becomes PAID.',
    eventAt: (now) => ({ kind: 'PAYMENT', paidAt: now }),
    error: invalidTransition('PENDING', 'PAID'),
    response: PAID,
  },
  fail: {
    operationId: 'sandboxFailWithdrawal',
    summary: 'Simulate a failed payout',
    description:
      'Fails a PROCESSING withdrawal and returns its amount to the balance. Returns the withdrawal, which ' +
      'becomes FAILED.',
    eventAt: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
    error: invalidTransition('PENDING', 'FAILED'),
    response: FAILED,
  },
};

/** Simulates the outcomes of payouts. Registered in the sandbox only. */
export function sandboxWithdrawalRoutes(app: App, deps: SandboxWithdrawalDeps): void {
  for (const [name, simulation] of Object.entries(SIMULATIONS)) {
    registerSimulation(app, deps, name, simulation);
  }
}

function registerSimulation(
  app: App,
  { clock, withdrawals }: SandboxWithdrawalDeps,
  name: string,
  { operationId, summary, description, eventAt, error, response }: Simulation,
): void {
  app.post(
    `/sandbox/withdrawals/:id/${name}`,
    {
      config: { access: 'sandbox:simulate' },
      schema: {
        operationId,
        summary,
        description,
        errors: ['withdrawal_not_found', error],
        examples: { response },
        tags: ['Sandbox'],
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(WithdrawalSchema) },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const withdrawal = await withdrawals.find({ sellerId, id: request.params.id });
      if (withdrawal === undefined) throw new WithdrawalNotFoundError();
      const now = clock.now();
      const event = eventAt(now);
      const result = await withdrawals.applyProviderEvent(withdrawal, event, {
        provider: 'sandbox',
        eventId: `payout ${newId(now.getTime())}`,
        kind: event.kind,
        amount: withdrawal.amount - withdrawal.feeAmount,
        occurredAt: now,
      });
      switch (result.kind) {
        case 'applied':
        case 'repeated':
          return ok(viewWithdrawal(result.withdrawal));
        case 'impossible':
          throw invalidTransition(result.from, result.to);
        case 'unknown':
          throw new WithdrawalNotFoundError();
      }
    },
  );
}
