import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import { onEachShardWithin } from '#platform/database/shards/each-shard.ts';
import { readSnapshot } from '#platform/database/read-snapshot.ts';
import type { Clock } from '#platform/kit/clock.ts';
import {
  addToMovementTotals,
  countNewEntries,
  findDifferingDays,
  findStoredSlice,
  findTotalsCursor,
  lockTotalsCursor,
  removeMovementTotals,
  saveTotalsCursor,
  sumMovements,
  type EntryCounts,
  type EntryPeriod,
  type MovementTotals,
  type StoredSlice,
  type TotalsCursor,
  type TotalsScope,
} from './store-movement-totals.ts';
import { addToRevenueTotals, removeRevenueTotals, type ChargeCosts } from './store-revenue.ts';

/**
 * Daily totals of provider movements, stored up to a time. Wallets number their entries, so the
 * entries in the totals and those after that time must add up to the numbers of the wallets. They
 * do not if an entry was committed later than others of its time. The totals are then not used
 * until the worker has counted that day again. The totals of revenue are stored with them.
 */

/** Almost all entries are committed within this time. */
const MIN_AGE_MS = 10_000;
/** The clocks of processes differ by less. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
/** Pages skip whole slices of movements. More slices make reports slower. */
const MOVEMENTS_PER_SLICE = 1_000;
/** Before every entry. */
const FIRST_DAY: LocalDate = '2000-01-01';
const LAST_DAY: LocalDate = '9999-12-31';

interface Handles {
  readonly db: Db;
  readonly trx: DatabaseTransaction;
}

/** Counts the entries of each shard in one snapshot. */
async function countOnShards(handles: Handles, since: Date, limit: Date): Promise<EntryCounts> {
  const counts = await onEachShardWithin(handles, (shard) =>
    inTransaction(shard, (trx) => countNewEntries(trx, since, limit)),
  );
  return counts.reduce((sum, { newer, ready, firstAt, numbered }) => ({
    newer: sum.newer + newer,
    ready: sum.ready + ready,
    firstAt: sum.firstAt === null || (firstAt !== null && firstAt < sum.firstAt) ? firstAt : sum.firstAt,
    numbered: sum.numbered + numbered,
  }));
}

const isConsistent = ({ entries, missing }: TotalsCursor, { newer, numbered }: EntryCounts): boolean =>
  entries + missing + newer === numbered;

/**
 * Returns the part of some days whose entries the stored totals do not include, which has `recent`
 * undefined if there are none. Returns undefined if the stored totals do not account for every entry.
 * Needs a snapshot.
 */
export async function findRecentPeriod(
  handles: Handles,
  scope: Pick<TotalsScope, 'from' | 'to'>,
): Promise<{ readonly recent: EntryPeriod | undefined } | undefined> {
  const { trx } = handles;
  const cursor = await findTotalsCursor(trx);
  const counts = await countOnShards(handles, cursor.before, cursor.before);
  if (!isConsistent(cursor, counts)) return undefined;
  const start = startOfSaoPauloDay(scope.from);
  const recent = {
    from: start > cursor.before ? start : cursor.before,
    before: startOfSaoPauloDay(addDays(scope.to, 1)),
  };
  return { recent: counts.newer > 0 && recent.from < recent.before ? recent : undefined };
}

/**
 * Returns the totals of each day and provider with movements, or undefined if the stored totals do
 * not account for every entry. Needs a snapshot.
 */
export async function findMovementTotals(
  handles: Handles,
  scope: TotalsScope,
): Promise<readonly MovementTotals[] | undefined> {
  const found = await findRecentPeriod(handles, scope);
  return found === undefined ? undefined : sumMovements(handles.trx, scope, found.recent);
}

/** A period with all movements of some days, without some at the beginning. */
export interface MovementPeriod extends EntryPeriod {
  /** How many movements of the scope are still to skip. */
  readonly skip: number;
  /** The average time between two movements, as far as known. */
  readonly msPerMovement: number;
  /** How many the scope has in all; undefined if the stored totals do not account for every entry. */
  readonly count: number | undefined;
}

/** Finds the movements of some days, without at most `skip` of them. Needs a snapshot. */
export async function findMovementPeriod(
  handles: Handles,
  scope: TotalsScope,
  skip: number,
): Promise<MovementPeriod> {
  const days = { from: startOfSaoPauloDay(scope.from), before: startOfSaoPauloDay(addDays(scope.to, 1)) };
  const found = await findRecentPeriod(handles, scope);
  if (found === undefined) return { ...placed(days, undefined, skip), count: undefined };
  const { recent } = found;
  const totals = await sumMovements(handles.trx, scope, recent);
  const slice = await findStoredSlice(handles.trx, scope, skip);
  const count = totals.reduce((sum, total) => sum + total.movements, 0);
  const end = recent?.before ?? (slice === undefined ? days.from : new Date(slice.endAt.getTime() + 1));
  return { ...placed({ from: recent?.from ?? days.from, before: end }, slice, skip), count };
}

