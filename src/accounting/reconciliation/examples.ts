import type { Static } from 'typebox';

import { csvLine } from '#platform/http/csv-line.ts';
import { ok } from '#platform/http/envelope.ts';
import { SETTLEMENT_COLUMNS, type SettlementLine } from './settlement-file.ts';
import type { DayReportSchema, DifferenceSchema, FileSchema } from './schema.ts';
import { CSV_COLUMNS } from './views.ts';

/** Examples of the API reference. A test validates each against its schema. */

const day = '2026-11-20';
const payment = '01a1fb81-05e3-4ab2-9523-6a28bbc3a3cd';
const refund = '01a1fb90-77aa-4c31-8a55-0c6b0a3e9d11';
const sellerId = '01a1fb01-9a1b-4c2d-8e3f-4a5b6c7d8e9f';
const fileId = '01a20012-3b4c-4d5e-8f60-718293a4b5c6';

const LINES: readonly SettlementLine[] = [
  {
    id: 'E99999999202611201412Qb7xK2mZp0a',
    type: 'PAYMENT',
    amount: 15_000,
    fee: 5,
    date: day,
    reference: payment,
  },
  { id: refund, type: 'REFUND', amount: 2_500, fee: 0, date: day, reference: refund },
];

const csv = <Row>(
  columns: readonly { name: string; value: (row: Row) => string | number | boolean | null }[],
  rows: readonly Row[],
) =>
  [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))]
    .map((cells) => csvLine(cells))
    .join('');

export const SETTLEMENT_FILE_EXAMPLES = { 'A payment and a refund': csv(SETTLEMENT_COLUMNS, LINES) };

const file: Static<typeof FileSchema> = {
  id: fileId,
  provider: 'sandbox',
  day,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  bytes: 245,
  lines: 2,
  duplicates: 0,
  in: 15_000,
  out: 2_500,
  fees: 5,
  importedBy: '01a1fa00-1111-4222-8333-444455556666',
  importedAt: '2026-11-21T11:02:33.120Z',
};

export const IMPORT_EXAMPLES = { 'What was imported': ok({ ...file, repeated: false }) };
export const FILE_LIST_EXAMPLES = {
  'One file': { status: true as const, data: [file], count: 1, nextCursor: null },
};

const balanced: Static<typeof DayReportSchema> = {
  day,
  provider: 'sandbox',
  status: 'BALANCED',
  balanced: true,
  files: 1,
  lines: 2,
  matched: 2,
  neighboringDays: 0,
  differences: 0,
  file: { in: 15_000, out: 2_500, fees: 5, net: 12_495 },
  ledger: { movements: 2, in: 15_000, out: 2_500 },
};

export const DAY_EXAMPLES = { 'A day that balances': ok([balanced]) };

const difference: Static<typeof DifferenceSchema> = {
  kind: 'AMOUNT_DIFFERS',
  day,
  provider: 'sandbox',
  type: 'PAYMENT',
  tolerated: false,
  file: {
    fileId,
    line: 2,
    id: 'E99999999202611201412Qb7xK2mZp0a',
    reference: payment,
    amount: 15_001,
    fee: 5,
    day,
  },
  ledger: {
    sellerId,
    recordId: payment,
    reference: payment,
    providerId: 'E99999999202611201412Qb7xK2mZp0a',
    cause: 'PAYMENT',
    amount: 15_000,
    day,
    at: '2026-11-20T17:12:41.007Z',
  },
  duplicateOf: null,
  report: null,
};

export const DIFFERENCE_EXAMPLES = {
  'An amount that differs by a cent': { status: true as const, data: [difference], count: 1 },
  'As CSV': csv(CSV_COLUMNS, [difference]),
};
