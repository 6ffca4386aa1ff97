import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import { newId } from '#platform/kit/ids.ts';
import {
  cardCheckTimeOf,
  cycleDate,
  nextCycleAfter,
  openingTime,
  retryDate,
  retryTime,
  waitsForPrevious,
} from './calendar.ts';
import { isCharging } from './states.ts';
import type { Attempt, Invoice, InvoiceStatus, Subscription, SubscriptionStatus } from './subscription.ts';

/** What changes subscriptions and their invoices. Pure, except for new ids. */

const RETRIES = { NONE: 0, THREE_IN_SEVEN_DAYS: 3 } as const;

/** Declines that another attempt with the same card cannot change, and ends of the whole charge. */
const HARD_REASONS: ReadonlySet<string> = new Set([
  'blocked card',
  'expired card',
  'invalid card number',
  'invalid expiry date',
  'suspected fraud',
  'wrong security code',
  'the saved card was deleted',
  'the customer was deleted',
  'the amount does not cover the fee',
]);

export const isHardDecline = (reason: string): boolean => HARD_REASONS.has(reason);

/** Whether all cycles have their invoice. */
export const isExhausted = ({
  cycles,
  chargedCycles,
}: Pick<Subscription, 'cycles' | 'chargedCycles'>): boolean => cycles !== null && chargedCycles >= cycles;

/** When the next cycle is opened; null if that is not decided by time. */
function nextOpening(subscription: Subscription, hasOpenInvoice: boolean): Date | null {
  const { status, nextCycle } = subscription;
  if (!isCharging(status) || isExhausted(subscription)) return null;
  if (hasOpenInvoice && waitsForPrevious(subscription)) return null;
  return openingTime(subscription, cycleDate(subscription, nextCycle));
}

/** When the card of the next cycle is checked; null if that needs no card, or it was. */
export function cardCheckTime(subscription: Subscription): Date | null {
  const { method, status, nextCycle, cardCheckedCycle } = subscription;
  const isChecked = method !== 'CREDIT_CARD' || cardCheckedCycle >= nextCycle;
  if (isChecked || !isCharging(status) || isExhausted(subscription)) return null;
  return cardCheckTimeOf(cycleDate(subscription, nextCycle));
}

/** An invoice with its first attempt, and the subscription after it. */
export interface Opened {
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly attempt: Attempt;
}

/**
 * Opens the invoice of the next cycle. Of the cycles that were missed until the seller became ACTIVE
 * only the last one is charged, and the others do not count.
 */
export function openCycle(before: Subscription, now: Date, activatedAt: Date | null = null): Opened {
  const { nextCycle } = before;
  const cycle =
    activatedAt === null
      ? nextCycle
      : Math.max(nextCycle, nextCycleAfter(before, nextCycle, activatedAt) - 1);
  const dueDate = cycleDate(before, cycle);
  const after = {
    ...before,
    version: before.version + 1,
    nextCycle: cycle + 1,
    chargedCycles: before.chargedCycles + 1,
    invoices: before.invoices + 1,
    updatedAt: now,
  };
  const subscription = { ...after, dueAt: nextOpening(after, true) };
  const status = before.method === 'PIX_AUTOMATICO' ? 'SCHEDULED' : 'PENDING';
  return { subscription, ...newInvoice(subscription, { dueDate, status, kind: 'CHARGE' }, now) };
}

interface InvoiceInput {
  readonly dueDate: string;
  readonly status: InvoiceStatus;
  readonly kind: Attempt['kind'];
}

/** The newest invoice of a subscription, whose count includes it, with its first attempt. */
export function newInvoice(
  subscription: Subscription,
  { dueDate, status, kind }: InvoiceInput,
  now: Date,
): Pick<Opened, 'invoice' | 'attempt'> {
  const { sellerId, id: subscriptionId, invoices: number, amount } = subscription;
  const invoice: Invoice = {
    sellerId,
    subscriptionId,
    number,
    dueDate,
    amount,
    status,
    id: newId(now.getTime()),
    attempts: 1,
    retriesLeft: kind === 'CHARGE' ? RETRIES[subscription.retryPolicy] : 0,
    retryAt: null,
    retryDate: null,
    transactionId: null,
    createdAt: now,
    updatedAt: now,
  };
  return { invoice, attempt: newAttempt(invoice, { kind, chargeDate: dueDate }, now) };
}

