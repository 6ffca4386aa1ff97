import { envelope, ok } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { FEES } from './fees/examples.ts';
import { FeesSchema, viewFees } from './fees/schema.ts';
import type { SellersService } from './service.ts';

/** What a seller can read of its own account. */
export function sellerRoutes(app: App, { sellers }: { readonly sellers: SellersService }): void {
  app.get(
    '/sellers/me/fees',
    {
      config: { access: 'fees:read' },
      schema: {
        operationId: 'getFees',
        summary: 'Retrieve your fees',
        description:
          'Returns the fee schedule of the seller. FIXED values are cents, PERCENTAGE values ' +
          'basis points (hundredths of a percent).',
        tags: ['Sellers'],
        examples: { response: FEES },
        response: { 200: envelope(FeesSchema) },
      },
    },
    async (request) => ok(viewFees(await sellers.getFees(callingSeller(request).id))),
  );
}
