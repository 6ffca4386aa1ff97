import type { DatabaseTransaction } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import type { DisputesDeps } from './deps.ts';
import type { Dispute, DisputeKey } from './dispute.ts';
import { analyse, canMove, settle, type Med, type MedStatus } from './med.ts';
import { openInTransaction, type InTransactionHook } from './opening.ts';
import { resolveInTransaction } from './resolution.ts';
import { completeRefunded, findDispute, lockDispute, saveMed } from './store.ts';

export interface RecoveryMove {
  readonly to: MedStatus;
  /** What the analysis accepts, in cents; 0 denies the claim. By default, all of it. */
  readonly acceptedAmount?: number | undefined;
  /** Runs with the dispute that is lost. */
  readonly hook?: InTransactionHook | undefined;
}

export type MoveResult =
  | { readonly kind: 'moved'; readonly dispute: Dispute }
  /** There is no such dispute, or it is none of MED. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: MedStatus; readonly to: MedStatus }
  | { readonly kind: 'wrong-amount' };

/** Moves the recovery of a MED dispute to another state, and the money that this decides. */
export async function moveRecovery(
  deps: DisputesDeps,
  key: DisputeKey,
  move: RecoveryMove,
): Promise<MoveResult> {
  const { db, clock, transactions } = deps;
  const found = isUuid(key.id) ? await findDispute(db, key) : undefined;
  if (found === undefined) return { kind: 'unknown' };
  const terms = await transactions.termsOf(key.sellerId);
  const context = { ...move, now: clock.now(), terms };
  const result = await transactionWithRollback<MoveResult>(db, async (trx) => {
    await transactions.lock(trx, { sellerId: key.sellerId, id: found.transactionId });
    return moveInTransaction(deps, trx, found, context);
  });
  if (result.kind === 'moved') transactions.notifyWorker();
  return result;
}

interface MoveContext extends RecoveryMove {
  readonly now: Date;
  readonly terms: Terms;
}

async function moveInTransaction(
  deps: DisputesDeps,
  trx: DatabaseTransaction,
  key: DisputeKey,
  context: MoveContext,
): Promise<MoveResult | RolledBack<MoveResult>> {
  const dispute = await lockDispute(trx, key);
  if (dispute === undefined || dispute.med === null) return rollback({ kind: 'unknown' });
  const { med } = dispute;
  const { to, now } = context;
  const accepted = context.acceptedAmount ?? med.acceptedAmount ?? dispute.amount;
  const impossible = rollback<MoveResult>({ kind: 'impossible', from: med.status, to });
  if (!canMove(med, to)) return impossible;
  if (accepted > dispute.amount) return rollback({ kind: 'wrong-amount' });
  switch (to) {
    case 'CREATED':
      return impossible;
    case 'TRACKED':
    case 'AWAITING_ANALYSIS':
      return save(trx, dispute, { ...med, status: to });
    case 'ANALYSED':
      return save(trx, dispute, analyse(med, accepted, now));
    case 'REFUNDING':
      return accepted === 0 ? impossible : bookLoss(deps, trx, { dispute, med, accepted }, context);
    case 'COMPLETED':
      if (med.status === 'REFUNDING') return save(trx, dispute, { ...med, status: to });
      return closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context });
    case 'CANCELLED':
      return closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context, isCancelled: true });
  }
}

async function save(trx: DatabaseTransaction, dispute: Dispute, med: Med): Promise<MoveResult> {
  await saveMed(trx, dispute, med);
  return { kind: 'moved', dispute: { ...dispute, med } };
}

interface End {
  readonly outcome: 'RESOLVED' | 'REJECTED';
  readonly context: MoveContext;
  readonly isCancelled?: boolean;
  readonly med?: Med;
}

async function closeDispute(
  deps: DisputesDeps,
  trx: DatabaseTransaction,
  dispute: Dispute,
  { context: { to, hook, now, terms }, ...resolution }: End,
): Promise<MoveResult | RolledBack<MoveResult>> {
  const result = await resolveInTransaction(deps, trx, dispute, {
    ...resolution,
    by: 'PROVIDER',
    now,
    terms,
    ...(resolution.outcome === 'REJECTED' ? { hook } : {}),
  });
  if ('kind' in result && result.kind === 'resolved') return { kind: 'moved', dispute: result.dispute };
  return rollback({ kind: 'impossible', from: dispute.med?.status ?? to, to });
}

/**
 * Books the accepted amount as lost. If that is a part of what the dispute holds, the rest is
 * released: the dispute ends in the seller's favor, and another one of the part is lost. No refund
 * can come between them.
 */
async function bookLoss(
  deps: DisputesDeps,
  trx: DatabaseTransaction,
  { dispute, med, accepted }: { readonly dispute: Dispute; readonly med: Med; readonly accepted: number },
  context: MoveContext,
): Promise<MoveResult | RolledBack<MoveResult>> {
  if (accepted === dispute.amount) return closeDispute(deps, trx, dispute, { outcome: 'REJECTED', context });
  const { now, terms } = context;
  const settled = settle(med, { lostAmount: accepted }, now);
  const released = await closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context, med: settled });
  if (!('kind' in released) || released.kind !== 'moved') return released;
  const key = { sellerId: dispute.sellerId, id: dispute.transactionId };
  const { recoveryId, type, monitorAccount } = med;
  const opened = await openInTransaction(deps, trx, key, {
    reason: dispute.reason,
    amount: accepted,
    med: {
      recoveryId,
      type,
      monitorAccount,
    },
    by: {
      provider: dispute.createdBy,
      reference: `${recoveryId}/lost`,
      appealUntil: now,
    },
    now,
    terms,
    medWindowDays: 0,
  });
  if (!('kind' in opened) || opened.kind !== 'opened') throw new Error('released money cannot be disputed');
  const lost = await closeDispute(deps, trx, opened.dispute, { outcome: 'REJECTED', context, med: settled });
  return 'kind' in lost && lost.kind === 'moved' ? released : lost;
}

/** The provider has returned all that the analysis accepted. */
export const completeRecovery = ({ db, clock }: DisputesDeps, key: TransactionKey): Promise<void> =>
  completeRefunded(db, key, clock.now());
