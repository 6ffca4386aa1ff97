import type { LedgerEntry } from '#accounting/ledger/service.ts';
import type { Withdrawal, WithdrawalStatus } from './withdrawal.ts';

/** The permitted status changes. */
export const TRANSITIONS: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  PENDING: ['APPROVED', 'REJECTED'],
  APPROVED: ['PROCESSING', 'REJECTED'],
  PROCESSING: ['PAID', 'FAILED'],
  REJECTED: [],
  PAID: [],
  FAILED: [],
};

export type WithdrawalEvent =
  /** The last approval needed, by an operator's user, or an automatic one (null, 0). */
  | { readonly kind: 'APPROVAL'; readonly userId: string | null; readonly approvalsNeeded: 0 | 1 | 2 }
  | { readonly kind: 'REJECTION'; readonly userId: string; readonly reason: string }
  /** Assignment to a provider, committed before the provider is called. */
  | { readonly kind: 'SUBMISSION'; readonly provider: string }
  | { readonly kind: 'PAYMENT'; readonly paidAt: Date }
  | { readonly kind: 'FAILURE'; readonly reason: string };

const TARGETS: Readonly<Record<WithdrawalEvent['kind'], WithdrawalStatus>> = {
  APPROVAL: 'APPROVED',
  REJECTION: 'REJECTED',
  SUBMISSION: 'PROCESSING',
  PAYMENT: 'PAID',
  FAILURE: 'FAILED',
};

export type Decision =
  /** Written in one database transaction, provided that the version has not changed. */
  | { readonly kind: 'change'; readonly after: Withdrawal; readonly entries: readonly LedgerEntry[] }
  | { readonly kind: 'impossible'; readonly from: WithdrawalStatus; readonly to: WithdrawalStatus };

/** Decides what an event does to a withdrawal. A pure function. */
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
    case 'SUBMISSION':
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

type Amounts = Pick<Withdrawal, 'origin' | 'amount' | 'feeAmount'>;

/** Reserves the amount when the withdrawal is created, so that it cannot be withdrawn twice. */
export function reservationEntry({ origin, amount }: Amounts): LedgerEntry {
  const accounts = { debit: 'available', credit: 'reserved' } as const;
  return { origin, ...accounts, amount, cause: 'WITHDRAWAL_RESERVED' };
}

function releaseEntry({ origin, amount }: Amounts): LedgerEntry {
  const accounts = { debit: 'reserved', credit: 'available' } as const;
  return { origin, ...accounts, amount, cause: 'WITHDRAWAL_RETURNED' };
}

/** Books the net amount to the provider and the fee, which is earned on payment. */
function paymentEntries({ origin, amount, feeAmount }: Amounts): readonly LedgerEntry[] {
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
