import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRowsOfDays } from '#platform/database/daily-counts.ts';
import { countList, countUpToCap } from '#platform/database/pagination.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { COUNT_CAP, type ListCount, type Page } from '#platform/http/pagination.ts';
import { countByMethodAndStatus, sellerTransactionCounts } from './store-counts.ts';
import { countByMetadata, findByMetadata } from './store-metadata.ts';
import {
  conditionsOf,
  isByPeriod,
  isByStatusOnly,
  kindsOf,
  referencesOf,
  type TransactionFilter,
} from './store-filters.ts';
import { ALL_METHOD_STATUSES, LISTED_SQL, type ListedTransaction, type MethodStatus } from './summary.ts';
import { MAX_ID, MIN_ID } from '#platform/kit/ids.ts';

export interface SummaryPage {
  /** Newest first; one more than a page if there is a next page. */
  readonly summaries: readonly ListedTransaction[];
  readonly count: ListCount;
}

/** Finds transactions, newest first; one more than a page if there is a next page. */
export async function findSummaries(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
  requested: Page,
): Promise<readonly ListedTransaction[]> {
  const { metadataKey } = filter;
  if (metadataKey !== undefined && (await usesSearchIndex(db, sellerId, filter)))
    return findByMetadata(db, sellerId, { ...filter, metadataKey }, requested);
  const { after, skip, take } = requested;
  // Only ids are skipped, which an index holds. The rows of the page are read by their keys.
  const { rows } = await sql<ListedTransaction>`
    SELECT t.* FROM (
      SELECT id FROM (${matchingIds(db, sellerId, { ...filter, after }, skip + take + 1)}) AS merged
      ORDER BY id DESC LIMIT ${take + 1} OFFSET ${skip}
    ) AS page CROSS JOIN LATERAL (
      SELECT ${sql.raw(LISTED_SQL)} FROM transactions t WHERE t.seller_id = ${sellerId}
        AND t.id = page.id LIMIT 1
    ) AS t ORDER BY t.id DESC`.execute(db);
  return rows;
}

type PositionedFilter = TransactionFilter & { readonly after?: string | undefined };

/** The ids of the newest transactions that match. */
function matchingIds(
  db: Db,
  sellerId: string,
  filter: PositionedFilter,
  maxRows: number,
): Expression<{ id: string }> {
  const [reference] = referencesOf(filter);
  if (reference !== undefined) return idsByReference(sellerId, filter, reference, maxRows);
  const matching = matchingTransactions(db, sellerId, filter);
  const { after } = filter;
  const remaining = after === undefined ? matching : matching.where('id', '<', after);
  if (filter.refunding) return idsOfRefunding(db, remaining, kindsOf(filter), maxRows);
  return mergeByMethodAndStatus(db, remaining, kindsOf(filter), maxRows);
}

/**
 * Reads along the index of the reference. The order and the bounds name its columns, so that
 * PostgreSQL cannot search for the reference along the primary key instead.
 */
function idsByReference(
  sellerId: string,
  filter: PositionedFilter,
  { column, value }: { readonly column: string; readonly value: string },
  maxRows: number,
): RawBuilder<{ id: string }> {
  const kinds = kindsOf(filter);
  const indexed = sql`${sql.ref(column)}, id`;
  const typed = column === 'external_ref' ? sql`${value}::text` : sql`${value}::uuid`;
  const conditions = conditionsOf(filter, 'transactions').slice(1);
  if (filter.metadataKey !== undefined) conditions.push(metadataCondition(filter));
  if (kinds.length < ALL_METHOD_STATUSES.length) conditions.push(isOfKinds(kinds));
  return sql<{ id: string }>`
    SELECT id FROM transactions
    WHERE seller_id = ${sellerId} AND ${sql.ref(column)} IS NOT NULL
      AND (${indexed}) >= (${typed}, ${MIN_ID}::uuid)
        AND (${indexed}) < (${typed}, ${filter.after ?? MAX_ID}::uuid)
      ${sql.join(
        conditions.map((condition) => sql`AND ${condition}`),
        sql` `,
      )}
    ORDER BY ${sql.ref(column)} DESC, id DESC LIMIT ${maxRows}`;
}

