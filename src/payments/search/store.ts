import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { SearchKey, SearchKind, SearchRange, SearchSource } from './records.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/** Ids up to which records are indexed. */
export interface Boundaries {
  /** All records before it are committed. */
  readonly boundary: string;
  /** Records before it do not wait until they fill a segment. */
  readonly oldBoundary: string;
}

/** The values of one field of a segment. */
export interface SegmentTerms {
  readonly field: string;
  readonly ids: readonly string[];
  readonly terms: string;
  readonly ngrams: Buffer;
}

/**
 * Returns the sellers among the next `limit` who have at least `minRecords` records up to
 * `boundary` that no segment covers, or one up to `oldBoundary`, and the seller after whom the next
 * call continues.
 */
export async function findUnindexed(
  db: Db,
  { kind, table }: Pick<SearchSource, 'kind' | 'table'>,
  { boundary, oldBoundary }: Boundaries,
  {
    after,
    limit,
    minRecords,
  }: { readonly after: string; readonly limit: number; readonly minRecords: number },
): Promise<{ readonly sellers: readonly string[]; readonly next: string | undefined }> {
  const { rows } = await sql<{ id: string; isDue: boolean }>`
    SELECT s.id, EXISTS (
      SELECT FROM ${sql.table(table)} r
      WHERE r.seller_id = s.id AND r.id > ${lastIndexed(sql.ref('s.id'), kind)}
        AND r.id <= ${boundary}::uuid
      ORDER BY r.id OFFSET ${minRecords - 1} LIMIT 1
    ) OR EXISTS (
      SELECT FROM ${sql.table(table)} r
      WHERE r.seller_id = s.id AND r.id > ${lastIndexed(sql.ref('s.id'), kind)}
        AND r.id <= ${oldBoundary}::uuid
      ORDER BY r.id LIMIT 1
    ) AS "isDue"
    FROM sellers s WHERE s.id > ${after} ORDER BY s.id LIMIT ${limit}`.execute(db);
  return {
    sellers: rows.filter(({ isDue }) => isDue).map(({ id }) => id),
    next: rows.length < limit ? undefined : rows.at(-1)?.id,
  };
}

/** SQL for the last id that segments of a seller cover. */
export const lastIndexed = (sellerId: unknown, kind: SearchKind) => sql`coalesce((
  SELECT g.last_id FROM search_segments g
  WHERE g.seller_id = ${sellerId} AND g.kind = ${kind} ORDER BY g.after_id DESC LIMIT 1
), ${MIN_ID}::uuid)`;

/** Returns the last segment of a seller. */
export async function findLastSegment(
  trx: DatabaseTransaction,
  sellerId: string,
  kind: SearchKind,
): Promise<(SearchRange & { readonly records: number; readonly stale: boolean }) | undefined> {
  const { rows } = await sql<SearchRange & { records: number; stale: boolean }>`
    SELECT seller_id AS "sellerId", after_id AS after, last_id AS last, records, stale FROM search_segments
    WHERE seller_id = ${sellerId} AND kind = ${kind} ORDER BY after_id DESC LIMIT 1`.execute(trx);
  return rows[0];
}

const lockId = (sellerId: string) => sql`hashtextextended(${`search ${sellerId}`}, 0)`;

/** Locks the index of a seller until the end of the transaction, unless another process has. */
export async function tryLockIndex(trx: DatabaseTransaction, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${lockId(sellerId)}) AS locked`.execute(trx);
  return rows[0]?.locked === true;
}

/**
 * Waits for the lock of `tryLockIndex`. The statement reads a table of the seller, so that a
 * distributed database runs it on the node where the index is written.
 */
async function lockIndex(trx: DatabaseTransaction, sellerId: string): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(${lockId(sellerId)}) FROM (
      SELECT count(*) FROM (SELECT 1 FROM search_segments WHERE seller_id = ${sellerId} LIMIT 1) any_segment
    ) one_row`.execute(trx);
}

/**
 * Deletes the values of the segment of a record, which is stale from then on. Waits until a process
 * that is indexing the record has finished.
 */
export async function deleteTermsOf(
  trx: DatabaseTransaction,
  kind: SearchKind,
  { sellerId, id }: SearchKey,
): Promise<void> {
  await lockIndex(trx, sellerId);
  const { rows } = await sql<{ after: string }>`
    UPDATE search_segments SET stale = true
    WHERE seller_id = ${sellerId} AND kind = ${kind} AND last_id >= ${id} AND after_id = (
      SELECT after_id FROM search_segments
      WHERE seller_id = ${sellerId} AND kind = ${kind} AND after_id < ${id} ORDER BY after_id DESC LIMIT 1)
    RETURNING after_id AS after`.execute(trx);
  for (const { after } of rows) await deleteTerms(trx, kind, sellerId, after);
}

