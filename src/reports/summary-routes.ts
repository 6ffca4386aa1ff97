import { Type } from 'typebox';

import { daysBetween } from '#formats/calendar/local-date.ts';
import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { daysQuery, daysRule } from './days-query.ts';
import * as examples from './examples.ts';
import { INTERVALS, MAX_DAYS } from './periods.ts';
import type { ReportsService } from './service.ts';

const spanRule: CrossFieldRule = (query) => {
  const invalid = daysRule(query);
  const { startDate, endDate, interval = 'day' } = query;
  if (invalid.length > 0 || typeof startDate !== 'string' || typeof endDate !== 'string') return invalid;
  const known = INTERVALS.find((one) => one === interval);
  return known === undefined || daysBetween(startDate, endDate) < MAX_DAYS[known]
    ? []
    : [{ path: ['endDate'], rule: `must be within ${MAX_DAYS[known]} days for the interval ${known}` }];
};

const SummaryQuery = withCrossFieldRules(
  Type.Object({
    ...daysQuery,
    interval: Type.Enum([...INTERVALS], {
      default: 'day',
      description:
        'Length of a bucket. The period has at most 31 days for `hour`, 366 for `day` and 1,830 for ' +
        '`month`.',
    }),
  }),
  [spanRule],
);

const cents = (description: string) => Type.Integer({ description: `Cents ${description}` });

const sums = {
  count: Type.Integer({ description: 'The number of payments.' }),
  volume: cents('that payers paid.'),
  feeAmount: cents('of fees on those payments.'),
  netAmount: Type.Integer({ description: '`volume` minus `feeAmount`, in cents.' }),
  refundedAmount: cents("refunded to payers, minus refunds that the payer's bank returned."),
  chargedBackAmount: cents('of chargebacks and lost disputes.'),
};

const rate = {
  ended: Type.Integer({
    description: 'Transactions created in the period that have a final status or were paid.',
  }),
  paid: Type.Integer({ description: 'How many of these were paid, including refunded ones.' }),
  rate: nullable(
    Type.Number({ description: '`paid` divided by `ended`, from 0 to 1. Null if `ended` is 0.' }),
  ),
};

const PeriodSchema = Type.Object(
  {
    startDate: Type.String({ format: 'date', description: 'The first day, in São Paulo.' }),
    endDate: Type.String({ format: 'date', description: 'The last day, in São Paulo.' }),
    total: Type.Object(sums, { description: 'Sums of the period.' }),
    buckets: Type.Array(
      Type.Object(
        {
          start: Type.String({
            ...Timestamp,
            description: 'When the hour, day or month begins in São Paulo.',
          }),
          ...sums,
        },
        { title: 'SummaryBucket', description: 'Sums of an hour, day or month.' },
      ),
      { description: 'All buckets of the period, in order.' },
    ),
    success: Type.Object(
      {
        PIX: Type.Object(rate, { description: 'Pix.' }),
        BOLETO: Type.Object(rate, { description: 'Boletos.' }),
        CREDIT_CARD: Type.Object(rate, { description: 'Cards.' }),
      },
      { description: 'Paid transactions by method.' },
    ),
  },
  { title: 'SummaryPeriod', description: 'Sums of a period.' },
);

const SummarySchema = Type.Object(
  {
    interval: Type.Enum([...INTERVALS], { description: 'Length of a bucket.' }),
    current: PeriodSchema,
    previous: PeriodSchema,
  },
  { title: 'SummaryReport', description: 'A summary report of two periods.' },
);

export function summaryRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  app.get(
    '/reports/summary',
    {
      config: { access: 'wallet:read', heavyRead: true },
      schema: {
        operationId: 'getSummary',
        summary: 'Retrieve a summary report',
        description:
          'Returns payments, fees and refunds of a period and, for comparison, of the period ' +
          'before it. Payments, refunds and chargebacks count at the time of their ledger entries. ' +
          'The previous period ends on the day before and has the same number of days. With ' +
          '`interval=month`, it is moved back by whole months instead: `2026-04-01` to `2026-06-30` is ' +
          'compared with `2026-01-01` to `2026-03-31`.',
        tags: ['Reports'],
        examples: { response: examples.SUMMARY },
        querystring: SummaryQuery,
        response: { 200: envelope(SummarySchema) },
      },
    },
    async (request) => {
      const { startDate: first, endDate: last, interval } = request.query;
      const sellerId = callingSeller(request).id;
      return ok(await reports.summary(sellerId, { first, last }, interval));
    },
  );
}
