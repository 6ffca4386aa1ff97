import { findMovementPeriod, type MovementPeriod } from '#accounting/ledger/service.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import type { DifferenceRow, MatchScope } from './store-matching.ts';
import { countProviderEntries, findMovements, type Movement } from './store-missing.ts';
import { useIndexes } from './use-indexes.ts';

/**
 * The movements of days that no line can refer to: all of them are missing in a file. They are read
 * in slices of time, so that a page need not read the day. The ledger is indexed by time in ranges of
 * pages, which finds a slice, but not the next entry.
 */

/** Whether the differences of a kind, or of all, include movements without a line. */
export const includesMissing = (kind: DifferenceKind | undefined): boolean =>
  kind === undefined || kind === 'MISSING_IN_FILE';

/** A slice after one with too many entries is this much shorter, and after none at most this much longer. */
const FACTOR = 4;
/** A payment books its net amount and its fee. A slice may have twice as many entries as that. */
const ENTRIES_PER_MOVEMENT = 4;

/** The part of a period that has not been read, in milliseconds since 1970. */
interface Rest {
  from: number;
  readonly before: number;
  msPerMovement: number;
}

/**
 * Finds the period of the scope, without at most `skip` movements at the beginning, and the number of its
 * movements.
 */
export const findMissingPeriod = (db: Db, scope: MatchScope, skip = 0): Promise<MovementPeriod> =>
  readSnapshot(db, (trx) => findMovementPeriod({ db, trx }, scope, skip));

/** Yields the movements of the scope, about `length` at a time. */
export async function* findMissingMovements(
  db: Db,
  scope: MatchScope,
  length: number,
  period: MovementPeriod,
): AsyncGenerator<readonly DifferenceRow[]> {
  const { msPerMovement } = period;
  const rest: Rest = { from: period.from.getTime(), before: period.before.getTime(), msPerMovement };
  let left = period.skip;
  for (let wanted = length; rest.from < rest.before;) {
    const movements = await readNextSlice(db, scope, rest, wanted + left);
    const found = movements.slice(left);
    left = Math.max(left - movements.length, 0);
    if (found.length > 0) yield found.map(missingMovement);
    // Another provider may have almost all entries.
    else if (movements.length === 0) wanted *= 2;
  }
}

/** Reads the next slice with entries, of about `wanted` movements, and takes it from the rest. */
const readNextSlice = (
  db: Db,
  { provider, defaultProviders }: MatchScope,
  rest: Rest,
  wanted: number,
): Promise<readonly Movement[]> =>
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
        if (entries === limit && width > 1) {
          rest.msPerMovement = width / (FACTOR * wanted);
          continue;
        }
        const movements = entries === 0 ? [] : await findMovements(trx, window, provider);
        rest.from += width;
        rest.msPerMovement = Math.min(FACTOR * rest.msPerMovement, width / movements.length);
        if (entries > 0) return movements;
      }
      return [];
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
