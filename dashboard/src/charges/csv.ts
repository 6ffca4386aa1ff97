import { csvLine } from '../../../src/platform/http/csv-line.ts';
import { SUMMARY_COLUMNS } from '../../../src/payments/transactions/summary-columns.ts';
import type { ChargeSummary } from '../api/queries.ts';

/** Converts the selected charges to CSV with the columns of the API's export. */
export const chargesAsCsv = (rows: readonly ChargeSummary[]): string =>
  [SUMMARY_COLUMNS, ...rows.map((row) => SUMMARY_COLUMNS.map((name) => row[name]))].map(csvLine).join('');
