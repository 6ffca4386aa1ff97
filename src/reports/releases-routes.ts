import { Type } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { ORIGINS } from '#accounting/ledger/service.ts';
import * as examples from './examples.ts';
import type { ReportsService } from './service.ts';

const cents = (description: string) => Type.Integer({ description: `Cents ${description}` });

const ReleasesSchema = Type.Object(
  {
    upcoming: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'A day in São Paulo.' }),
        origin: Type.Enum([...ORIGINS]),
        amount: cents('that become available in it.'),
        releases: Type.Integer({ description: 'Payments and instalments among them.' }),
      }),
      { description: 'Of today and the next 90 days, the first one first.' },
    ),
    laterAmount: cents('that are released after those days.'),
    blocked: Type.Object(
      {
        retention: cents('of payments whose day has not come.'),
        disputes: cents('that disputes hold.'),
        withdrawals: cents('of withdrawals under way.'),
        refunds: cents('of refunds that the provider has not yet confirmed.'),
        total: cents('of the blocked balance: the sum of these.'),
      },
      { description: 'Why the blocked balance is blocked.' },
    ),
  },
  { title: 'Releases' },
);

/** When money becomes available, and what holds the rest. */
export function releasesRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  app.get(
    '/seller-wallet/releases',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listReleases',
        summary: 'Read when retained money is released, and what is blocked by what',
        tags: ['Wallet'],
        examples: { answer: examples.RELEASES },
        response: { 200: envelope(ReleasesSchema) },
      },
    },
    async (request) => ok(await reports.releases(callingSeller(request).id)),
  );
}
