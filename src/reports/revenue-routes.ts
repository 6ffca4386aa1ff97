import { Type, type Static } from 'typebox';

import { REVENUE_GROUPS } from '#accounting/ledger/service.ts';
import { METHODS } from '#payments/transactions/transaction.ts';
import { daysBetween } from '#formats/calendar/local-date.ts';
import { METHOD_LABELS } from '#accounting/ledger/labels-pt.ts';
import { csvLocaleQuery, exportQuery, localizedTable, sendCsv, type Column } from '#platform/http/csv.ts';
import { labelFrom, type BrazilianColumn } from '#platform/http/csv-line.ts';
import { envelope, nullable, ok, recordId } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { daysQuery, daysRule } from './days-query.ts';
import * as examples from './examples.ts';
import { REVENUE_LABELS } from './labels-pt.ts';
import { MAX_DAYS } from './periods.ts';
import type { ReportsService } from './service.ts';

/** By seller or method a report is one row for each, whatever its period. */
const maxDaysOf = (groupBy: unknown): number => (groupBy === 'day' ? MAX_DAYS.day : MAX_DAYS.month);

const spanRule: CrossFieldRule = (query) => {
  const invalid = daysRule(query);
  const { startDate, endDate, groupBy = 'day' } = query;
  if (invalid.length > 0 || typeof startDate !== 'string' || typeof endDate !== 'string') return invalid;
  const maxDays = maxDaysOf(groupBy);
  return daysBetween(startDate, endDate) < maxDays
    ? []
    : [{ path: ['endDate'], rule: `must be at most ${maxDays - 1} days after startDate` }];
};

const RevenueQuery = withCrossFieldRules(
  Type.Object({
    ...daysQuery,
    groupBy: Type.Enum([...REVENUE_GROUPS], {
      default: 'day',
      description: 'What a row is about. The period has at most 366 days for `day`, and 1,830 otherwise.',
    }),
    export: { ...exportQuery.export, description: '`true` returns all rows as CSV.' },
    ...csvLocaleQuery,
  }),
  [spanRule],
);

const cents = (description: string) => Type.Integer({ description: `Cents ${description}` });

const sums = {
  charges: Type.Integer({ description: 'The number of transactions paid.' }),
  volume: cents('that payers paid.'),
  feesEarned: cents('of fees on transactions, chargebacks and withdrawals.'),
  providerCosts: cents('that the transactions cost you, by the provider costs at the time of payment.'),
  margin: cents('of fees minus provider costs.'),
  refunds: cents("refunded to payers, minus refunds that the payer's bank returned."),
  chargebacks: cents('of chargebacks and lost disputes.'),
};

const RowSchema = Type.Object(
  {
    day: Type.Optional(Type.String({ format: 'date', description: 'With `groupBy=day`.' })),
    month: Type.Optional(Type.String({ description: 'With `groupBy=month`: `2026-11`.' })),
    sellerId: Type.Optional(recordId('With `groupBy=seller`.')),
    sellerName: Type.Optional(nullable(Type.String({ description: 'With `groupBy=seller`.' }))),
    method: Type.Optional(Type.Enum([...METHODS], { description: 'With `groupBy=method`.' })),
    ...sums,
  },
  { title: 'RevenueRow', description: 'What a day, month, seller or method earned.' },
);

const RevenueSchema = Type.Object(
  {
    rows: Type.Array(RowSchema, {
      description:
        'Days, months or methods with ledger entries, in order; for `seller`, the 1,000 sellers with the ' +
        'highest fees.',
    }),
    total: Type.Object(sums, { description: 'Sums of the period, including rows that are not listed.' }),
  },
  { title: 'RevenueReport', description: 'What the gateway earned.' },
);

type RevenueRow = Static<typeof RowSchema>;

export function revenueRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  app.get(
    '/admin/reports/revenue',
    {
      config: { access: 'operator:read', heavyRead: true },
      schema: {
        operationId: 'getRevenue',
        summary: 'Retrieve the revenue report',
        description:
          'Returns what the gateway earned, from the ledger. Transactions and their fees count on the São ' +
          'Paulo day of payment; refunds, chargebacks and the fees of withdrawals on the day of their ' +
          'ledger entries.',
        tags: ['Reports'],
        examples: { response: examples.REVENUE },
        querystring: RevenueQuery,
        response: {
          200: {
            description: 'The report as JSON; with `export=true` its rows as CSV.',
            content: {
              'application/json': { schema: envelope(RevenueSchema) },
              'text/csv': { schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { startDate: from, endDate: to, groupBy, locale } = request.query;
      if (!request.query.export) return ok(await reports.revenue({ from, to, groupBy }));
      const rows = await reports.revenueRows({ from, to, groupBy });
      const table = localizedTable(columnsOf(groupBy), locale);
      return sendCsv(reply, `revenue-by-${groupBy}.csv`, table, fromRows(rows));
    },
  );
}

async function* fromRows(rows: readonly RevenueRow[]): AsyncGenerator<RevenueRow> {
  yield* rows;
}

const KEY_COLUMNS = {
  day: ['day'],
  month: ['month'],
  seller: ['sellerId', 'sellerName'],
  method: ['method'],
} as const;

const BRAZILIAN_COLUMNS: Readonly<Record<keyof RevenueRow, BrazilianColumn>> = {
  day: { name: REVENUE_LABELS.day, type: 'day' },
  month: { name: REVENUE_LABELS.month, type: 'day' },
  sellerId: { name: REVENUE_LABELS.sellerId },
  sellerName: { name: REVENUE_LABELS.sellerName },
  method: { name: REVENUE_LABELS.method, label: labelFrom(METHOD_LABELS) },
  charges: { name: REVENUE_LABELS.charges },
  volume: { name: REVENUE_LABELS.volume, type: 'cents' },
  feesEarned: { name: REVENUE_LABELS.feesEarned, type: 'cents' },
  providerCosts: { name: REVENUE_LABELS.providerCosts, type: 'cents' },
  margin: { name: REVENUE_LABELS.margin, type: 'cents' },
  refunds: { name: REVENUE_LABELS.refunds, type: 'cents' },
  chargebacks: { name: REVENUE_LABELS.chargebacks, type: 'cents' },
};

const columnsOf = (groupBy: keyof typeof KEY_COLUMNS): readonly Column<RevenueRow>[] =>
  [
    ...KEY_COLUMNS[groupBy],
    ...(['charges', 'volume', 'feesEarned', 'providerCosts', 'margin', 'refunds', 'chargebacks'] as const),
  ].map((name) => ({ name, value: (row) => row[name] ?? null, brazil: BRAZILIAN_COLUMNS[name] }));
