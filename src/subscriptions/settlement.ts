import { writeDunningMail, type DunningMail } from '#notifications/dunning.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { isStarting, settle, today, type Outcome, type Settled } from './decisions.ts';
import { invoiceUpdated } from './events.ts';
import { writeSubscription } from './lifecycle.ts';
import { writeCreationMail } from './paid-start.ts';
import { recoveryOf } from './revenue.ts';
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
  const subscription = {
    ...locked,
    ...(consumesOutcome && { nextOutcome: null }),
    networkReference: locked.networkReference ?? networkReference,
  };
  const unpaid = await findUnpaid(trx, subscription, number);
  const settled = settle({ subscription, invoice, attempt, ...unpaid }, outcome, now);
  if (settled === undefined) return false;
  await updateAttempt(trx, settled.attempt, now);
  if (settled.invoice !== invoice) await updateInvoice(trx, settled.invoice);
  if (settled.invoice.status !== invoice.status)
    await publishEvent(trx, invoiceUpdated(settled.invoice, settled.attempt.transactionId, now));
  // The payer of a first payment sees its outcome on the page.
  const isFirst = isStarting(locked);
  if (outcome.kind === 'FAILED' && settled.attempt.state === 'FAILED' && !isFirst)
    await writeDunningMail(trx, toDunningMail(settled, outcome.reason, now));
  if (settled.subscription !== locked) {
    const version = locked.version + 1;
    await writeSubscription(trx, locked, { ...settled, subscription: { ...settled.subscription, version } });
    if (isFirst && settled.statuses.includes('ACTIVE')) await writeCreationMail(trx, locked, now);
  }
  const recovery = outcome.kind === 'PAID' ? recoveryOf(settled.invoice, today(now)) : undefined;
  if (recovery !== undefined) await addToMonth(trx, sellerId, recovery);
  return true;
}

/** What the payer is told of a failed attempt: when the next one is, or what follows from the last. */
function toDunningMail(
  { subscription, invoice, attempt, statuses }: Settled,
  reason: string,
  at: Date,
): DunningMail {
  const { sellerId, description, method } = subscription;
  const { amount, retryDate: nextDate, status } = invoice;
  const isCanceled = statuses.includes('CANCELLED');
  return {
    ...{ sellerId, transactionId: attempt.transactionId, at },
    template:
      status !== 'FAILED' ? 'payment-failed' : isCanceled ? 'subscription-canceled' : 'subscription-past-due',
    params: {
      ...{ amount, description: description ?? '', method, reason, nextDate },
      payerToken: payerTokenOf(subscription),
    },
  };
}
