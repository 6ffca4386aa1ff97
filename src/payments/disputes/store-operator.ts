import type { Db } from '#platform/database/connect.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { DisputeFilter, OperatorDispute } from './dispute.ts';
import { countDisputes, matchingDisputes, toDispute } from './store.ts';

export async function findDisputesForOperator(
  db: Db,
  filter: DisputeFilter,
  page: Pick<Page, 'take' | 'skip'>,
): Promise<{ readonly items: readonly OperatorDispute[]; readonly count: ListCount }> {
  const [rows, count] = await Promise.all([
    withSellerName(matchingDisputes(db, filter))
      .orderBy('disputes.id', 'desc')
      .limit(page.take)
      .offset(page.skip)
      .execute(),
    countDisputes(db, filter),
  ]);
  return { items: rows.map(toOperatorDispute), count };
}

/** Finds a dispute of any seller by its id alone. */
export async function findDisputeForOperator(db: Db, id: string): Promise<OperatorDispute | undefined> {
  const row = await withSellerName(db.selectFrom('disputes'))
    .where('disputes.id', '=', id)
    .executeTakeFirst();
  return row && toOperatorDispute(row);
}

const withSellerName = (disputes: ReturnType<typeof matchingDisputes>) =>
  disputes
    .innerJoin('sellers', 'sellers.id', 'disputes.seller_id')
    .selectAll('disputes')
    .select('sellers.name as seller_name');

type OperatorDisputeRow = Awaited<ReturnType<ReturnType<typeof withSellerName>['executeTakeFirstOrThrow']>>;

const toOperatorDispute = ({ seller_name: sellerName, ...row }: OperatorDisputeRow): OperatorDispute => ({
  ...toDispute(row),
  sellerName,
});
