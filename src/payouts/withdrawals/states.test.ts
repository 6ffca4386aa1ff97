import { describe, expect, it } from 'vitest';

import { UNKNOWN_HOLDER } from './key-holder.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { decide, reservationEntry, TRANSITIONS, type WithdrawalEvent } from './states.ts';
import {
  toPendingWithdrawal,
  WITHDRAWAL_STATUSES,
  type Withdrawal,
  type WithdrawalStatus,
} from './withdrawal.ts';

const AT = new Date('2026-03-02T12:00:00Z');
const PAID_AT = new Date('2026-03-02T11:59:58Z');

const requested: Withdrawal = toPendingWithdrawal({
  sellerId: '00000000-0000-4000-8000-000000000001',
  id: '00000000-0000-4000-8000-000000000002',
  method: 'PIX',
  origin: 'BOLETO',
  amount: 1000,
  feeAmount: 150,
  rollingAmount: 10_000,
  pixKeyType: 'CPF',
  cryptoNetwork: null,
  bankAccount: null,
  maskedDestination: '***.982.247-**',
  encryptedPayee: 'encrypted',
  beneficiaryName: null,
  beneficiaryDocumentType: null,
  maskedBeneficiaryDocument: null,
  payeeHashes: [],
  ...UNKNOWN_HOLDER,
  isFirstUse: true,
  description: null,
  metadata: null,
  createdBy: GATEWAY_ACTOR,
  createdAt: new Date('2026-03-01T12:00:00Z'),
});

const EVENTS: readonly (readonly [WithdrawalEvent, WithdrawalStatus])[] = [
  [{ kind: 'APPROVAL', userId: 'a user', approvalsNeeded: 1 }, 'APPROVED'],
  [{ kind: 'REJECTION', userId: 'a user', reason: 'no' }, 'REJECTED'],
  [{ kind: 'SUBMISSION', provider: 'a bank' }, 'PROCESSING'],
  [{ kind: 'PAYMENT', paidAt: PAID_AT }, 'PAID'],
  [{ kind: 'FAILURE', reason: 'no such key' }, 'FAILED'],
];

describe('the statuses of a withdrawal', () => {
  it('have the transitions of the contract and no others', () => {
    const transitions = WITHDRAWAL_STATUSES.flatMap((from) => TRANSITIONS[from].map((to) => `${from} ${to}`));
    expect(transitions.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'APPROVED PROCESSING',
      'APPROVED REJECTED',
      'PENDING APPROVED',
      'PENDING REJECTED',
      'PROCESSING FAILED',
      'PROCESSING PAID',
    ]);
  });

  it.each(WITHDRAWAL_STATUSES)('changes from %s by permitted events only', (from) => {
    const before = { ...requested, status: from, version: 7 };
    for (const [event, to] of EVENTS) {
      const changed = { kind: 'change', after: { status: to, version: 8, updatedAt: AT } };
      const expected = TRANSITIONS[from].includes(to) ? changed : { kind: 'impossible', from, to };
      expect(decide(before, event, AT)).toMatchObject(expected);
    }
  });

  it('record when and by whom they were set', () => {
    const approved = after(requested, { kind: 'APPROVAL', userId: 'a user', approvalsNeeded: 1 });
    expect(approved).toMatchObject({ approvedAt: AT, approvedBy: 'a user', processedAt: null, paidAt: null });
    const processing = after(approved, { kind: 'SUBMISSION', provider: 'a bank' });
    expect(processing).toMatchObject({ processedAt: AT, provider: 'a bank', approvedAt: AT });
    expect(after(processing, { kind: 'PAYMENT', paidAt: PAID_AT })).toMatchObject({ paidAt: PAID_AT });
    const failed = after(processing, { kind: 'FAILURE', reason: 'no such key' });
    expect(failed).toMatchObject({ rejectionReason: 'no such key', paidAt: null });
    expect(approved.approvalsNeeded).toBe(1);
    const automatic = after(requested, { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 });
    expect(automatic).toMatchObject({ approvedBy: null, approvalsNeeded: 0 });
  });
});

describe('the ledger entries of a withdrawal', () => {
  const processing = { ...requested, status: 'PROCESSING' } as const;

  it('reserve the amount in the balance that pays', () => {
    expect(reservationEntry(requested)).toMatchObject({
      origin: 'BOLETO',
      debit: 'available',
      credit: 'reserved',
      amount: 1000,
      cause: 'WITHDRAWAL_RESERVED',
    });
  });

  it('book the net amount and the fee when it is paid', () => {
    const payment = { kind: 'PAYMENT', paidAt: PAID_AT } as const;
    expect(entriesOf(processing, payment)).toEqual([
      ['BOLETO', 'reserved', 'provider', 850, 'WITHDRAWAL_PAID'],
      ['BOLETO', 'reserved', 'fees', 150, 'WITHDRAWAL_FEE'],
    ]);
    // Without a fee there is no second entry.
    expect(entriesOf({ ...processing, feeAmount: 0 }, payment)).toEqual([
      ['BOLETO', 'reserved', 'provider', 1000, 'WITHDRAWAL_PAID'],
    ]);
  });

  it('return the whole amount when it is rejected or fails, and none otherwise', () => {
    const returned = [['BOLETO', 'reserved', 'available', 1000, 'WITHDRAWAL_RETURNED']];
    expect(entriesOf(requested, { kind: 'REJECTION', userId: 'a user', reason: 'no' })).toEqual(returned);
    expect(entriesOf(processing, { kind: 'FAILURE', reason: 'no' })).toEqual(returned);
    expect(entriesOf(requested, { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 })).toEqual([]);
    expect(entriesOf({ ...requested, status: 'APPROVED' }, { kind: 'SUBMISSION', provider: 'x' })).toEqual(
      [],
    );
  });
});

function entriesOf(before: Withdrawal, event: WithdrawalEvent) {
  const decision = decide(before, event, AT);
  if (decision.kind !== 'change') throw new Error('impossible');
  return decision.entries.map(({ origin, debit, credit, amount, cause }) => [
    origin,
    debit,
    credit,
    amount,
    cause,
  ]);
}

function after(before: Withdrawal, event: WithdrawalEvent): Withdrawal {
  const decision = decide(before, event, AT);
  if (decision.kind !== 'change') throw new Error(`${decision.from} cannot go to ${decision.to}`);
  return decision.after;
}
