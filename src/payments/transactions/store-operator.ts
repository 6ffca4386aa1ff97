import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Period } from '#platform/http/date-filters.ts';
import type { Page } from '#platform/http/pagination.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import type { MethodStatus } from './store-counts.ts';
import { METHODS, STATUSES, type Method, type Status } from './transaction.ts';

/** The charges of all sellers, as the operator reads them. No index is kept for this alone. */

export interface OperatorFilter {
  readonly sellerId: string | undefined;
  readonly statuses: readonly Status[];
  readonly method: string | undefined;
  readonly transactionId: string | undefined;
  readonly period: Period;
}

/** A charge of the list, and whose it is. */
export interface OperatorTransactionSummary {
  readonly sellerId: string;
  readonly sellerName: string;
  readonly id: string;
  readonly amount: number;
  readonly feeAmount: number;
  readonly method: Method;
  readonly status: Status;
  readonly installments: number | null;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

const SUMMARY = sql`c.id, c.amount, c.fee_amount AS "feeAmount", c.method, c.status, c.installments, c.paid_at AS "paidAt",
  c.created_at AS "createdAt"`;

/**
 * Newest first; one more than asked for where there is a next page. Without a status or method the
 * newest ids are the page. With one, the newest of each seller, method and status are merged: told
 * in one condition, PostgreSQL would read everybody's charges back to the last rare one, while each
 * part is an end of transactions_by_status. So a page costs by the number of sellers and not by
 * that of charges.
 */
export async function findOperatorSummaries(
  db: Db,
  filter: OperatorFilter,
  page: Page,
): Promise<readonly OperatorTransactionSummary[]> {
  const kinds = methodStatusesOf(filter);
  const merged = kinds.length < ALL_METHOD_STATUSES.length && filter.transactionId === undefined;
  const query = merged ? mergedPage(filter, kinds, page) : plainPage(filter, page);
  return (await query.execute(db)).rows;
}

function plainPage(filter: OperatorFilter, page: Page): RawBuilder<OperatorTransactionSummary> {
  return sql<OperatorTransactionSummary>`
    SELECT c.*, s.name AS "sellerName" FROM (
      SELECT c.seller_id AS "sellerId", ${SUMMARY} FROM transactions c WHERE ${filterCondition(filter, page.after)}
      ORDER BY c.id DESC LIMIT ${page.take + 1} OFFSET ${page.skip}
    ) c JOIN sellers s ON s.id = c."sellerId" ORDER BY c.id DESC`;
}

function mergedPage(
  filter: OperatorFilter,
  kinds: readonly MethodStatus[],
  { take, skip, after }: Page,
): RawBuilder<OperatorTransactionSummary> {
  const ofSellers = filter.sellerId === undefined ? sql`true` : sql`s.id = ${filter.sellerId}`;
  return sql<OperatorTransactionSummary>`
    SELECT c.*, s.id AS "sellerId", s.name AS "sellerName" FROM sellers s
    CROSS JOIN unnest(${kinds.map(({ method }) => method)}::text[], ${kinds.map(({ status }) => status)}::text[])
      AS k (method, status)
    CROSS JOIN LATERAL (
      SELECT ${SUMMARY} FROM transactions c
      WHERE c.seller_id = s.id AND c.method = k.method AND c.status = k.status AND ${idRangeCondition(filter, after)}
      ORDER BY c.id DESC LIMIT ${skip + take + 1}
    ) c
    WHERE ${ofSellers} ORDER BY c.id DESC LIMIT ${take + 1} OFFSET ${skip}`;
}

/**
 * How many charges match, exactly: by their kept counts, or one by one where the filter asks for
 * more than those are kept by.
 */
export async function countOperatorTransactions(db: Db, filter: OperatorFilter): Promise<number> {
  const { transactionId, period } = filter;
  if (transactionId === undefined && period.from === undefined && period.before === undefined) {
    const { rows } = await sql<{ count: number }>`
      SELECT coalesce(sum(c.count), 0)::bigint AS count FROM transaction_counts c
      WHERE ${filterCondition(filter, undefined)}`.execute(db);
    return rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM transactions c WHERE ${filterCondition(filter, undefined)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Charges that one statement of an export looks at, whether they match or not, so that none runs
 * for long.
 */
const EXPORT_CHUNK_SIZE = 5_000;

/**
 * The matching charges among the next ones after an id, newest first, and where the ones after them
 * begin; undefined at the end.
 */
export async function findExportChunk(
  db: Db,
  filter: OperatorFilter,
  after: string | undefined,
): Promise<{ readonly summaries: readonly OperatorTransactionSummary[]; readonly next: string | undefined }> {
  const { rows: ends } = await sql<{ id: string }>`
    SELECT c.id FROM transactions c WHERE ${sellerCondition(filter)} AND ${idRangeCondition(filter, after)}
    ORDER BY c.id DESC LIMIT 1 OFFSET ${EXPORT_CHUNK_SIZE - 1}`.execute(db);
  const next = ends[0]?.id;
  const { rows: found } = await sql<OperatorTransactionSummary>`
    SELECT c.seller_id AS "sellerId", s.name AS "sellerName", ${SUMMARY}
    FROM transactions c JOIN sellers s ON s.id = c.seller_id
    WHERE ${filterCondition(filter, after)} AND ${next === undefined ? sql`true` : sql`c.id >= ${next}`}
    ORDER BY c.id DESC`.execute(db);
  return { summaries: found, next };
}

const allOf = (parts: readonly RawBuilder<unknown>[]) =>
  parts.length === 0 ? sql`true` : sql.join(parts, sql` AND `);

/** The whole filter, told in one condition. */
function filterCondition(filter: OperatorFilter, after: string | undefined): RawBuilder<unknown> {
  const { statuses, method } = filter;
  const parts = [sellerCondition(filter), idRangeCondition(filter, after)];
  if (statuses.length > 0) parts.push(sql`c.status = ANY (${[...statuses]}::text[])`);
  if (method !== undefined) parts.push(sql`c.method = ${method}`);
  return allOf(parts);
}

const sellerCondition = ({ sellerId }: OperatorFilter): RawBuilder<unknown> =>
  sellerId === undefined ? sql`true` : sql`c.seller_id = ${sellerId}`;

/** Ids begin with the time of creation, so a period is a range of them. */
function idRangeCondition(
  { transactionId, period }: OperatorFilter,
  after: string | undefined,
): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (transactionId !== undefined) parts.push(sql`c.id = ${transactionId}`);
  if (period.from !== undefined) parts.push(sql`c.id >= ${minIdAt(period.from.getTime())}`);
  if (period.before !== undefined) parts.push(sql`c.id < ${minIdAt(period.before.getTime())}`);
  if (after !== undefined) parts.push(sql`c.id < ${after}`);
  return allOf(parts);
}

const ALL_METHOD_STATUSES: readonly MethodStatus[] = METHODS.flatMap((method) =>
  STATUSES.map((status) => ({ method, status })),
);

function methodStatusesOf({ method, statuses }: OperatorFilter): readonly MethodStatus[] {
  return ALL_METHOD_STATUSES.filter(
    (kind) =>
      (method === undefined || kind.method === method) &&
      (statuses.length === 0 || statuses.includes(kind.status)),
  );
}

/** One status that a charge has had. */
export interface StatusChange {
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  /** SELLER, PROVIDER, WORKER or OPERATOR. */
  readonly actor: string;
  readonly at: Date;
}

/** Every status a charge has had, the first one first. */
export async function findStatusHistory(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<readonly StatusChange[]> {
  return db
    .selectFrom('transaction_history')
    .select(['from_status as from', 'to_status as to', 'reason', 'actor', 'at'])
    .where('seller_id', '=', sellerId)
    .where('transaction_id', '=', id)
    .orderBy('position')
    .execute();
}
