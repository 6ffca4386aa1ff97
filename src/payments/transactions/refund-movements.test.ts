import assert from 'node:assert/strict';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { LedgerAccount } from '#accounting/ledger/service.ts';
import { decide, remainingAmount, type Change, type TransactionEvent } from './decisions.ts';
import { retainedPartsOf, type RetainedPart } from './money-movements.ts';
import type { Transaction } from './transaction.ts';

/**
 * Refunds through a provider, disputes and releases of one card payment, in any order that the
 * states allow.
 */

const START = Date.parse('2026-05-04T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const TERMS = { boletoDelayDays: 0, cardDelayDays: 30, negativeBalanceUpTo: 1_000_000, chargebackFee: 700 };

type Step =
  | { readonly kind: 'order'; readonly share: number }
  | { readonly kind: 'done' | 'fail' | 'reverse'; readonly which: number }
  | { readonly kind: 'dispute'; readonly share: number }
  | { readonly kind: 'win' | 'lose' }
  | { readonly kind: 'days'; readonly days: number };

const share = fc.double({ min: 0.01, max: 1.1, noNaN: true });
const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('order' as const), share }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('done', 'fail', 'reverse'), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('dispute' as const), share }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('win', 'lose') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('days' as const), days: fc.integer({ min: 1, max: 60 }) }),
  },
);

interface Ordered {
  readonly amount: number;
  readonly retained: readonly RetainedPart[];
  state: 'PENDING' | 'DONE' | 'FAILED';
}

class Play {
  transaction: Transaction;
  now = START;
  disputed = 0;
  lost = 0;
  readonly orders: Ordered[] = [];
  readonly accounts: Record<LedgerAccount, number> = {
    available: 0,
    retained: 0,
    disputed: 0,
    reserved: 0,
    fees: 0,
    provider: 0,
  };

  constructor(amount: number, feeAmount: number, installments: number) {
    this.transaction = chargeOf(amount, feeAmount, installments);
    this.happen({ kind: 'PAYMENT', amount, paidAt: new Date(START) });
  }

  /** False where the states or amounts do not allow it; then nothing has changed. */
  happen(happening: TransactionEvent): boolean {
    const decision = decide(this.transaction, happening, TERMS, new Date(this.now));
    if (decision.kind !== 'change') return false;
    const { change } = decision;
    for (const { debit, credit, amount } of change.entries) {
      assert.ok(amount > 0);
      this.accounts[debit] -= amount;
      this.accounts[credit] += amount;
    }
    this.transaction = after(this.transaction, change);
    return true;
  }

  take(taken: Step): void {
    switch (taken.kind) {
      case 'days':
        this.now += taken.days * DAY_MS;
        this.happen({ kind: 'RELEASE' });
        return;
      case 'order': {
        const amount = Math.ceil(remainingAmount(this.transaction) * taken.share);
        if (amount === 0) return;
        const retained = retainedPartsOf(this.transaction, amount);
        if (this.happen({ kind: 'REFUND_REQUEST', amount }))
          this.orders.push({ amount, retained, state: 'PENDING' });
        return;
      }
      case 'done':
      case 'fail':
      case 'reverse': {
        const from = taken.kind === 'reverse' ? 'DONE' : 'PENDING';
        const found = this.orders.filter(({ state }) => state === from);
        const ordered = found[taken.which % Math.max(1, found.length)];
        if (ordered === undefined) return;
        // What was ordered always ends, whatever has happened to the charge since.
        assert.ok(this.happen(ENDS[taken.kind](ordered)));
        ordered.state = taken.kind === 'done' ? 'DONE' : 'FAILED';
        return;
      }
      case 'dispute': {
        const amount = Math.min(
          remainingAmount(this.transaction),
          Math.ceil(remainingAmount(this.transaction) * taken.share),
        );
        if (amount > 0 && this.happen({ kind: 'DISPUTE', amount })) this.disputed = amount;
        return;
      }
      case 'win':
      case 'lose': {
        if (this.transaction.status !== 'DISPUTE') return;
        const amount = this.disputed;
        assert.ok(this.happen({ kind: taken.kind === 'win' ? 'DISPUTE_WON' : 'DISPUTE_LOST', amount }));
        if (taken.kind === 'lose') this.lost += amount;
        this.disputed = 0;
      }
    }
  }

  check(): void {
    const { accounts, orders, transaction } = this;
    const sum = (state: Ordered['state']) =>
      orders.filter((one) => one.state === state).reduce((total, { amount }) => total + amount, 0);
    assert.ok(Math.min(accounts.retained, accounts.disputed, accounts.reserved) >= 0);
    assert.equal(accounts.reserved, sum('PENDING'));
    assert.equal(transaction.refundingAmount, sum('PENDING'));
    assert.equal(transaction.refundedAmount, sum('DONE'));
    assert.equal(accounts.disputed, this.disputed);
    assert.equal(accounts.provider, sum('DONE') + this.lost - transaction.amount);
    const waiting = transaction.releases.filter(({ status }) => status === 'PENDING');
    assert.equal(
      waiting.reduce((total, { amount }) => total + amount, 0),
      accounts.retained,
    );
    assert.ok(waiting.every(({ dueAt }) => dueAt.getTime() > this.now));
    const { provider, fees, ...wallet } = accounts;
    assert.equal(
      Object.values(wallet).reduce((total, amount) => total + amount, fees + provider),
      0,
    );
  }
}

const ENDS = {
  done: ({ amount }: Ordered): TransactionEvent => ({ kind: 'REFUND_COMPLETION', amount }),
  fail: ({ amount, retained }: Ordered): TransactionEvent => ({ kind: 'REFUND_FAILURE', amount, retained }),
  reverse: ({ amount, retained }: Ordered): TransactionEvent => ({
    kind: 'REFUND_REVERSAL',
    amount,
    retained,
  }),
};

function after(before: Transaction, change: Change): Transaction {
  const changed = new Map((change.releases ?? []).map((release) => [release.number, release]));
  return {
    ...before,
    status: change.to,
    paidAt: change.paidAt ?? before.paidAt,
    refundedAmount: change.refundedAmount ?? before.refundedAmount,
    refundingAmount: change.refundingAmount ?? before.refundingAmount,
    releases: [...before.releases.filter(({ number }) => !changed.has(number)), ...changed.values()],
  };
}

function chargeOf(amount: number, feeAmount: number, installments: number): Transaction {
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
    card: { id, brand: 'VISA', lastFour: '1111' },
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

it('keeps the money of a card right through any order of refunds, disputes and releases (C9)', () => {
  const charges = fc.tuple(
    fc.integer({ min: 500, max: 1_000_000 }),
    fc.integer({ min: 0, max: 400 }),
    fc.integer({ min: 1, max: 12 }),
  );
  const property = fc.property(
    charges,
    fc.array(step, { maxLength: 40 }),
    ([amount, fee, installments], steps) => {
      const play = new Play(amount, fee, installments);
      play.check();
      for (const taken of steps) {
        play.take(taken);
        play.check();
      }
    },
  );
  expect(() => fc.assert(property, { numRuns: 2_000 })).not.toThrow();
});
