import type { Db } from '#platform/database/connect.ts';
import { countDisputes, matchingDisputes, toDispute, type Dispute, type DisputeFilter } from './store.ts';

/** The disputes of all sellers, as the operator reads them. */

export interface OperatorDispute extends Dispute {
  readonly sellerName: string;
}

export async function findDisputesForOperator(
  db: Db,
  filter: DisputeFilter,
  page: { readonly take: number; readonly skip: number },
): Promise<{ readonly disputes: readonly OperatorDispute[]; readonly count: number }> {
  const [rows, count] = await Promise.all([
    withSellerName(matchingDisputes(db, filter))
      .orderBy('disputes.id', 'desc')
      .limit(page.take)
      .offset(page.skip)
      .execute(),
    countDisputes(db, filter),
  ]);
  return { disputes: rows.map(toOperatorDispute), count };
}

/** By its id alone. */
export async function findDisputeForOperator(db: Db, id: string): Promise<OperatorDispute | undefined> {
  const row = await withSellerName(db.selectFrom('disputes'))
    .where('disputes.id', '=', id)
    .executeTakeFirst();
  return row === undefined ? undefined : toOperatorDispute(row);
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
