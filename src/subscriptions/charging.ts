import { createHash } from 'node:crypto';

import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { detectCardBrand } from '#formats/card/card-number.ts';
import type { Terms } from '#payments/transactions/decisions.ts';
import type { Reason } from '#payments/transactions/reasons.ts';
import type { Payment } from '#payments/transactions/transaction-creator.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { createProviderCaller, NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { SellerContext } from '#sellers/service.ts';
import { publishEvent } from '#webhooks/outbox.ts';
import { isHardDecline } from './decisions.ts';
import type { SubscriptionDeps } from './deps.ts';
import { invoiceUpdated } from './events.ts';
import { moveTo } from './lifecycle.ts';
import { isErased, toCustomerInput, type CustomerInput } from './payer.ts';
import type { PixAutomaticoProvider } from './pix-automatico.ts';
import { applyOutcome } from './settlement.ts';
import { hasEnded } from './states.ts';
import {
  leaseAttempts,
  postponeAttempt,
  recordSent,
  releaseAttempt,
  type DueAttempt,
} from './store-attempts.ts';
import { findAuthorization } from './store-authorizations.ts';
import { findInvoice } from './store-invoices.ts';
import { findSubscription, lockSubscription } from './store.ts';
import type { Invoice, SubscriptionKey, SubscriptionRecord } from './subscription.ts';

const DEADLINE_MS = 40_000;
const CONCURRENT_CHARGES = 32;
/** Charges of a seller that is not ACTIVE wait. */
const INACTIVE_DELAY_MS = 3_600_000;
/** The payer of a boleto or a Pix has three days. */
const PAYABLE_SECONDS = 3 * 24 * 3_600;
/** The payer of the dated charge of journey 4 has until then. */
const DATED_PAYABLE_DAYS = 10;

/** The transaction was certainly not created. */
class NotCreatedError extends NotExecutedError {}

type ChargeResult =
  /** `collectedOn`: the day on which a bank debits the payer; null if no bank does. */
  | { readonly kind: 'sent'; readonly collectedOn: LocalDate | null }
  | { readonly kind: 'canceled' }
  | { readonly kind: 'refused'; readonly reason: Reason };

interface Charge {
  readonly due: DueAttempt;
  readonly subscription: SubscriptionRecord;
  readonly invoice: Invoice;
  readonly context: SellerContext;
  readonly payer: CustomerInput;
}

/**
 * Creates the job that makes due attempts: it creates their transactions, and cancels the charges
 * of ended subscriptions. An attempt's transaction has its id as idempotency key, so that a
 * repeated call charges once. The job returns true if more may be due.
 */
export function createChargingJob(deps: SubscriptionDeps): () => Promise<boolean> {
  const { db } = deps;
  return createProviderCaller<DueAttempt, ChargeResult>(deps, {
    name: 'subscription charge',
    failPointPrefix: 'subscription-charges',
    deadlineMs: DEADLINE_MS,
    maxConcurrent: CONCURRENT_CHARGES,
    lease: (lease) => leaseAttempts(db, lease),
    prepare: (due) => (due.state === 'CANCELING' ? prepareCancellation(deps, due) : prepareCharge(deps, due)),
    record: (due, result) => recordResult(deps, due, result),
    postpone: (due, dueAt, now, error) =>
      postponeAttempt(db, due, { dueAt, wasCalled: !(error instanceof NotCreatedError) }, now),
  });
}

type Call = (deadline: AbortSignal) => Promise<ChargeResult>;

