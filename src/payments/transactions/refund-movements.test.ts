import assert from 'node:assert/strict';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { LedgerAccount } from '#accounting/ledger/service.ts';
import { withChange } from './apply-event.ts';
import { decide, remainingAmount, type TransactionEvent } from './decisions.ts';
import { retainedPartsOf, type RetainedPart } from './money-movements.ts';
import type { Method, Transaction } from './transaction.ts';

/** Refunds at an external provider, disputes and releases of one payment, in random order. */

const START = Date.parse('2026-05-04T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const TERMS = { boletoDelayDays: 0, cardDelayDays: 30, negativeBalanceUpTo: 1_000_000, chargebackFee: 700 };

type Step =
  | { readonly kind: 'request'; readonly share: number }
  | { readonly kind: 'complete' | 'fail' | 'reverse'; readonly index: number }
  | { readonly kind: 'dispute'; readonly share: number }
  | { readonly kind: 'further'; readonly share: number }
  | { readonly kind: 'win' | 'lose' }
  | { readonly kind: 'days'; readonly days: number };

const share = fc.double({ min: 0.01, max: 1.1, noNaN: true });
const index = fc.nat(20);
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('request' as const), share }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('complete', 'fail', 'reverse'), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dispute' as const), share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('win', 'lose') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('further' as const), share }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 60 }) }),
  },
);

interface Refund {
  readonly amount: number;
  readonly retained: readonly RetainedPart[];
  state: 'PENDING' | 'DONE' | 'FAILED';
}

class Simulation {
  transaction: Transaction;
  now = START;
  disputed = 0;
  lost = 0;
  readonly refunds: Refund[] = [];
  readonly accounts: Record<LedgerAccount, number> = {
    available: 0,
    retained: 0,
    disputed: 0,
    reserved: 0,
    fees: 0,
    provider: 0,
  };

  constructor(method: Method, amount: number, feeAmount: number, installments: number) {
    this.transaction = { ...cardTransaction(amount, feeAmount, installments), method };
    this.apply({ kind: 'PAYMENT', amount, paidAt: new Date(START) });
  }

  /**
   * Applies an event. Returns false, and changes nothing, if the state or the amounts do not allow
   * it.
   */
  apply(event: TransactionEvent): boolean {
    const decision = decide(this.transaction, event, TERMS, new Date(this.now));
    if (decision.kind !== 'change') return false;
    const { change } = decision;
    for (const { debit, credit, amount } of change.entries) {
      assert.ok(amount > 0);
      this.accounts[debit] -= amount;
      this.accounts[credit] += amount;
    }
    this.transaction = withChange(this.transaction, change, new Date(this.now));
    return true;
  }

  run(step: Step): void {
    switch (step.kind) {
      case 'days':
        this.now += step.days * DAY_MS;
        this.apply({ kind: 'RELEASE' });
        return;
      case 'request': {
        const amount = Math.ceil(remainingAmount(this.transaction) * step.share);
        if (amount === 0) return;
        const retained = retainedPartsOf(this.transaction, amount);
        if (this.apply({ kind: 'REFUND_REQUEST', amount }))
          this.refunds.push({ amount, retained, state: 'PENDING' });
        return;
      }
      case 'complete':
      case 'fail':
      case 'reverse': {
        const from = step.kind === 'reverse' ? 'DONE' : 'PENDING';
        const candidates = this.refunds.filter(({ state }) => state === from);
        const refund = candidates[step.index % Math.max(1, candidates.length)];
        if (refund === undefined) return;
        // A pending refund can always end, whatever has happened to the transaction since.
        assert.ok(this.apply(OUTCOMES[step.kind](refund)));
        refund.state = step.kind === 'complete' ? 'DONE' : 'FAILED';
        return;
      }
      case 'dispute': {
        const amount = Math.min(
          remainingAmount(this.transaction),
          Math.ceil(remainingAmount(this.transaction) * step.share),
        );
        if (amount > 0 && this.apply({ kind: 'DISPUTE', amount })) this.disputed = amount;
        return;
      }
      case 'further': {
        const amount = Math.ceil(remainingAmount(this.transaction) * step.share);
        if (amount > 0 && this.apply({ kind: 'FURTHER_LOSS', amount })) this.lost += amount;
        return;
      }
      case 'win':
      case 'lose': {
        if (this.transaction.status !== 'DISPUTE') return;
        const amount = this.disputed;
        assert.ok(this.apply({ kind: step.kind === 'win' ? 'DISPUTE_WON' : 'DISPUTE_LOST', amount }));
        if (step.kind === 'lose') this.lost += amount;
        this.disputed = 0;
      }
    }
  }

