import { isDecline, type Reason } from './reasons.ts';
import type { LedgerEntry } from '#accounting/ledger/service.ts';
import { fullyReportedBefore } from '#payments/boletos/report-deadline.ts';
import { calculateFee } from '#sellers/fees/schedule.ts';
import {
  chargebackFeeEntries,
  disputeLostMovement,
  disputeOpenedMovement,
  disputeWonMovement,
  furtherLossMovement,
  paymentMovement,
  refundCompletedMovement,
  refundFailedMovement,
  refundReservedMovement,
  refundReversedMovement,
  releaseMovement,
  returnToPayerMovement,
  type RefundedMoney,
} from './money-movements.ts';
import { canTransition } from './states.ts';
import type { Release, Status, Transaction } from './transaction.ts';

/** An event of a transaction. Amounts in cents. */
export type TransactionEvent =
  | { readonly kind: 'PAYMENT'; readonly amount: number; readonly paidAt: Date }
  | { readonly kind: 'AUTHORIZATION'; readonly lapsesAt: Date }
  | { readonly kind: 'CAPTURE'; readonly amount: number; readonly paidAt: Date }
  | { readonly kind: 'WAITING' }
  | { readonly kind: 'PROCESSING' }
  | { readonly kind: 'FAILURE'; readonly reason: Reason }
  | { readonly kind: 'REFUSAL'; readonly reason: Reason }
  | { readonly kind: 'EXPIRY' }
  | { readonly kind: 'CANCELLATION' }
  | { readonly kind: 'VOID' }
  | { readonly kind: 'REFUND'; readonly amount: number }
  /**
   * A refund at an external provider. Its money is reserved until the provider reports the outcome.
   */
  | { readonly kind: 'REFUND_REQUEST'; readonly amount: number }
  | { readonly kind: 'REFUND_COMPLETION'; readonly amount: number }
  | ({ readonly kind: 'REFUND_FAILURE' } & RefundedMoney)
  /** The payer's bank returned a completed refund. */
  | ({ readonly kind: 'REFUND_REVERSAL' } & RefundedMoney)
  | { readonly kind: 'CHARGEBACK' }
  | { readonly kind: 'DISPUTE'; readonly amount: number }
  | { readonly kind: 'DISPUTE_WON'; readonly amount: number }
  | { readonly kind: 'DISPUTE_LOST'; readonly amount: number }
  /** A bank has taken back more of a payment that was lost in part. */
  | { readonly kind: 'FURTHER_LOSS'; readonly amount: number }
  /** Retained money may be due for release. */
  | { readonly kind: 'RELEASE' };

/** The seller's terms that decisions depend on. */
export interface Terms {
  /** Business days until the payment of a boleto becomes available. */
  readonly boletoDelayDays: number;
  /** Days until each installment of a card payment becomes available. */
  readonly cardDelayDays: number;
  /**
   * How far refunds may take the available balance below zero, in addition to the payment's own
   * fee, in cents.
   */
  readonly negativeBalanceUpTo: number;
  /** The operator's fee for a chargeback, in cents. */
  readonly chargebackFee: number;
}

/** Whether an event reports that the provider, or the card's bank, has declined a card. */
export const isCardDecline = (
  { method, status, riskStatus }: Transaction,
  event: TransactionEvent,
): boolean =>
  method === 'CREDIT_CARD' &&
  (status === 'PENDING' || status === 'PROCESSING') &&
  // What a risk rule refuses reaches no provider.
  riskStatus !== 'REFUSED' &&
  (event.kind === 'REFUSAL' || (event.kind === 'FAILURE' && isDecline(event.reason)));

