import { sql, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { NamedStatement, RunStatement } from '#platform/database/statements.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { DB, Transactions } from '#platform/database/types.gen.ts';
import type { Page } from '#platform/http/pagination.ts';
import { countByMethodAndStatus, type MethodStatus } from './store-counts.ts';
import { METHODS, STATUSES, type Method, type Status } from './transaction.ts';

export interface TransactionFilter {
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly metadataKey: string | undefined;
  readonly metadataValue: string | undefined;
}

export interface TransactionSummary {
  readonly id: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly method: Method;
  readonly status: Status;
  readonly installments: number | null;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

const COLUMNS = [
  'id',
  'amount',
  'fee_amount',
  'method',
  'status',
  'installments',
  'paid_at',
  'created_at',
] as const;

type Summaries = SelectQueryBuilder<
  DB,
  'transactions',
  Pick<Selectable<Transactions>, (typeof COLUMNS)[number]>
>;

/** Newest first; one more than asked for where there is a next page. */
export async function findSummaries(
  db: Db,
  sellerId: string,
  filter: TransactionFilter,
  page: Page,
): Promise<readonly TransactionSummary[]> {
  const { after, skip } = page;
  const take = page.take + 1;
  const some = matchingTransactions(db, sellerId, filter).select(COLUMNS);
  const rest = after === undefined ? some : some.where('id', '<', after);
  const rows = await db
    .selectFrom(mergeByMethodAndStatus(db, rest, methodStatusesOf(filter), skip + take).as('charges'))
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(take)
    .offset(skip)
    .execute();
  return rows.map(toSummary);
}

type Row = Pick<Selectable<Transactions>, (typeof COLUMNS)[number]>;

const toSummary = (row: Row): TransactionSummary => ({
  id: row.id,
  amount: row.amount,
  feeAmount: row.fee_amount,
  method: METHODS.find((method) => method === row.method) ?? 'PIX',
  status: STATUSES.find((status) => status === row.status) ?? 'PENDING',
  installments: row.installments,
  paidAt: row.paid_at,
  createdAt: row.created_at,
});

/** A page of all charges of a seller: what a dashboard and most programs ask for. */
export interface UnfilteredPage {
  readonly sellerId: string;
  readonly take: number;
  readonly after: string | undefined;
}

export interface SummaryPage {
  /** Newest first; one more than asked for where there is a next page. */
  readonly summaries: readonly TransactionSummary[];
  readonly count: number;
}

/**
 * Whether all charges of the seller match, so that a page of them needs no statement of its own.
 */
export const isUnfiltered = ({ statuses, method, transactionId, metadataKey }: TransactionFilter): boolean =>
  statuses.length === 0 && method === undefined && transactionId === undefined && metadataKey === undefined;

const UNFILTERED_PAGES: NamedStatement = {
  name: 'find-whole-pages',
  text: `
    SELECT w.n, c.count AS all_count, p.*
    FROM unnest($1::uuid[], $2::integer[], $3::uuid[]) WITH ORDINALITY AS w (seller_id, take, after, n)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(k.count), 0)::bigint AS count FROM transaction_counts k WHERE k.seller_id = w.seller_id
    ) c
    LEFT JOIN LATERAL (
      SELECT ${COLUMNS.join(', ')} FROM transactions t
      WHERE t.seller_id = w.seller_id AND t.id < w.after ORDER BY t.id DESC LIMIT w.take
    ) p ON true
    ORDER BY w.n, p.id DESC`,
};

/** Behind every id. */
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Pages of several sellers, with how many charges each has, in one statement. */
export async function findUnfilteredPages(
  query: RunStatement,
  pages: readonly UnfilteredPage[],
): Promise<readonly SummaryPage[]> {
  const rows = await query<{ n: number; all_count: number } & { [K in keyof Row]: Row[K] | null }>(
    UNFILTERED_PAGES,
    [
      pages.map(({ sellerId }) => sellerId),
      pages.map(({ take }) => take + 1),
      pages.map(({ after }) => after ?? MAX_ID),
    ],
  );
  const found = pages.map((): { summaries: TransactionSummary[]; count: number } => ({
    summaries: [],
    count: 0,
  }));
  for (const { n, all_count: count, ...row } of rows) {
    const page = found[n - 1];
    if (page === undefined) continue;
    page.count = count;
    if (hasSummary(row)) page.summaries.push(toSummary(row));
  }
  return found;
}

/** Of a seller without charges there is one row, without a charge. */
const hasSummary = (row: { [K in keyof Row]: Row[K] | null }): row is Row => row.id !== null;

/**
 * The charges of these kinds, at most so many of each. Each kind is an end of
 * transactions_by_status, and a page is merged from their newest. Told in one condition, PostgreSQL
 * would look for a rare status through all that is not of it; without the limit of each part it
 * may, where it does not yet know the table well, read and sort all there is.
 */
function mergeByMethodAndStatus(db: Db, rest: Summaries, kinds: readonly MethodStatus[], maxRows: number) {
  const whole = db.selectFrom(rest.as('kind')).select(COLUMNS);
  if (kinds.length === ALL_METHOD_STATUSES.length) return whole;
  const [first, ...others] = kinds.map(({ method, status }) => {
    const kind = rest.where('method', '=', method).where('status', '=', status);
    return db.selectFrom(kind.orderBy('id', 'desc').limit(maxRows).as('kind')).select(COLUMNS);
  });
  if (first === undefined) return whole.where(sql<SqlBool>`false`);
  return others.reduce((merged, part) => merged.unionAll(part), first);
}

/**
 * How many charges match, exactly: by their kept counts, or one by one where the filter asks for
 * more than status and method.
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
  let query = matchingTransactions(db, sellerId, filter);
  if (kinds.length < ALL_METHOD_STATUSES.length) {
    const methods = kinds.map(({ method }) => method);
    const statuses = kinds.map(({ status }) => status);
    query = query.where(sql<SqlBool>`method = ANY (${methods}) AND status = ANY (${statuses})`);
  }
  return countRows(query);
}

const ALL_METHOD_STATUSES: readonly MethodStatus[] = METHODS.flatMap((method) =>
  STATUSES.map((status) => ({ method, status })),
);

/** The methods and statuses that the filter lets through: every pair of them. */
function methodStatusesOf({ method, statuses }: TransactionFilter): readonly MethodStatus[] {
  return ALL_METHOD_STATUSES.filter(
    (kind) =>
      (method === undefined || kind.method === method) &&
      (statuses.length === 0 || statuses.includes(kind.status)),
  );
}

/** What the filter asks for besides status and method. */
function matchingTransactions(db: Db, sellerId: string, filter: TransactionFilter) {
  let query = db.selectFrom('transactions').where('seller_id', '=', sellerId);
  if (filter.transactionId !== undefined) query = query.where('id', '=', filter.transactionId);
  if (filter.metadataKey !== undefined) {
    const value = filter.metadataValue ?? '';
    query = query.where(sql<SqlBool>`strpos(metadata ->> ${filter.metadataKey}, ${value}) > 0`);
  }
  return query;
}
