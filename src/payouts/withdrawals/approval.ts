import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { approvalsNeeded } from '#sellers/settings/service.ts';
import { applyChange, applyEvent, type ChangeResult } from './change.ts';
import type { WithdrawalDeps } from './deps.ts';
import {
  findApprovers,
  findWithdrawalForOperator,
  insertApproval,
  lockWithdrawal,
} from './store-operator.ts';
import type { OperatorWithdrawal, WithdrawalKey } from './withdrawal.ts';

export type DecisionResult =
  | { readonly kind: 'applied'; readonly withdrawal: OperatorWithdrawal }
  | Exclude<ChangeResult, { readonly kind: 'applied' | 'repeated' }>;

/** The same user has approved the withdrawal; it needs the approval of another one. */
export interface AlreadyApproved {
  readonly kind: 'already-approved';
}

/** Rejects a withdrawal that is not yet PROCESSING. One user suffices, also after approvals. */
export async function reject(
  deps: WithdrawalDeps,
  id: string,
  author: Caller,
  reason: string,
): Promise<DecisionResult> {
  const current = isUuid(id) ? await findWithdrawalForOperator(deps.db, id) : undefined;
  if (current === undefined) return { kind: 'unknown' };
  const event = { kind: 'REJECTION', userId: author.id, reason } as const;
  const result = await applyEvent(deps, current, event, { actor: 'OPERATOR', author });
  if (!('withdrawal' in result)) return result;
  return { kind: 'applied', withdrawal: { ...current, ...result.withdrawal } };
}

/**
 * Records a user's approval, and approves the withdrawal if it then has as many approvals as the
 * current settings require.
 */
export async function approve(
  deps: WithdrawalDeps,
  id: string,
  author: Caller,
): Promise<DecisionResult | AlreadyApproved> {
  const { db, notifyWorker } = deps;
  const current = isUuid(id) ? await findWithdrawalForOperator(db, id) : undefined;
  if (current === undefined) return { kind: 'unknown' };
  const { result, deliveries } = await db.transaction().execute(async (trx) => {
    const approval = await recordApproval(deps, trx, current, author);
    if (approval.kind !== 'recorded') return { result: approval, deliveries: 0 };
    const withdrawal = await findWithdrawalForOperator(trx, current.id);
    if (withdrawal === undefined) throw new Error('a locked withdrawal was deleted');
    return { result: { kind: 'applied' as const, withdrawal }, deliveries: approval.deliveries };
  });
  if (result.kind === 'applied') failPoint('withdrawals.changed');
  if (deliveries > 0) notifyWorker();
  return result;
}

type ApprovalOutcome =
  | { readonly kind: 'recorded'; readonly deliveries: number }
  | Exclude<DecisionResult, { readonly kind: 'applied' }>
  | AlreadyApproved;

async function recordApproval(
  deps: WithdrawalDeps,
  trx: DatabaseTransaction,
  key: WithdrawalKey,
  author: Caller,
): Promise<ApprovalOutcome> {
  // The lock makes concurrent approvals see each other, so that the last one completes them.
  const before = await lockWithdrawal(trx, key);
  if (before === undefined) return { kind: 'unknown' };
  if (before.status !== 'PENDING') return { kind: 'impossible', from: before.status, to: 'APPROVED' };
  const at = deps.clock.now();
  const userId = author.id;
  const isFirst = await insertApproval(trx, before, { userId, at });
  const approvers = await findApprovers(trx, before);
  const needed = await approvalsNeeded(trx, before.rollingAmount);
  if (approvers.length >= needed) {
    const event = { kind: 'APPROVAL', userId, approvalsNeeded: needed } as const;
    const approved = await applyChange(deps, trx, before, { event, actor: 'OPERATOR', author });
    if (approved.kind !== 'applied') throw new Error('a locked withdrawal was changed concurrently');
    return { kind: 'recorded', deliveries: approved.deliveries };
  }
  if (!isFirst) return { kind: 'already-approved' };
  await recordAudit(trx, author, {
    recordType: 'withdrawal',
    recordId: before.id,
    sellerId: before.sellerId,
    action: 'withdrawal.approval-recorded',
    before: { approvals: approvers.filter((approver) => approver !== userId) },
    after: { approvals: approvers },
    at,
  });
  return { kind: 'recorded', deliveries: 0 };
}
