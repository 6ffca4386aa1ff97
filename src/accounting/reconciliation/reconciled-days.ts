import { findMovementCursor } from '#accounting/ledger/service.ts';
import type { MovementWindow } from '#accounting/ledger/provider-movements.ts';
import { addDays, daysBetween, type LocalDate } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { addUnmatched, isEmptyRow } from './day-row.ts';
import { DAYS_AFTER, DAYS_BEFORE } from './settlement-file.ts';
import { countFilesByDay, findFirstFileDay, type FileDay } from './store.ts';
import {
  countEntriesSince,
  findIncludedEntries,
  findStoredDays,
  saveStoredDays,
  sumNewMovements,
  type DayEntries,
  type DayRange,
  type StoredDay,
  type NewMovements,
} from './store-reconciled-days.ts';
import { findDaysIn, MATCH_WINDOW_DAYS } from './store-matching.ts';

/**
 * The worker matches the days that files may concern, and stores the result with its inputs: how
 * many entries the ledger had in the days that can match, up to a time, and how many files there
 * were. A later movement that no line refers to is added. Any other change makes the stored day
 * invalid, until the worker has matched it again.
 */

/** A line of a file for a day may match a movement this many days before it or after it. */
const REACH_BEFORE = DAYS_BEFORE + MATCH_WINDOW_DAYS;
const REACH_AFTER = DAYS_AFTER + MATCH_WINDOW_DAYS;
/**
 * A movement takes the line of another one at most so far away, whose other line then has another
 * match.
 */
const AFFECTED_DAYS = 3 * MATCH_WINDOW_DAYS;
/** Days that the worker checks, and matches, at a time. */
const DAYS_PER_RUN = 31;
/** After every movement. */
const END = new Date('9999-01-01T00:00:00Z');

interface Scope extends DayRange {
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

/** Increase the format when the members of a row change. */
const settingsOf = ({ defaultProviders }: Scope): string => JSON.stringify({ format: 1, defaultProviders });

const isIn = ({ from, to }: DayRange, day: LocalDate): boolean => day >= from && day <= to;

/** How many files may concern a day. */
function countFilesOf(files: readonly FileDay[], day: LocalDate): number {
  const range = { from: addDays(day, -REACH_AFTER), to: addDays(day, REACH_BEFORE) };
  return files.reduce((sum, file) => sum + (isIn(range, file.day) ? file.files : 0), 0);
}

export const daysOf = ({ from, to }: DayRange): readonly LocalDate[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));

/** The days of a range that files may concern. */
export const daysWithFiles = (files: readonly FileDay[], range: DayRange): readonly LocalDate[] =>
  daysOf(range).filter((day) => countFilesOf(files, day) > 0);

/** The files, of all providers, that may concern the days of a range. */
export const findFilesAround = (trx: DatabaseTransaction, { from, to }: DayRange) =>
  countFilesByDay(trx, addDays(from, -REACH_AFTER), addDays(to, REACH_BEFORE));

const windowOf = ({ from, to }: DayRange): DayRange => ({
  from: addDays(from, -MATCH_WINDOW_DAYS),
  to: addDays(to, MATCH_WINDOW_DAYS),
});

const windowEnd = (day: LocalDate): Date => startOfSaoPauloDay(addDays(day, MATCH_WINDOW_DAYS + 1));

/** Whether no later movement can match the day. */
const isClosed = ({ day, before }: StoredDay): boolean => before >= windowEnd(day);

/** The entries of the days whose movements can match lines of a day. */
function entriesAround(day: LocalDate, entries: readonly DayEntries[]): number {
  const range = windowOf({ from: day, to: day });
  return entries.reduce((sum, one) => sum + (isIn(range, one.day) ? one.entries : 0), 0);
}

/**
 * Returns the stored days of a range that are valid, with the movements up to a time added. Needs a
 * snapshot in which the totals of movements account for every entry.
 */
