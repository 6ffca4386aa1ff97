import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { TransactionKey } from '#payments/transactions/service.ts';
import type { Status } from '#payments/transactions/transaction.ts';
import type { DisputesDeps } from './deps.ts';
import type { Dispute, DisputeFilter, DisputeKey, OperatorDispute } from './dispute.ts';
import { open, recordFurtherLoss } from './opening.ts';
import { publishDisputeUpdated, recordDisputeAudit } from './publication.ts';
import { completeRecovery, describeClaim, moveRecovery, rejectClaim } from './recovery.ts';
import { remindOfDeadlines } from './reminders.ts';
import { resolve, type Outcome, type Resolution, type ResolveResult } from './resolution.ts';
import {
  findDispute,
  findDisputeById,
  findDisputeByProviderReference,
  findDisputes,
  findUnappealed,
  findUnresolved,
  lockDispute,
  updateDispute,
} from './store.ts';
import { findDisputeForOperator, findDisputesForOperator } from './store-operator.ts';
import {
  deleteWaitingDispute,
  findDueWaitingDisputes,
  saveWaitingDispute,
  type WaitingDispute,
} from './store-waiting.ts';

export { DISPUTE_DEADLINES_DUE } from './store.ts';
export { WAITING_DISPUTES_DUE } from './store-waiting.ts';
export type { InTransactionHook } from './opening.ts';

export type DisputesService = ReturnType<typeof createDisputesService>;

export const createDisputesService = (deps: DisputesDeps) =>
  bindDeps(deps, {
    open,
    recordFurtherLoss,
    appeal,
    resolveById,
    resolveByProvider,
    moveRecovery,
    describeClaim,
    completeRecovery,
    closeUnappealed,
    remindOfDeadlines,
    waitForRefund,
    openWaiting,
    find,
    findForOperator,
    findByProviderReference: ({ db }, sellerId: string, provider: string, reference: string) =>
      findDisputeByProviderReference(db, sellerId, provider, reference),
    findUnresolved: ({ db }, key: TransactionKey) => findUnresolved(db, key),
    list: ({ db }, filter: DisputeFilter, page: DisputePage) => findDisputes(db, filter, page),
    listForOperator: ({ db }, filter: DisputeFilter, page: DisputePage) =>
      findDisputesForOperator(db, filter, page),
  });

type DisputePage = Pick<Page, 'take' | 'skip'>;

type AppealResult =
  | { readonly kind: 'appealed'; readonly dispute: Dispute }
  | { readonly kind: 'unknown' }
  /** It is not OPEN, or the time for an appeal has passed. */
  | { readonly kind: 'impossible' };

/**
 * Records the seller's appeal of an OPEN dispute. It is read under its lock, since a provider may
 * move its recovery meanwhile.
 */
async function appeal(
  { db, clock, transactions }: DisputesDeps,
  key: DisputeKey,
  appealReason: string,
  actor: AuditActor,
): Promise<AppealResult> {
  if (!isUuid(key.id)) return { kind: 'unknown' };
  const now = clock.now();
  const result = await db.transaction().execute(async (trx): Promise<AppealResult> => {
    const before = await lockDispute(trx, key);
    if (before === undefined) return { kind: 'unknown' };
    if (before.status !== 'OPEN' || before.appealUntil <= now) return { kind: 'impossible' };
    const dispute: Dispute = { ...before, status: 'UNDER_REVIEW', appealReason, appealedBy: actor };
    await updateDispute(trx, 'OPEN', dispute, now);
    await publishDisputeUpdated(trx, dispute, now);
    await recordDisputeAudit(trx, actor, {
      action: 'dispute.appealed',
      before,
      after: dispute,
      at: now,
    });
    return { kind: 'appealed', dispute };
  });
  if (result.kind === 'appealed') transactions.notifyWorker();
  return result;
}

