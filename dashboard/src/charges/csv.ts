import { csvLine } from '../../../src/platform/http/csv-line.ts';
import { LISTED_COLUMNS } from '../../../src/payments/transactions/summary-columns.ts';
import type { ChargeSummary } from '../api/queries.ts';

/** Converts the selected charges to CSV with the columns of the API's export. */
export const chargesAsCsv = (rows: readonly ChargeSummary[]): string =>
  [LISTED_COLUMNS, ...rows.map((row) => LISTED_COLUMNS.map((name) => row[name]))]
    .map((cells) => csvLine(cells))
    .join('');
