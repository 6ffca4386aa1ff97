import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import type { DifferenceRow, MatchScope } from './store-matching.ts';
import { countProviderEntries, findMovements, type Movement } from './store-missing.ts';
import { useIndexes } from './use-indexes.ts';

/**
 * The movements of days that no line can refer to: all of them are missing in a file. They are read
 * in slices of time, so that a page need not read the day. The ledger is indexed by time in ranges of
 * pages, which finds a slice, but neither its first entry nor the number of its entries.
 */

/** Whether the differences of a kind, or of all, include movements without a line. */
export const includesMissing = (kind: DifferenceKind | undefined): boolean =>
  kind === undefined || kind === 'MISSING_IN_FILE';

/** A slice that has too many entries is divided into so many. */
const PARTS = 4;

/** A period in milliseconds since 1970. */
interface Slice {
  readonly from: number;
  readonly before: number;
}

/** Yields the movements of the scope, a slice of some `entries` ledger entries at a time. */
export async function* findMissingMovements(
  db: Db,
  scope: MatchScope,
  entries: number,
): AsyncGenerator<readonly DifferenceRow[]> {
  const from = startOfSaoPauloDay(scope.from).getTime();
  const before = startOfSaoPauloDay(addDays(scope.to, 1)).getTime();
  /** What is left, the earliest slice last. */
  const left: Slice[] = [{ from, before }];
  for (let limit = entries; left.length > 0;) {
    const movements = await db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => readNextSlice(trx, scope, left, limit));
    if (movements.length > 0) yield movements.map(missingMovement);
    // Another provider may have almost all entries.
    else limit *= 2;
  }
}

/** Reads the earliest slice with entries, and takes it from `left`. Divides slices until it can. */
async function readNextSlice(
  trx: DatabaseTransaction,
  { provider, defaultProviders }: MatchScope,
  left: Slice[],
  limit: number,
): Promise<readonly Movement[]> {
  await useIndexes(trx);
  for (let slice = left.pop(); slice !== undefined; slice = left.pop()) {
    const window = { from: new Date(slice.from), before: new Date(slice.before), defaultProviders };
    const count = await countProviderEntries(trx, window, limit);
    if (count === limit && slice.before - slice.from > 1) left.push(...divide(slice));
    else if (count > 0) return findMovements(trx, window, provider);
  }
  return [];
}

/** The parts of a slice, the earliest last. */
function divide({ from, before }: Slice): readonly Slice[] {
  const width = Math.ceil((before - from) / PARTS);
  return Array.from({ length: PARTS }, (_, index) => from + index * width)
    .filter((start) => start < before)
    .map((start) => ({ from: start, before: Math.min(start + width, before) }))
    .toReversed();
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
