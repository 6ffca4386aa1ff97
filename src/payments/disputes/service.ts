import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import type { Notifier } from '#notifications/notifier.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { runBySeller } from '#platform/jobs/by-seller.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { remainingAmount, type Terms } from '#payments/transactions/decisions.ts';
import type { ApplyResult, TransactionKey, TransactionsService } from '#payments/transactions/service.ts';
import type { Status } from '#payments/transactions/transaction.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import type { Dispute, DisputeFilter, DisputeKey, OperatorDispute } from './dispute.ts';
import { DISPUTE_UPDATED } from './events.ts';
import { APPEAL_WINDOW_MS, canTransition, type DisputeStatus } from './states.ts';
import {
  findDispute,
  findDisputeById,
  findDisputeByProviderReference,
  findDisputes,
  findUnappealed,
  findUnresolved,
  insertDispute,
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

const DAY_MS = 86_400_000;

export interface DisputesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly transactions: TransactionsService;
  readonly notifier: Notifier;
}

export type DisputesService = ReturnType<typeof createDisputesService>;

export const createDisputesService = (deps: DisputesDeps) =>
  bindDeps(deps, {
    open,
    appeal,
    resolveById,
    resolveByProvider,
    closeUnappealed,
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

/** A dispute as its provider reports it. */
export interface ProviderDispute {
  readonly provider: string;
  /** The provider's id of the dispute. */
  readonly reference: string;
  /** Null if the provider sets no deadline. */
  readonly appealUntil: Date | null;
}

/** Writes in the database transaction that opens or closes a dispute. An error rolls it back. */
export type InTransactionHook = (trx: DatabaseTransaction, dispute: Dispute) => Promise<void>;

export interface OpenRequest {
  readonly reason: string;
  /** In cents; null disputes the remaining amount. */
  readonly amount: number | null;
  /** An operator's user, the payer through their bank, or the provider that reports the dispute. */
  readonly by: AuditActor | 'PAYER' | ProviderDispute;
  readonly hook?: InTransactionHook;
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly dispute: Dispute }
  | { readonly kind: 'refused'; readonly result: Exclude<ApplyResult, { readonly kind: 'applied' }> };

/** Opens a dispute of a paid transaction and holds its amount. */
async function open(deps: DisputesDeps, key: TransactionKey, request: OpenRequest): Promise<OpenResult> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  const terms = await transactions.termsOf(key.sellerId);
  const result = await transactionWithRollback<OpenResult>(db, (trx) =>
    openInTransaction(deps, trx, key, { ...request, now, terms }),
  );
  if (result.kind === 'opened') transactions.notifyWorker();
  return result;
}

async function openInTransaction(
  { transactions, notifier }: DisputesDeps,
  trx: DatabaseTransaction,
  key: TransactionKey,
  request: OpenRequest & { readonly now: Date; readonly terms: Terms },
): Promise<OpenResult | RolledBack<OpenResult>> {
  const { by, hook, now, terms } = request;
  let amount = 0;
  let isWrongAmount = false;
  const applied = await transactions.applyEventInTransaction(trx, key, {
    terms,
    actor: isProviderDispute(by) ? 'PROVIDER' : 'OPERATOR',
    event: (transaction) => {
      const remaining = remainingAmount(transaction);
      amount = request.amount ?? remaining;
      // Nothing remains if the whole amount is being refunded.
      isWrongAmount = amount > remaining || remaining === 0;
      return { kind: 'DISPUTE', amount };
    },
  });
  if (applied.kind !== 'applied') return rollback({ kind: 'refused', result: applied });
  if (isWrongAmount) return rollback({ kind: 'refused', result: { kind: 'wrong-amount' } });
  const dispute = newDispute(applied.transaction, amount, request);
  await hook?.(trx, dispute);
  await insertDispute(trx, dispute);
  await publishDisputeUpdated(trx, dispute, now);
  await notifyOfDispute(notifier, trx, dispute);
  if (by !== 'PAYER' && !isProviderDispute(by)) {
    await recordDisputeAudit(trx, by, { action: 'dispute.opened', before: null, after: dispute, at: now });
  }
  return { kind: 'opened', dispute };
}

function notifyOfDispute(
  notifier: Notifier,
  trx: DatabaseTransaction,
  { sellerId, amount, reason, appealUntil, createdAt: at }: Dispute,
): Promise<void> {
  const days = Math.max(0, Math.floor((appealUntil.getTime() - at.getTime()) / DAY_MS));
  const params = { amount, reason, days, dueAt: appealUntil.toISOString() };
  const team = { sellerId, permission: 'disputes:appeal' } as const;
  return notifier.notifySeller(trx, team, { kind: 'dispute-opened', params, at });
}

function newDispute(
  { sellerId, id: transactionId }: TransactionKey,
  amount: number,
  { reason, by, now }: OpenRequest & { readonly now: Date },
): Dispute {
  const source = isProviderDispute(by) ? by : null;
  return {
    sellerId,
    id: newId(now.getTime()),
    transactionId,
    status: 'OPEN',
    amount,
    reason,
    createdBy: isProviderDispute(by) ? by.provider : actorName(by),
    provider: source?.provider ?? null,
    providerReference: source?.reference ?? null,
    appealReason: null,
    appealedBy: null,
    appealUntil: source?.appealUntil ?? new Date(now.getTime() + APPEAL_WINDOW_MS),
    resolvedAt: null,
    resolvedBy: null,
    createdAt: now,
  };
}

const isProviderDispute = (by: OpenRequest['by']): by is ProviderDispute =>
  typeof by === 'object' && 'reference' in by;

export type AppealResult =
  | { readonly kind: 'appealed'; readonly dispute: Dispute }
  | { readonly kind: 'unknown' }
  /** It is not OPEN, or the time for an appeal has passed. */
  | { readonly kind: 'impossible' };

/** Records the seller's appeal of an OPEN dispute. */
async function appeal(
  { db, clock, transactions }: DisputesDeps,
  key: DisputeKey,
  appealReason: string,
  actor: AuditActor,
): Promise<AppealResult> {
  const dispute = isUuid(key.id) ? await findDispute(db, key) : undefined;
  if (dispute === undefined) return { kind: 'unknown' };
  const now = clock.now();
  if (dispute.status !== 'OPEN' || dispute.appealUntil <= now) return { kind: 'impossible' };
  const appealed: Dispute = { ...dispute, status: 'UNDER_REVIEW', appealReason, appealedBy: actor };
  const changed = await db.transaction().execute(async (trx) => {
    if (!(await updateDispute(trx, 'OPEN', appealed, now))) return false;
    await publishDisputeUpdated(trx, appealed, now);
    await recordDisputeAudit(trx, actor, {
      action: 'dispute.appealed',
      before: dispute,
      after: appealed,
      at: now,
    });
    return true;
  });
  if (!changed) return { kind: 'impossible' };
  transactions.notifyWorker();
  return { kind: 'appealed', dispute: appealed };
}

type Outcome = 'RESOLVED' | 'REJECTED';

export type ResolveResult =
  | { readonly kind: 'resolved'; readonly dispute: Dispute }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'impossible'; readonly from: DisputeStatus; readonly to: DisputeStatus };