function isOfKinds(kinds: readonly MethodStatus[]): RawBuilder<SqlBool> {
  const pairs = kinds.map(({ method, status }) => sql`(${method}, ${status})`);
  return pairs.length === 0 ? sql`false` : sql`(method, status) IN (${sql.join(pairs)})`;
}

/** Reads along the index of refunds in progress. Without OFFSET, PostgreSQL may read another index. */
const idsOfRefunding = (
  db: Db,
  transactions: ReturnType<typeof matchingTransactions>,
  kinds: readonly MethodStatus[],
  maxRows: number,
) =>
  db
    .selectFrom(
      transactions.select(['id', 'method', 'status']).orderBy('id', 'desc').offset(0).as('refunding'),
    )
    .select('id')
    .where(isOfKinds(kinds))
    .orderBy('id', 'desc')
    .limit(maxRows);

/**
 * Selects the ids of transactions of these kinds. Each kind is a range of the index
 * transactions_by_status, and the page is merged from the newest ids of each: with a single
 * condition PostgreSQL would search for a rare status in all rows of other statuses. Without the
 * limit of each part it may read and sort all rows, as long as it has no statistics of the table.
 */
function mergeByMethodAndStatus(
  db: Db,
  transactions: ReturnType<typeof matchingTransactions>,
  kinds: readonly MethodStatus[],
  maxRows: number,
) {
  const ids = transactions.select('id');
  const all = db.selectFrom(ids.orderBy('id', 'desc').limit(maxRows).as('all')).selectAll();
  if (kinds.length === ALL_METHOD_STATUSES.length) return all;
  const [first, ...others] = kinds.map(({ method, status }) => {
    const ofKind = ids.where('method', '=', method).where('status', '=', status);
    return db.selectFrom(ofKind.orderBy('id', 'desc').limit(maxRows).as('kind')).selectAll();
  });
  if (first === undefined) return all.where(sql<SqlBool>`false`);
  return others.reduce((merged, part) => merged.unionAll(part), first);
}

/** The number of transactions searched one by one for a filter that the index does not contain. */
const MAX_READ = 20_000;

/**
 * Whether a search by metadata reads the index, because its status and method leave too many
 * others.
 */
async function usesSearchIndex(db: Db, sellerId: string, filter: TransactionFilter): Promise<boolean> {
  const kinds = kindsOf(filter);
  if (filter.transactionId !== undefined || kinds.length === 0 || referencesOf(filter).length > 0)
    return false;
  return (
    kinds.length === ALL_METHOD_STATUSES.length ||
    (await countByMethodAndStatus(db, sellerId, kinds)) > MAX_READ
  );
}

/**
 * Counts transactions: exactly by status, method and day of creation, by other filters up to a
 * limit.
 */
export async function countTransactions(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
): Promise<ListCount> {
  const { metadataKey } = filter;
  const kinds = kindsOf(filter);
  if (kinds.length === 0) return { count: 0 };
  if (isByStatusOnly(filter)) {
    return isByPeriod(filter)
      ? countByPeriod(db, sellerId, filter)
      : { count: await countByMethodAndStatus(db, sellerId, kinds) };
  }
  if (metadataKey !== undefined && (await usesSearchIndex(db, sellerId, filter)))
    return countByMetadata(db, sellerId, { ...filter, metadataKey });
  return countUpToCap(db, matchingIds(db, sellerId, filter, COUNT_CAP + 1));
}

/** Transactions of a period that are counted one by one, along an index. */
const MAX_COUNTED = 50_000;

/**
 * Counts the transactions of a period. By whole days alone from the stored counts. A period with
 * more transactions than `MAX_COUNTED` is counted by status and method up to the limit of counts.
 */