async function prepareCharge(deps: SubscriptionDeps, due: DueAttempt): Promise<Call | undefined> {
  const { db, clock, sellers, customers } = deps;
  const { sellerId, subscriptionId, invoiceNumber: number } = due;
  const subscription = await findSubscription(db, { sellerId, id: subscriptionId });
  const invoice = await findInvoice(db, { sellerId, subscriptionId, number });
  const context = await sellers.getContext(sellerId);
  if (subscription === undefined || invoice === undefined || context === undefined)
    throw new Error(`an attempt has no subscription: ${due.id}`);
  if (context.seller.status !== 'ACTIVE') {
    const now = clock.now();
    const dueAt = new Date(now.getTime() + INACTIVE_DELAY_MS);
    await postponeAttempt(db, due, { dueAt, wasCalled: false }, now);
    return undefined;
  }
  const { customerId } = subscription;
  const record = customerId === null ? undefined : await customers.find({ sellerId, id: customerId });
  const payer = subscription.customer ?? (record && toCustomerInput(record));
  if (payer === undefined || isErased(payer)) {
    await cancelWithoutPayer(deps, due);
    return undefined;
  }
  const charge = { due, subscription, invoice, context, payer };
  return due.kind === 'RETRY' ? bankRetry(deps, charge) : newCharge(deps, charge);
}

/** The personal data of the payer was erased, so the charge is impossible. */
async function cancelWithoutPayer(deps: SubscriptionDeps, due: DueAttempt): Promise<void> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  const { sellerId, subscriptionId: id } = due;
  const terms = await transactions.termsOf(sellerId);
  await db.transaction().execute(async (trx) => {
    const reason = 'the customer was deleted' satisfies Reason;
    await applyOutcome(trx, due, { kind: 'FAILED', reason, isFinal: true }, { now });
    const subscription = await lockSubscription(trx, { sellerId, id });
    if (subscription !== undefined && !hasEnded(subscription.status))
      await moveTo(trx, subscription, 'CANCELLED', now);
    // An earlier call may have created it.
    await endCharge(deps, trx, due, { reason, terms });
  });
  transactions.notifyWorker();
}

const NO_PROVIDER = { kind: 'refused', reason: 'no provider accepted the transaction' } as const;

const bankRetry =
  (deps: SubscriptionDeps, { due, subscription }: Charge): Call =>
  async (deadline) => {
    const { bank } = await findBank(deps, subscription);
    if (bank === undefined) return NO_PROVIDER;
    const response = await bank.retry({ ...keyOf(due), date: due.chargeDate }, deadline);
    return response.kind === 'accepted' ? { kind: 'sent', collectedOn: response.date } : response;
  };

/** The bank of an authorization, whatever the bank of new ones is; undefined if it is not configured. */
async function findBank(
  { db, pixAutomaticoBanks }: SubscriptionDeps,
  subscription: SubscriptionKey,
): Promise<{ readonly bank: PixAutomaticoProvider | undefined; readonly idRec: string | null }> {
  const authorization = await findAuthorization(db, subscription);
  const bank = pixAutomaticoBanks.find(({ name }) => name === authorization?.provider);
  return { bank, idRec: authorization?.idRec ?? null };
}

/** Banks debit payers in the course of the day. */
const READ_DELAY_MS = 6 * 3_600_000;

const readTime = (date: LocalDate): Date => new Date(startOfSaoPauloDay(date).getTime() + READ_DELAY_MS);

const keyOf = ({ sellerId, transactionId }: DueAttempt) => ({
  sellerId,
  transactionId,
  txid: transactionId.replaceAll('-', ''),
});

async function newCharge(deps: SubscriptionDeps, charge: Charge): Promise<Call> {
  const payment = await paymentOf(deps, charge);
  if (payment === undefined) return () => refuseCard(deps, charge.subscription);
  const isCollected = charge.subscription.method === 'PIX_AUTOMATICO' && charge.due.kind === 'CHARGE';
  return async (deadline) => {
    const created = await createTransaction(deps, charge, payment);
    return created.kind === 'refused' || !isCollected ? created : collect(deps, charge, deadline);
  };
}

/** @throws NotCreatedError if the card was not deleted, but has just been replaced. */
async function refuseCard({ db }: SubscriptionDeps, subscription: SubscriptionRecord): Promise<ChargeResult> {
  const current = await findSubscription(db, subscription);
  if (current?.cardTokenId !== subscription.cardTokenId) throw new NotCreatedError('the card was replaced');
  return { kind: 'refused', reason: 'the saved card was deleted' };
}

