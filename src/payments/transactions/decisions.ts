import { calculateFee } from '#sellers/fees/schedule.ts';
import type { LedgerEntry } from '#accounting/ledger/service.ts';
import {
  chargebackFeeEntries,
  disputeOpenedMovement,
  disputeLostMovement,
  refundReservedMovement,
  paymentMovement,
  releaseMovement,
  refundFailedMovement,
  refundReversedMovement,
  disputeWonMovement,
  returnToPayerMovement,
  refundCompletedMovement,
  type RetainedPart,
} from './money-movements.ts';
import { canTransition } from './states.ts';
import type { Release, Status, Transaction } from './transaction.ts';

/** What happened to a charge. Amounts in cents. */
export type TransactionEvent =
  | { readonly kind: 'PAYMENT'; readonly amount: number; readonly paidAt: Date }
  | { readonly kind: 'AUTHORIZATION'; readonly lapsesAt: Date }
  | { readonly kind: 'CAPTURE'; readonly amount: number; readonly paidAt: Date }
  | { readonly kind: 'WAITING' }
  | { readonly kind: 'PROCESSING' }
  | { readonly kind: 'FAILURE'; readonly reason: string }
  | { readonly kind: 'REFUSAL'; readonly reason: string }
  | { readonly kind: 'EXPIRY' }
  | { readonly kind: 'CANCELLATION' }
  | { readonly kind: 'VOID' }
  | { readonly kind: 'REFUND'; readonly amount: number }
  /** A refund is given to a provider of others: its money is set aside until the provider has said what came of it. */
  | { readonly kind: 'REFUND_ORDER'; readonly amount: number }
  | { readonly kind: 'REFUND_DONE'; readonly amount: number }
  | { readonly kind: 'REFUND_FAILURE'; readonly amount: number; readonly retained: readonly RetainedPart[] }
  /** A refund that was done came back: the payer's bank did not take it. */
  | { readonly kind: 'REFUND_REVERSAL'; readonly amount: number; readonly retained: readonly RetainedPart[] }
  | { readonly kind: 'CHARGEBACK' }
  | { readonly kind: 'DISPUTE'; readonly amount: number }
  | { readonly kind: 'DISPUTE_WON'; readonly amount: number }
  | { readonly kind: 'DISPUTE_LOST'; readonly amount: number }
  /** Retained money whose day has come. */
  | { readonly kind: 'RELEASE' };

/** What of the seller's terms a decision depends on. */
export interface Terms {
  readonly boletoDelayDays: number;
  readonly cardDelayDays: number;
  /** How far refunds may take the available balance below zero, beside the payment's own fee. */
  readonly negativeBalanceUpTo: number;
  /** What the operator takes for a chargeback, in cents. */
  readonly chargebackFee: number;
}

/** What changes; members that are absent stay as they are. */
export interface Change {
  readonly to: Status;
  readonly reason: string | null;
  readonly paidAt: Date | null;
  readonly entries: readonly LedgerEntry[];
  /** The available balance must not end below this; absent, it may end anywhere. */
  readonly floor?: number;
  readonly amount?: number;
  readonly feeAmount?: number;
  readonly refundedAmount?: number;
  readonly refundingAmount?: number;
  readonly expiresAt?: Date;
  /** Releases that are new or changed. */
  readonly releases?: readonly Release[];
}

export type Decision =
  | { readonly kind: 'change'; readonly change: Change }
  /** Money came for a charge that had ended: it goes back to the payer. */
  | { readonly kind: 'late' }
  | { readonly kind: 'wrong-amount' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status };

