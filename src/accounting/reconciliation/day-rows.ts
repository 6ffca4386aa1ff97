import { findMovementTotals } from '#accounting/ledger/service.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import { addUnmatched, emptyRow, isEmptyRow } from './day-row.ts';
import { daysOf, daysWithFiles, findFilesAround, findValidDays } from './reconciled-days.ts';
import { findDays, type DayRow, type MatchScope } from './store-matching.ts';

/**
 * Returns a row for each day and each provider with a file, a line or a movement in the period.
 * Lines and movements are matched only on days that a file may concern and whose stored rows are not
 * valid: the movements of other days have no line, and are summed in stored totals.
 */
export async function findDayRows(db: Db, scope: MatchScope): Promise<readonly DayRow[]> {
  const { provider } = scope;
  const known = await findKnownRows(db, scope);
  if (known === undefined) return findDays(db, scope);
  const { rows, unknownDays } = known;
  const [first, last] = [unknownDays[0], unknownDays.at(-1)];
  if (first !== undefined && last !== undefined) {
    for (const row of await findDays(db, { ...scope, from: first, to: last })) rows.set(keyOf(row), row);
  }
  const providers = new Set([
    ...(provider === undefined ? [] : [provider]),
    ...[...rows.values()].map((row) => row.provider),
  ]);
  const sorted = [...providers].toSorted();
  return daysOf(scope).flatMap((day) =>
    sorted.map((name) => rows.get(keyOf({ day, provider: name })) ?? emptyRow(day, name)),
  );
}

/** Whether stored rows and totals show, without matching any day, that no day has a difference. */
export async function isKnownToMatch(db: Db, scope: MatchScope): Promise<boolean> {
  const known = await findKnownRows(db, scope);
  if (known === undefined || known.unknownDays.length > 0) return false;
  return [...known.rows.values()].every((row) => row.differences + row.neighboringDays === 0);
}

interface KnownRows {
  /** By `keyOf`. */
  readonly rows: Map<string, DayRow>;
  /** The days that must be matched, in order. */
  readonly unknownDays: readonly LocalDate[];
}

/** Undefined if the stored totals are not valid. */
async function findKnownRows(db: Db, scope: MatchScope): Promise<KnownRows | undefined> {
  const { provider } = scope;
  const { totals, files, valid } = await readSnapshot(db, async (trx) => {
    const around = await findFilesAround(trx, scope);
    const sums = await findMovementTotals({ db, trx }, scope);
    const stored = sums === undefined || around.length === 0 ? [] : await findValidDays(trx, scope, around);
    return { totals: sums, files: around, valid: stored };
  });
  if (totals === undefined) return undefined;
  const unknownDays = daysWithFiles(files, scope).filter((day) => !valid.some((one) => one.day === day));
  const isAsked = (row: DayRow): boolean =>
    !isEmptyRow(row) && (provider === undefined || row.provider === provider);
  const rows = new Map(
    [
      ...totals.flatMap((one) => addUnmatched(one.day, [], [one])),
      ...valid.flatMap((one) => one.rows.filter(isAsked)),
    ].map((row) => [keyOf(row), row]),
  );
  return { rows, unknownDays };
}

const keyOf = ({ day, provider }: { readonly day: LocalDate; readonly provider: string }): string =>
  `${day} ${provider}`;
