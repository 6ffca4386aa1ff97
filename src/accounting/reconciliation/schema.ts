import { Type } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { daysBetween, isLocalDate, type LocalDate } from '#formats/calendar/local-date.ts';
import { csvLocaleQuery, exportQuery } from '#platform/http/csv.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
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
  'x-rule': 'must be 1 to 40 lower-case letters, digits and hyphens' satisfies Rule,
  description: 'Name of the provider, as in the environment variables; `sandbox` in the sandbox.',
});

export const SettlementDay = day('The day that the file is for, in São Paulo.');

export const ImportQuery = Type.Object({ provider: Provider, day: SettlementDay });

const period = {
  day: Type.Optional(day('One day, in São Paulo. Required without `startDate` and `endDate`.')),
  startDate: Type.Optional(day('The first day, in São Paulo. Required without `day`.')),
  endDate: Type.Optional(
    day(`The last day. Required without \`day\`. A request covers at most ${MAX_DAYS} days.`),
  ),
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
    return [{ path: ['endDate'], rule: `must be at most ${MAX_DAYS} days after startDate` }];
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
    kind: Type.Optional(Type.Enum([...DIFFERENCE_KINDS], { description: 'Only differences of this kind.' })),
    take: pageQuery.take,
    skip: pageQuery.skip,
    ...exportQuery,
    ...csvLocaleQuery,
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

export const FileSchema = Type.Object(
  {
    id: recordId('The id of the file.'),
    provider: Type.String({ description: 'The provider.' }),
    day: Type.String({ description: 'The day that the file is for.' }),
    sha256: Type.String({ description: 'SHA-256 of the file, in hex.' }),
    bytes: Type.Integer({ description: 'Size of the file.' }),
    lines: Type.Integer({ description: 'Lines of the file, without the header.' }),
    duplicates: Type.Integer({
      description:
        'Lines whose id occurred before, in this or another file. They are excluded from `in`, `out` ' +
        'and `fees`, and listed as differences.',
    }),
    in: cents('Payments.'),
    out: cents('Refunds, chargebacks and withdrawals.'),
    fees: cents('What the provider charges.'),
    importedBy: recordId('The operator user who imported it.'),
    importedAt: timestamp('When it was imported.'),
  },
  { title: 'SettlementFile', description: 'An imported settlement file.' },
);

export const ImportedSchema = Type.Object(
  {
    ...FileSchema.properties,
    repeated: Type.Boolean({
      description:
        'Whether the same file was imported before. If so, the other fields describe the first import, and ' +
        'nothing has changed.',
    }),
  },
  { title: 'SettlementFileImport', description: 'The outcome of an import.' },
);

export const DayReportSchema = Type.Object(
  {
    day: Type.String({ description: 'The day.' }),
    provider: Type.String({ description: 'The provider.' }),
    status: Type.Enum(['BALANCED', 'DIFFERENT', 'NO_FILE'], {
      description:
        'NO_FILE: no file for the day and no line dated on it was imported. Otherwise BALANCED if ' +
        '`balanced` is true, or DIFFERENT.',
    }),
    balanced: Type.Boolean({
      description:
        'Whether every line matches a ledger movement, with the same amount and at most one ' +
        'day apart, and every movement matches a line.',
    }),
    files: Type.Integer({ description: 'Files imported for this day.' }),
    lines: Type.Integer({ description: 'Lines dated on this day, in all files.' }),
    matched: Type.Integer({
      description: 'Lines that match a ledger movement, with the same amount and at most one day apart.',
    }),
    neighboringDays: Type.Integer({
      description:
        'Matched lines that the ledger dates one day earlier or later. They can explain why ' +
        'the sums differ.',
    }),
    differences: Type.Integer({
      description: 'Number of differences, without those that are `tolerated`.',
    }),
    file: Type.Object(
      {
        in: cents('Payments.'),
        out: cents('Refunds, chargebacks and withdrawals.'),
        fees: cents('What the provider charges the operator.'),
        net: cents('`in` minus `out` minus `fees`.'),
      },
      { description: 'What the files report.' },
    ),
    ledger: Type.Object(
      {
        movements: Type.Integer({ description: 'Number of movements.' }),
        in: cents("Payments, before the gateway's fee is deducted."),
        out: cents('Refunds, chargebacks and withdrawals.'),
      },
      { description: 'What the ledger contains.' },
    ),
  },
  {
    title: 'ReconciliationDay',
    description: 'What a provider settled on a day, compared with the ledger.',
  },
);

export const DifferenceSchema = Type.Object(
  {
    kind: Type.Enum([...DIFFERENCE_KINDS], { description: 'What differs.' }),
    day: Type.String({ description: 'The day of the line, or of the movement for MISSING_IN_FILE.' }),
    provider: Type.String({ description: 'The provider.' }),
    type: Type.String({ description: 'Type of the line or movement.' }),
    tolerated: Type.Boolean({
      description:
        'Whether the dates are only one day apart. Such a difference is listed, but the day ' +
        'counts as balanced.',
    }),
    file: nullable(
      Type.Object(
        {
          fileId: recordId('The file.'),
          line: Type.Integer({ description: 'Line number in the file.' }),
          id: Type.String({ description: "The provider's id of the line." }),
          reference: nullable(Type.String({ description: 'Reference in the line; null if it has none.' })),
          amount: Type.Integer({ description: 'Cents.' }),
          fee: Type.Integer({ description: "The provider's fee, in cents." }),
          day: Type.String({ description: 'The day of the line.' }),
        },
        { description: 'The line of the file; null for MISSING_IN_FILE.' },
      ),
    ),
    ledger: nullable(
      Type.Object(
        {
          sellerId: recordId('The seller.'),
          recordId: Type.String({ format: 'uuid', description: 'The transaction or withdrawal.' }),
          reference: Type.String({
            format: 'uuid',
            description: 'The id of the refund; for other movements, the id of the record.',
          }),
          providerId: nullable(
            Type.String({ description: "The provider's id of the movement; null if unknown." }),
          ),
          cause: Type.String({ description: 'What caused the movement.' }),
          amount: Type.Integer({ description: 'Cents.' }),
          day: Type.String({ description: 'The day of the movement.' }),
          at: timestamp('When it was booked.'),
        },
        { description: 'The movement of the ledger; null if the line matches none.' },
      ),
    ),
    duplicateOf: nullable(
      Type.Object(
        {
          fileId: recordId('The file of the first line.'),
          line: Type.Integer({ description: 'Line number of the first line.' }),
        },
        {
          description:
            'For DUPLICATE_LINE: the line that counts instead, which has the same id or matches the ' +
            'same movement. Null for other kinds.',
        },
      ),
    ),
    report: nullable(
      Type.Object(
        {
          outcome: Type.String({ description: 'What the event changed.' }),
          sellerId: Type.String({ description: 'The seller, as the provider reported it.' }),
          recordId: Type.String({
            description: 'The transaction or withdrawal, as the provider reported it.',
          }),
        },
        {
          description:
            'For MISSING_IN_LEDGER: the provider event that was not booked, if there is one. LATE ' +
            'payments are returned to the payer.',
        },
      ),
    ),
  },
  {
    title: 'ReconciliationDifference',
    description: 'A line and a ledger movement that differ, or one without the other.',
  },
);
