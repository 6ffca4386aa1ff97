import { setTimeout as sleep } from 'node:timers/promises';

import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { MIN_ID, minIdAt } from '#platform/kit/ids.ts';
import type { SearchKey, SearchRange, SearchSource } from './records.ts';
import { toSegmentTerms } from './segments.ts';
import {
  findLastSegment,
  findStale,
  findTransactionHorizon,
  findUnindexed,
  insertStaleSegment,
  isStale,
  tryLockIndex,
  verifySegments,
  writeSegment,
  type Boundaries,
} from './store.ts';

/** Of one seller, fewer records are read as fast as their segment would be. */
const SEGMENT_SIZE = 512;
/**
 * Records that are older are indexed all the same, in a segment that grows, so that searches of all
 * sellers read few records themselves.
 */
const MAX_UNINDEXED_MS = 10 * 60_000;
/** A stale segment with more records is divided. */
const MAX_SEGMENT_SIZE = 2 * SEGMENT_SIZE;
const SELLERS_PER_STATEMENT = 200;
/** How long a run looks for a seller with records to index, so that it reaches thousands of sellers. */
const LOOK_MS = 50;
/** Segments of a seller that are written before those of the next seller. */
const SEGMENTS_PER_SELLER = 20;
const STALE_PER_RUN = 50;
const VERIFIED_PER_RUN = 20;
/** The job sleeps this many times as long as it took to write a segment. */
const PAUSE_FACTOR = 2;
/** An id is at most this much older than the database transaction that commits it. */
const MAX_DELAY_MS = 10_000;
/** After this time a database transaction that is still open delays the index no longer. */
const MAX_WAIT_MS = 120_000;
const MOMENT_INTERVAL_MS = 1_000;

export interface IndexingDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sources: readonly SearchSource[];
  readonly segmentSize?: number;
  readonly sellersPerStatement?: number;
  readonly maxDelayMs?: number;
}

/**
 * Returns the job that writes segments of the search index behind the changes. It resolves to true
 * while more records wait. Several processes may run it: one at a time writes for a seller.
 */
export function createSearchIndexJob(deps: IndexingDeps): () => Promise<boolean> {
  const findBoundary = trackBoundary(deps);
  const cursors = deps.sources.map((source) => ({
    source,
    nextSeller: MIN_ID,
    isBehind: false,
    verified: undefined as SearchKey | undefined,
  }));
  return async () => {
    const boundaries = await findBoundary();
    let more = false;
    for (const cursor of cursors) {
      const { source } = cursor;
      const { sellers, next } = await findNextUnindexed(deps, cursor, boundaries);
      for (const sellerId of sellers) {
        let segments = 0;
        while (
          segments < SEGMENTS_PER_SELLER &&
          (await paced(() => indexNext(deps, source, { sellerId, ...boundaries })))
        )
          segments += 1;
        cursor.isBehind ||= segments === SEGMENTS_PER_SELLER;
      }
      // All sellers have their turn before the next segments of one of them.
      more ||= cursor.isBehind || (sellers.length > 0 && next !== undefined);
      if (next === undefined) cursor.isBehind = false;
      const stale = await findStale(deps.db, source.kind, STALE_PER_RUN);
      for (const range of stale) await paced(() => indexAgain(deps, source, range));
      cursor.verified = await verifySegments(deps.db, source, cursor.verified, VERIFIED_PER_RUN);
      more ||= stale.length === STALE_PER_RUN;
    }
    return more;
  };
}

interface Cursor {
  readonly source: SearchSource;
  nextSeller: string;
  /** Whether a seller has more to index than a turn writes, since the first seller. */
  isBehind: boolean;
}

