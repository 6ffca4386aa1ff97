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
import { analyze, canMove, settle, type Med, type MedStatus } from './med.ts';
import { openInTransaction, type InTransactionHook } from './opening.ts';
import { resolveInTransaction, type Resolution, type ResolveResult } from './resolution.ts';
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

/** Moves the recovery of a MED dispute to another state, with the resulting movement of money. */
export async function moveRecovery(
  deps: DisputesDeps,
  key: DisputeKey,
  move: RecoveryMove,
): Promise<MoveResult> {
  const { db, clock, transactions } = deps;
  const found = isUuid(key.id) ? await findDispute(db, key) : undefined;
  if (found === undefined) return { kind: 'unknown' };
  const terms = await transactions.termsOf(key.sellerId);
  const context = { ...move, by: 'PROVIDER', now: clock.now(), terms } as const;
  const result = await transactionWithRollback<MoveResult>(db, async (trx) => {
    await transactions.lock(trx, { sellerId: key.sellerId, id: found.transactionId });
    return moveInTransaction(deps, trx, found, context);
  });
  if (result.kind === 'moved') transactions.notifyWorker();
  return result;
}

/**
 * Rejects the dispute of a claim that the seller has not appealed in time, or that the operator
 * decides. The seller loses what the analysis accepted, and all of it without an analysis. A denied
 * claim ends in the seller's favor at its deadline, and cannot be rejected otherwise.
 */
export async function rejectClaim(
  deps: DisputesDeps,
  key: Dispute,
  { by, from }: Pick<Resolution, 'by' | 'from'>,
): Promise<ResolveResult> {
  const { db, clock, transactions } = deps;
  const terms = await transactions.termsOf(key.sellerId);
  const context = { by, now: clock.now(), terms };
  const result = await transactionWithRollback<ResolveResult>(db, async (trx) => {
    await transactions.lock(trx, { sellerId: key.sellerId, id: key.transactionId });
    const dispute = await lockDispute(trx, key);
    if (dispute === undefined || dispute.med === null) return rollback({ kind: 'unknown' });
    const accepted = dispute.med.acceptedAmount ?? dispute.amount;
    const isImpossible = from?.includes(dispute.status) === false || (accepted === 0 && by !== 'deadline');
    if (isImpossible) return rollback({ kind: 'impossible', from: dispute.status, to: 'REJECTED' });
    if (accepted === 0) return closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context });
    return bookLoss(deps, trx, { dispute, med: dispute.med, accepted }, context);
  });
  if (result.kind === 'resolved') transactions.notifyWorker();
  return result;
}

interface LossContext extends Pick<RecoveryMove, 'hook'> {
  readonly by: Resolution['by'];
  readonly now: Date;
  readonly terms: Terms;
}

type MoveContext = LossContext & RecoveryMove;

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
  const limit = med.acceptedAmount ?? dispute.amount;
  const accepted = context.acceptedAmount ?? limit;
  const impossible = rollback<MoveResult>({ kind: 'impossible', from: med.status, to });
  const moveTo = async (ending: Promise<ResolveResult | RolledBack<ResolveResult>>) => {
    const ended = await ending;
    const isMoved = 'kind' in ended && ended.kind === 'resolved';
    return isMoved ? ({ kind: 'moved', dispute: ended.dispute } as const) : impossible;
  };
  if (!canMove(med, to)) return impossible;
  if (accepted > limit) return rollback({ kind: 'wrong-amount' });
  switch (to) {
    case 'CREATED':
      return impossible;
    case 'TRACKED':
    case 'AWAITING_ANALYSIS':
      return save(trx, dispute, { ...med, status: to });
    case 'ANALYSED':
      return save(trx, dispute, analyze(med, accepted, now));
    case 'REFUNDING':
      return accepted === 0 ? impossible : moveTo(bookLoss(deps, trx, { dispute, med, accepted }, context));
    case 'COMPLETED':
      if (med.status === 'REFUNDING') return save(trx, dispute, { ...med, status: to });
      return moveTo(closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context }));
    case 'CANCELLED':
      return moveTo(closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context, isCancelled: true }));
  }
}

async function save(trx: DatabaseTransaction, dispute: Dispute, med: Med): Promise<MoveResult> {
  await saveMed(trx, dispute, med);
  return { kind: 'moved', dispute: { ...dispute, med } };
}

interface End {
  readonly outcome: 'RESOLVED' | 'REJECTED';
  readonly context: LossContext;
  readonly isCancelled?: boolean;
  readonly med?: Med;
}

const closeDispute = (
  deps: DisputesDeps,
  trx: DatabaseTransaction,
  dispute: Dispute,
  { context: { by, hook, now, terms }, ...resolution }: End,
): Promise<ResolveResult | RolledBack<ResolveResult>> =>
  resolveInTransaction(deps, trx, dispute, {
    ...resolution,
    by,
    now,
    terms,
    ...(resolution.outcome === 'REJECTED' ? { hook } : {}),
  });

/**
 * Books the accepted amount as lost. If that is a part of what the dispute holds, the rest is
 * released: the dispute ends in the seller's favor, and another one of the part is lost. No refund
 * can come between them.
 */
async function bookLoss(
  deps: DisputesDeps,
  trx: DatabaseTransaction,
  { dispute, med, accepted }: { readonly dispute: Dispute; readonly med: Med; readonly accepted: number },
  context: LossContext,
): Promise<ResolveResult | RolledBack<ResolveResult>> {
  if (accepted === dispute.amount) return closeDispute(deps, trx, dispute, { outcome: 'REJECTED', context });
  const { now, terms } = context;
  const settled = settle(med, { lostAmount: accepted }, now);
  const released = await closeDispute(deps, trx, dispute, { outcome: 'RESOLVED', context, med: settled });
  if (!('kind' in released) || released.kind !== 'resolved') return released;
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
      // A recovery may claim several payments, each with a dispute of its own.
      reference: `${dispute.providerReference ?? recoveryId}/lost`,
      appealUntil: now,
    },
    now,
    terms,
    medWindowDays: 0,
  });
  if (!('kind' in opened) || opened.kind !== 'opened') throw new Error('released money cannot be disputed');
  const lost = await closeDispute(deps, trx, opened.dispute, { outcome: 'REJECTED', context, med: settled });
  return 'kind' in lost && lost.kind === 'resolved' ? released : lost;
}

/** Records what a provider reports about an open claim later than its state. */
export async function describeClaim(
  { db }: DisputesDeps,
  key: DisputeKey,
  described: Partial<Pick<Med, 'type' | 'monitorAccount'>>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const dispute = await lockDispute(trx, key);
    if (dispute === undefined || dispute.med === null || dispute.resolvedAt !== null) return;
    await saveMed(trx, dispute, { ...dispute.med, ...described });
  });
}

/** The provider has returned all that the analysis accepted. */
export const completeRecovery = ({ db, clock }: DisputesDeps, key: TransactionKey): Promise<void> =>
  completeRefunded(db, key, clock.now());
