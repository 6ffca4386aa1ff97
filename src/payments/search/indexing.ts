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
/** How long a run searches for sellers with records to index, so that it reaches thousands of sellers. */
const SCAN_MS = 50;
/** A scan reads rows of every seller, so runs that follow at once do not repeat it. */
const SCAN_INTERVAL_MS = 2_000;
/** Segments of a seller that are written before those of the next seller. */
const SEGMENTS_PER_SELLER = 20;
const STALE_PER_RUN = 50;
const VERIFIED_PER_SCAN = 100;
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
  readonly scanIntervalMs?: number;
}

/** Where the job has arrived in one kind of records. */
interface Cursor {
  readonly source: SearchSource;
  scannedAt: number;
  nextSeller: string;
  /** Sellers with more to index than their last turn wrote. */
  behind: readonly string[];
  verified: SearchKey | undefined;
}

/**
 * Returns the job that writes segments of the search index behind the changes. It resolves to true
 * while more records wait. Several processes may run it: one at a time writes for a seller.
 */
export function createSearchIndexJob(deps: IndexingDeps): () => Promise<boolean> {
  const findBoundary = trackBoundary(deps);
  const cursors = deps.sources.map((source): Cursor => ({
    source,
    scannedAt: -Infinity,
    nextSeller: MIN_ID,
    behind: [],
    verified: undefined,
  }));
  return async () => {
    const boundaries = await findBoundary();
    let more = false;
    for (const cursor of cursors) more = (await indexSource(deps, cursor, boundaries)) || more;
    return more;
  };
}

/** Resolves to true while more records wait. */
async function indexSource(deps: IndexingDeps, cursor: Cursor, boundaries: Boundaries): Promise<boolean> {
  const { db, scanIntervalMs = SCAN_INTERVAL_MS } = deps;
  const { source } = cursor;
  const isScanDue = performance.now() - cursor.scannedAt >= scanIntervalMs;
  const found = isScanDue ? await findUnindexedSellers(deps, cursor, boundaries) : [];
  // All sellers have their turn before the next segments of one of them.
  const behind: string[] = [];
  for (const sellerId of new Set([...cursor.behind, ...found])) {
    if (await indexSeller(deps, source, { sellerId, ...boundaries })) behind.push(sellerId);
  }
  cursor.behind = behind;
  const stale = await findStale(db, source.kind, STALE_PER_RUN);
  for (const range of stale) await paced(() => indexAgain(deps, source, range));
  if (isScanDue) cursor.verified = await verifySegments(db, source, cursor.verified, VERIFIED_PER_SCAN);
  const hasNext = found.length > 0 && cursor.nextSeller !== MIN_ID;
  return behind.length > 0 || hasNext || stale.length === STALE_PER_RUN;
}

/** Returns the next sellers with records to index, and moves the cursor behind them. */
async function findUnindexedSellers(
  { db, segmentSize = SEGMENT_SIZE, sellersPerStatement = SELLERS_PER_STATEMENT }: IndexingDeps,
  cursor: Cursor,
  boundaries: Boundaries,
): Promise<readonly string[]> {
  const found: string[] = [];
  const end = performance.now() + SCAN_MS;
  do {
    const { sellers, next } = await findUnindexed(db, cursor.source, boundaries, {
      after: cursor.nextSeller,
      limit: sellersPerStatement,
      minRecords: segmentSize,
    });
    found.push(...sellers);
    cursor.nextSeller = next ?? MIN_ID;
  } while (cursor.nextSeller !== MIN_ID && found.length < sellersPerStatement && performance.now() < end);
  cursor.scannedAt = performance.now();
  return found;
}

/** Writes the next segments of a seller. Returns whether there may be more. */
async function indexSeller(
  deps: IndexingDeps,
  source: SearchSource,
  range: Boundaries & { readonly sellerId: string },
): Promise<boolean> {
  let segments = 0;
  while (segments < SEGMENTS_PER_SELLER && (await paced(() => indexNext(deps, source, range)))) segments += 1;
  return segments === SEGMENTS_PER_SELLER;
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
