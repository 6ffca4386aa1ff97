import type { LedgerEntry } from '#accounting/ledger/service.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

/** All the ways a withdrawal can go, and no others. */
export const TRANSITIONS: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PROCESSING'],
  PROCESSING: ['PAID', 'FAILED'],
  REJECTED: [],
  PAID: [],
  FAILED: [],
};

/** What happened to a withdrawal. */
export type WithdrawalEvent =
  /** By a user of the operator, the last of as many as were needed, or by the seller's allowance (null, 0). */
  | { readonly kind: 'APPROVAL'; readonly userId: string | null; readonly approvalsNeeded: 0 | 1 | 2 }
  | { readonly kind: 'REJECTION'; readonly userId: string; readonly reason: string }
  /** It is given to a provider: what the gateway means to do before it does it. */
  | { readonly kind: 'HAND_OVER'; readonly provider: string }
  | { readonly kind: 'PAYMENT'; readonly paidAt: Date }
  | { readonly kind: 'FAILURE'; readonly reason: string };

const TARGETS: Readonly<Record<WithdrawalEvent['kind'], WithdrawalStatus>> = {
  APPROVAL: 'APPROVED',
  REJECTION: 'REJECTED',
  HAND_OVER: 'PROCESSING',
  PAYMENT: 'PAID',
  FAILURE: 'FAILED',
};

export type Decision =
  /** What is written, in one transaction, if the withdrawal is still at the version that this was decided on. */
  | { readonly kind: 'change'; readonly after: Withdrawal; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: 'impossible'; readonly from: WithdrawalStatus; readonly to: WithdrawalStatus };

/** Decides what a happening does to a withdrawal. Pure: the same withdrawal and happening give the same decision. */
export function decide(before: Withdrawal, event: WithdrawalEvent, at: Date): Decision {
  const to = TARGETS[event.kind];
  if (!TRANSITIONS[before.status].includes(to)) return { kind: 'impossible', from: before.status, to };
  const after = { ...before, status: to, version: before.version + 1, updatedAt: at };
  switch (event.kind) {
    case 'APPROVAL':
      return change({
        ...after,
        approvedAt: at,
        approvedBy: event.userId,
        approvalsNeeded: event.approvalsNeeded,
      });
    case 'HAND_OVER':
      return change({ ...after, processedAt: at, provider: event.provider });
    case 'PAYMENT':
      return change({ ...after, paidAt: event.paidAt }, paymentEntries(before));
    case 'REJECTION':
    case 'FAILURE':
      return change({ ...after, rejectionReason: event.reason }, [releaseEntry(before)]);
  }
}

const change = (after: Withdrawal, entries: readonly LedgerEntry[] = []): Decision => ({
  kind: 'change',
  after,
  entries,
});

type Money = Pick<Withdrawal, 'origin' | 'amount' | 'feeAmount'>;

/** The amount is set aside when the withdrawal is made, so that it cannot be spent twice. */
export function reservationEntry({ origin, amount }: Money): LedgerEntry {
  const accounts = { debit: 'available', credit: 'reserved' } as const;
  return { origin, ...accounts, amount, cause: 'WITHDRAWAL_RESERVED' };
}

function releaseEntry({ origin, amount }: Money): LedgerEntry {
  const accounts = { debit: 'reserved', credit: 'available' } as const;
  return { origin, ...accounts, amount, cause: 'WITHDRAWAL_RETURNED' };
}

/** The net amount has left through the provider; the fee is earned only now. */
function paymentEntries({ origin, amount, feeAmount }: Money): readonly LedgerEntry[] {
  const net: LedgerEntry = {
    origin,
    debit: 'reserved',
    credit: 'provider',
    amount: amount - feeAmount,
    cause: 'WITHDRAWAL_PAID',
  };
  if (feeAmount === 0) return [net];
  return [net, { ...net, credit: 'fees', amount: feeAmount, cause: 'WITHDRAWAL_FEE' }];
}
