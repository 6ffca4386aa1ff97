import { Type } from 'typebox';

import type { Clock } from '#platform/kit/clock.ts';
import { feePartMembers } from '#sellers/fees/schema.ts';
import { calculateFee } from '#sellers/fees/schedule.ts';
import { envelope, ok, timestamp } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { MAX_AMOUNT_CENTS } from '#platform/kit/money.ts';
import type { SellersService } from '#sellers/service.ts';
import { feeRuleOf } from './transaction-creator.ts';
import * as examples from './examples-queries.ts';
import { paymentMovement } from './money-movements.ts';
import { METHODS } from './transaction.ts';

const SimulationSchema = Type.Object(
  {
    amount: Type.Integer({ description: 'Cents.' }),
    fee: Type.Object(
      {
        type: Type.Enum(['FIXED', 'PERCENTAGE'], { description: 'How the fee is calculated.' }),
        value: Type.Integer({
          description: 'Cents for FIXED, basis points (hundredths of a percent) for PERCENTAGE.',
        }),
        ...feePartMembers,
      },
      { description: 'The fee that applies.' },
    ),
    feeAmount: Type.Integer({ description: 'Cents.' }),
    netAmount: Type.Integer({ description: 'Cents.' }),
    releases: Type.Array(
      Type.Object(
        {
          number: Type.Integer({ description: 'Number of the installment, from 1.' }),
          amount: Type.Integer({ description: 'Part of the net amount, in cents.' }),
          at: timestamp('When it becomes available.'),
        },
        { title: 'SimulatedRelease', description: 'A part of the net amount.' },
      ),
      { description: 'When the net amount would become available if the payer paid now.' },
    ),
  },
  { title: 'FeeSimulation', description: 'A simulated fee.' },
);

export interface SimulationDeps {
  readonly clock: Clock;
  readonly sellers: SellersService;
}

/** Simulates the fee and the releases of a transaction with the rules that apply to real ones. */
export function simulationRoutes(app: App, { clock, sellers }: SimulationDeps): void {
  app.get(
    '/fees/simulate',
    {
      config: { access: 'fees:read' },
      schema: {
        operationId: 'simulateFees',
        summary: 'Calculate a fee',
        description:
          'Calculates the fee of a transaction and the days on which its net amount would ' +
          'become available, with the current fee schedule and delays. Creates nothing.',
        tags: ['Sellers'],
        errors: ['amount_below_fee'],
        examples: { response: examples.FEE_SIMULATION },
        querystring: Type.Object({
          amount: Type.Integer({ minimum: 100, maximum: MAX_AMOUNT_CENTS, description: 'Cents.' }),
          method: Type.Enum([...METHODS], { description: 'Payment method.' }),
          installments: Type.Integer({
            minimum: 1,
            maximum: 12,
            default: 1,
            description: 'Installments of a card payment.',
          }),
        }),
        response: { 200: envelope(SimulationSchema) },
      },
    },
    async (request) => {
      const { amount, method, installments } = request.query;
      const context = await sellers.getContext(callingSeller(request).id);
      if (context === undefined) throw new HttpError('seller_not_active');
      const feeRule = feeRuleOf(
        context.fees,
        method === 'CREDIT_CARD' ? { method, installments } : { method },
      );
      const feeAmount = calculateFee(amount, feeRule);
      if (feeAmount === undefined) throw new HttpError('amount_below_fee');
      const now = clock.now();
      const { releases } = paymentMovement({ method, amount, feeAmount, installments }, now, context.seller);
      const netAmount = amount - feeAmount;
      const simulated = releases.length === 0 ? [{ number: 1, amount: netAmount, dueAt: now }] : releases;
      return ok({
        amount,
        fee: { ...feeRule },
        feeAmount,
        netAmount,
        releases: simulated.map((release) => ({
          number: release.number,
          amount: release.amount,
          at: release.dueAt.toISOString(),
        })),
      });
    },
  );
}
