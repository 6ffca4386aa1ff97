import { sql, type SqlBool } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import type { Page } from '#platform/http/pagination.ts';
import { countByMethodAndStatus } from './store-counts.ts';
import {
  ALL_METHOD_STATUSES,
  methodStatusesOf,
  SUMMARY_SQL,
  type MethodStatus,
  type TransactionSummary,
} from './summary.ts';
import type { Status } from './transaction.ts';

export interface TransactionFilter {
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly metadataKey: string | undefined;
  readonly metadataValue: string | undefined;
}

export interface SummaryPage {
  /** Newest first; one more than a page if there is a next page. */
  readonly summaries: readonly TransactionSummary[];
  readonly count: number;
}

/** Finds transactions, newest first; one more than a page if there is a next page. */
export async function findSummaries(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
  { after, skip, take }: Page,
): Promise<readonly TransactionSummary[]> {
  const matching = matchingTransactions(db, sellerId, filter);
  const remaining = after === undefined ? matching : matching.where('id', '<', after);
  const kinds = methodStatusesOf(filter);
  return db
    .selectFrom(mergeByMethodAndStatus(db, remaining, kinds, skip + take + 1).as('merged'))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(take + 1)
    .offset(skip)
    .$castTo<TransactionSummary>()
    .execute();
}

/**
 * Selects transactions of these kinds. Each kind is a range of the index transactions_by_status,
 * and the page is merged from the newest rows of each: with a single condition PostgreSQL would
 * search for a rare status in all rows of other statuses. Without the limit of each part it may
 * read and sort all rows, as long as it has no statistics of the table.
 */
function mergeByMethodAndStatus(
  db: Db,
  transactions: ReturnType<typeof matchingTransactions>,
  kinds: readonly MethodStatus[],
  maxRows: number,
) {
  const summaries = transactions.select([
    'id',
    'amount',
    'fee_amount as feeAmount',
    'method',
    'status',
    'installments',
    'paid_at as paidAt',
    'created_at as createdAt',
  ]);
  const all = db.selectFrom(summaries.as('all')).selectAll();
  if (kinds.length === ALL_METHOD_STATUSES.length) return all;
  const [first, ...others] = kinds.map(({ method, status }) => {
    const ofKind = summaries.where('method', '=', method).where('status', '=', status);
    return db.selectFrom(ofKind.orderBy('id', 'desc').limit(maxRows).as('kind')).selectAll();
  });
  if (first === undefined) return all.where(sql<SqlBool>`false`);
  return others.reduce((merged, part) => merged.unionAll(part), first);
}

/**
 * Counts transactions exactly: from the stored counts, or row by row if the filter has more than a
 * status and a method.
 */
export async function countTransactions(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
): Promise<number> {
  const kinds = methodStatusesOf(filter);
  if (kinds.length === 0) return 0;
  if (filter.transactionId === undefined && filter.metadataKey === undefined)
    return countByMethodAndStatus(db, sellerId, kinds);
  const matching = matchingTransactions(db, sellerId, filter);
  if (kinds.length === ALL_METHOD_STATUSES.length) return countRows(matching);
  const methods = kinds.map(({ method }) => method);
  const statuses = kinds.map(({ status }) => status);
  return countRows(matching.where(sql<SqlBool>`method = ANY (${methods}) AND status = ANY (${statuses})`));
}

/** Applies the filter except for status and method. */
function matchingTransactions(db: Db, sellerId: string, filter: TransactionFilter) {
  let query = db.selectFrom('transactions').where('seller_id', '=', sellerId);
  if (filter.transactionId !== undefined) query = query.where('id', '=', filter.transactionId);
  if (filter.metadataKey !== undefined) {
    const value = filter.metadataValue ?? '';
    query = query.where(sql<SqlBool>`strpos(metadata ->> ${filter.metadataKey}, ${value}) > 0`);
  }
  return query;
}

/** A page of all transactions of a seller, which is what dashboards and most programs request. */
export interface UnfilteredPage {
  readonly sellerId: string;
  readonly take: number;
  readonly after: string | undefined;
}

export const isUnfiltered = ({ statuses, method, transactionId, metadataKey }: TransactionFilter): boolean =>
  statuses.length === 0 && method === undefined && transactionId === undefined && metadataKey === undefined;

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
      SELECT ${SUMMARY_SQL} FROM transactions t
      WHERE t.seller_id = i.seller_id AND t.id < i.after ORDER BY t.id DESC LIMIT i.take
    ) p ON true
    ORDER BY i.n, p.id DESC`,
};

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type PageRow = { readonly n: number; readonly total_count: number } & (
  | TransactionSummary
  /** A seller without transactions. */
  | { readonly [Column in keyof TransactionSummary]: null }
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
  const pages = requests.map(() => ({ summaries: [] as TransactionSummary[], count: 0 }));
  for (const { n, total_count: count, ...summary } of rows) {
    const page = pages[n - 1];
    if (page === undefined) continue;
    page.count = count;
    if (summary.id !== null) page.summaries.push(summary);
  }
  return pages;
}