export async function findValidDays(
  trx: DatabaseTransaction,
  scope: Scope,
  files: readonly FileDay[],
  until: Date = END,
): Promise<readonly StoredDay[]> {
  const settings = settingsOf(scope);
  const cursor = await findMovementCursor(trx);
  const included = await findIncludedEntries(trx, windowOf(scope));
  const stored = (await findStoredDays(trx, scope)).filter(
    (one) =>
      one.settings === settings &&
      one.files === countFilesOf(files, one.day) &&
      (one.before <= cursor.before || isClosed(one)),
  );
  const valid = stored.filter((one) => isClosed(one) && one.entries === entriesAround(one.day, included));
  const open = stored.filter((one) => !isClosed(one));
  for (const time of new Set(open.map(({ before }) => before.getTime()))) {
    const period = { from: new Date(time), before: until, defaultProviders: scope.defaultProviders };
    const newer = await countEntriesSince(trx, period.from, cursor.before);
    const earlier = newer.map((one) => ({ day: one.day, entries: one.earlier }));
    const movements = newer.length === 0 ? [] : await sumNewMovements(trx, period);
    for (const { day, ...one } of open.filter(({ before }) => before.getTime() === time)) {
      const entries = one.entries + entriesAround(day, earlier);
      if (entries !== entriesAround(day, included) || isAffected(day, movements)) continue;
      valid.push({
        ...one,
        day,
        before: cursor.before,
        entries,
        rows: addUnmatched(day, one.rows, movements),
      });
    }
  }
  return valid;
}

function isAffected(day: LocalDate, movements: readonly NewMovements[]): boolean {
  const range = { from: addDays(day, -AFFECTED_DAYS), to: addDays(day, AFFECTED_DAYS) };
  return movements.some((one) => one.isNamed && isIn(range, one.day));
}

export interface StoredDaysDeps {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly defaultProviders: MovementWindow['defaultProviders'];
}

/**
 * Returns the job that stores the reconciliation of days that files may concern: in each run the
 * last days, and a month of earlier ones in turn.
 */
export function createStoredDaysJob(deps: StoredDaysDeps): () => Promise<boolean> {
  let next: LocalDate | undefined;
  return async () => {
    const first = await findFirstFileDay(deps.db);
    if (first === undefined) return false;
    const firstDay = addDays(first, -REACH_BEFORE);
    const to = addDays(saoPauloDate(deps.clock.now()), 1);
    const recent = { from: addDays(to, 1 - DAYS_PER_RUN), to };
    await keep(deps, recent);
    const last = next !== undefined && next >= firstDay ? next : addDays(recent.from, -1);
    const earlier = { from: addDays(last, 1 - DAYS_PER_RUN), to: last };
    if (earlier.to >= firstDay) await keep(deps, earlier);
    next = addDays(earlier.from, -1);
    return false;
  };
}

/** Updates the stored days of a range, and matches invalid ones again. */
async function keep({ db, defaultProviders }: StoredDaysDeps, range: DayRange): Promise<void> {
  const scope = { ...range, defaultProviders };
  const { files, valid, isNew } = await readSnapshot(db, async (trx) => {
    const found = await findFilesAround(trx, range);
    const cursor = await findMovementCursor(trx);
    const before = await findStoredDays(trx, range);
    const days = found.length === 0 ? [] : await findValidDays(trx, scope, found, cursor.before);
    const changed = days.filter((day) => !before.some((one) => isSame(one, day)));
    return { files: found, valid: days, isNew: changed };
  });
  const invalid = daysWithFiles(files, range).filter((day) => !valid.some((one) => one.day === day));
  const [from, to] = [invalid[0], invalid.at(-1)];
  const matched = from === undefined || to === undefined ? [] : await match(db, { ...scope, from, to });
  const saved = [...isNew, ...matched.filter(({ day }) => invalid.includes(day))];
  if (saved.length > 0) await db.transaction().execute((trx) => saveStoredDays(trx, saved));
}

const isSame = (one: StoredDay, other: StoredDay): boolean =>
  one.day === other.day && one.before.getTime() === other.before.getTime();

/** Matches the days of a range with the movements that the stored totals include. */
const match = (db: Db, scope: Scope): Promise<readonly StoredDay[]> =>
  readSnapshot(db, async (trx) => {
    const { before } = await findMovementCursor(trx);
    const files = await findFilesAround(trx, scope);
    const included = await findIncludedEntries(trx, windowOf(scope));
    const rows = await findDaysIn(trx, { ...scope, provider: undefined, before });
    return daysOf(scope).map((day) => ({
      day,
      before,
      entries: entriesAround(day, included),
      files: countFilesOf(files, day),
      settings: settingsOf(scope),
      rows: rows.filter((row) => row.day === day && !isEmptyRow(row)),
    }));
  });
