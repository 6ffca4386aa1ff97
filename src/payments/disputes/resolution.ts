import type { DatabaseTransaction } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type { DisputesDeps } from './deps.ts';
import type { Dispute } from './dispute.ts';
import { settle, type Med } from './med.ts';
import type { InTransactionHook } from './opening.ts';
import { actorName, publishDisputeUpdated, recordDisputeAudit } from './publication.ts';
import { canTransition, type DisputeStatus } from './states.ts';
import { lockDispute, updateDispute } from './store.ts';

/** RESOLVED: won by the seller. REJECTED: lost by the seller. */
export type Outcome = 'RESOLVED' | 'REJECTED';

export type ResolveResult =
  | { readonly kind: 'resolved'; readonly dispute: Dispute }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: DisputeStatus; readonly to: DisputeStatus };

export interface Resolution {
  readonly outcome: Outcome;
  readonly by: AuditActor | 'deadline' | 'PROVIDER';
  /** The statuses in which the dispute is closed; any by default. */
  readonly from?: readonly DisputeStatus[];
  readonly hook?: InTransactionHook | undefined;
  /** Whether a claim by MED is withdrawn. */
  readonly isCancelled?: boolean | undefined;
  /** The recovery of a MED dispute after it. By default, it follows from the outcome. */
  readonly med?: Med;
}

/** Closes a dispute, in one database transaction with its ledger entries and its event. */
export async function resolve(
  deps: DisputesDeps,
  dispute: Dispute,
  resolution: Resolution,
): Promise<ResolveResult> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  const terms = await transactions.termsOf(dispute.sellerId);
  const result = await transactionWithRollback<ResolveResult>(db, (trx) =>
    resolveInTransaction(deps, trx, dispute, { ...resolution, now, terms }),
  );
  if (result.kind === 'resolved') transactions.notifyWorker();
  return result;
}

/** The part of `resolve` in a database transaction. */
export async function resolveInTransaction(
  { transactions }: Pick<DisputesDeps, 'transactions'>,
  trx: DatabaseTransaction,
  dispute: Dispute,
  {
    outcome,
    by,
    from,
    hook,
    med,
    isCancelled,
    now,
    terms,
  }: Resolution & { readonly now: Date; readonly terms: Terms },
): Promise<ResolveResult | RolledBack<ResolveResult>> {
  // Every change of a transaction's money locks the transaction first. The status is checked before
  // the money moves, because the transaction may have another dispute by now.
  const key = { sellerId: dispute.sellerId, id: dispute.transactionId };
  await transactions.lock(trx, key);
  const current = await lockDispute(trx, dispute);
  if (current === undefined) return rollback({ kind: 'unknown' });
  if (from?.includes(current.status) === false || !canTransition(current.status, outcome))
    return rollback({ kind: 'impossible', from: current.status, to: outcome });
  const kind = outcome === 'RESOLVED' ? 'DISPUTE_WON' : 'DISPUTE_LOST';
  const applied = await transactions.applyEventInTransaction(trx, key, {
    terms,
    actor: by === 'PROVIDER' ? by : by === 'deadline' ? 'WORKER' : 'OPERATOR',
    event: { kind, amount: dispute.amount },
  });
  if (applied.kind !== 'applied')
    throw new Error(`an unresolved dispute does not fit its transaction: ${applied.kind}`);
  const lostAmount = outcome === 'REJECTED' ? current.amount : 0;
  const settled = current.med && settle(current.med, { lostAmount, isCancelled }, now);
  const resolved: Dispute = {
    ...current,
    status: outcome,
    resolvedAt: now,
    resolvedBy: actorName(by),
    med: med ?? settled,
  };
  if (!(await updateDispute(trx, current.status, resolved, now)))
    throw new Error('a locked dispute was changed concurrently');
  await publishDisputeUpdated(trx, resolved, now);
  await hook?.(trx, resolved);
  if (typeof by !== 'string') {
    await recordDisputeAudit(trx, by, {
      action: 'dispute.resolved',
      before: current,
      after: resolved,
      at: now,
    });
  }
  return { kind: 'resolved', dispute: resolved };
}
