import type { Db } from '#platform/database/connect.ts';
import { countMatching, matching, toDispute, type Dispute, type DisputeFilter } from './store.ts';

/** The disputes of all sellers, as the operator reads them. */

export interface OwnedDispute extends Dispute {
  readonly sellerName: string;
}

export async function findOwnedDisputes(
  db: Db,
  filter: DisputeFilter,
  page: { readonly take: number; readonly skip: number },
): Promise<{ readonly disputes: readonly OwnedDispute[]; readonly count: number }> {
  const [rows, count] = await Promise.all([
    named(matching(db, filter)).orderBy('disputes.id', 'desc').limit(page.take).offset(page.skip).execute(),
    countMatching(db, filter),
  ]);
  return { disputes: rows.map(toOwned), count };
}

/** By its id alone. */
export async function findOwnedDispute(db: Db, id: string): Promise<OwnedDispute | undefined> {
  const row = await named(db.selectFrom('disputes')).where('disputes.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toOwned(row);
}

const named = (disputes: ReturnType<typeof matching>) =>
  disputes
    .innerJoin('sellers', 'sellers.id', 'disputes.seller_id')
    .selectAll('disputes')
    .select('sellers.name as seller_name');

type OwnedRow = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>;

const toOwned = ({ seller_name: sellerName, ...row }: OwnedRow): OwnedDispute => ({
  ...toDispute(row),
  sellerName,
});