async function resolveById(
  deps: DisputesDeps,
  id: string,
  outcome: Outcome,
  by: AuditActor,
): Promise<ResolveResult> {
  const dispute = isUuid(id) ? await findDisputeById(deps.db, id) : undefined;
  return dispute === undefined ? { kind: 'unknown' } : decide(deps, dispute, { outcome, by });
}

/** Closes a dispute without a report of its provider. */
const decide = (deps: DisputesDeps, dispute: Dispute, resolution: Resolution): Promise<ResolveResult> =>
  dispute.med !== null && resolution.outcome === 'REJECTED'
    ? rejectClaim(deps, dispute, resolution)
    : resolve(deps, dispute, resolution);

/** Closes a dispute with the outcome that its provider reports. */
function resolveByProvider(
  deps: DisputesDeps,
  dispute: Dispute,
  outcome: Outcome,
  options: Pick<Resolution, 'from' | 'hook' | 'isCancelled'> = {},
): Promise<ResolveResult> {
  return resolve(deps, dispute, { ...options, outcome, by: 'PROVIDER' });
}

/**
 * Closes up to `limit` OPEN disputes whose appeal deadline has passed. Returns how many it read.
 */
async function closeUnappealed(deps: DisputesDeps, limit: number): Promise<number> {
  const due = await findUnappealed(deps.db, deps.clock.now(), limit);
  // An appeal may have been committed since the query: only OPEN disputes are closed.
  await runBySeller(due, (dispute) =>
    decide(deps, dispute, { outcome: 'REJECTED', by: 'deadline', from: ['OPEN'] }),
  );
  return due.length;
}

/** In other statuses, no dispute can open any more. */
const canOpenLater = (status: Status | undefined): boolean => status === 'PAID' || status === 'DISPUTE';

/**
 * Stores a dispute that cannot be opened because its amount is refunded, wholly or in part. Returns
 * false, and changes nothing, if there is no refund that could free the amount by failing.
 */
async function waitForRefund(
  { db, clock, transactions }: DisputesDeps,
  dispute: WaitingDispute,
): Promise<boolean> {
  const transaction = await transactions.find({ sellerId: dispute.sellerId, id: dispute.transactionId });
  if (transaction === undefined || !canOpenLater(transaction.status)) return false;
  const isRefunded = transaction.refundingAmount + transaction.refundedAmount > 0;
  if (!isRefunded || dispute.amount > transaction.amount) return false;
  await saveWaitingDispute(db, dispute, clock.now());
  return true;
}

/** Opens up to `limit` waiting disputes whose amount is free again. Returns how many it read. */
async function openWaiting(deps: DisputesDeps, limit: number): Promise<number> {
  const due = await findDueWaitingDisputes(deps.db, limit);
  await runBySeller(due, (waiting) => openWaitingDispute(deps, waiting));
  return due.length;
}

async function openWaitingDispute(deps: DisputesDeps, waiting: WaitingDispute): Promise<void> {
  const { sellerId, transactionId, provider, providerReference, reason, amount, appealUntil } = waiting;
  const key = { sellerId, id: transactionId };
  const find = () => findDisputeByProviderReference(deps.db, sellerId, provider, providerReference);
  const by = { provider, reference: providerReference, appealUntil };
  const opened = (await find()) === undefined ? await open(deps, key, { reason, amount, by }) : undefined;
  const transaction = await deps.transactions.find(key);
  // Another refund or dispute has started meanwhile.
  if (opened?.kind === 'refused' && canOpenLater(transaction?.status)) return;
  const dispute = await find();
  if (dispute !== undefined && waiting.outcome !== null)
    await resolveByProvider(deps, dispute, waiting.outcome);
  await deleteWaitingDispute(deps.db, waiting);
}

async function find({ db }: DisputesDeps, key: DisputeKey): Promise<Dispute | undefined> {
  return isUuid(key.id) ? findDispute(db, key) : undefined;
}

/** Finds a dispute of any seller by its id alone. */
async function findForOperator({ db }: DisputesDeps, id: string): Promise<OperatorDispute | undefined> {
  return isUuid(id) ? findDisputeForOperator(db, id) : undefined;
}