/** A change of a transaction. Absent members keep their values. */
export interface Change {
  readonly to: Status;
  readonly reason: Reason | null;
  readonly paidAt: Date | null;
  readonly entries: readonly LedgerEntry[];
  /** The lowest available balance that the change may leave, in cents. Absent: no limit. */
  readonly floor?: number;
  readonly amount?: number;
  readonly feeAmount?: number;
  readonly refundedAmount?: number;
  readonly refundingAmount?: number;
  readonly expiresAt?: Date;
  /** New or changed releases. */
  readonly releases?: readonly Release[];
}

export type Decision =
  | { readonly kind: 'change'; readonly change: Change }
  /** A payment of a transaction that has ended. It goes back to the payer. */
  | { readonly kind: 'late' }
  | { readonly kind: 'wrong-amount' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status };

interface Context {
  readonly transaction: Transaction;
  /** The target status of the event. */
  readonly to: Status;
  readonly terms: Terms;
  readonly now: Date;
}

type EventOf<Kind extends TransactionEvent['kind']> = Extract<TransactionEvent, { readonly kind: Kind }>;

/** Decides what an event changes. Pure: the same arguments give the same decision. */
export function decide(transaction: Transaction, event: TransactionEvent, terms: Terms, now: Date): Decision {
  const to = targetStatus(transaction, event);
  const context = { transaction, to, terms, now };
  if (!isAllowed(context, event)) return reject(context, event);
  switch (event.kind) {
    case 'PAYMENT':
    case 'CAPTURE':
      return decidePayment(context, event);
    case 'AUTHORIZATION':
      return changeTo(to, { expiresAt: event.lapsesAt });
    case 'WAITING':
    case 'PROCESSING':
      return changeTo(to);
    case 'FAILURE':
    case 'REFUSAL':
      return changeTo(to, { reason: event.reason });
    case 'EXPIRY':
      return decideExpiry(context);
    case 'CANCELLATION':
      return changeTo(to, { reason: 'cancelled' });
    case 'VOID':
      return changeTo(to, { reason: 'voided' });
    case 'REFUND':
    case 'REFUND_REQUEST':
      return decideRefund(context, event);
    case 'REFUND_COMPLETION':
    case 'REFUND_FAILURE':
    case 'REFUND_REVERSAL':
      return decideRefundOutcome(context, event);
    case 'RELEASE':
      return decideRelease(context);
    case 'CHARGEBACK':
      return decideChargeback(context);
    case 'DISPUTE':
    case 'DISPUTE_WON':
    case 'DISPUTE_LOST':
      return decideDispute(context, event);
    case 'FURTHER_LOSS':
      return changeTo(to, {
        ...furtherLossMovement(transaction, event.amount),
        refundedAmount: transaction.refundedAmount + event.amount,
      });
  }
}

/** The part of a payment that is neither refunded nor being refunded, in cents. */
export const remainingAmount = ({ amount, refundedAmount, refundingAmount }: Transaction): number =>
  amount - refundedAmount - refundingAmount;

/**
 * Checks the transition table, and the events that keep the status or start from one status only.
 */
function isAllowed({ transaction, to }: Context, event: TransactionEvent): boolean {
  const { status, refundedAmount, refundingAmount } = transaction;
  switch (event.kind) {
    case 'RELEASE':
      return true;
    case 'REFUND_COMPLETION':
    case 'REFUND_FAILURE':
      return event.amount <= refundingAmount;
    case 'REFUND_REVERSAL':
      return event.amount <= refundedAmount;
    case 'REFUND':
    case 'REFUND_REQUEST':
    case 'DISPUTE':
    case 'CHARGEBACK':
      return status === 'PAID';
    case 'DISPUTE_WON':
    case 'DISPUTE_LOST':
      return status === 'DISPUTE';
    case 'FURTHER_LOSS':
      return status === 'REFUNDED' && event.amount <= remainingAmount(transaction);
    case 'CAPTURE':
      return status === 'AUTHORIZED' && transaction.riskStatus !== 'REVIEW';
    case 'VOID':
      return status === 'AUTHORIZED';
    case 'WAITING':
    case 'PROCESSING':
    case 'PAYMENT':
      return status !== 'DISPUTE' && canTransition(status, to) && !isUnissued(transaction);
    case 'AUTHORIZATION':
    case 'FAILURE':
    case 'REFUSAL':
    case 'EXPIRY':
    case 'CANCELLATION':
      // Only DISPUTE_WON leads from DISPUTE back to PAID.
      return status !== 'DISPUTE' && canTransition(status, to);
  }
}

