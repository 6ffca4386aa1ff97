import { BRAZILIAN_COLUMNS, LISTED_COLUMNS } from '../../../src/payments/transactions/summary-columns.ts';
import { csvLine, writeBrazilian } from '../../../src/platform/http/csv-line.ts';
import type { ChargeSummary } from '../api/queries.ts';
import { currentLanguage } from '../i18n/format.ts';

/**
 * Converts the selected charges to CSV, with the columns of the API's export in the user's
 * language.
 */
export function chargesAsCsv(rows: readonly ChargeSummary[]): string {
  if (currentLanguage() === 'en') {
    return [LISTED_COLUMNS, ...rows.map((row) => LISTED_COLUMNS.map((name) => row[name]))]
      .map((cells) => csvLine(cells))
      .join('');
  }
  const lines = [
    LISTED_COLUMNS.map((name) => BRAZILIAN_COLUMNS[name].name),
    ...rows.map((row) => LISTED_COLUMNS.map((name) => writeBrazilian(row[name], BRAZILIAN_COLUMNS[name]))),
  ];
  // The byte order mark makes Excel read UTF-8.
  return `\uFEFF${lines.map((cells) => csvLine(cells, ';')).join('')}`;
}
