import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ORIGINS } from '#accounting/ledger/service.ts';
import { paymentMovement } from './money-movements.ts';

const NOW = new Date('2026-05-04T12:00:00.000Z');

const pixPaymentEntries = ({ netAmount, feeAmount }: { netAmount: number; feeAmount: number }) => {
  const paid = { method: 'PIX', amount: netAmount + feeAmount, feeAmount, installments: null } as const;
  return paymentMovement(paid, NOW, { boletoDelayDays: 1, cardDelayDays: 30 }).entries;
};

describe('the entries of a Pix payment', () => {
  it('credit the amount and debit the fee', () => {
    const entries = pixPaymentEntries({ netAmount: 1485, feeAmount: 15 });
    expect(entries).toMatchObject([
      { origin: 'PIX', debit: 'provider', credit: 'available', amount: 1500, cause: 'PAYMENT' },
      { origin: 'PIX', debit: 'available', credit: 'fees', amount: 15, cause: 'PAYMENT_FEE' },
    ]);
  });

  it('contain no entry for a fee of zero', () => {
    const entries = pixPaymentEntries({ netAmount: 1500, feeAmount: 0 });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ credit: 'available', amount: 1500, cause: 'PAYMENT' });
  });

  it('balance the provider, the seller and the operator to the cent', () => {
    const cents = fc.integer({ min: 1, max: 9_999_999_999 });
    fc.assert(
      fc.property(cents, fc.oneof(fc.constant(0), cents), (netAmount, feeAmount) => {
        const entries = pixPaymentEntries({ netAmount, feeAmount });
        const balanceOf = (account: string): number =>
          entries.reduce((sum, { credit, debit, amount }) => {
            if (credit === account) return sum + amount;
            return debit === account ? sum - amount : sum;
          }, 0);
        expect(balanceOf('available')).toBe(netAmount);
        expect(balanceOf('fees')).toBe(feeAmount);
        expect(balanceOf('provider')).toBe(-(netAmount + feeAmount));
        for (const entry of entries) {
          // As the table's CHECK constraints require.
          expect(entry.amount).toBeGreaterThan(0);
          expect(entry.debit).not.toBe(entry.credit);
          expect(ORIGINS).toContain(entry.origin);
        }
      }),
    );
  });
});
