import { Type, type Static } from 'typebox';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { ORIGIN_OF, type ReleasedSale } from '#payments/transactions/service.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { withCrossFieldRules } from '#platform/http/validation.ts';
import { envelope, nullable, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { ORIGINS } from '#accounting/ledger/service.ts';
import { daysQuery, daysRule } from './days-query.ts';
import * as examples from './examples.ts';
import type { ReportsService } from './service.ts';

const cents = (description: string) => Type.Integer({ description: `Cents ${description}` });

const ReleasesSchema = Type.Object(
  {
    upcoming: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date', description: 'A day in São Paulo.' }),
          origin: Type.Enum([...ORIGINS], { description: 'Balance source: the payment method.' }),
          amount: cents('that become available on that day.'),
          releases: Type.Integer({ description: 'The number of payments and installments.' }),
        },
        { title: 'UpcomingRelease', description: 'Money that becomes available on a day.' },
      ),
      { description: 'The releases of today and the next 90 days, in order.' },
    ),
    laterAmount: cents('that become available after those days.'),
    blocked: Type.Object(
      {
        retention: cents('of payments that are not released yet.'),
        disputes: cents('that disputes hold.'),
        withdrawals: cents('of withdrawals that are PENDING, APPROVED or PROCESSING.'),
        refunds: cents('of refunds that the provider has not confirmed yet.'),
        total: cents('on hold (`blockedBalance`): the sum of these.'),
      },
      { description: 'The parts of the balance on hold (`blockedBalance`).' },
    ),
  },
  { title: 'Releases', description: 'Upcoming releases and the balance on hold.' },
);

const SalesQuery = withCrossFieldRules(
  Type.Object({
    ...daysQuery,
    take: pageQuery.take,
    skip: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'Number of releases to skip.',
    }),
  }),
  [daysRule],
);

const ReleasedSaleSchema = Type.Object(
  {
    id: Type.String({ description: 'Unique in the list: the transaction and the number.' }),
    transactionId: recordId('The transaction.'),
    number: Type.Integer({ description: 'Number of the installment, from 1.' }),
    installments: nullable(Type.Integer({ description: 'Card payments only.' })),
    origin: Type.Enum([...ORIGINS], { description: 'Balance source: the payment method.' }),
    amount: cents('that become available.'),
    day: Type.String({ format: 'date', description: 'The day on which it becomes available, in São Paulo.' }),
    availableAt: timestamp('When it becomes available.'),
    saleAmount: cents('of the transaction.'),
    paidAt: nullable(timestamp('When the transaction was paid.')),
    customerName: Type.String({ description: 'Name of the payer.' }),
    description: nullable(Type.String({ description: 'The description of the transaction.' })),
    externalRef: nullable(Type.String({ description: 'Your order number.' })),
  },
  { title: 'ReleasedSale', description: 'A release and the transaction that it belongs to.' },
);

const ReleasedSalesSchema = Type.Object(
  {
    data: Type.Array(ReleasedSaleSchema, { description: 'Earliest first.' }),
    count: Type.Integer({ description: 'Number of releases on all pages.' }),
    amount: cents('on all pages, in total.'),
    take: Type.Integer({ description: 'Page size.' }),
    skip: Type.Integer({ description: 'Number of releases that were skipped.' }),
  },
  { title: 'ReleasedSalePage', description: 'One page of releases with their transactions.' },
);

export function releasesRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  registerSales(app, reports);
  app.get(
    '/seller-wallet/releases',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listReleases',
        summary: 'List upcoming releases',
        description:
          'Returns when amounts on hold become available, by day and balance source, and what the balance ' +
          'on hold (`blockedBalance`) consists of.',
        tags: ['Wallet'],
        examples: { response: examples.RELEASES },
        response: { 200: envelope(ReleasesSchema) },
      },
    },
    async (request) => ok(await reports.releases(callingSeller(request).id)),
  );
}

function registerSales(app: App, reports: ReportsService): void {
  app.get(
    '/seller-wallet/releases/sales',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'listReleasedSales',
        summary: 'List transactions of releases',
        description:
          'Returns one page of the transactions whose money becomes available in the given ' +
          'period, earliest first, with the sum of all pages. The sum of a day equals the ' +
          'amounts of that day in `GET /v1/seller-wallet/releases`.',
        tags: ['Wallet'],
        examples: { response: examples.RELEASED_SALES },
        querystring: SalesQuery,
        response: { 200: envelope(ReleasedSalesSchema) },
      },
    },
    async (request) => {
      const { startDate, endDate, take, skip } = request.query;
      const days = { first: startDate, last: endDate };
      const { sales, count, amount } = await reports.releasedSales(callingSeller(request).id, days, {
        take,
        skip,
      });
      return ok({ data: sales.map((sale) => viewSale(sale)), count, amount, take, skip });
    },
  );
}

const viewSale = ({ method, dueAt, paidAt, ...sale }: ReleasedSale): Static<typeof ReleasedSaleSchema> => ({
  ...sale,
  id: `${sale.transactionId}-${sale.number}`,
  origin: ORIGIN_OF[method],
  day: saoPauloDate(dueAt),
  availableAt: dueAt.toISOString(),
  paidAt: paidAt?.toISOString() ?? null,
});
