import type { Notifier } from '#notifications/notifier.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import {
  rollback,
  transactionWithRollback,
  type RolledBack,
} from '#platform/database/transaction-with-rollback.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import { remainingAmount, type Terms } from '#payments/transactions/decisions.ts';
import type { ApplyResult, TransactionKey } from '#payments/transactions/service.ts';
import type { DisputesDeps } from './deps.ts';
import type { Dispute } from './dispute.ts';
import { createMed, settle, type NewMed } from './med.ts';
import { actorName, publishDisputeUpdated, recordDisputeAudit } from './publication.ts';
import { nextReminderAt } from './reminders.ts';
import { APPEAL_WINDOW_MS } from './states.ts';
import { insertDispute } from './store.ts';

const DAY_MS = 86_400_000;

/** A dispute as its provider reports it. */
interface ProviderDispute {
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
  /** Of a Pix payment that is claimed back by MED. */
  readonly med?: NewMed | undefined;
  readonly hook?: InTransactionHook | undefined;
}

/** Read before the database transaction begins. */
export interface OpenTerms {
  readonly now: Date;
  readonly terms: Terms;
  readonly medWindowDays: number;
}

export type OpenResult =
  | { readonly kind: 'opened'; readonly dispute: Dispute }
  | { readonly kind: 'refused'; readonly result: Exclude<ApplyResult, { readonly kind: 'applied' }> };

/** Opens a dispute of a paid transaction and holds its amount. */
export async function open(
  deps: DisputesDeps,
  key: TransactionKey,
  request: OpenRequest,
): Promise<OpenResult> {
  const { db, clock, transactions, settings } = deps;
  const now = clock.now();
  const terms = await transactions.termsOf(key.sellerId);
  const { medWindowDays } = await settings.get();
  const result = await transactionWithRollback<OpenResult>(db, (trx) =>
    openInTransaction(deps, trx, key, { ...request, now, terms, medWindowDays }),
  );
  if (result.kind === 'opened') transactions.notifyWorker();
  return result;
}

/** The part of `open` in a database transaction. */
export async function openInTransaction(
  { transactions, notifier }: Pick<DisputesDeps, 'transactions' | 'notifier'>,
  trx: DatabaseTransaction,
  key: TransactionKey,
  request: OpenRequest & OpenTerms,
): Promise<OpenResult | RolledBack<OpenResult>> {
  const { by, hook, now, terms } = request;
  let amount = 0;
  let isWrongAmount = false;
  const applied = await transactions.applyEventInTransaction(trx, key, {
    terms,
    actor: by === 'PAYER' || isProviderDispute(by) ? 'PROVIDER' : 'OPERATOR',
    event: (transaction) => {
      const remaining = remainingAmount(transaction);
      amount = request.amount ?? remaining;
      // Nothing remains if the whole amount is being refunded.
      isWrongAmount = amount > remaining || amount === 0;
      return { kind: 'DISPUTE', amount };
    },
  });
  if (applied.kind !== 'applied') return rollback({ kind: 'refused', result: applied });
  if (isWrongAmount) return rollback({ kind: 'refused', result: { kind: 'wrong-amount' } });
  const dispute = newDispute(applied.transaction, amount, request);
  await hook?.(trx, dispute);
  await insertDispute(trx, dispute);
  await publishDisputeUpdated(trx, dispute, now);
  // A loss that is booked as a dispute takes no appeal.
  if (dispute.appealUntil > now) await notifyOfDispute(notifier, trx, dispute);
  if (by !== 'PAYER' && !isProviderDispute(by)) {
    await recordDisputeAudit(trx, by, { action: 'dispute.opened', before: null, after: dispute, at: now });
  }
  return { kind: 'opened', dispute };
}

/** What a bank has taken back beyond an earlier loss. */
export type FurtherLoss = Pick<OpenRequest, 'reason' | 'hook'> & {
  readonly amount: number;
  readonly by: ProviderDispute;
  readonly med: NewMed;
};

/**
 * Books what a bank has taken back of a payment that was lost in part, as a dispute that is lost.
 * Returns false if the transaction does not allow it.
 */
export async function recordFurtherLoss(
  deps: DisputesDeps,
  key: TransactionKey,
  loss: FurtherLoss,
): Promise<boolean> {
  const { db, clock, transactions } = deps;
  const { amount, hook } = loss;
  const now = clock.now();
  const terms = await transactions.termsOf(key.sellerId);
  const result = await transactionWithRollback<{ readonly isRecorded: boolean }>(db, async (trx) => {
    const event = { kind: 'FURTHER_LOSS', amount } as const;
    const applied = await transactions.applyEventInTransaction(trx, key, { terms, actor: 'PROVIDER', event });
    if (applied.kind !== 'applied') return rollback({ isRecorded: false });
    const opened = newDispute(applied.transaction, amount, { ...loss, now, terms, medWindowDays: 0 });
    const dispute: Dispute = {
      ...opened,
      status: 'REJECTED',
      med: settle(createMed(loss.med, now), { lostAmount: amount }, now),
      nextReminderAt: null,
      resolvedAt: now,
      resolvedBy: actorName('PROVIDER'),
    };
    await hook?.(trx, dispute);
    await insertDispute(trx, dispute);
    await publishDisputeUpdated(trx, dispute, now);
    return { isRecorded: true };
  });
  if (result.isRecorded) transactions.notifyWorker();
  return result.isRecorded;
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
  { reason, by, med: newMed, now, medWindowDays }: OpenRequest & OpenTerms,
): Dispute {
  const source = isProviderDispute(by) ? by : null;
  const med = newMed === undefined ? null : createMed(newMed, now);
  const windowMs = med === null ? APPEAL_WINDOW_MS : medWindowDays * DAY_MS;
  const appealUntil = source?.appealUntil ?? new Date(now.getTime() + windowMs);
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
    appealUntil,
    nextReminderAt: nextReminderAt(appealUntil, now),
    med,
    resolvedAt: null,
    resolvedBy: null,
    createdAt: now,
  };
}

const isProviderDispute = (by: OpenRequest['by']): by is ProviderDispute =>
  typeof by === 'object' && 'reference' in by;