/** The attempt that `invoice.attempts` counts last. */
export function newAttempt(
  { sellerId, subscriptionId, number: invoiceNumber, attempts: number }: Invoice,
  {
    kind,
    chargeDate,
    transactionId,
  }: Pick<Attempt, 'kind' | 'chargeDate'> & { readonly transactionId?: string },
  now: Date,
): Attempt {
  const id = newId(now.getTime());
  const of = { sellerId, subscriptionId, invoiceNumber, number };
  return { ...of, id, kind, transactionId: transactionId ?? id, chargeDate, state: 'DUE', reason: null };
}

/**
 * A bank retries the same charge; any other retry, and one after the charge has ended, is a new
 * one.
 */
export const retryOf = (
  { method }: Subscription,
  { status }: Invoice,
  { transactionId }: Attempt,
): Pick<Attempt, 'kind'> & { readonly transactionId?: string } =>
  method === 'PIX_AUTOMATICO' && status === 'SCHEDULED'
    ? { kind: 'RETRY', transactionId }
    : { kind: 'CHARGE' };

/** The status that sellers see: a SCHEDULED invoice is PENDING from its date on. */
export const shownStatus = (
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  now: Date,
): InvoiceStatus => (status === 'SCHEDULED' && startOfSaoPauloDay(dueDate) <= now ? 'PENDING' : status);

export type Outcome =
  | { readonly kind: 'PAID' }
  /** The seller or the operator has canceled the transaction. */
  | { readonly kind: 'CANCELED' }
  /** `isFinal`: another attempt is useless or forbidden. */
  | { readonly kind: 'FAILED'; readonly reason: string; readonly isFinal: boolean };

export interface OutcomeContext {
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly attempt: Attempt;
  /** Whether other invoices wait for their payment. */
  readonly hasOtherOpen: boolean;
  /** Whether a newer invoice was given up. */
  readonly hasNewerFailed: boolean;
}

export interface Settled {
  /** One after another; empty if it stays. */
  readonly statuses: readonly SubscriptionStatus[];
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly attempt: Attempt;
}

/** Decides what the outcome of an attempt changes. Undefined if the attempt has its outcome. */
export function settle(context: OutcomeContext, outcome: Outcome, now: Date): Settled | undefined {
  const { attempt } = context;
  if (attempt.state === 'PAID') return undefined;
  if (outcome.kind === 'PAID') return settlePaid(context, now);
  if (outcome.kind === 'CANCELED') return settleCanceled(context, now);
  if (attempt.state === 'FAILED' || attempt.state === 'CANCELED') return undefined;
  if (attempt.state === 'CANCELING' || context.invoice.status === 'CANCELLED')
    return unchanged(context, { ...attempt, state: 'CANCELED' });
  return settleFailed(context, outcome, now);
}

const unchanged = ({ subscription, invoice }: OutcomeContext, attempt: Attempt): Settled => ({
  subscription,
  invoice,
  attempt,
  statuses: [],
});

/** A bank that collects the charge is notified. The cycle does not count. */
function settleCanceled(context: OutcomeContext, now: Date): Settled | undefined {
  const { subscription, invoice: before, attempt, hasOtherOpen } = context;
  if (before.status !== 'SCHEDULED' && before.status !== 'PENDING') return undefined;
  const invoice: Invoice = { ...before, status: 'CANCELLED', retryAt: null, retryDate: null, updatedAt: now };
  const uncounted = { ...subscription, chargedCycles: subscription.chargedCycles - 1 };
  const statuses: readonly SubscriptionStatus[] = isStarting(subscription) ? ['CANCELLED'] : [];
  return {
    invoice,
    attempt: {
      ...attempt,
      state: 'CANCELING',
    },
    ...withStatuses(uncounted, statuses, hasOtherOpen, now),
  };
}

function settlePaid(context: OutcomeContext, now: Date): Settled {
  const { hasOtherOpen, hasNewerFailed } = context;
  // One that was canceled did not count.
  const counted = context.invoice.status === 'CANCELLED' ? 1 : 0;
  const subscription = {
    ...context.subscription,
    chargedCycles: context.subscription.chargedCycles + counted,
  };
  const attempt: Attempt = { ...context.attempt, state: 'PAID', reason: null };
  const invoice: Invoice = {
    ...context.invoice,
    status: 'PAID',
    retryAt: null,
    retryDate: null,
    updatedAt: now,
  };
  const isComplete = isExhausted(subscription) && !hasOtherOpen;
  const starts = isStarting(subscription);
  const recovers = subscription.status === 'PAST_DUE' && !hasNewerFailed;
  const statuses: readonly SubscriptionStatus[] = starts
    ? ['ACTIVE', ...(isComplete ? (['COMPLETED'] as const) : [])]
    : !isCharging(subscription.status)
      ? []
      : isComplete
        ? ['COMPLETED']
        : recovers
          ? ['ACTIVE']
          : [];
  return { invoice, attempt, ...withStatuses(subscription, statuses, hasOtherOpen, now) };
}

