import { sql, type Selectable } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { OperatorApprovals } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type ApprovalRow = Omit<Selectable<OperatorApprovals>, 'summary'> & { readonly summary: unknown };

export async function insertApproval(trx: DatabaseTransaction, row: ApprovalRow): Promise<void> {
  const summary = sql<string>`${JSON.stringify(row.summary)}::json`;
  await trx
    .insertInto('operator_approvals')
    .values({ ...row, summary })
    .execute();
}

/** Locks a request until the end of the transaction. */
export function lockApproval(trx: DatabaseTransaction, id: string): Promise<ApprovalRow | undefined> {
  return trx.selectFrom('operator_approvals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function decideApproval(
  trx: DatabaseTransaction,
  id: string,
  decision: Pick<ApprovalRow, 'status' | 'decided_by' | 'decided_at' | 'reason'>,
): Promise<void> {
  await trx.updateTable('operator_approvals').set(decision).where('id', '=', id).execute();
}

interface ApprovalFilter {
  readonly status: ApprovalStatus | undefined;
  readonly now: Date;
}

/** Newest first, with one extra row if there is a next page. */
export function findApprovals(db: Db, filter: ApprovalFilter, page: Page): Promise<readonly ApprovalRow[]> {
  return matching(db, filter).selectAll().$call(paginateNewestFirst(page)).execute();
}

export function countApprovals(db: Db, filter: ApprovalFilter): Promise<ListCount> {
  return countList(db, matching(db, filter), { isExact: true });
}

function matching(db: Db, { status, now }: ApprovalFilter) {
  const query = db.selectFrom('operator_approvals');
  switch (status) {
    case undefined:
      return query;
    case 'EXPIRED':
      return query.where('status', '=', 'PENDING').where('expires_at', '<=', now);
    case 'PENDING':
      return query.where('status', '=', 'PENDING').where('expires_at', '>', now);
    case 'APPROVED':
    case 'REJECTED':
      return query.where('status', '=', status);
  }
}
