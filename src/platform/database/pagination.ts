import { sql, type SelectQueryBuilder } from 'kysely';

import type { Page } from '#platform/http/pagination.ts';

/**
 * For `$call`: a page of a query, newest first by its ids, which begin with the time; one more than
 * asked for where there is a next page. `id` is the column, with its table where there are several.
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

/** How many rows a query finds. */
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
