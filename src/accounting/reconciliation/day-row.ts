import type { MovementTotals } from '#accounting/ledger/service.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { DayRow } from './store-matching.ts';

export const emptyRow = (day: LocalDate, provider: string): DayRow => ({
  day,
  provider,
  files: 0,
  lines: 0,
  matched: 0,
  neighboringDays: 0,
  fileIn: 0,
  fileOut: 0,
  fileFees: 0,
  movements: 0,
  ledgerIn: 0,
  ledgerOut: 0,
  differences: 0,
});

export const isEmptyRow = ({ files, lines, movements }: DayRow): boolean =>
  files === 0 && lines === 0 && movements === 0;

/** Adds movements of the row's day and provider that have no line. */
const addToRow = (row: DayRow, { movements, moneyIn, moneyOut }: MovementTotals): DayRow => ({
  ...row,
  movements: row.movements + movements,
  ledgerIn: row.ledgerIn + moneyIn,
  ledgerOut: row.ledgerOut + moneyOut,
  differences: row.differences + movements,
});

/** Adds movements that have no line to the rows of a day. Ignores those of other days. */
export function addUnmatched(
  day: LocalDate,
  rows: readonly DayRow[],
  movements: readonly MovementTotals[],
): readonly DayRow[] {
  const byProvider = new Map(rows.map((row) => [row.provider, row]));
  for (const one of movements) {
    if (one.day !== day) continue;
    byProvider.set(one.provider, addToRow(byProvider.get(one.provider) ?? emptyRow(day, one.provider), one));
  }
  return [...byProvider.values()];
}