/** A Pix or boleto in review has no code yet, so nobody can have paid it. */
const isUnissued = ({ method, riskStatus }: Transaction): boolean =>
  riskStatus === 'REVIEW' && method !== 'CREDIT_CARD';

function reject({ transaction: { status }, to }: Context, event: TransactionEvent): Decision {
  const hasEnded = status === 'FAILED' || status === 'REFUSED';
  return event.kind === 'PAYMENT' && hasEnded ? { kind: 'late' } : { kind: 'impossible', from: status, to };
}

function targetStatus(transaction: Transaction, event: TransactionEvent): Status {
  const { status } = transaction;
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
      return status === 'PAID' && transaction.refundedAmount + event.amount < transaction.amount
        ? 'PAID'
        : 'REFUNDED';
    case 'REFUND_REQUEST':
      // A rejected request names the status that the refund would have led to.
      return status === 'PAID' ? 'PAID' : 'REFUNDED';
    case 'REFUND_COMPLETION': {
      // A dispute of the remaining amount continues.
      const isComplete = transaction.refundedAmount + event.amount === transaction.amount;
      return isComplete && status === 'PAID' ? 'REFUNDED' : status;
    }
    case 'REFUND_FAILURE':
    case 'REFUND_REVERSAL':
    case 'RELEASE':
      return status;
    case 'FURTHER_LOSS':
      return 'REFUNDED';
    case 'CHARGEBACK':
      return 'CHARGEDBACK';
    case 'DISPUTE':
      return 'DISPUTE';
    case 'DISPUTE_LOST':
      return transaction.method === 'CREDIT_CARD' ? 'CHARGEDBACK' : 'REFUNDED';
  }
}

function changeTo(to: Status, changes: Partial<Change> = {}): Decision {
  return { kind: 'change', change: { to, reason: null, paidAt: null, entries: [], ...changes } };
}

function decidePayment({ transaction, to, terms }: Context, event: EventOf<'PAYMENT' | 'CAPTURE'>): Decision {
  const { kind, amount, paidAt } = event;
  if (isOverdue(transaction, paidAt)) {
    // The expiry that the seller has set counts, even if the sweep has not ended the transaction
    // yet. The issuer no longer holds the money of a lapsed authorization.
    return kind === 'PAYMENT' ? { kind: 'late' } : { kind: 'impossible', from: 'FAILED', to };
  }
  const isPartial = kind === 'CAPTURE' && amount < transaction.amount;
  if (!isPartial && amount !== transaction.amount) return { kind: 'wrong-amount' };
  const feeAmount = isPartial ? partialFee(transaction, amount) : transaction.feeAmount;
  if (feeAmount === undefined) return { kind: 'wrong-amount' };
  const movement = paymentMovement({ ...transaction, amount, feeAmount }, paidAt, terms);
  return changeTo(to, { paidAt, ...movement, ...(isPartial ? { amount, feeAmount } : {}) });
}

/**
 * A provider that was already processing the payment at the time of expiry may complete it later.
 */
function isOverdue({ status, expiresAt }: Transaction, paidAt: Date): boolean {
  return expiresAt !== null && paidAt > expiresAt && status !== 'PROCESSING';
}

/**
 * The fee of a smaller amount by the fee rule of the creation. Undefined if the fee would leave
 * nothing.
 */
function partialFee({ feeRule, feeAmount }: Transaction, amount: number): number | undefined {
  return feeRule === null ? feeAmount : calculateFee(amount, feeRule);
}

