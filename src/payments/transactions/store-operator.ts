import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import {
  ALL_METHOD_STATUSES,
  methodStatusesOf,
  SUMMARY_SQL,
  type MethodStatus,
  type TransactionSummary,
} from './summary.ts';
import type { Status, TransactionKey } from './transaction.ts';

/** Queries over the transactions of all sellers. None of them has an index of its own. */

export interface OperatorFilter {
  readonly sellerId: string | undefined;
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly period: Period;
}

export interface OperatorTransactionSummary extends TransactionSummary {
  readonly sellerId: string;
  readonly sellerName: string;
}

const SUMMARY = sql.raw(SUMMARY_SQL);

/**
 * Finds transactions, newest first; one more than a page if there is a next page.
 *
 * Without a status or method the newest ids are the page. With one, the newest transactions of each
 * seller, method and status are merged, each of which is a range of the index
 * transactions_by_status: with a single condition PostgreSQL would search the transactions of all
 * sellers back to the last rare one. The cost depends on the number of sellers, not on the number
 * of transactions.
 */
export async function findOperatorSummaries(
  db: Db,
  filter: OperatorFilter,
  page: Page,
): Promise<readonly OperatorTransactionSummary[]> {
  const kinds = methodStatusesOf(filter);
  const isMerged = kinds.length < ALL_METHOD_STATUSES.length && filter.transactionId === undefined;
  const query = isMerged ? mergedPage(filter, kinds, page) : plainPage(filter, page);
  return (await query.execute(db)).rows;
}

function plainPage(
  filter: OperatorFilter,
  { take, skip, after }: Page,
): RawBuilder<OperatorTransactionSummary> {
  return sql<OperatorTransactionSummary>`
    SELECT t.*, s.name AS "sellerName" FROM (
      SELECT seller_id AS "sellerId", ${SUMMARY} FROM transactions t WHERE ${filterCondition(filter, after)}
      ORDER BY t.id DESC LIMIT ${take + 1} OFFSET ${skip}
    ) t JOIN sellers s ON s.id = t."sellerId" ORDER BY t.id DESC`;
}

function mergedPage(
  filter: OperatorFilter,
  kinds: readonly MethodStatus[],
  { take, skip, after }: Page,
): RawBuilder<OperatorTransactionSummary> {
  const methods = kinds.map(({ method }) => method);
  const statuses = kinds.map(({ status }) => status);
  const sellerMatches = filter.sellerId === undefined ? sql`true` : sql`s.id = ${filter.sellerId}`;
  return sql<OperatorTransactionSummary>`
    SELECT t.*, s.id AS "sellerId", s.name AS "sellerName" FROM sellers s
    CROSS JOIN unnest(${methods}::text[], ${statuses}::text[]) AS k (method, status)
    CROSS JOIN LATERAL (
      SELECT ${SUMMARY} FROM transactions t
      WHERE t.seller_id = s.id AND t.method = k.method AND t.status = k.status
        AND ${idCondition(filter, after)}
      ORDER BY t.id DESC LIMIT ${skip + take + 1}
    ) t
    WHERE ${sellerMatches} ORDER BY t.id DESC LIMIT ${take + 1} OFFSET ${skip}`;
}

/**
 * Counts transactions exactly: from the stored counts, or row by row if the filter has an id or a
 * period.
 */
export async function countOperatorTransactions(db: Db, filter: OperatorFilter): Promise<number> {
  const { transactionId, period } = filter;
  const usesCounts = transactionId === undefined && period.from === undefined && period.before === undefined;
  const condition = filterCondition(filter, undefined);
  const query = usesCounts
    ? sql<{ count: number }>`
        SELECT coalesce(sum(t.count), 0)::bigint AS count FROM transaction_counts t WHERE ${condition}`
    : sql<{ count: number }>`SELECT count(*) AS count FROM transactions t WHERE ${condition}`;
  const { rows } = await query.execute(db);
  return rows[0]?.count ?? 0;
}

/** The transactions that one statement of an export reads, so that none runs for long. */
const EXPORT_CHUNK_SIZE = 5_000;

/**
 * Finds the matching transactions in the chunk after an id, newest first, and the id after which
 * the next chunk begins; undefined at the end.
 */
export async function findExportChunk(
  db: Db,
  filter: OperatorFilter,
  after: string | undefined,
): Promise<{
  readonly summaries: readonly OperatorTransactionSummary[];
  readonly next: string | undefined;
}> {
  const { rows: ends } = await sql<{ id: string }>`
    SELECT t.id FROM transactions t WHERE ${sellerCondition(filter)} AND ${idCondition(filter, after)}
    ORDER BY t.id DESC LIMIT 1 OFFSET ${EXPORT_CHUNK_SIZE - 1}`.execute(db);
  const next = ends[0]?.id;
  const isInChunk = next === undefined ? sql`true` : sql`t.id >= ${next}`;
  const { rows: summaries } = await sql<OperatorTransactionSummary>`
    SELECT t.*, s.name AS "sellerName" FROM (
      SELECT seller_id AS "sellerId", ${SUMMARY} FROM transactions t
      WHERE ${filterCondition(filter, after)} AND ${isInChunk}
    ) t JOIN sellers s ON s.id = t."sellerId" ORDER BY t.id DESC`.execute(db);
  return { summaries, next };
}

const allOf = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` AND `);

function filterCondition(filter: OperatorFilter, after: string | undefined): RawBuilder<unknown> {
  const { statuses, method } = filter;
  const conditions = [sellerCondition(filter), idCondition(filter, after)];
  if (statuses.length > 0) conditions.push(sql`t.status = ANY (${[...statuses]}::text[])`);
  if (method !== undefined) conditions.push(sql`t.method = ${method}`);
  return allOf(conditions);
}

const sellerCondition = ({ sellerId }: OperatorFilter): RawBuilder<unknown> =>
  sellerId === undefined ? sql`true` : sql`t.seller_id = ${sellerId}`;

/** Ids start with the time of creation, so that a period is a range of ids. */
function idCondition(
  { transactionId, period }: OperatorFilter,
  after: string | undefined,
): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [];
  if (transactionId !== undefined) conditions.push(sql`t.id = ${transactionId}`);
  if (period.from !== undefined) conditions.push(sql`t.id >= ${minIdAt(period.from.getTime())}`);
  if (period.before !== undefined) conditions.push(sql`t.id < ${minIdAt(period.before.getTime())}`);
  if (after !== undefined) conditions.push(sql`t.id < ${after}`);
  return allOf(conditions);
}

export interface StatusChange {
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  /** SELLER, PROVIDER, WORKER or OPERATOR. */
  readonly actor: string;
  readonly at: Date;
}

/** Finds all status changes of a transaction, oldest first. */
export async function findStatusHistory(
  db: Db,
  { sellerId, id }: TransactionKey,
): Promise<readonly StatusChange[]> {
  return db
    .selectFrom('transaction_history')
    .select(['from_status as from', 'to_status as to', 'reason', 'actor', 'at'])
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .orderBy('position')
    .execute();
}
