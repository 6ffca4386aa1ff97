import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { DifferenceRow, MatchScope } from './store-matching.ts';
import { countProviderEntries, findMovements, type Movement } from './store-missing.ts';

/**
 * The movements of days that no line can refer to: all of them are missing in a file. They are read
 * in slices of time, so that a page need not read the day. The ledger is indexed by time in ranges of
 * pages, which finds a slice, but neither its first entry nor the number of its entries.
 */

/** A slice that has too many entries is made shorter by this factor, and the next one longer. */
const SLICE_FACTOR = 16;

/** Yields the movements of the scope, a slice of some `entries` ledger entries at a time. */
export async function* findMissingMovements(
  db: Db,
  scope: MatchScope,
  entries: number,
): AsyncGenerator<readonly DifferenceRow[]> {
  const end = startOfSaoPauloDay(addDays(scope.to, 1)).getTime();
  let from = startOfSaoPauloDay(scope.from).getTime();
  let [width, limit] = [end - from, entries];
  while (from < end) {
    const longest = { from, before: Math.min(from + width, end) };
    const { movements, count, before } = await db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => readSlice(trx, scope, longest, limit));
    if (movements.length > 0) yield movements.map(missingMovement);
    // Another provider may have almost all entries.
    else if (count > 0) limit *= 2;
    width = (before - from) * SLICE_FACTOR;
    from = before;
  }
}

interface Slice {
  readonly from: number;
  readonly before: number;
}

/** Shortens a slice until it has fewer entries than `limit`, and reads it. */
async function readSlice(
  trx: DatabaseTransaction,
  scope: MatchScope,
  { from, before }: Slice,
  limit: number,
): Promise<{ readonly movements: readonly Movement[]; readonly count: number; readonly before: number }> {
  const { provider, defaultProviders } = scope;
  const window = { from: new Date(from), before: new Date(before), defaultProviders };
  const count = await countProviderEntries(trx, window, limit);
  if (count === limit && before - from > 1) {
    const shorter = from + Math.ceil((before - from) / SLICE_FACTOR);
    return readSlice(trx, scope, { from, before: shorter }, limit);
  }
  return { movements: count === 0 ? [] : await findMovements(trx, window, provider), count, before };
}

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