/** Decides what a happening does to a charge. Pure: the same charge and happening give the same decision. */
export function decide(transaction: Transaction, event: TransactionEvent, terms: Terms, now: Date): Decision {
  const to = targetStatus(transaction, event);
  if (!isAllowed(transaction, event, to)) {
    const ended = transaction.status === 'FAILED' || transaction.status === 'REFUSED';
    if (event.kind === 'PAYMENT' && ended) return { kind: 'late' };
    return { kind: 'impossible', from: transaction.status, to };
  }
  const plain = (reason: string | null): Decision => change({ to, reason, paidAt: null, entries: [] });
  switch (event.kind) {
    case 'PAYMENT':
      // The sweep may not have come by yet, but the time the seller set is the time that counts.
      // What the provider was already working on then is paid whenever it says so.
      if (isOverdue(transaction, event.paidAt)) return { kind: 'late' };
      return pay(transaction, event, terms);
    case 'CAPTURE':
      // The card's bank no longer holds the money of a lapsed authorization, whether or not the sweep has come by.
      if (isOverdue(transaction, event.paidAt)) return { kind: 'impossible', from: 'FAILED', to };
      return pay(transaction, event, terms);
    case 'AUTHORIZATION':
      return change({ to, reason: null, paidAt: null, entries: [], expiresAt: event.lapsesAt });
    case 'WAITING':
    case 'PROCESSING':
      return plain(null);
    case 'FAILURE':
    case 'REFUSAL':
      return plain(event.reason);
    case 'EXPIRY':
      // Between the sweep's look and this a provider may have begun to work on it, or authorized it anew.
      if (!isDue(transaction, now)) return { kind: 'nothing' };
      return plain(transaction.status === 'AUTHORIZED' ? 'authorization lapsed' : 'expired');
    case 'CANCELLATION':
      return plain('cancelled');
    case 'VOID':
      return plain('voided');
    case 'REFUND':
    case 'REFUND_ORDER':
      return refund(transaction, event, terms);
    case 'REFUND_DONE':
      return changeWithMoney(to, {
        ...refundCompletedMovement(transaction, event.amount),
        refundedAmount: transaction.refundedAmount + event.amount,
        refundingAmount: transaction.refundingAmount - event.amount,
      });
    case 'REFUND_FAILURE':
      return changeWithMoney(to, {
        ...refundFailedMovement(transaction, event.amount, event.retained, now),
        refundingAmount: transaction.refundingAmount - event.amount,
      });
    case 'REFUND_REVERSAL':
      return changeWithMoney(to, {
        ...refundReversedMovement(transaction, event.amount, event.retained, now),
        refundedAmount: transaction.refundedAmount - event.amount,
      });
    case 'RELEASE': {
      const released = releaseMovement(transaction, now);
      return released.releases.length === 0 ? { kind: 'nothing' } : changeWithMoney(to, released);
    }
    case 'CHARGEBACK': {
      const returned = returnToPayerMovement(transaction, remainingAmount(transaction), 'CHARGEBACK');
      const entries = [...returned.entries, ...chargebackFeeEntries(transaction, terms.chargebackFee)];
      return changeWithMoney(to, { ...returned, entries });
    }
    case 'DISPUTE':
      return changeWithMoney(to, disputeOpenedMovement(transaction, event.amount));
    case 'DISPUTE_WON':
      return changeWithMoney(to, disputeWonMovement(transaction, event.amount, now));
    case 'DISPUTE_LOST': {
      const refundedAmount = transaction.refundedAmount + (to === 'REFUNDED' ? event.amount : 0);
      const lost = disputeLostMovement(transaction, event.amount);
      const fee = to === 'CHARGEDBACK' ? chargebackFeeEntries(transaction, terms.chargebackFee) : [];
      return changeWithMoney(to, { ...lost, entries: [...lost.entries, ...fee], refundedAmount });
    }
  }
}

/** What of a payment has neither gone back nor is on its way back, in cents. */
export const remainingAmount = ({ amount, refundedAmount, refundingAmount }: Transaction): number =>
  amount - refundedAmount - refundingAmount;

/** The table of transitions, and what it cannot say: two happenings keep the status, and some start from one status only. */
function isAllowed(
  { status, refundedAmount, refundingAmount }: Transaction,
  event: TransactionEvent,
  to: Status,
): boolean {
  const { kind } = event;
  switch (kind) {
    case 'RELEASE':
      return true;
    case 'REFUND_DONE':
    case 'REFUND_FAILURE':
      return event.amount <= refundingAmount;
    case 'REFUND_REVERSAL':
      return event.amount <= refundedAmount;
    case 'REFUND':
    case 'REFUND_ORDER':
    case 'DISPUTE':
    case 'CHARGEBACK':
      return status === 'PAID';
    case 'DISPUTE_WON':
    case 'DISPUTE_LOST':
      return status === 'DISPUTE';
    case 'CAPTURE':
    case 'VOID':
      return status === 'AUTHORIZED';
    case 'PAYMENT':
    case 'AUTHORIZATION':
    case 'WAITING':
    case 'PROCESSING':
    case 'FAILURE':
    case 'REFUSAL':
    case 'EXPIRY':
    case 'CANCELLATION':
      // Only DISPUTE_WON leads from DISPUTE back to PAID.
      return status !== 'DISPUTE' && canTransition(status, to);
  }
}