function decideExpiry({ transaction: { status, expiresAt, boleto }, to, now }: Context): Decision {
  const isReportedInFiles = boleto !== null && boleto.registration !== null;
  const hasExpired =
    expiresAt !== null && (isReportedInFiles ? expiresAt < fullyReportedBefore(now) : expiresAt <= now);
  // A provider may have started to process the payment, or authorized it again, since the sweep
  // found it.
  const isDue = hasExpired && status !== 'PROCESSING';
  if (!isDue) return { kind: 'nothing' };
  return changeTo(to, { reason: status === 'AUTHORIZED' ? 'authorization expired' : 'expired' });
}

function decideRefund(
  { transaction, to, terms }: Context,
  { kind, amount }: EventOf<'REFUND' | 'REFUND_REQUEST'>,
): Decision {
  // Nothing remains if the whole amount is being refunded.
  if (amount === 0 || amount > remainingAmount(transaction)) return { kind: 'wrong-amount' };
  // The fee is not refunded, so the proceeds of a payment never cover its full refund.
  const floor = -(transaction.feeAmount + terms.negativeBalanceUpTo);
  if (kind === 'REFUND_REQUEST') {
    const refundingAmount = transaction.refundingAmount + amount;
    return changeTo(to, { refundingAmount, floor, ...refundReservedMovement(transaction, amount) });
  }
  const refundedAmount = transaction.refundedAmount + amount;
  const movement = returnToPayerMovement(transaction, amount, 'REFUND');
  return changeTo(to, { refundedAmount, floor, ...movement });
}

function decideRefundOutcome(
  { transaction, to, now }: Context,
  event: EventOf<'REFUND_COMPLETION' | 'REFUND_FAILURE' | 'REFUND_REVERSAL'>,
): Decision {
  const { refundedAmount, refundingAmount } = transaction;
  switch (event.kind) {
    case 'REFUND_COMPLETION':
      return changeTo(to, {
        ...refundCompletedMovement(transaction, event.amount),
        refundedAmount: refundedAmount + event.amount,
        refundingAmount: refundingAmount - event.amount,
      });
    case 'REFUND_FAILURE':
      return changeTo(to, {
        ...refundFailedMovement(transaction, event, now),
        refundingAmount: refundingAmount - event.amount,
      });
    case 'REFUND_REVERSAL':
      return changeTo(to, {
        ...refundReversedMovement(transaction, event, now),
        refundedAmount: refundedAmount - event.amount,
      });
  }
}

function decideRelease({ transaction, to, now }: Context): Decision {
  const movement = releaseMovement(transaction, now);
  return movement.releases.length === 0 ? { kind: 'nothing' } : changeTo(to, movement);
}

function decideChargeback({ transaction, to, terms }: Context): Decision {
  const movement = returnToPayerMovement(transaction, remainingAmount(transaction), 'CHARGEBACK');
  const feeEntries = chargebackFeeEntries(transaction, terms.chargebackFee);
  return changeTo(to, { ...movement, entries: [...movement.entries, ...feeEntries] });
}

function decideDispute(
  { transaction, to, terms, now }: Context,
  { kind, amount }: EventOf<'DISPUTE' | 'DISPUTE_WON' | 'DISPUTE_LOST'>,
): Decision {
  if (kind === 'DISPUTE') return changeTo(to, disputeOpenedMovement(transaction, amount));
  if (kind === 'DISPUTE_WON') return changeTo(to, disputeWonMovement(transaction, amount, now));
  const movement = disputeLostMovement(transaction, amount);
  const refundedAmount = transaction.refundedAmount + (to === 'REFUNDED' ? amount : 0);
  const feeEntries = to === 'CHARGEDBACK' ? chargebackFeeEntries(transaction, terms.chargebackFee) : [];
  return changeTo(to, { ...movement, entries: [...movement.entries, ...feeEntries], refundedAmount });
}
