import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isUuidV4 } from '#ids.ts';
import { ORIGINS } from '#ledger/service.ts';
import { paymentMoney } from './money.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');

const pixPaymentEntries = (
  { netAmount, feeAmount }: { netAmount: number; feeAmount: number },
  nowMs: number,
) => {
  const now = new Date(nowMs);
  const paid = { method: 'PIX', amount: netAmount + feeAmount, feeAmount, installments: null } as const;
  return paymentMoney(paid, now, { boletoDelayDays: 1, cardDelayDays: 30 }, now).entries;
};

describe('the entries of a PIX payment', () => {
  it('credit the net amount at once and book the fee (C9)', () => {
    const entries = pixPaymentEntries({ netAmount: 1485, feeAmount: 15 }, NOW);
    expect(entries).toMatchObject([
      { origin: 'PIX', debit: 'provider', credit: 'available', amount: 1485, cause: 'PAYMENT' },
      { origin: 'PIX', debit: 'provider', credit: 'fees', amount: 15, cause: 'PAYMENT_FEE' },
    ]);
  });

  it('have no line for a fee of nothing (C9)', () => {
    const entries = pixPaymentEntries({ netAmount: 1500, feeAmount: 0 }, NOW);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ credit: 'available', amount: 1500, cause: 'PAYMENT' });
  });

  it('take from the provider what they give to seller and operator, to the cent (C9)', () => {
    const cents = fc.integer({ min: 1, max: 9_999_999_999 });
    fc.assert(
      fc.property(cents, fc.oneof(fc.constant(0), cents), (netAmount, feeAmount) => {
        const entries = pixPaymentEntries({ netAmount, feeAmount }, NOW);
        const into = (account: string): number =>
          entries.reduce((sum, entry) => sum + (entry.credit === account ? entry.amount : 0), 0);
        expect(into('available')).toBe(netAmount);
        expect(into('fees')).toBe(feeAmount);
        for (const entry of entries) {
          expect(entry.debit).toBe('provider');
          // What the table's CHECK constraints demand.
          expect(entry.amount).toBeGreaterThan(0);
          expect(entry.debit).not.toBe(entry.credit);
          expect(ORIGINS).toContain(entry.origin);
        }
      }),
    );
  });

  it('have ids of their own, made of the time they are booked at (C2)', () => {
    const entries = [1, 2, 3].flatMap(() => pixPaymentEntries({ netAmount: 10, feeAmount: 1 }, NOW));
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    for (const { id } of entries) {
      expect(isUuidV4(id)).toBe(true);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
    }
  });
});