/** How the payer pays; undefined if the saved card was deleted. */
async function paymentOf(
  { clock, cardTokens, cardWithOutcome }: SubscriptionDeps,
  { due, subscription, payer }: Charge,
): Promise<Payment | undefined> {
  const { method, sellerId, cardTokenId, nextOutcome } = subscription;
  switch (method) {
    case 'BOLETO':
    case 'PIX':
      return { method, expirationSeconds: PAYABLE_SECONDS };
    case 'PIX_AUTOMATICO': {
      // The bank decides until when it collects a charge.
      if (due.kind === 'CHARGE') return { method: 'PIX', expirationSeconds: null, withoutCode: true };
      const isDated = due.kind === 'DATED';
      const date = isDated ? addDays(due.chargeDate, DATED_PAYABLE_DAYS) : subscription.startDate;
      const endMs = Math.max(clock.nowMs(), startOfSaoPauloDay(date).getTime());
      const expirationSeconds = Math.ceil((endMs - clock.nowMs()) / 1_000) + 60;
      return { method: 'PIX', expirationSeconds, ...(isDated && { withoutCode: true }) };
    }
    case 'CREDIT_CARD': {
      const saved = cardTokenId === null ? undefined : await cardTokens.find(sellerId, cardTokenId);
      if (saved === undefined) return undefined;
      const stored = { ...saved, holderName: payer.name, cvv: null };
      const card = nextOutcome === null ? stored : (cardWithOutcome?.(stored, nextOutcome) ?? stored);
      return {
        method,
        card,
        installments: 1,
        capture: true,
        brand: detectCardBrand(card.number),
        context: {
          threeDS: null,
          payerIp: null,
          recurring: {
            isPayerPresent: false,
            networkReference: subscription.networkReference,
          },
        },
      };
    }
  }
}

const DEFAULT_TITLE = 'Assinatura';
/** Of an item. */
const MAX_TITLE_LENGTH = 255;

async function createTransaction(
  { createTransaction: create }: SubscriptionDeps,
  { due, subscription, invoice, context, payer }: Charge,
  payment: Payment,
): Promise<ChargeResult> {
  const { amount } = invoice;
  const { id, customerId, description, externalRef, metadata, postbackUrl } = subscription;
  // By characters: PostgreSQL stores no half of an emoji.
  const title = Array.from(description ?? DEFAULT_TITLE)
    .slice(0, MAX_TITLE_LENGTH)
    .join('');
  const result = await create({
    context,
    payment,
    request: {
      amount,
      customer: payer,
      description,
      externalRef,
      metadata,
      postbackUrl,
      customerId,
      paymentLinkId: null,
      items: [
        {
          title,
          amount,
          quantity: 1,
          tangible: false,
          externalRef: null,
        },
      ],
      subscription: {
        id,
        transactionId: due.transactionId,
      },
    },
    idempotencyKey: due.id,
    bodyHash: createHash('sha256').update(due.id).digest(),
  });
  switch (result.kind) {
    case 'created':
    case 'replayed':
      return { kind: 'sent', collectedOn: null };
    case 'refused':
      // Tried again later: the payer has not been asked.
      if (result.failure === 'METHOD_PAUSED')
        throw new NotCreatedError('the providers of the method are paused');
      return result.failure === 'FEE_NOT_COVERED'
        ? { kind: 'refused', reason: 'the amount does not cover the fee' }
        : NO_PROVIDER;
    case 'reused':
      throw new Error(`the idempotency key of an attempt was used: ${due.id}`);
  }
}