async function deleteTerms(
  trx: DatabaseTransaction,
  kind: SearchKind,
  sellerId: string,
  after: string,
): Promise<void> {
  await sql`
    DELETE FROM search_terms
    WHERE seller_id = ${sellerId} AND kind = ${kind} AND after_id = ${after}`.execute(trx);
}

/** Writes a segment, in place of a stale one that begins where it does. */
export async function writeSegment(
  trx: DatabaseTransaction,
  kind: SearchKind,
  { sellerId, after, last, records }: SearchRange & { readonly records: number },
  terms: readonly SegmentTerms[],
): Promise<void> {
  await deleteTerms(trx, kind, sellerId, after);
  await sql`
    INSERT INTO search_segments (seller_id, kind, after_id, last_id, records, stale)
    VALUES (${sellerId}, ${kind}, ${after}, ${last}, ${records}, false)
    ON CONFLICT (seller_id, kind, after_id)
      DO UPDATE SET last_id = excluded.last_id, records = excluded.records, stale = false`.execute(trx);
  if (terms.length === 0) return;
  const rows = terms.map(
    ({ field, ids, ngrams, terms: text }) => sql`
      (${sellerId}, ${kind}, ${field}, ${after}, ${ids.length}, ${ngrams}, ${[...ids]}::uuid[], ${text})`,
  );
  await sql`
    INSERT INTO search_terms (seller_id, kind, field, after_id, records, ngrams, ids, terms)
    VALUES ${sql.join(rows)}`.execute(trx);
}

/** Adds a segment without terms, for the rest of one that is divided. */
export async function insertStaleSegment(
  trx: DatabaseTransaction,
  kind: SearchKind,
  { sellerId, after, last }: SearchRange,
): Promise<void> {
  await sql`
    INSERT INTO search_segments (seller_id, kind, after_id, last_id, records, stale)
    VALUES (${sellerId}, ${kind}, ${after}, ${last}, 0, true)`.execute(trx);
}

export async function findStale(db: Db, kind: SearchKind, limit: number): Promise<readonly SearchRange[]> {
  const { rows } = await sql<SearchRange>`
    SELECT seller_id AS "sellerId", after_id AS after, last_id AS last FROM search_segments
    WHERE stale AND kind = ${kind} LIMIT ${limit}`.execute(db);
  return rows;
}

/** Whether the segment is still as it was found. */
export async function isStale(
  trx: DatabaseTransaction,
  kind: SearchKind,
  { sellerId, after, last }: SearchRange,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM search_segments
    WHERE seller_id = ${sellerId} AND kind = ${kind} AND after_id = ${after} AND last_id = ${last}
      AND stale`.execute(trx);
  return rows.length > 0;
}

/**
 * Marks those of the next `limit` segments as stale whose range has other records than were
 * indexed: one was committed late, or written by SQL. Returns where the next call continues.
 */
export async function verifySegments(
  db: Db,
  { kind, table }: Pick<SearchSource, 'kind' | 'table'>,
  cursor: SearchKey | undefined,
  limit: number,
): Promise<SearchKey | undefined> {
  const from = cursor ?? { sellerId: MIN_ID, id: MIN_ID };
  const { rows } = await sql<SearchRange & { readonly records: number; readonly actual: number }>`
    SELECT g.seller_id AS "sellerId", g.after_id AS after, g.last_id AS last, g.records, (
      SELECT count(*) FROM ${sql.table(table)} r
      WHERE r.seller_id = g.seller_id AND r.id > g.after_id AND r.id <= g.last_id
    ) AS actual
    FROM search_segments g
    WHERE g.kind = ${kind} AND NOT g.stale
      AND (g.seller_id, g.after_id) > (${from.sellerId}::uuid, ${from.id}::uuid)
    ORDER BY g.seller_id, g.after_id LIMIT ${limit}`.execute(db);
  for (const { sellerId, last } of rows.filter(({ records, actual }) => records !== actual))
    await db.transaction().execute((trx) => deleteTermsOf(trx, kind, { sellerId, id: last }));
  const end = rows.at(-1);
  return end === undefined ? undefined : { sellerId: end.sellerId, id: end.after };
}

/**
 * The database transactions that have ended: all below `ended`. Those from `next` on have not
 * begun.
 */
export async function findTransactionHorizon(
  db: Db,
): Promise<{ readonly ended: bigint; readonly next: bigint }> {
  const { rows } = await sql<{ ended: string; next: string }>`
    SELECT pg_snapshot_xmin(s)::text AS ended, pg_snapshot_xmax(s)::text AS next
    FROM pg_current_snapshot() AS s`.execute(db);
  return { ended: BigInt(rows[0]?.ended ?? 0), next: BigInt(rows[0]?.next ?? 0) };
}