async function countByPeriod(db: Db, sellerId: string, filter: TransactionFilter): Promise<ListCount> {
  const kinds = kindsOf(filter);
  const matching = matchingTransactions(db, sellerId, filter);
  const inPeriod = await countRowsOfDays(db, sellerTransactionCounts(sellerId), filter.period, sellerId);
  if (kinds.length === ALL_METHOD_STATUSES.length && inPeriod !== undefined) return { count: inPeriod };
  const ofKinds = kinds.length === ALL_METHOD_STATUSES.length ? matching : matching.where(isOfKinds(kinds));
  return countList(db, ofKinds, { isExact: inPeriod !== undefined && inPeriod <= MAX_COUNTED });
}

/** Applies the filter except for status and method. */
function matchingTransactions(db: Db, sellerId: string, filter: TransactionFilter) {
  let query = db.selectFrom('transactions').where('seller_id', '=', sellerId);
  for (const condition of conditionsOf(filter, 'transactions'))
    query = query.where(sql<SqlBool>`${condition}`);
  return filter.metadataKey === undefined ? query : query.where(sql<SqlBool>`${metadataCondition(filter)}`);
}

const metadataCondition = ({ metadataKey, metadataValue = '' }: TransactionFilter) =>
  sql`strpos(metadata ->> ${metadataKey}, ${metadataValue}) > 0`;

/** What a list shows of the sale that a row is about. */
export interface SaleNames {
  readonly id: string;
  readonly customerName: string;
  readonly description: string | null;
}

/** Finds the payers and descriptions of transactions. Other ids are ignored. */
export async function findSaleNames(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<readonly SaleNames[]> {
  const { rows } = await sql<SaleNames>`
    SELECT sale.* FROM unnest(${[...ids]}::uuid[]) AS requested (id) CROSS JOIN LATERAL (
      SELECT t.id, c.name AS "customerName", t.description FROM transactions t
      JOIN transaction_customers c ON c.seller_id = t.seller_id AND c.transaction_id = t.id
      WHERE t.seller_id = ${sellerId} AND t.id = requested.id LIMIT 1
    ) AS sale`.execute(db);
  return rows;
}

/** A page of all transactions of a seller, which is what dashboards and most programs request. */
export interface UnfilteredPage {
  readonly sellerId: string;
  readonly take: number;
  readonly after: string | undefined;
}

const FIND_UNFILTERED_PAGES: NamedStatement = {
  name: 'find-unfiltered-pages',
  text: `
    SELECT i.n, c.count AS total_count, p.*
    FROM unnest($1::uuid[], $2::integer[], $3::uuid[]) WITH ORDINALITY AS i (seller_id, take, after, n)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(t.count), 0)::bigint AS count FROM transaction_counts t
      WHERE t.seller_id = i.seller_id
    ) c
    LEFT JOIN LATERAL (
      SELECT ${LISTED_SQL} FROM transactions t
      WHERE t.seller_id = i.seller_id AND t.id < i.after ORDER BY t.id DESC LIMIT i.take
    ) p ON true
    ORDER BY i.n, p.id DESC`,
};

type PageRow = { readonly n: number; readonly total_count: number } & (
  | ListedTransaction
  /** A seller without transactions. */
  | { readonly [Column in keyof ListedTransaction]: null }
);

/** Finds pages of several sellers, with the number of transactions of each, in one statement. */
export async function findUnfilteredPages(
  query: RunStatement,
  requests: readonly UnfilteredPage[],
): Promise<readonly SummaryPage[]> {
  const rows = await query<PageRow>(FIND_UNFILTERED_PAGES, [
    requests.map(({ sellerId }) => sellerId),
    requests.map(({ take }) => take + 1),
    requests.map(({ after }) => after ?? MAX_ID),
  ]);
  const pages = requests.map(() => ({ summaries: [] as ListedTransaction[], count: { count: 0 } }));
  for (const { n, total_count: count, ...summary } of rows) {
    const page = pages[n - 1];
    if (page === undefined) continue;
    page.count = { count };
    if (summary.id !== null) page.summaries.push(summary);
  }
  return pages;
}
