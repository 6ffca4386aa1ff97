import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { onMergedShards } from '#platform/database/shards/each-shard.ts';
import { countRowsOfDays } from '#platform/database/daily-counts.ts';
import { countUpToCap } from '#platform/database/pagination.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { sellerTransactionCounts, TRANSACTION_COUNTS } from './store-counts.ts';
import { conditionsOf, type TransactionFilter } from './store-filters.ts';
import {
  ALL_METHOD_STATUSES,
  LISTED_SQL,
  methodStatusesOf,
  SUMMARY_SQL,
  type ListedTransaction,
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
 * of transactions. So the newest transactions of all sellers are tried first, which hold the page of
 * a method or status that is not rare.
 */
export async function findOperatorSummaries(
  db: Db,
  filter: OperatorFilter,
  page: Page,
): Promise<readonly OperatorTransactionSummary[]> {
  const kinds = methodStatusesOf(filter);
  const isMerged = kinds.length < ALL_METHOD_STATUSES.length && filter.transactionId === undefined;
  return onMergedShards(db, filter.sellerId, page, async (shard, part) => {
    if (!isMerged) return (await plainPage(filter, part).execute(shard)).rows;
    if (filter.sellerId === undefined) {
      const { rows } = await newestPage(filter, part).execute(shard);
      if (rows.length > part.take) return rows;
    }
    return (await mergedPage(filter, kinds, part).execute(shard)).rows;
  });
}

/** Transactions that are tried for a page. */
const NEWEST = 300;

/** The page, if it is among the newest transactions; otherwise fewer rows. */
const newestPage = (filter: OperatorFilter, page: Page) =>
  plainPage(
    filter,
    page,
    sql`(
      SELECT * FROM transactions t WHERE ${idCondition(filter, page.after)}
      ORDER BY t.id DESC LIMIT ${NEWEST})`,
  );

function plainPage(
  filter: OperatorFilter,
  { take, skip, after }: Page,
  transactions = sql`transactions`,
): RawBuilder<OperatorTransactionSummary> {
  return sql<OperatorTransactionSummary>`
    SELECT t.*, s.name AS "sellerName" FROM (
      SELECT t.id FROM ${transactions} t WHERE ${filterCondition(filter, after)}
      ORDER BY t.id DESC LIMIT ${take + 1} OFFSET ${skip}
    ) page CROSS JOIN LATERAL (
      SELECT seller_id AS "sellerId", ${SUMMARY} FROM transactions t WHERE t.id = page.id
    ) t JOIN sellers s ON s.id = t."sellerId" ORDER BY t.id DESC`;
}

/** Only ids are skipped, which an index holds. The rows of the page are read by their keys. */
function mergedPage(
  filter: OperatorFilter,
  kinds: readonly MethodStatus[],
  { take, skip, after }: Page,
): RawBuilder<OperatorTransactionSummary> {
  const newestOf = (
    seller: RawBuilder<unknown>,
    method: RawBuilder<unknown>,
    status: RawBuilder<unknown>,
  ) => sql`
    SELECT t.seller_id, t.id FROM transactions t
    WHERE t.seller_id = ${seller} AND t.method = ${method} AND t.status = ${status}
      AND ${idCondition(filter, after)}
    ORDER BY t.id DESC LIMIT ${skip + take + 1}`;
  const { sellerId } = filter;
  const methods = kinds.map(({ method }) => method);
  const statuses = kinds.map(({ status }) => status);
  // The parts of one seller are merged in their order; those of all sellers are joined and sorted.
  const ids =
    sellerId === undefined || kinds.length === 0
      ? sql`
        SELECT newest.* FROM sellers s
        CROSS JOIN unnest(${methods}::text[], ${statuses}::text[]) AS k (method, status)
        CROSS JOIN LATERAL (${newestOf(sql`s.id`, sql`k.method`, sql`k.status`)}) newest`
      : sql.join(
          kinds.map(
            ({ method, status }) => sql`(${newestOf(sql`${sellerId}`, sql`${method}`, sql`${status}`)})`,
          ),
          sql` UNION ALL `,
        );
  return sql<OperatorTransactionSummary>`
    SELECT t.*, s.name AS "sellerName" FROM (
      SELECT * FROM (${ids}) ids ORDER BY id DESC LIMIT ${take + 1} OFFSET ${skip}
    ) page CROSS JOIN LATERAL (
      SELECT seller_id AS "sellerId", ${SUMMARY} FROM transactions t
      WHERE t.seller_id = page.seller_id AND t.id = page.id
    ) t JOIN sellers s ON s.id = t."sellerId" ORDER BY t.id DESC`;
}

/**
 * Counts transactions: exactly by status, method and seller or by seller and whole days, from the
 * stored counts, and up to a limit by other filters.
 */
export async function countOperatorTransactions(db: Db, filter: OperatorFilter): Promise<ListCount> {
  const { sellerId, statuses, method, transactionId, period } = filter;
  if (transactionId === undefined && period.from === undefined && period.before === undefined) {
    const { rows } = await sql<{ count: number }>`
      SELECT coalesce(sum(t.count), 0)::bigint AS count FROM transaction_counts t
      WHERE ${filterCondition(filter, undefined)}`.execute(db);
    return { count: rows[0]?.count ?? 0 };
  }
  const isOnlyPeriod = statuses.length === 0 && method === undefined && transactionId === undefined;
  const list = sellerId === undefined ? TRANSACTION_COUNTS : sellerTransactionCounts(sellerId);
  const count = isOnlyPeriod ? await countRowsOfDays(db, list, period, sellerId) : undefined;
  if (count !== undefined) return { count };
  return countUpToCap(db, sql`SELECT t.id FROM transactions t WHERE ${filterCondition(filter, undefined)}`);
}

/** The transactions that one statement of an export reads, so that none runs for long. */
const EXPORT_CHUNK_SIZE = 5_000;

/**
 * Iterates over all transactions that match, newest first. The next chunk is read when the consumer
 * needs it.
 */
export const iterateChunks = (db: Db, filter: OperatorFilter): AsyncGenerator<OperatorTransactionSummary> =>
  iterateColumns(db, filter, {
    columns: sql`seller_id AS "sellerId", ${SUMMARY}`,
    conditions: [],
    outer: (rows) =>
      sql`SELECT t.*, s.name AS "sellerName" FROM ${rows} JOIN sellers s ON s.id = t."sellerId"`,
  });

/** The same for the transactions of one seller, with their payers. */
export const iterateListed = (
  db: Db,
  filter: TransactionFilter & { readonly sellerId: string },
): AsyncGenerator<ListedTransaction> =>
  iterateColumns(db, filter, {
    columns: sql.raw(LISTED_SQL),
    conditions: conditionsOf(filter, 't'),
    outer: (rows) => sql`SELECT t.* FROM ${rows}`,
  });

interface ExportQuery<Row> {
  readonly columns: RawBuilder<unknown>;
  /** Adds what is read once for all rows, whose alias is `t`. */
  readonly outer: (rows: RawBuilder<unknown>) => RawBuilder<Row>;
  readonly conditions: readonly RawBuilder<unknown>[];
}

async function* iterateColumns<Row extends TransactionSummary>(
  db: Db,
  filter: OperatorFilter,
  query: ExportQuery<Row>,
): AsyncGenerator<Row> {
  let after: string | undefined;
  do {
    const { rows, next } = await findExportChunk(db, filter, query, after);
    yield* rows;
    after = next;
  } while (after !== undefined);
}

/**
 * Finds the matching transactions in the chunk after an id, newest first, and the id after which
 * the next chunk begins; undefined at the end.
 */
async function findExportChunk<Row>(
  db: Db,
  filter: OperatorFilter,
  { columns, conditions, outer }: ExportQuery<Row>,
  after: string | undefined,
): Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }> {
  const { rows: ends } = await sql<{ id: string }>`
    SELECT t.id FROM transactions t WHERE ${sellerCondition(filter)} AND ${idCondition(filter, after)}
    ORDER BY t.id DESC LIMIT 1 OFFSET ${EXPORT_CHUNK_SIZE - 1}`.execute(db);
  const next = ends[0]?.id;
  const isInChunk = next === undefined ? sql`true` : sql`t.id >= ${next}`;
  const matching = allOf([filterCondition(filter, after), isInChunk, ...conditions]);
  const chunk = sql`(SELECT ${columns} FROM transactions t WHERE ${matching}) t`;
  const { rows } = await sql<Row>`${outer(chunk)} ORDER BY t.id DESC`.execute(db);
  return { rows, next };
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