/** Sends the charge to the payer's bank. */
async function collect(
  deps: SubscriptionDeps,
  { due, subscription, invoice, payer }: Charge,
  deadline: AbortSignal,
): Promise<ChargeResult> {
  const { bank, idRec } = await findBank(deps, subscription);
  if (bank === undefined || idRec === null) return NO_PROVIDER;
  const description = subscription.description ?? DEFAULT_TITLE;
  const request = { idRec, amountCents: invoice.amount, date: due.chargeDate, payer, description };
  const response = await bank.charge({ ...keyOf(due), ...request }, deadline);
  return response.kind === 'accepted' ? { kind: 'sent', collectedOn: response.date } : response;
}

async function prepareCancellation(deps: SubscriptionDeps, due: DueAttempt): Promise<Call> {
  const { db, operations } = deps;
  const { sellerId, subscriptionId: id, transactionId } = due;
  const subscription = await findSubscription(db, { sellerId, id });
  const isCollected =
    subscription?.method === 'PIX_AUTOMATICO' && (due.kind === 'CHARGE' || due.kind === 'RETRY');
  return async (deadline) => {
    if (isCollected) {
      const { bank } = await findBank(deps, subscription);
      await bank?.cancelCharge(keyOf(due), deadline);
    }
    // A paid transaction is not canceled.
    await operations.cancel({ sellerId, id: transactionId }, GATEWAY_ACTOR);
    return { kind: 'canceled' };
  };
}

async function recordResult(deps: SubscriptionDeps, due: DueAttempt, result: ChargeResult): Promise<void> {
  const { db, clock, transactions } = deps;
  const now = clock.now();
  if (result.kind === 'refused') await recordRefusal(deps, due, result.reason);
  else await db.transaction().execute((trx) => recordAccepted(trx, due, result, now));
  transactions.notifyWorker();
}

async function recordAccepted(
  trx: DatabaseTransaction,
  due: DueAttempt,
  result: Exclude<ChargeResult, { kind: 'refused' }>,
  now: Date,
): Promise<void> {
  const isSent = result.kind === 'sent';
  const collectedOn = isSent ? result.collectedOn : null;
  const to = {
    state: isSent ? 'SENT' : 'CANCELED',
    chargeDate: collectedOn ?? due.chargeDate,
    readAt: collectedOn === null ? null : readTime(collectedOn),
  } as const;
  if (!(await recordSent(trx, due, to, now))) return releaseAttempt(trx, due);
  // The outcome of a card follows at once.
  const invoice = await findInvoice(trx, { ...due, number: due.invoiceNumber });
  const isPublished = isSent && due.kind !== 'RETRY' && invoice?.status !== 'PAID';
  if (isPublished && invoice !== undefined) await publishEvent(trx, invoiceUpdated(invoice, now));
}

/** A bank that has refused a charge or its retry is not called again. */
async function recordRefusal(deps: SubscriptionDeps, due: DueAttempt, reason: Reason): Promise<void> {
  const { db, clock, transactions } = deps;
  const { sellerId, subscriptionId: id } = due;
  const terms = await transactions.termsOf(sellerId);
  await db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, { sellerId, id });
    const isFinal = subscription?.method === 'PIX_AUTOMATICO' || isHardDecline(reason);
    const applied = await applyOutcome(trx, due, { kind: 'FAILED', reason, isFinal }, { now: clock.now() });
    if (!applied) await releaseAttempt(trx, due);
    await endCharge(deps, trx, due, { reason, terms });
  });
}

/** Ends the transaction of a charge that is given up, if it was created and has not ended. */
export async function endCharge(
  { transactions }: Pick<SubscriptionDeps, 'transactions'>,
  trx: DatabaseTransaction,
  { sellerId, transactionId: id }: Pick<DueAttempt, 'sellerId' | 'transactionId'>,
  { reason, terms }: { readonly reason: Reason; readonly terms: Terms },
): Promise<void> {
  const event = { kind: 'FAILURE', reason } as const;
  await transactions.applyEventInTransaction(trx, { sellerId, id }, { event, terms, actor: 'PROVIDER' });
}
