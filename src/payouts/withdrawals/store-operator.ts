import { sql, type SqlBool } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import { toWithdrawal } from './store.ts';
import type {
  Approval,
  OperatorWithdrawal,
  Withdrawal,
  WithdrawalKey,
  WithdrawalStatus,
} from './withdrawal.ts';

/** Finds a withdrawal of any seller by its id alone. */
export async function findWithdrawalForOperator(db: Db, id: string): Promise<OperatorWithdrawal | undefined> {
  const row = await withSellerAndApprovals(db.selectFrom('withdrawals'))
    .where('withdrawals.id', '=', id)
    .executeTakeFirst();
  return row && toOperatorWithdrawal(row);
}

export interface OperatorFilter {
  readonly statuses: readonly WithdrawalStatus[];
  readonly sellerId: string | undefined;
  /** Oldest first; newest first if undefined. */
  readonly sort?: 'createdAt' | undefined;
}

/** Withdrawals of all sellers. Returns up to `take + 1` rows. */
export async function findWithdrawalsForOperator(
  db: Db,
  filter: OperatorFilter,
  page: Page,
): Promise<readonly OperatorWithdrawal[]> {
  const query = withSellerAndApprovals(matching(db, filter));
  const rows =
    filter.sort === undefined
      ? await query.$call(paginateNewestFirst(page, 'withdrawals.id')).execute()
      : await findOldestFirst(query, page);
  return rows.map(toOperatorWithdrawal);
}

function findOldestFirst(
  query: ReturnType<typeof withSellerAndApprovals>,
  { take, skip, after }: Page,
): Promise<readonly OperatorWithdrawalRow[]> {
  const page = query
    .orderBy('withdrawals.id')
    .limit(take + 1)
    .offset(skip);
  return (after === undefined ? page : page.where('withdrawals.id', '>', after)).execute();
}

export function countWithdrawalsForOperator(db: Db, filter: OperatorFilter): Promise<ListCount> {
  return countList(db, matching(db, filter), { isExact: true });
}

const isPendingOnly = (statuses: readonly WithdrawalStatus[]): boolean =>
  statuses.length === 1 && statuses[0] === 'PENDING';

/** The sum in cents of all withdrawals that match; undefined unless those that are PENDING are listed. */
export async function sumPendingWithdrawals(
  db: Db,
  { statuses, sellerId }: OperatorFilter,
): Promise<number | undefined> {
  if (!isPendingOnly(statuses)) return undefined;
  const ofSeller = sellerId === undefined ? sql`` : sql`AND seller_id = ${sellerId}`;
  const { rows } = await sql<{ amount: number }>`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM withdrawals
    WHERE status = 'PENDING' ${ofSeller}`.execute(db);
  return rows[0]?.amount ?? 0;
}

function matching(db: Db, { statuses, sellerId }: OperatorFilter) {
  let query = db.selectFrom('withdrawals');
  // A constant, so that every plan can use the index of these.
  if (isPendingOnly(statuses)) query = query.where(sql<SqlBool>`withdrawals.status = 'PENDING'`);
  else if (statuses.length > 0) query = query.where('withdrawals.status', 'in', statuses);
  if (sellerId !== undefined) query = query.where('withdrawals.seller_id', '=', sellerId);
  return query;
}

const withSellerAndApprovals = (withdrawals: ReturnType<typeof matching>) =>
  withdrawals
    .innerJoin('sellers', 'sellers.id', 'withdrawals.seller_id')
    .selectAll('withdrawals')
    .select([
      'sellers.name as seller_name',
      // Timestamps in JSON are text.
      sql<readonly { readonly userId: string; readonly at: string }[] | null>`(
        SELECT json_agg(json_build_object('userId', a.user_id, 'at', a.at) ORDER BY a.at, a.user_id)
        FROM withdrawal_approvals a
        WHERE a.seller_id = withdrawals.seller_id AND a.withdrawal_id = withdrawals.id)`.as('approvals'),
    ]);

type OperatorWithdrawalRow = Awaited<
  ReturnType<ReturnType<typeof withSellerAndApprovals>['executeTakeFirstOrThrow']>
>;

function toOperatorWithdrawal({
  seller_name: sellerName,
  approvals,
  ...row
}: OperatorWithdrawalRow): OperatorWithdrawal {
  return {
    ...toWithdrawal(row),
    sellerName,
    approvals: (approvals ?? []).map(({ userId, at }) => ({ userId, at: new Date(at) })),
  };
}

/** Locks a withdrawal until the end of the transaction. */
export async function lockWithdrawal(
  trx: DatabaseTransaction,
  key: WithdrawalKey,
): Promise<Withdrawal | undefined> {
  const row = await trx
    .selectFrom('withdrawals')
    .selectAll()
    .where((eb) => eb.and({ seller_id: key.sellerId, id: key.id }))
    .forUpdate()
    .executeTakeFirst();
  return row && toWithdrawal(row);
}

/** Records a user's approval. Returns false if the user had approved the withdrawal. */
export async function insertApproval(
  trx: DatabaseTransaction,
  { sellerId, id }: WithdrawalKey,
  { userId, at }: Approval,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('withdrawal_approvals')
    .values({ seller_id: sellerId, withdrawal_id: id, user_id: userId, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The users who have approved a withdrawal, in the order of their approvals. */
export async function findApprovers(db: Db, { sellerId, id }: WithdrawalKey): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('withdrawal_approvals')
    .select('user_id')
    .where((eb) => eb.and({ seller_id: sellerId, withdrawal_id: id }))
    .orderBy('at')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}
