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
      Type.Object(
        {
          day: Type.String({ format: 'date', description: 'A day in São Paulo.' }),
          origin: Type.Enum([...ORIGINS], { description: 'Origin of the money.' }),
          amount: cents('that become available on that day.'),
          releases: Type.Integer({ description: 'The number of payments and installments.' }),
        },
        { title: 'UpcomingRelease', description: 'Money that becomes available on a day.' },
      ),
      { description: 'The releases of today and the next 90 days, in order.' },
    ),
    laterAmount: cents('that are released after those days.'),
    blocked: Type.Object(
      {
        retention: cents('of payments that are not released yet.'),
        disputes: cents('that disputes hold.'),
        withdrawals: cents('of pending withdrawals.'),
        refunds: cents('of refunds that the provider has not confirmed yet.'),
        total: cents('of the blocked balance: the sum of these.'),
      },
      { description: 'The parts of the blocked balance.' },
    ),
  },
  { title: 'Releases', description: 'Upcoming releases and the blocked balance.' },
);

export function releasesRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  app.get(
    '/seller-wallet/releases',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listReleases',
        summary: 'List upcoming releases',
        description:
          'Returns when blocked money becomes available, by day and origin, and what the ' +
          'blocked balance consists of.',
        tags: ['Wallet'],
        examples: { answer: examples.RELEASES },
        response: { 200: envelope(ReleasesSchema) },
      },
    },
    async (request) => ok(await reports.releases(callingSeller(request).id)),
  );
}
