import { csvLine } from '../../../src/platform/http/csv-line.ts';
import { SUMMARY_COLUMNS } from '../../../src/payments/transactions/summary-columns.ts';
import type { ChargeSummary } from '../api/queries.ts';

/** Chosen charges in the form of the API's own export. */
export const chargesAsCsv = (rows: readonly ChargeSummary[]): string =>
  [SUMMARY_COLUMNS, ...rows.map((row) => SUMMARY_COLUMNS.map((name) => row[name]))].map(csvLine).join('');
