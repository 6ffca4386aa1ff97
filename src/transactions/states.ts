import { pixPaymentEntries, type LedgerEntry } from '#ledger/service.ts';
import type { Status, Transaction } from './transaction.ts';

/** All the ways a charge can go, and no others. */
export const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  PENDING: ['WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  WAITING_PAYMENT: ['PROCESSING', 'PAID', 'FAILED'],
  PROCESSING: ['AUTHORIZED', 'PAID', 'FAILED', 'REFUSED'],
  AUTHORIZED: ['PAID', 'FAILED'],
  PAID: ['REFUNDED', 'CHARGEDBACK', 'DISPUTE'],
  DISPUTE: ['PAID', 'CHARGEDBACK', 'REFUNDED'],
  FAILED: [],
  REFUSED: [],
  REFUNDED: [],
  CHARGEDBACK: [],
};

export function canGo(from: Status, to: Status): boolean {
  return TRANSITIONS[from].includes(to);
}

/** What happened to a charge. */
export type Happening =
  | { readonly kind: 'PAYMENT'; readonly amount: number; readonly paidAt: Date }
  | { readonly kind: 'PROCESSING' }
  | { readonly kind: 'FAILURE'; readonly reason: string }
  | { readonly kind: 'REFUSAL'; readonly reason: string }
  | { readonly kind: 'EXPIRY' };

/** How a charge changes: what is written, in one transaction, if the charge is still at the version this was decided on. */
export interface Change {
  readonly to: Status;
  readonly reason: string | null;
  readonly paidAt: Date | null;
  readonly entries: readonly LedgerEntry[];
}

export type Decision =
  | { readonly kind: 'change'; readonly change: Change }
  /** Money came for a charge that had ended: it goes back to the payer. */
  | { readonly kind: 'late' }
  | { readonly kind: 'wrong-amount' }
  | { readonly kind: 'impossible'; readonly from: Status; readonly to: Status };

/** Decides what a happening does to a charge. Pure: the same charge and happening give the same decision. */
export function decide(transaction: Transaction, happening: Happening, nowMs: number): Decision {
  const to = targetOf(happening);
  if (!canGo(transaction.status, to)) {
    const ended = transaction.status === 'FAILED' || transaction.status === 'REFUSED';
    if (happening.kind === 'PAYMENT' && ended) return { kind: 'late' };
    return { kind: 'impossible', from: transaction.status, to };
  }
  switch (happening.kind) {
    case 'PAYMENT': {
      // The sweep may not have come by yet, but the time the seller set is the time that counts.
      const expiresAt = transaction.pix?.expiresAt;
      if (expiresAt !== undefined && happening.paidAt > expiresAt) return { kind: 'late' };
      if (happening.amount !== transaction.amount) return { kind: 'wrong-amount' };
      const netAmount = transaction.amount - transaction.feeAmount;
      const entries = pixPaymentEntries({ netAmount, feeAmount: transaction.feeAmount }, nowMs);
      return { kind: 'change', change: { to, reason: null, paidAt: happening.paidAt, entries } };
    }
    case 'PROCESSING':
      return { kind: 'change', change: { to, reason: null, paidAt: null, entries: [] } };
    case 'FAILURE':
    case 'REFUSAL':
      return { kind: 'change', change: { to, reason: happening.reason, paidAt: null, entries: [] } };
    case 'EXPIRY':
      return { kind: 'change', change: { to, reason: 'expired', paidAt: null, entries: [] } };
  }
}

function targetOf(happening: Happening): Status {
  switch (happening.kind) {
    case 'PAYMENT':
      return 'PAID';
    case 'PROCESSING':
      return 'PROCESSING';
    case 'REFUSAL':
      return 'REFUSED';
    case 'FAILURE':
    case 'EXPIRY':
      return 'FAILED';
  }
}
