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

/** A slice after one with too many entries is this much shorter; one after none is at most this much longer. */
const FACTOR = 4;
/** A payment books its net amount and its fee. A slice may have twice as many entries as that. */
const ENTRIES_PER_MOVEMENT = 4;
/** A slice to skip takes this share of what is left if movements are as dense as in the last one. */
const SKIPPED_SHARE = 0.95;
/** That few movements are read with the page after them instead of counted. */
const UNCOUNTED = 20;

/** The part of a period that has not been read, in milliseconds since 1970. */
interface Rest {
  from: number;
  readonly before: number;
  msPerMovement: number;
}

/** Finds the period of the scope and the number of its movements. */
export const findMissingPeriod = (db: Db, scope: MatchScope): Promise<MovementPeriod> =>
  readSnapshot(db, (trx) => findMovementPeriod({ db, trx }, scope));

/**
 * Yields the movements of the scope, which are within `period`, without the first `skip` of them:
 * about `length` at a time.
 */
export async function* findMissingMovements(
  db: Db,
  scope: MatchScope,
  { length, skip = 0 }: { readonly length: number; readonly skip?: number },
  period: MovementPeriod,
): AsyncGenerator<readonly DifferenceRow[]> {
  const [from, before] = [period.from.getTime(), period.before.getTime()];
  const rest: Rest = { from, before, msPerMovement: (before - from) / Math.max(period.movements, 1) };
  let skipped = await skipMovements(db, scope, rest, skip);
  for (let wanted = length; rest.from < rest.before;) {
    const left = Math.max(skip - skipped, 0);
    const slice = await readNextSlice(db, scope, { rest, wanted: left + wanted, read: findMovements });
    if (slice === undefined) break;
    take(rest, slice, slice.found.length);
    const found = slice.found.slice(left);
    skipped += slice.found.length;
    if (found.length > 0) yield found.map(missingMovement);
    // Another provider may have almost all entries.
    else if (slice.found.length === 0) wanted *= 2;
  }
}

/**
 * Takes slices from the rest that have at most `skip` movements in all, without reading these.
 * Returns how many movements they have.
 */
async function skipMovements(db: Db, scope: MatchScope, rest: Rest, skip: number): Promise<number> {
  let skipped = 0;
  for (let factor = SKIPPED_SHARE; skip - skipped > UNCOUNTED && rest.from < rest.before;) {
    const left = skip - skipped;
    const slice = await readNextSlice(db, scope, { rest, wanted: factor * left, read: countMovements });
    if (slice === undefined) break;
    if (slice.found > left) {
      if (slice.width === 1) break;
      rest.msPerMovement = slice.width / slice.found;
      continue;
    }
    take(rest, slice, slice.found);
    skipped += slice.found;
    factor = slice.found === 0 ? factor * 2 : SKIPPED_SHARE;
  }
  return skipped;
}

interface Slice<T> {
  readonly width: number;
  readonly found: T;
}

/** Takes a slice from the rest. The next one is expected to be as dense. */
function take(rest: Rest, { width }: Slice<unknown>, movements: number): void {
  rest.from += width;
  rest.msPerMovement = Math.min(FACTOR * rest.msPerMovement, width / movements);
}

interface SliceOptions<T> {
  readonly rest: Rest;
  /** How many movements the slice should have. */
  readonly wanted: number;
  readonly read: MovementReader<T>;
}

/** Reads the next slice with entries, and takes those before it from the rest. Undefined if there is none. */
const readNextSlice = <T>(
  db: Db,
  { provider, defaultProviders }: MatchScope,
  { rest, wanted, read }: SliceOptions<T>,
): Promise<Slice<T> | undefined> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (trx) => {
      await useIndexes(trx);
      const limit = Math.ceil(ENTRIES_PER_MOVEMENT * wanted);
      while (rest.from < rest.before) {
        const width = Math.min(Math.ceil(wanted * rest.msPerMovement), rest.before - rest.from);
        const window = { from: new Date(rest.from), before: new Date(rest.from + width), defaultProviders };
        const entries = await countProviderEntries(trx, window, limit);
        if (entries === limit && width > 1) rest.msPerMovement = width / (FACTOR * wanted);
        else if (entries > 0) return { width, found: await read(trx, window, provider) };
        else take(rest, { width, found: undefined }, 0);
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
