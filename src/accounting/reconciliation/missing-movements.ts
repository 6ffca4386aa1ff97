import { findMovementPeriod, type MovementPeriod } from '#accounting/ledger/service.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import type { DifferenceRow, MatchScope } from './store-matching.ts';
import {
  countMovements,
  countProviderEntries,
  findMovements,
  type Movement,
  type MovementReader,
} from './store-missing.ts';
import { useIndexes } from './use-indexes.ts';

/**
 * The movements of days that no line can refer to: all of them are missing in a file. They are read
 * in slices of time, so that a page need not read the day. The ledger is indexed by time in ranges of
 * pages, which finds a slice, but not the next entry.
 */

/** Whether the differences of a kind, or of all, include movements without a line. */
export const includesMissing = (kind: DifferenceKind | undefined): boolean =>
  kind === undefined || kind === 'MISSING_IN_FILE';

/** By how much a slice is narrowed that has too many entries, and the next one widened after none. */
const FACTOR = 4;
/** Of most movements: a payment books its net amount and its fee. */
const ENTRIES_PER_MOVEMENT = 2;
/** A slice has half of the entries that it may have if they are as dense as in the whole period. */
const ROOM = 2;
/** That few movements are read with the page after them instead of counted. */
const UNCOUNTED = 20;

/** The most entries of a slice that has this many movements if they are evenly distributed. */
export const entriesOf = (movements: number): number => ROOM * ENTRIES_PER_MOVEMENT * movements;

/** The part of a period that has not been read, in milliseconds since 1970. */
interface Rest {
  from: number;
  readonly before: number;
  /** Of the next slice. */
  width: number;
}

/** Finds the period of the scope and the number of its movements. */
export const findMissingPeriod = (db: Db, scope: MatchScope): Promise<MovementPeriod> =>
  readSnapshot(db, (trx) => findMovementPeriod({ db, trx }, scope));

/**
 * Yields the movements of the scope, which are within `period`, without the first `skip` of them: a
 * slice of at most some `entries` ledger entries at a time.
 */
export async function* findMissingMovements(
  db: Db,
  scope: MatchScope,
  { entries, skip = 0 }: { readonly entries: number; readonly skip?: number },
  period: MovementPeriod,
): AsyncGenerator<readonly DifferenceRow[]> {
  const [from, before] = [period.from.getTime(), period.before.getTime()];
  const expected = Math.max(entries, ENTRIES_PER_MOVEMENT * skip) / entriesOf(Math.max(period.movements, 1));
  const rest: Rest = { from, before, width: Math.ceil((before - from) * Math.min(expected, 1)) };
  let skipped = await skipMovements(db, scope, rest, skip);
  for (let limit = entries; rest.from < rest.before;) {
    const movements = (await readNextSlice(db, scope, { rest, limit, read: findMovements })) ?? [];
    const found = movements.slice(Math.max(skip - skipped, 0));
    skipped += movements.length;
    if (found.length > 0) yield found.map(missingMovement);
    // Another provider may have almost all entries.
    else if (movements.length === 0) limit *= 2;
  }
}

/**
 * Takes slices from the rest that have at most `skip` movements in all, without reading these.
 * Returns how many movements they have.
 */
async function skipMovements(db: Db, scope: MatchScope, rest: Rest, skip: number): Promise<number> {
  let skipped = 0;
  for (let limit = 0; skip - skipped > UNCOUNTED && rest.from < rest.before;) {
    const { from } = rest;
    limit = Math.max(limit, ENTRIES_PER_MOVEMENT * (skip - skipped));
    const count = (await readNextSlice(db, scope, { rest, limit, read: countMovements })) ?? 0;
    if (skipped + count > skip) {
      const width = rest.from - from;
      rest.from = from;
      rest.width = Math.ceil(width / FACTOR);
      if (width === 1) break;
      continue;
    }
    skipped += count;
    limit = count === 0 ? limit * 2 : 0;
  }
  return skipped;
}

interface Slice<T> {
  readonly rest: Rest;
  /** The most entries of a slice. */
  readonly limit: number;
  readonly read: MovementReader<T>;
}

/** Reads the next slice with entries, and takes it from the rest. Undefined if there is none. */
const readNextSlice = <T>(
  db: Db,
  { provider, defaultProviders }: MatchScope,
  { rest, limit, read }: Slice<T>,
): Promise<T | undefined> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await useIndexes(trx);
      while (rest.from < rest.before) {
        const before = Math.min(rest.from + rest.width, rest.before);
        const window = { from: new Date(rest.from), before: new Date(before), defaultProviders };
        const count = await countProviderEntries(trx, window, limit);
        if (count === limit && rest.width > 1) {
          rest.width = Math.ceil((before - rest.from) / FACTOR);
          continue;
        }
        rest.from = before;
        rest.width = Math.ceil(rest.width * Math.min(FACTOR, limit / (ROOM * count)));
        if (count > 0) return read(trx, window, provider);
      }
      return undefined;
    });

const missingMovement = ({ at, ...movement }: Movement): DifferenceRow => {
  const day = saoPauloDate(at);
  return {
    ...movement,
    kind: 'MISSING_IN_FILE',
    day,
    neighborDay: false,
    fileId: null,
    line: null,
    lineId: null,
    lineReference: null,
    lineAmount: null,
    fee: null,
    bookedOn: day,
    bookedAt: at,
    firstFileId: null,
    firstLine: null,
    eventOutcome: null,
    eventSellerId: null,
    eventRecordId: null,
  };
};