function isOverdue({ status, expiresAt }: Transaction, paidAt: Date): boolean {
  return expiresAt !== null && paidAt > expiresAt && status !== 'PROCESSING';
}

/** Whether the sweep ends it: it still waits, and its time has come. */
function isDue({ status, expiresAt }: Transaction, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now && status !== 'PROCESSING';
}

function targetStatus(transaction: Transaction, event: TransactionEvent): Status {
  switch (event.kind) {
    case 'PAYMENT':
    case 'CAPTURE':
    case 'DISPUTE_WON':
      return 'PAID';
    case 'AUTHORIZATION':
      return 'AUTHORIZED';
    case 'WAITING':
      return 'WAITING_PAYMENT';
    case 'PROCESSING':
      return 'PROCESSING';
    case 'REFUSAL':
      return 'REFUSED';
    case 'FAILURE':
    case 'EXPIRY':
    case 'CANCELLATION':
    case 'VOID':
      return 'FAILED';
    case 'REFUND':
      return transaction.status === 'PAID' && transaction.refundedAmount + event.amount < transaction.amount
        ? 'PAID'
        : 'REFUNDED';
    case 'REFUND_ORDER':
      // Where it may not happen, the seller is told of the refund that was asked for.
      return transaction.status === 'PAID' ? 'PAID' : 'REFUNDED';
    case 'REFUND_DONE': {
      // A dispute over the rest goes on beside it.
      const whole = transaction.refundedAmount + event.amount === transaction.amount;
      return whole && transaction.status === 'PAID' ? 'REFUNDED' : transaction.status;
    }
    case 'REFUND_FAILURE':
    case 'REFUND_REVERSAL':
      return transaction.status;
    case 'CHARGEBACK':
      return 'CHARGEDBACK';
    case 'DISPUTE':
      return 'DISPUTE';
    case 'DISPUTE_LOST':
      return transaction.method === 'CREDIT_CARD' ? 'CHARGEDBACK' : 'REFUNDED';
    case 'RELEASE':
      return transaction.status;
  }
}

const change = (made: Change): Decision => ({ kind: 'change', change: made });

const changeWithMoney = (to: Status, made: Omit<Change, 'to' | 'reason' | 'paidAt'>): Decision =>
  change({ to, reason: null, paidAt: null, ...made });

function pay(
  transaction: Transaction,
  event: { readonly kind: 'PAYMENT' | 'CAPTURE'; readonly amount: number; readonly paidAt: Date },
  terms: Terms,
): Decision {
  const partial = event.kind === 'CAPTURE' && event.amount < transaction.amount;
  if (!partial && event.amount !== transaction.amount) return { kind: 'wrong-amount' };
  const feeAmount = partial ? partialFee(transaction, event.amount) : transaction.feeAmount;
  if (feeAmount === undefined) return { kind: 'wrong-amount' };
  const paid = { ...transaction, amount: event.amount, feeAmount };
  const money = paymentMovement(paid, event.paidAt, terms);
  const amounts = partial ? { amount: event.amount, feeAmount } : {};
  return change({ to: 'PAID', reason: null, paidAt: event.paidAt, ...money, ...amounts });
}

/** The fee of a smaller amount by the rule of the charge's creation; undefined where it would leave nothing. */
function partialFee(transaction: Transaction, amount: number): number | undefined {
  return transaction.feeRule === null ? transaction.feeAmount : calculateFee(amount, transaction.feeRule);
}

function refund(
  transaction: Transaction,
  { kind, amount }: { readonly kind: 'REFUND' | 'REFUND_ORDER'; readonly amount: number },
  terms: Terms,
): Decision {
  if (amount > remainingAmount(transaction)) return { kind: 'wrong-amount' };
  // The fee is not given back, so a payment's own proceeds never cover its whole refund.
  const floor = -(transaction.feeAmount + terms.negativeBalanceUpTo);
  if (kind === 'REFUND_ORDER') {
    const refundingAmount = transaction.refundingAmount + amount;
    return changeWithMoney('PAID', {
      refundingAmount,
      floor,
      ...refundReservedMovement(transaction, amount),
    });
  }
  const refundedAmount = transaction.refundedAmount + amount;
  const to = refundedAmount === transaction.amount ? 'REFUNDED' : 'PAID';
  return changeWithMoney(to, {
    refundedAmount,
    floor,
    ...returnToPayerMovement(transaction, amount, 'REFUND'),
  });
}