async function resolveById(
  deps: DisputesDeps,
  id: string,
  outcome: Outcome,
  by: AuditActor,
): Promise<ResolveResult> {
  const dispute = isUuid(id) ? await findDisputeById(deps.db, id) : undefined;
  return dispute === undefined ? { kind: 'unknown' } : resolve(deps, dispute, { outcome, by });
}

/** Closes a dispute with the outcome that its provider reports. */
function resolveByProvider(
  deps: DisputesDeps,
  dispute: Dispute,
  outcome: Outcome,
  options: Pick<Resolution, 'from' | 'hook'> = {},
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
    resolve(deps, dispute, { outcome: 'REJECTED', by: 'deadline', from: ['OPEN'] }),
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

interface Resolution {
  readonly outcome: Outcome;
  readonly by: AuditActor | 'deadline' | 'PROVIDER';
  /** The statuses in which the dispute is closed; any by default. */
  readonly from?: readonly DisputeStatus[];
  readonly hook?: InTransactionHook | undefined;
}

/** Closes a dispute, in one database transaction with its ledger entries and its event. */
async function resolve(deps: DisputesDeps, dispute: Dispute, resolution: Resolution): Promise<ResolveResult> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  const terms = await transactions.termsOf(dispute.sellerId);
  const result = await transactionWithRollback<ResolveResult>(db, (trx) =>
    resolveInTransaction(deps, trx, dispute, { ...resolution, now, terms }),
  );
  if (result.kind === 'resolved') transactions.notifyWorker();
  return result;
}

async function resolveInTransaction(
  { transactions }: DisputesDeps,
  trx: DatabaseTransaction,
  dispute: Dispute,
  { outcome, by, from, hook, now, terms }: Resolution & { readonly now: Date; readonly terms: Terms },
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
    actor: by === 'PROVIDER' ? by : 'OPERATOR',
    event: { kind, amount: dispute.amount },
  });
  if (applied.kind !== 'applied')
    throw new Error(`an unresolved dispute does not fit its transaction: ${applied.kind}`);
  const resolved: Dispute = { ...current, status: outcome, resolvedAt: now, resolvedBy: actorName(by) };
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

async function find({ db }: DisputesDeps, key: DisputeKey): Promise<Dispute | undefined> {
  return isUuid(key.id) ? findDispute(db, key) : undefined;
}

/** Finds a dispute of any seller by its id alone. */
async function findForOperator({ db }: DisputesDeps, id: string): Promise<OperatorDispute | undefined> {
  return isUuid(id) ? findDisputeForOperator(db, id) : undefined;
}

async function publishDisputeUpdated(trx: DatabaseTransaction, dispute: Dispute, now: Date): Promise<void> {
  const { id, transactionId, status, amount, reason, createdAt, resolvedAt } = dispute;
  const data = { id, transactionId, status, amount, reason, createdAt, resolvedAt };
  await publishEvent(trx, {
    sellerId: dispute.sellerId,
    id: newId(now.getTime()),
    type: DISPUTE_UPDATED,
    recordId: id,
    payload: JSON.stringify({ event: DISPUTE_UPDATED, data }),
    eventType: 'DISPUTE',
    at: now,
  });
}

const actorName = (by: AuditActor | 'PAYER' | 'PROVIDER' | 'deadline'): string =>
  typeof by === 'string' ? by : (by.id ?? by.kind);

interface DisputeChange {
  readonly action: 'dispute.opened' | 'dispute.appealed' | 'dispute.resolved';
  readonly before: Dispute | null;
  readonly after: Dispute;
  readonly at: Date;
}

function recordDisputeAudit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, before, after, at }: DisputeChange,
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'dispute',
    recordId: after.id,
    sellerId: after.sellerId,
    before: before && auditedMembers(before),
    after: auditedMembers(after),
    at,
  });
}

const auditedMembers = ({
  transactionId,
  status,
  amount,
  reason,
  resolvedAt,
  resolvedBy,
}: Dispute): Members => ({
  transactionId,
  status,
  amount,
  reason,
  resolvedAt,
  resolvedBy,
});