function settleFailed(
  context: OutcomeContext,
  { reason, isFinal }: Extract<Outcome, { kind: 'FAILED' }>,
  now: Date,
): Settled {
  const { subscription, hasOtherOpen } = context;
  const attempt: Attempt = { ...context.attempt, state: 'FAILED', reason };
  const before = context.invoice;
  const date =
    isFinal || !isCharging(subscription.status) ? undefined : retryDate(subscription, before, attempt);
  if (date !== undefined) {
    const retryAt = retryTime(subscription, date, now);
    const retriesLeft = before.retriesLeft - 1;
    const invoice: Invoice = { ...before, retriesLeft, retryAt, retryDate: date, updatedAt: now };
    return { ...unchanged(context, attempt), invoice };
  }
  const invoice: Invoice = { ...before, status: 'FAILED', retryAt: null, retryDate: null, updatedAt: now };
  const statuses = isStarting(subscription)
    ? ([reason === EXPIRED ? 'EXPIRED' : 'REJECTED'] as const)
    : isCharging(subscription.status)
      ? unpaidStatuses(subscription)
      : [];
  return { invoice, attempt, ...withStatuses(subscription, statuses, hasOtherOpen, now) };
}

const EXPIRED = 'expired';

/** Whether a first payment that the payer makes starts it; Pix Automático is authorized instead. */
export const isStarting = ({ method, status }: Pick<Subscription, 'method' | 'status'>): boolean =>
  status === 'PENDING' && method !== 'PIX_AUTOMATICO';

/** After the last attempt. */
function unpaidStatuses({ status, onUnpaid }: Subscription): readonly SubscriptionStatus[] {
  const first: readonly SubscriptionStatus[] = status === 'PAST_DUE' ? [] : ['PAST_DUE'];
  switch (onUnpaid) {
    case 'PAUSE':
      return [...first, 'PAUSED'];
    case 'CANCEL':
      return [...first, 'CANCELLED'];
    case 'CONTINUE':
      return first;
  }
}

function withStatuses(
  before: Subscription,
  statuses: readonly SubscriptionStatus[],
  hasOpenInvoice: boolean,
  now: Date,
): Pick<Settled, 'subscription' | 'statuses'> {
  const status = statuses.at(-1) ?? before.status;
  const after = { ...before, status, version: before.version + 1, updatedAt: now };
  return { statuses, subscription: { ...after, dueAt: dueAtOf(after, hasOpenInvoice) } };
}

/** When the worker has the next thing to do. */
const dueAtOf = (subscription: Subscription, hasOpenInvoice: boolean): Date | null =>
  subscription.status === 'PENDING' ? subscription.dueAt : nextOpening(subscription, hasOpenInvoice);

/** A subscription in another status. Cycles that were missed while it was paused are skipped. */
export function changeStatus(
  before: Subscription,
  status: SubscriptionStatus,
  hasOpenInvoice: boolean,
  now: Date,
): Subscription {
  const nextCycle =
    before.status === 'PAUSED' && status === 'ACTIVE'
      ? nextCycleAfter(before, before.nextCycle, now)
      : before.nextCycle;
  const after = { ...before, status, nextCycle, version: before.version + 1, updatedAt: now };
  return { ...after, dueAt: dueAtOf(after, hasOpenInvoice) };
}

/** A new subscription, before its first cycle. A payer has until that day to authorize it. */
export function initialStatus({ method, startDate }: Pick<Subscription, 'method' | 'startDate'>): {
  readonly status: SubscriptionStatus;
  readonly dueAt: Date;
} {
  return method === 'PIX_AUTOMATICO'
    ? { status: 'PENDING', dueAt: startOfSaoPauloDay(startDate) }
    : { status: 'ACTIVE', dueAt: startOfSaoPauloDay(startDate) };
}

/** The day on which a new attempt counts. */
export const today = (now: Date): string => saoPauloDate(now);
