import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { writeSubscriptionMail } from '#notifications/subscription-mail.ts';
import { recordSubscriptionAudit } from './audit.ts';
import { buildSubscription } from './creation.ts';
import { openCycle, today } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { moveTo } from './lifecycle.ts';
import { insertInvoice } from './store-invoices.ts';
import { insertSubscription, lockSubscription } from './store.ts';
import type { Subscription, SubscriptionInput, SubscriptionKey } from './subscription.ts';
import { payerTokenOf } from './views.ts';

/**
 * A payment that was not made by then, or whose transaction was never created, starts nothing. The
 * report of a boleto that was paid in time has arrived before, also around Carnival.
 */
export const PAYABLE_MS = 15 * 24 * 3_600_000;

export type PaidStart = Pick<
  SubscriptionInput,
  | 'method'
  | 'amount'
  | 'interval'
  | 'cycles'
  | 'description'
  | 'customerId'
  | 'customer'
  | 'cardTokenId'
  | 'externalRef'
  | 'metadata'
  | 'postbackUrl'
>;

export interface Started extends SubscriptionKey {
  /** The id that the transaction of the first payment gets. */
  readonly transactionId: string;
}

/**
 * Begins a subscription whose first payment the payer is about to make: it is PENDING until the
 * transaction, which the caller creates, is paid.
 */
export async function beginByPayment(
  deps: Pick<SubscriptionDeps, 'db' | 'clock' | 'pixAutomatico'>,
  sellerId: string,
  start: PaidStart,
  actor: AuditActor,
): Promise<Started> {
  const now = deps.clock.now();
  const isCard = start.method === 'CREDIT_CARD';
  const input: SubscriptionInput = {
    ...start,
    ...({
      amountType: 'FIXED',
      minimumAmount: null,
      onUnpaid: 'CONTINUE',
    } as const),
    startDate: today(now),
    journey: null,
    payerAccount: null,
    retryPolicy: isCard ? 'THREE_IN_SEVEN_DAYS' : 'NONE',
  };
  const { subscription: built } = buildSubscription(deps, sellerId, input, now);
  const opened = openCycle({ ...built, status: 'PENDING' }, now);
  const dueAt = new Date(now.getTime() + PAYABLE_MS);
  const subscription: Subscription = { ...opened.subscription, version: built.version, dueAt };
  const { transactionId } = opened.attempt;
  await deps.db.transaction().execute(async (trx) => {
    await insertSubscription(trx, subscription);
    await insertInvoice(trx, { ...opened.invoice, retriesLeft: 0 }, { ...opened.attempt, state: 'SENT' });
    const after = { amount: subscription.amount, status: subscription.status };
    await recordSubscriptionAudit(trx, actor, {
      subscription,
      action: 'subscription.created',
      before: null,
      after,
    });
  });
  return { sellerId, id: subscription.id, transactionId };
}

/** Ends a subscription whose first payment was not created. */
export const discard = (
  { db, clock }: Pick<SubscriptionDeps, 'db' | 'clock'>,
  key: SubscriptionKey,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const before = await lockSubscription(trx, key);
    if (before?.status === 'PENDING') await moveTo(trx, before, 'EXPIRED', clock.now());
  });

/** Emails the payer the page of a new subscription. */
export function writeCreationMail(
  trx: DatabaseTransaction,
  subscription: Subscription,
  at: Date,
): Promise<void> {
  const { sellerId, id: subscriptionId, amount, description, interval } = subscription;
  const payerToken = payerTokenOf(subscription);
  const params = { amount, description: description ?? '', interval, payerToken };
  return writeSubscriptionMail(trx, {
    sellerId,
    subscriptionId,
    at,
    params,
    template: 'subscription-created',
  });
}
