import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely';

import type { Db } from './connect.ts';
import { cappedCount, COUNT_CAP, type ListCount, type Page } from '#platform/http/pagination.ts';

/**
 * For `$call`: selects a page of a query, newest first by id, and one row more if there is a next
 * page. `id` is the column, qualified if the query has several tables.
 */
export const paginateNewestFirst =
  ({ take, skip, after }: Page, id = 'id') =>
  <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): SelectQueryBuilder<DB, TB, O> => {
    const page = query
      .orderBy(sql.ref(id), 'desc')
      .limit(take + 1)
      .offset(skip);
    return after === undefined ? page : page.where(sql<boolean>`${sql.ref(id)} < ${after}`);
  };

/** Counts the rows of a query. */
export async function countRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Counts the rows of a list. Exactly if `isExact`, which is for filters that an index or stored
 * counts answer; otherwise up to `COUNT_CAP`, so that the cost does not grow with the table.
 */
export async function countList<DB, TB extends keyof DB, O>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  { isExact }: { readonly isExact: boolean },
): Promise<ListCount> {
  if (isExact) return { count: await countRows(query) };
  return countUpToCap(db, query.clearSelect().select(sql.lit(1).as('one')));
}

/** How long a count above the cap is remembered: counting up to it is the cost of such a page. */
const CAPPED_TTL_MS = 10_000;
const MAX_REMEMBERED = 1_000;

/** By statement and parameters: until when a count above the cap is remembered. */
const cappedUntil = new WeakMap<Db, Map<string, number>>();

/**
 * Counts the rows of a SELECT up to `COUNT_CAP`. Lists grow, so that a count above the cap is
 * answered for ten seconds without counting again.
 */
export async function countUpToCap(db: Db, query: Expression<unknown>): Promise<ListCount> {
  const counting = sql<{ count: number }>`
    SELECT count(*) AS count
    FROM (SELECT 1 FROM (${query}) AS matching LIMIT ${COUNT_CAP + 1}) AS counted`.compile(db);
  const remembered = cappedUntil.get(db) ?? new Map<string, number>();
  cappedUntil.set(db, remembered);
  const key = JSON.stringify([counting.sql, counting.parameters]);
  if (performance.now() < (remembered.get(key) ?? 0)) return cappedCount(COUNT_CAP + 1);
  const { rows } = await db.executeQuery(counting);
  const counted = rows[0]?.count ?? 0;
  if (counted > COUNT_CAP) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, performance.now() + CAPPED_TTL_MS);
  }
  return cappedCount(counted);
}

/** Reads a page and the number of all rows that match at the same time. */
export async function countedPage<Item>(
  page: Promise<readonly Item[]>,
  total: Promise<ListCount>,
): Promise<{ readonly items: readonly Item[]; readonly count: ListCount }> {
  const [items, count] = await Promise.all([page, total]);
  return { items, count };
}

/**
 * Reads a page of the rows of `matching`, which is SQL from FROM to the end of WHERE, newest first
 * by id, with one row more if there is a next page, and the number of all rows that match.
 */
export function findPage<Row>(
  db: Db,
  columns: RawBuilder<Row>,
  matching: RawBuilder<unknown>,
  { take, skip, after }: Page,
) {
  const isAfter = after === undefined ? sql`true` : sql`id < ${after}`;
  const page = sql<Row>`
    SELECT ${columns} ${matching} AND ${isAfter}
    ORDER BY id DESC LIMIT ${take + 1} OFFSET ${skip}`.execute(db);
  const total = sql<{ count: number }>`SELECT count(*) AS count ${matching}`.execute(db);
  return countedPage(
    page.then(({ rows }) => rows),
    total.then(({ rows }) => ({ count: rows[0]?.count ?? 0 })),
  );
}
