import { Type } from 'typebox';

import { listEnvelope, nullable, ok, timestamp } from '#platform/http/envelope.ts';
import { ValidationError } from '#platform/http/errors.ts';
import { auditActorOf } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import * as examples from './examples.ts';
import type { CurrentCost, ProviderCostsService } from './service.ts';
import { METHODS } from './store.ts';

const cost = {
  provider: Type.String({ maxLength: 40, description: 'The name of the provider.' }),
  method: Type.Enum([...METHODS], { description: 'The method of the transactions.' }),
  fixed: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Cents for each transaction.' }),
  percentage: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description:
      'Of the amount, in basis points (hundredths of a percent): `99` is 0.99 %. Rounded for each ' +
      'transaction.',
  }),
};

const CostBody = Type.Object(cost, { title: 'ReplaceProviderCostRequest' });

const CostSchema = Type.Object(
  { ...cost, since: nullable(timestamp('Since when it applies. Null: none was set.')) },
  { title: 'ProviderCost', description: 'What a provider costs for each transaction.' },
);

const tags = ['Reports'];

const viewCosts = (costs: readonly CurrentCost[]) => ({
  ...ok(costs.map(({ since, ...one }) => ({ ...one, since: since?.toISOString() ?? null }))),
  count: costs.length,
});

/** What the providers cost the operator. */
export function providerCostRoutes(
  app: App,
  { providerCosts }: { readonly providerCosts: ProviderCostsService },
): void {
  app.get(
    '/admin/provider-costs',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'listProviderCosts',
        summary: 'List provider costs',
        description:
          'Returns what each provider costs you for each transaction of a method, sorted by provider. A ' +
          'configured provider without a cost is listed with zero.',
        tags,
        examples: { response: examples.COSTS },
        response: { 200: listEnvelope(CostSchema) },
      },
    },
    async () => viewCosts(await providerCosts.list()),
  );

  app.put(
    '/admin/provider-costs',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'replaceProviderCost',
        summary: 'Replace a provider cost',
        description:
          'Sets what a provider costs for each transaction of a method that is paid from now on. ' +
          'Transactions that were paid before keep their costs in the revenue report. Returns all costs.',
        tags,
        examples: { body: examples.COST_REQUEST, response: examples.COSTS },
        body: CostBody,
        response: { 200: listEnvelope(CostSchema) },
      },
    },
    async (request) => {
      const result = await providerCosts.replace(request.body, auditActorOf(request));
      if (result.kind === 'replaced') return viewCosts(result.costs);
      const rule = `must be one of the following values: ${result.known.join(', ')}` as const;
      throw new ValidationError([{ path: ['provider'], rule }]);
    },
  );
}
