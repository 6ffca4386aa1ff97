import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { deleteTokenOfPayer } from '#payments/card-tokens/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { recordSubscriptionAudit } from './audit.ts';
import { changeStatus, isExhausted, newAttempt, retryOf, today } from './decisions.ts';
import { invoiceUpdated, subscriptionUpdated } from './events.ts';
import { movementOf } from './revenue.ts';
import { hasEnded } from './states.ts';
import { requestCancellation } from './store-authorizations.ts';
import { requestAttemptCancellation } from './store-attempts.ts';
import { addToMonth } from './store-months.ts';
import {
  findNewestAttempt,
  findOpenInvoices,
  findUnpaid,
  insertAttempt,
  updateInvoice,
} from './store-invoices.ts';
import { findSubscription, lockSubscriptionsOf, updateSubscription } from './store.ts';
import type { Invoice, Subscription, SubscriptionStatus } from './subscription.ts';

/** More unpaid invoices than a subscription has. */
const MAX_OPEN = 1_000;

/**
 * Writes a decided change of a locked subscription, and an event for each new status. The charges
 * that it no longer waits for are canceled. Returns the subscription as it is written.
 */
export async function writeSubscription(
  trx: DatabaseTransaction,
  before: Subscription,
  change: { readonly subscription: Subscription; readonly statuses: readonly SubscriptionStatus[] },
): Promise<Subscription> {
  const { status } = change.subscription;
  const isStopped = change.statuses.length > 0 && (status === 'PAUSED' || hasEnded(status));
  const canceled = isStopped ? await cancelOpenInvoices(trx, change.subscription) : 0;
  // A cycle that is canceled does not count.
  const chargedCycles = change.subscription.chargedCycles - canceled;
  const after = { ...change.subscription, chargedCycles };
  if (!(await updateSubscription(trx, after)))
    throw new Error(`subscription ${before.id} changed although locked`);
  if (change.statuses.length > 0 && hasEnded(status)) {
    await requestCancellation(trx, after, after.updatedAt);
    await deleteCard(trx, after);
  }
  if (change.statuses.length > 0) {
    const record = await findSubscription(trx, after);
    if (record === undefined) throw new Error(`subscription ${before.id} is missing after a change`);
    for (const next of change.statuses) await publishEvent(trx, subscriptionUpdated(record, next));
  }
  await recordMovement(trx, before, after);
  return after;
}

/**
 * Deletes the card that the payer of an ended subscription has saved for it, unless a failed invoice
 * can be charged again.
 */
export async function deleteCard(trx: DatabaseTransaction, subscription: Subscription): Promise<void> {
  const { sellerId, status, cardTokenId } = subscription;
  if (cardTokenId === null) return;
  const isRetryable = status === 'COMPLETED' && (await findUnpaid(trx, subscription, 0)).hasNewerFailed;
  if (!isRetryable) await deleteTokenOfPayer(trx, { sellerId, id: cardTokenId });
}

/** Adds a change to the recurring revenue of its month, last in its transaction. */
export async function recordMovement(
  trx: DatabaseTransaction,
  before: Subscription | null,
  after: Subscription,
): Promise<void> {
  const movement = movementOf(before, after, today(after.updatedAt));
  if (movement !== undefined) await addToMonth(trx, after.sellerId, movement);
}

/** Moves a locked subscription to another status, which the caller has checked. */
export async function moveTo(
  trx: DatabaseTransaction,
  before: Subscription,
  status: SubscriptionStatus,
  now: Date,
): Promise<Subscription> {
  const { hasOtherOpen } = await findUnpaid(trx, before, 0);
  const subscription = changeStatus(before, status, hasOtherOpen, now);
  const isComplete = status === 'ACTIVE' && isExhausted(subscription) && !hasOtherOpen;
  if (!isComplete) return writeSubscription(trx, before, { subscription, statuses: [status] });
  const completed = { ...subscription, status: 'COMPLETED' as const, dueAt: null };
  return writeSubscription(trx, before, { subscription: completed, statuses: [status, 'COMPLETED'] });
}

/** Cancels what a customer record still subscribes to, before the record is deleted. */
export async function cancelSubscriptionsOf(
  trx: DatabaseTransaction,
  customer: { readonly sellerId: string; readonly id: string },
  actor: AuditActor,
  at: Date,
): Promise<void> {
  for (const before of await lockSubscriptionsOf(trx, customer))
    await cancelSubscription(trx, before, actor, at);
}

/** Cancels a locked subscription that has not ended. */
export async function cancelSubscription(
  trx: DatabaseTransaction,
  before: Subscription,
  actor: AuditActor,
  at: Date,
): Promise<void> {
  const subscription = await moveTo(trx, before, 'CANCELLED', at);
  await recordSubscriptionAudit(trx, actor, {
    subscription,
    action: 'subscription.canceled',
    before: { status: before.status },
    after: { status: subscription.status },
  });
}

/**
 * Cancels unpaid invoices: all of an ended subscription, of a paused one those before their date.
 */
async function cancelOpenInvoices(trx: DatabaseTransaction, subscription: Subscription): Promise<number> {
  const { status, updatedAt: now } = subscription;
  const open = await findOpenInvoices(trx, subscription, MAX_OPEN);
  const canceled = open.filter(({ dueDate }) => status !== 'PAUSED' || startOfSaoPauloDay(dueDate) > now);
  for (const invoice of canceled) await cancelInvoice(trx, subscription, invoice, now);
  return canceled.length;
}

async function cancelInvoice(
  trx: DatabaseTransaction,
  subscription: Subscription,
  before: Invoice,
  now: Date,
): Promise<void> {
  const last = await findNewestAttempt(trx, before);
  // A charge that a bank is to retry is still open there, although its last attempt has failed.
  const retry = last && before.retryDate !== null ? retryOf(subscription, before, last) : undefined;
  const isOpenAtBank = retry?.kind === 'RETRY';
  const invoice: Invoice = {
    ...before,
    status: 'CANCELLED',
    attempts: before.attempts + (isOpenAtBank ? 1 : 0),
    retryAt: null,
    retryDate: null,
    updatedAt: now,
  };
  await updateInvoice(trx, invoice);
  if (isOpenAtBank && before.retryDate !== null) {
    const attempt = newAttempt(invoice, { ...retry, chargeDate: before.retryDate }, now);
    await insertAttempt(trx, { ...attempt, state: 'CANCELING' }, now);
  } else if (last !== undefined) await requestAttemptCancellation(trx, last, now);
  await publishEvent(trx, invoiceUpdated(invoice, now));
}