  check(): void {
    const { accounts, refunds, transaction } = this;
    const sum = (state: Refund['state']) =>
      refunds.filter((refund) => refund.state === state).reduce((total, { amount }) => total + amount, 0);
    assert.ok(Math.min(accounts.retained, accounts.disputed, accounts.reserved) >= 0);
    assert.equal(accounts.reserved, sum('PENDING'));
    assert.equal(transaction.refundingAmount, sum('PENDING'));
    const lostAsRefund = transaction.method === 'CREDIT_CARD' ? 0 : this.lost;
    assert.equal(transaction.refundedAmount, sum('DONE') + lostAsRefund);
    assert.ok(remainingAmount(transaction) >= 0);
    assert.equal(accounts.disputed, this.disputed);
    assert.equal(accounts.provider, sum('DONE') + this.lost - transaction.amount);
    const pending = transaction.releases.filter(({ status }) => status === 'PENDING');
    assert.equal(
      pending.reduce((total, { amount }) => total + amount, 0),
      accounts.retained,
    );
    assert.ok(pending.every(({ dueAt }) => dueAt.getTime() > this.now));
    const { provider, fees, ...wallet } = accounts;
    assert.equal(
      Object.values(wallet).reduce((total, amount) => total + amount, fees + provider),
      0,
    );
  }
}

const OUTCOMES = {
  complete: ({ amount }: Refund): TransactionEvent => ({ kind: 'REFUND_COMPLETION', amount }),
  fail: ({ amount, retained }: Refund): TransactionEvent => ({ kind: 'REFUND_FAILURE', amount, retained }),
  reverse: ({ amount, retained }: Refund): TransactionEvent => ({
    kind: 'REFUND_REVERSAL',
    amount,
    retained,
  }),
};

function cardTransaction(amount: number, feeAmount: number, installments: number): Transaction {
  const at = new Date(START);
  const id = '019681d2-4e00-4a5b-8c3d-000000000001';
  return {
    sellerId: id,
    id,
    method: 'CREDIT_CARD',
    amount,
    feeAmount,
    feeRule: null,
    installments,
    description: null,
    metadata: null,
    postbackUrl: null,
    externalRef: null,
    customerId: null,
    paymentLinkId: null,
    subscriptionId: null,
    riskStatus: null,
    riskCapture: null,
    paymentSecret: id,
    publicUrl: '',
    pixReceipt: null,
    customer: {
      id,
      externalRef: null,
      name: 'A',
      email: 'a@example.com',
      phone: '11987654321',
      documentType: 'CPF',
      document: '52998224725',
    },
    items: [],
    pix: null,
    boleto: null,
    card: { id, brand: 'VISA', lastFour: '1111', authorizationCode: null, nsu: null, networkReference: null },
    expiresAt: null,
    releases: [],
    status: 'PENDING',
    statusReason: null,
    version: 1,
    refundedAmount: 0,
    refundingAmount: 0,
    paidAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

it('keeps the accounts consistent through any order of refunds, disputes and releases', () => {
  const payments = fc.tuple(
    fc.constantFrom('CREDIT_CARD', 'PIX', 'BOLETO'),
    fc.integer({ min: 500, max: 1_000_000 }),
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: 1, max: 12 }),
  );
  const property = fc.property(
    payments,
    fc.array(steps, { maxLength: 40 }),
    ([method, amount, fee, installments], sequence) => {
      const simulation = new Simulation(method, amount, fee, installments);
      simulation.check();
      for (const step of sequence) {
        simulation.run(step);
        simulation.check();
      }
    },
  );
  expect(() => fc.assert(property, { numRuns: 2_000 })).not.toThrow();
});
