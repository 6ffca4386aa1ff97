import { findMovementTotals } from '#accounting/ledger/service.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import { addUnmatched, emptyRow, isEmptyRow } from './day-row.ts';
import { daysOf, daysWithFiles, findFilesAround, findValidDays } from './kept-days.ts';
import { findDays, type DayRow, type MatchScope } from './store-matching.ts';

/**
 * Returns a row for each day and each provider with a file, a line or a movement in the period.
 * Lines and movements are matched only on days that a file may concern and whose kept rows are not
 * valid: the movements of other days have no line, and are summed in kept totals.
 */
export async function findDayRows(db: Db, scope: MatchScope): Promise<readonly DayRow[]> {
  const { provider } = scope;
  const { totals, files, valid } = await readSnapshot(db, async (trx) => {
    const around = await findFilesAround(trx, scope);
    const sums = await findMovementTotals({ db, trx }, scope);
    const kept = sums === undefined || around.length === 0 ? [] : await findValidDays(trx, scope, around);
    return { totals: sums, files: around, valid: kept };
  });
  if (totals === undefined) return findDays(db, scope);
  const withFiles = daysWithFiles(files, scope);
  const unknown = withFiles.filter((day) => !valid.some((one) => one.day === day));
  const [first, last] = [unknown[0], unknown.at(-1)];
  const matched =
    first === undefined || last === undefined ? [] : await findDays(db, { ...scope, from: first, to: last });
  const isAsked = (row: DayRow): boolean =>
    !isEmptyRow(row) && (provider === undefined || row.provider === provider);
  const rows = new Map(
    [
      ...totals.flatMap((one) => addUnmatched(one.day, [], [one])),
      ...valid.flatMap((one) => one.rows.filter(isAsked)),
      ...matched,
    ].map((row) => [keyOf(row), row]),
  );
  const providers = new Set([
    ...(provider === undefined ? [] : [provider]),
    ...[...rows.values()].map((row) => row.provider),
  ]);
  const sorted = [...providers].toSorted();
  return daysOf(scope).flatMap((day) =>
    sorted.map((name) => rows.get(keyOf({ day, provider: name })) ?? emptyRow(day, name)),
  );
}

const keyOf = ({ day, provider }: { readonly day: LocalDate; readonly provider: string }): string =>
  `${day} ${provider}`;
