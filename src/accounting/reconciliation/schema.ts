import { Type } from 'typebox';

import { daysBetween, isLocalDate, type LocalDate } from '#formats/calendar/local-date.ts';
import { exportQuery } from '#platform/http/csv.ts';
import { nullable, Timestamp } from '#platform/http/envelope.ts';
import { pageQuery } from '#platform/http/pagination.ts';
import { addFormat, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { DIFFERENCE_KINDS } from './difference-kinds.ts';

/** The longest period of one request. */
const MAX_DAYS = 92;

// The limits keep the days around a period within the calendar.
const isDay = (text: string): boolean => isLocalDate(text) && text >= '2000-01-01' && text < '2100-01-01';
addFormat('bank-day', isDay, 'must be a day as YYYY-MM-DD');

const day = (description: string) => Type.String({ format: 'bank-day', description });

const Provider = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{0,39}$',
  'x-rule': 'must be 1 to 40 lower-case letters, digits and hyphens',
  description: 'Who sent the file, by the name of the adapter: `sandbox` in the sandbox.',
});

export const SettlementDay = day('The São Paulo day that the file is for.');

export const ImportQuery = Type.Object({ provider: Provider, day: SettlementDay });

const period = {
  day: Type.Optional(day('One day, instead of startDate and endDate.')),
  startDate: Type.Optional(day('The first day, in São Paulo.')),
  endDate: Type.Optional(day(`The last day. At most ${MAX_DAYS} days are answered at once.`)),
};

interface PeriodQuery {
  readonly day?: LocalDate;
  readonly startDate?: LocalDate;
  readonly endDate?: LocalDate;
}

/** Requires `day`, or both ends of a period of at most MAX_DAYS. */
const periodRule: CrossFieldRule = (query) => {
  const { startDate, endDate } = query;
  if (query['day'] !== undefined) {
    const ambiguous = startDate !== undefined || endDate !== undefined;
    return ambiguous
      ? [
          {
            path: ['day'],
            rule: 'must not be combined with startDate and endDate',
            code: 'invalid_combination',
          },
        ]
      : [];
  }
  const missing = (['startDate', 'endDate'] as const).filter((name) => query[name] === undefined);
  if (missing.length > 0) return missing.map((name) => ({ path: [name], rule: 'should not be empty' }));
  if (typeof startDate !== 'string' || typeof endDate !== 'string') return [];
  if (!isDay(startDate) || !isDay(endDate)) return [];
  const days = daysBetween(startDate, endDate) + 1;
  if (days < 1) return [{ path: ['endDate'], rule: 'must not be before startDate' }];
  if (days > MAX_DAYS)
    return [{ path: ['endDate'], rule: `must be at most ${MAX_DAYS} days with startDate` }];
  return [];
};

/** Reads the period of a query that has passed `periodRule`. */
export function readDays(query: PeriodQuery): { readonly from: LocalDate; readonly to: LocalDate } {
  const from = query.day ?? query.startDate;
  const to = query.day ?? query.endDate;
  if (from === undefined || to === undefined) throw new Error('a period passed validation without its ends');
  return { from, to };
}

export const ReportQuery = withCrossFieldRules(
  Type.Object({ provider: Type.Optional(Provider), ...period }),
  [periodRule],
);

export const DifferencesQuery = withCrossFieldRules(
  Type.Object({
    provider: Type.Optional(Provider),
    ...period,
    kind: Type.Optional(Type.Enum([...DIFFERENCE_KINDS])),
    take: pageQuery.take,
    skip: pageQuery.skip,
    ...exportQuery,
  }),
  [periodRule],
);

export const FilesQuery = Type.Object({
  provider: Type.Optional(Provider),
  startDate: Type.Optional(day('Files for this day or a later one.')),
  endDate: Type.Optional(day('Files for this day or an earlier one.')),
  ...pageQuery,
});

const cents = (description: string) => Type.Integer({ description: `${description} Cents.` });

export const FileSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  provider: Type.String(),
  day: Type.String(),
  sha256: Type.String({ description: 'Of the bytes of the file, in hex.' }),
  bytes: Type.Integer(),
  lines: Type.Integer({ description: 'Movements in the file, without the header.' }),
  duplicates: Type.Integer({ description: 'Lines whose id was imported before. They do not count.' }),
  in: cents('Payments.'),
  out: cents('Refunds, chargebacks and withdrawals.'),
  fees: cents('What the provider charges.'),
  importedBy: Type.String({ format: 'uuid' }),
  importedAt: Timestamp,
});

export const ImportedSchema = Type.Object({
  ...FileSchema.properties,
  repeated: Type.Boolean({
    description: 'The same bytes were imported before: this is that import, and nothing has changed.',
  }),
});

export const DayReportSchema = Type.Object({
  day: Type.String(),
  provider: Type.String(),
  status: Type.Enum(['BALANCED', 'DIFFERENT', 'NO_FILE']),
  balanced: Type.Boolean({
    description:
      'Every line has its movement, to the cent and at most a day apart, and every movement its line.',
  }),
  files: Type.Integer({ description: 'Files imported for this day.' }),
  lines: Type.Integer({ description: 'Lines dated on this day, from whichever file.' }),
  matched: Type.Integer(),
  neighbourDays: Type.Integer({
    description: 'Matched lines that the ledger has a day before or after; they explain sums that differ.',
  }),
  differences: Type.Integer(),
  file: Type.Object({
    in: cents('Payments.'),
    out: cents('Refunds, chargebacks and withdrawals.'),
    fees: cents('What the provider charges the operator.'),
    net: cents('In less out less fees.'),
  }),
  ledger: Type.Object({
    movements: Type.Integer(),
    in: cents('Payments, with the fees of the gateway.'),
    out: cents('Refunds, chargebacks and withdrawals.'),
  }),
});

export const DifferenceSchema = Type.Object({
  kind: Type.Enum([...DIFFERENCE_KINDS]),
  day: Type.String({ description: "The line's day; the ledger's for MISSING_IN_FILE." }),
  provider: Type.String(),
  type: Type.String(),
  tolerated: Type.Boolean({ description: 'A day apart: it is shown, and the day is balanced all the same.' }),
  file: nullable(
    Type.Object({
      fileId: Type.String({ format: 'uuid' }),
      line: Type.Integer(),
      id: Type.String(),
      reference: nullable(Type.String()),
      amount: Type.Integer(),
      fee: Type.Integer(),
      day: Type.String(),
    }),
  ),
  ledger: nullable(
    Type.Object({
      sellerId: Type.String({ format: 'uuid' }),
      recordId: Type.String({ format: 'uuid', description: 'The transaction or withdrawal.' }),
      reference: Type.String({ format: 'uuid', description: 'The refund, or else the record.' }),
      providerId: nullable(Type.String()),
      cause: Type.String(),
      amount: Type.Integer(),
      day: Type.String(),
      at: Timestamp,
    }),
  ),
  duplicateOf: nullable(Type.Object({ fileId: Type.String({ format: 'uuid' }), line: Type.Integer() })),
  report: nullable(
    Type.Object(
      { outcome: Type.String(), sellerId: Type.String(), recordId: Type.String() },
      {
        description:
          'For MISSING_IN_LEDGER: the provider had reported it, and it was not booked. LATE is money that ' +
          'goes back to its payer.',
      },
    ),
  ),
});