/** Moves a cursor to the next sellers with records to index, or to the end. */
async function findNextUnindexed(
  { db, segmentSize = SEGMENT_SIZE, sellersPerStatement = SELLERS_PER_STATEMENT }: IndexingDeps,
  cursor: Cursor,
  boundaries: Boundaries,
): Promise<Awaited<ReturnType<typeof findUnindexed>>> {
  for (const end = performance.now() + LOOK_MS; ;) {
    const found = await findUnindexed(db, cursor.source, boundaries, {
      after: cursor.nextSeller,
      limit: sellersPerStatement,
      minRecords: segmentSize,
    });
    cursor.nextSeller = found.next ?? MIN_ID;
    if (found.sellers.length > 0 || found.next === undefined || performance.now() > end) return found;
  }
}

async function paced<T>(work: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  const result = await work();
  await sleep(PAUSE_FACTOR * (performance.now() - startMs));
  return result;
}

/**
 * Returns a function that returns the id up to which all records are committed. Ids begin with the
 * time at which a request was handled, and its commit may wait for locks: a time is safe once it is
 * some seconds ago and the database transactions of that time have ended.
 */
function trackBoundary({ db, clock, maxDelayMs = MAX_DELAY_MS }: IndexingDeps): () => Promise<Boundaries> {
  let safeMs = 0;
  const moments: { readonly atMs: number; readonly domainMs: number; readonly next: bigint }[] = [];
  return async () => {
    const { ended, next } = await findTransactionHorizon(db);
    const nowMs = performance.now();
    if (nowMs - (moments.at(-1)?.atMs ?? -Infinity) >= Math.min(MOMENT_INTERVAL_MS, maxDelayMs))
      moments.push({ atMs: nowMs, domainMs: clock.nowMs(), next });
    for (let [oldest] = moments; oldest !== undefined; [oldest] = moments) {
      const ageMs = nowMs - oldest.atMs;
      const isSafe = ageMs >= maxDelayMs && oldest.next <= ended;
      if (!isSafe && ageMs < MAX_WAIT_MS) break;
      safeMs = oldest.domainMs;
      moments.shift();
    }
    return { boundary: minIdAt(safeMs), oldBoundary: minIdAt(Math.max(0, safeMs - MAX_UNINDEXED_MS)) };
  };
}

/**
 * Writes the segment of the next records of a seller, or adds them to the last one if it is not
 * full. Returns whether there were enough to fill it.
 */
async function indexNext(
  { db, segmentSize = SEGMENT_SIZE }: IndexingDeps,
  source: SearchSource,
  { sellerId, boundary, oldBoundary }: Boundaries & { readonly sellerId: string },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await tryLockIndex(trx, sellerId))) return false;
    const previous = await findLastSegment(trx, sellerId, source.kind);
    const indexed = previous?.last ?? MIN_ID;
    const isOpen = previous !== undefined && !previous.stale && previous.records < segmentSize;
    const after = isOpen ? previous.after : indexed;
    const records = await source.read(trx, { sellerId, after, last: boundary }, segmentSize);
    const last = records.at(-1);
    const isFull = records.length >= segmentSize;
    const hasOld = records.some(({ id }) => id > indexed && id <= oldBoundary);
    if (last === undefined || !(isFull || hasOld)) return false;
    const range = { sellerId, after, last: last.id, records: records.length };
    await writeSegment(trx, source.kind, range, await toSegmentTerms(records));
    failPoint('search.segment-written');
    return isFull;
  });
}

/** Writes a stale segment again, or its first part if records were added. */
async function indexAgain(
  { db, segmentSize = SEGMENT_SIZE }: IndexingDeps,
  source: SearchSource,
  range: SearchRange,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { kind } = source;
    if (!(await tryLockIndex(trx, range.sellerId)) || !(await isStale(trx, kind, range))) return;
    const records = await source.read(trx, range, MAX_SEGMENT_SIZE + 1);
    const isWhole = records.length <= MAX_SEGMENT_SIZE;
    const first = isWhole ? records : records.slice(0, segmentSize);
    const last = isWhole ? range.last : (first.at(-1)?.id ?? range.last);
    await writeSegment(trx, kind, { ...range, last, records: first.length }, await toSegmentTerms(first));
    if (!isWhole) await insertStaleSegment(trx, kind, { ...range, after: last });
  });
}
