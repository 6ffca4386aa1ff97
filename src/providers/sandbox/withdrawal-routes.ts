import { Type } from 'typebox';

import type { Clock } from '#platform/kit/clock.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { newId } from '#platform/kit/ids.ts';
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

/** Plays the provider of payouts. Registered in the sandbox only: elsewhere these addresses do not exist. */
export function sandboxWithdrawalRoutes(app: App, { clock, withdrawals }: SandboxWithdrawalDeps): void {
  const simulations: Readonly<Record<'pay' | 'fail', (now: Date) => WithdrawalEvent>> = {
    pay: (now) => ({ kind: 'PAYMENT', paidAt: now }),
    fail: () => ({ kind: 'FAILURE', reason: 'failed at the provider' }),
  };
  for (const [name, eventAt] of Object.entries(simulations)) {
    app.post(
      `/sandbox/withdrawals/:id/${name}`,
      {
        config: { access: 'sandbox:simulate' },
        schema: {
          operationId: `sandbox${name === 'pay' ? 'Pay' : 'Fail'}Withdrawal`,
          summary: name === 'pay' ? 'Say that a payout has arrived' : 'Fail a payout, as the provider would',
          refusals: {
            404: ['Withdrawal not found'],
            422: [`Withdrawal cannot go from PENDING to ${name === 'pay' ? 'PAID' : 'FAILED'}`],
          },
          examples: { answer: name === 'pay' ? PAID : FAILED },
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
}