/** A period from the slice on, if there is one. */
function placed(
  period: EntryPeriod,
  slice: StoredSlice | undefined,
  skip: number,
): Omit<MovementPeriod, 'count'> {
  if (slice === undefined) {
    return { ...period, skip, msPerMovement: period.before.getTime() - period.from.getTime() };
  }
  const { firstAt, lastAt, movements, skipped } = slice;
  const ms = lastAt.getTime() + 1 - firstAt.getTime();
  const msPerMovement = ms / Math.max(movements, 1);
  return { from: firstAt, before: period.before, skip: skip - skipped, msPerMovement };
}

/** Reads what providers cost, from the first charge on. */
export type FindChargeCosts = (trx: DatabaseTransaction) => Promise<ChargeCosts>;

interface Totals extends Handles {
  readonly costs: ChargeCosts;
  readonly movementsPerSlice: number;
}

async function addPeriod({ trx, costs, movementsPerSlice }: Totals, period: EntryPeriod): Promise<number> {
  await addToRevenueTotals(trx, period, costs);
  return addToMovementTotals(trx, period, movementsPerSlice);
}

async function removeDays(trx: DatabaseTransaction, from: LocalDate, to: LocalDate): Promise<number> {
  await removeRevenueTotals(trx, from, to);
  return removeMovementTotals(trx, from, to);
}

/**
 * Returns the job that adds new entries to the totals, a day at most in each run. Resolves to true
 * while more may wait.
 */
export function createMovementTotalsJob({
  db,
  clock,
  findCosts,
  movementsPerSlice = MOVEMENTS_PER_SLICE,
}: {
  readonly db: Db;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly findCosts: FindChargeCosts;
  readonly movementsPerSlice?: number;
}): () => Promise<boolean> {
  let hadEntries = false;
  return async () => {
    const limit = new Date(clock.nowMs() - MIN_AGE_MS);
    // An idle gateway writes nothing. The check costs as much as the count that follows it.
    if (!hadEntries && (await readSnapshot(db, (trx) => isCurrent({ db, trx }, limit)))) return false;
    const advanced = await db.transaction().execute(async (trx) => {
      const cursor = await lockTotalsCursor(trx);
      return cursor === undefined
        ? 'nothing'
        : advance({ db, trx, costs: await findCosts(trx), movementsPerSlice }, cursor, limit);
    });
    hadEntries = advanced !== 'nothing';
    return advanced === 'partly';
  };
}

const wasSetBack = ({ before }: TotalsCursor, limit: Date): boolean =>
  before.getTime() - limit.getTime() > MAX_CLOCK_DIFFERENCE_MS;

async function isCurrent(handles: Handles, limit: Date): Promise<boolean> {
  const cursor = await findTotalsCursor(handles.trx);
  if (wasSetBack(cursor, limit)) return false;
  const counts = await countOnShards(handles, cursor.before, limit);
  return counts.ready === 0 && isConsistent(cursor, counts);
}

/** Changes the totals and the cursor. After `partly`, more may wait. */
async function advance(
  handles: Totals,
  cursor: TotalsCursor,
  limit: Date,
): Promise<'nothing' | 'partly' | 'wholly'> {
  const { trx } = handles;
  if (wasSetBack(cursor, limit)) {
    await restartDay(trx, cursor, saoPauloDate(limit));
    return 'partly';
  }
  const counts = await countOnShards(handles, cursor.before, limit);
  if (!isConsistent(cursor, counts)) {
    await recount(handles, cursor, counts);
    return 'partly';
  }
  if (counts.ready === 0 || counts.firstAt === null) return 'nothing';
  const dayEnd = startOfSaoPauloDay(addDays(saoPauloDate(counts.firstAt), 1));
  const before = dayEnd < limit ? dayEnd : limit;
  const added = await addPeriod(handles, { from: cursor.before, before });
  await saveTotalsCursor(trx, { ...cursor, before, entries: cursor.entries + added });
  return before < limit ? 'partly' : 'wholly';
}

/** New entries would have times that the totals include already. */
async function restartDay(trx: DatabaseTransaction, cursor: TotalsCursor, day: LocalDate): Promise<void> {
  const removed = await removeDays(trx, day, LAST_DAY);
  const before = startOfSaoPauloDay(day);
  await saveTotalsCursor(trx, { ...cursor, before, entries: cursor.entries - removed });
}

/**
 * Counts the days again whose entries have changed: of the last days if that accounts for every
 * entry, otherwise of all.
 */
async function recount(
  handles: Totals,
  cursor: TotalsCursor,
  { newer, numbered }: EntryCounts,
): Promise<void> {
  const { trx } = handles;
  const expected = numbered - newer - cursor.missing;
  let { entries } = cursor;
  for (const from of [addDays(saoPauloDate(cursor.before), -1), FIRST_DAY]) {
    for (const day of await findDifferingDays(trx, from, cursor.before)) {
      const dayEnd = startOfSaoPauloDay(addDays(day, 1));
      const before = dayEnd < cursor.before ? dayEnd : cursor.before;
      entries -= await removeDays(trx, day, day);
      entries += await addPeriod(handles, { from: startOfSaoPauloDay(day), before });
    }
    if (entries === expected) break;
  }
  await saveTotalsCursor(trx, { ...cursor, entries, missing: numbered - newer - entries });
}
