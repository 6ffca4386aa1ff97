import { Type } from 'typebox';

import type { Clock } from '#platform/kit/clock.ts';
import { calculateFee } from '#sellers/fees/schedule.ts';
import { envelope, ok, Timestamp } from '#platform/http/envelope.ts';
import { HttpError, businessError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import type { SellersService } from '#sellers/service.ts';
import { feeRuleOf } from './transaction-creator.ts';
import { CREATION_REFUSALS } from './errors.ts';
import * as examples from './examples-queries.ts';
import { paymentMovement } from './money-movements.ts';
import { METHODS } from './transaction.ts';

const SimulationSchema = Type.Object(
  {
    amount: Type.Integer({ description: 'Cents.' }),
    fee: Type.Object({
      type: Type.Enum(['FIXED', 'PERCENTAGE']),
      value: Type.Integer({ description: 'Cents of a FIXED fee, hundredths of a percent of a PERCENTAGE.' }),
    }),
    feeAmount: Type.Integer({ description: 'Cents.' }),
    netAmount: Type.Integer({ description: 'Cents.' }),
    releases: Type.Array(
      Type.Object({
        number: Type.Integer(),
        amount: Type.Integer({ description: 'Cents of the net amount.' }),
        at: Timestamp,
      }),
      { description: 'When the net amount would be available, were it paid now.' },
    ),
  },
  { title: 'FeeSimulation' },
);

export interface SimulationDeps {
  readonly clock: Clock;
  readonly sellers: SellersService;
}

/** What a charge would cost and bring, by the rules that charges follow. */
export function simulationRoutes(app: App, { clock, sellers }: SimulationDeps): void {
  app.get(
    '/fees/simulate',
    {
      config: { access: 'fees:read' },
      schema: {
        operationId: 'simulateFees',
        summary: 'Simulate the fee of a charge',
        description: 'By the fee schedule and the delays as they are now. Nothing is made.',
        tags: ['Sellers'],
        refusals: { 422: [CREATION_REFUSALS.FEE_NOT_COVERED[1]] },
        examples: { answer: examples.FEE_SIMULATION },
        querystring: Type.Object({
          amount: Type.Integer({ minimum: 100, maximum: MAX_AMOUNT_CENTS, description: 'Cents.' }),
          method: Type.Enum([...METHODS]),
          installments: Type.Integer({ minimum: 1, maximum: 12, default: 1, description: 'Of a card.' }),
        }),
        response: { 200: envelope(SimulationSchema) },
      },
    },
    async (request) => {
      const { amount, method, installments } = request.query;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError(403, 'Seller is not active');
      const fee = feeRuleOf(context.fees, method === 'CREDIT_CARD' ? { method, installments } : { method });
      const feeAmount = calculateFee(amount, fee);
      if (feeAmount === undefined) throw businessError(CREATION_REFUSALS.FEE_NOT_COVERED);
      const now = clock.now();
      const { releases } = paymentMovement({ method, amount, feeAmount, installments }, now, context.seller);
      const netAmount = amount - feeAmount;
      const parts =
        releases.length === 0
          ? [{ number: 1, amount: netAmount, at: now.toISOString() }]
          : releases.map(({ number, amount: part, dueAt }) => ({
              number,
              amount: part,
              at: dueAt.toISOString(),
            }));
      return ok({ amount, fee: { ...fee }, feeAmount, netAmount, releases: parts });
    },
  );
}
