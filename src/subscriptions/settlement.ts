import { deleteCardToken } from '#payments/card-tokens/service.ts';
import { writeDunningMail, type DunningMail } from '#notifications/dunning.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { isStarting, settle, today, type Outcome, type Settled } from './decisions.ts';
import { invoiceUpdated } from './events.ts';
import { deleteCard, writeSubscription } from './lifecycle.ts';
import { writeCreationMail } from './paid-start.ts';
import { recoveryOf } from './revenue.ts';
import { hasEnded } from './states.ts';
import { addToMonth } from './store-months.ts';
import { findAttempt } from './store-attempts.ts';
import { findInvoice, findUnpaid, updateAttempt, updateInvoice } from './store-invoices.ts';
import { lockSubscription } from './store.ts';
import type { Attempt } from './subscription.ts';
import { payerTokenOf } from './views.ts';

export interface SettlementOptions {
  readonly now: Date;
  /** The simulated outcome was used. */
  readonly consumesOutcome?: boolean;
  /** The card network's reference of a paid card. */
  readonly networkReference?: string | null;
}

/**
 * Applies the outcome of an attempt to its invoice and its subscription. Returns false if it has
 * one. Safe to repeat: the subscription is locked, and an attempt gets one outcome.
 */
export async function applyOutcome(
  trx: DatabaseTransaction,
  { sellerId, subscriptionId, invoiceNumber: number, id }: Attempt,
  outcome: Outcome,
  { now, consumesOutcome = false, networkReference = null }: SettlementOptions,
): Promise<boolean> {
  const locked = await lockSubscription(trx, { sellerId, id: subscriptionId });
  const invoice = await findInvoice(trx, { sellerId, subscriptionId, number });
  const attempt = await findAttempt(trx, sellerId, id);
  if (locked === undefined || invoice === undefined || attempt === undefined)
    throw new Error(`an attempt has no invoice: ${id}`);
  const reference = locked.networkReference ?? networkReference;
  const subscription =
    consumesOutcome || reference !== locked.networkReference
      ? { ...locked, networkReference: reference, ...(consumesOutcome && { nextOutcome: null }) }
      : locked;
  const unpaid = await findUnpaid(trx, subscription, number);
  const settlement = settle({ subscription, invoice, attempt, ...unpaid }, outcome, now);
  if (settlement === undefined) return false;
  await updateAttempt(trx, settlement.attempt, now);
  if (settlement.invoice !== invoice) await updateInvoice(trx, settlement.invoice);
  if (settlement.invoice.status !== invoice.status) {
    const changed = await findInvoice(trx, { sellerId, subscriptionId, number });
    if (changed !== undefined) await publishEvent(trx, invoiceUpdated(changed, now));
  }
  // The payer of a first payment sees its outcome on the page.
  const isFirst = isStarting(locked);
  if (outcome.kind === 'FAILED' && settlement.attempt.state === 'FAILED' && !isFirst)
    await writeDunningMail(trx, toDunningMail(settlement, outcome.reason, now));
  if (settlement.subscription !== locked) {
    const version = locked.version + 1;
    const changed = { ...settlement.subscription, version };
    await writeSubscription(trx, locked, { ...settlement, subscription: changed });
    if (isFirst && settlement.statuses.includes('ACTIVE')) await writeCreationMail(trx, locked, now);
    // The last failed invoice of a completed one may be paid now.
    if (outcome.kind === 'PAID' && hasEnded(locked.status)) await deleteCard(trx, changed);
    // The payer's card was saved for later cycles, of which there are none.
    const hasNotStarted = isFirst && outcome.kind !== 'PAID' && hasEnded(settlement.subscription.status);
    if (hasNotStarted && locked.cardTokenId !== null)
      await deleteCardToken(trx, { sellerId, id: locked.cardTokenId });
  }
  const recovery = outcome.kind === 'PAID' ? recoveryOf(settlement.invoice, today(now)) : undefined;
  if (recovery !== undefined) await addToMonth(trx, sellerId, recovery);
  return true;
}

/** The email to the payer about a failed attempt: when the next one is, or what follows. */
function toDunningMail(
  { subscription, invoice, attempt, statuses }: Settled,
  reason: string,
  at: Date,
): DunningMail {
  const { sellerId, description, method } = subscription;
  const { amount, retryDate: nextDate, status } = invoice;
  const isCanceled = statuses.includes('CANCELLED');
  return {
    sellerId,
    transactionId: attempt.transactionId,
    at,
    template:
      status !== 'FAILED' ? 'payment-failed' : isCanceled ? 'subscription-canceled' : 'subscription-past-due',
    params: {
      amount,
      description: description ?? '',
      method,
      reason,
      nextDate,
      payerToken: payerTokenOf(subscription),
    },
  };
}
