import type { ChargeSummary } from '../api/queries.ts';

const COLUMNS = [
  'id',
  'amount',
  'netAmount',
  'feeAmount',
  'method',
  'status',
  'installments',
  'paidAt',
  'createdAt',
] as const;

/** What a spreadsheet would run as a formula is told to be text. */
function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const tame = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** Chosen charges in the form of the API's own export. */
export const chargesAsCsv = (rows: readonly ChargeSummary[]): string =>
  [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','))].join('\r\n');
