import { Type } from 'typebox';

import { daysBetween, isLocalDate } from '#formats/calendar/local-date.ts';
import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import { callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import * as examples from './examples.ts';
import { INTERVALS, MAX_DAYS } from './periods.ts';
import type { ReportsService } from './service.ts';

const day = Type.String({
  pattern: '^20\\d{2}-\\d{2}-\\d{2}$',
  'x-rule': 'must be a day such as 2026-03-01',
  description: 'A day in São Paulo.',
});

const violation = (name: string, rule: string) => [{ path: [name], rule }];

const periodRule: CrossFieldRule = ({ startDate, endDate, interval = 'day' }) => {
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  if (!isLocalDate(startDate)) return violation('startDate', 'must be a day such as 2026-03-01');
  if (!isLocalDate(endDate)) return violation('endDate', 'must be a day such as 2026-03-01');
  const knownInterval = INTERVALS.find((known) => known === interval);
  const days = daysBetween(startDate, endDate) + 1;
  if (days < 1) return violation('endDate', 'must not be before startDate');
  return knownInterval === undefined || days <= MAX_DAYS[knownInterval]
    ? []
    : violation(
        'endDate',
        `must be within ${MAX_DAYS[knownInterval]} days for the interval ${knownInterval}`,
      );
};

const SummaryQuery = withCrossFieldRules(
  Type.Object({
    startDate: day,
    endDate: Type.String({ ...day, description: 'A day in São Paulo; it counts as a whole.' }),
    interval: Type.Enum([...INTERVALS], {
      default: 'day',
      description: 'At most 31 days by the hour, 366 by the day, 1,830 by the month.',
    }),
  }),
  [periodRule],
);

const cents = (description: string) => Type.Integer({ description: `Cents ${description}` });

const sums = {
  count: Type.Integer({ description: 'Payments.' }),
  volume: cents('that payers paid.'),
  feeAmount: cents('of fees on those payments.'),
  netAmount: cents('of volume less fees.'),
  refundedAmount: cents('that went back to payers by refunds, less what came back of them.'),
  chargedBackAmount: cents('that went back by chargebacks and lost disputes.'),
};

const rate = {
  ended: Type.Integer({ description: 'Charges made in the period that have ended.' }),
  paid: Type.Integer({ description: 'Those of them that were paid, whatever became of the money.' }),
  rate: nullable(Type.Number({ description: 'Paid of ended, from 0 to 1; null where none has ended.' })),
};

const PeriodSchema = Type.Object(
  {
    startDate: Type.String({ format: 'date' }),
    endDate: Type.String({ format: 'date' }),
    total: Type.Object(sums),
    buckets: Type.Array(
      Type.Object({ start: Type.String({ ...Timestamp, description: 'Its first instant.' }), ...sums }),
      { description: 'Every one of the period, the first one first.' },
    ),
    success: Type.Object({
      PIX: Type.Object(rate),
      BOLETO: Type.Object(rate),
      CREDIT_CARD: Type.Object(rate),
    }),
  },
  { title: 'SummaryPeriod' },
);

const SummarySchema = Type.Object(
  { interval: Type.Enum([...INTERVALS]), current: PeriodSchema, previous: PeriodSchema },
  { title: 'Summary' },
);

/** How much came in, and how that compares. */
export function summaryRoutes(app: App, { reports }: { readonly reports: ReportsService }): void {
  app.get(
    '/reports/summary',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'getSummary',
        summary: 'Sum up payments, fees and refunds of a period, and of the one before',
        description:
          'Payments, refunds and chargebacks count in the hour or day in which the ledger moved their money. The period before has as many days, or with `interval=month` lies as many months earlier.',
        tags: ['Reports'],
        examples: { answer: examples.SUMMARY },
        querystring: SummaryQuery,
        response: { 200: envelope(SummarySchema) },
      },
    },
    async (request) => {
      const { startDate: first, endDate: last, interval } = request.query;
      return ok(await reports.summary(callingSeller(request).id, { first, last }, interval));
    },
  );
}
