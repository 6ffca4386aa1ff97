import type { Transaction } from './transaction.ts';

/** The state of a payment as its payer sees it. Only WAITING shows how to pay. */
export type PayerState =
  | 'WAITING'
  /** The provider has not issued the code, or the card is being processed. */
  | 'PROCESSING'
  | 'PAID'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'FAILED'
  | 'REFUNDED';

const STATES: Readonly<Record<Transaction['status'], PayerState>> = {
  PENDING: 'WAITING',
  WAITING_PAYMENT: 'WAITING',
  PROCESSING: 'PROCESSING',
  AUTHORIZED: 'PROCESSING',
  PAID: 'PAID',
  DISPUTE: 'PAID',
  FAILED: 'FAILED',
  REFUSED: 'FAILED',
  REFUNDED: 'REFUNDED',
  CHARGEDBACK: 'REFUNDED',
};

/** Returns the state by the status alone: a page knows whether its code can still be paid. */
export function payerStateOf({ status, statusReason }: Transaction): PayerState {
  if (status === 'FAILED' && statusReason === 'expired') return 'EXPIRED';
  if (status === 'FAILED' && statusReason === 'cancelled') return 'CANCELLED';
  return STATES[status];
}
