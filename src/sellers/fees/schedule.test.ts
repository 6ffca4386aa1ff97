import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DEFAULT_FEES, calculateFee } from './schedule.ts';

const amounts = fc.integer({ min: 100, max: 9_999_999_999 });

describe('calculateFee', () => {
  it('returns the cents of a FIXED fee for any amount', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 99 }), (amount, value) => {
        expect(calculateFee(amount, { type: 'FIXED', value })).toBe(value);
      }),
    );
  });

  it.each([
    [1_500, 99, 15],
    [100, 50, 1],
    [100, 49, 0],
    [1_000, 399, 40],
    [1_000, 1_599, 160],
  ])('for %i cents and %i hundredths of a percent returns %i cents', (amount, value, fee) => {
    expect(calculateFee(amount, { type: 'PERCENTAGE', value })).toBe(fee);
  });

  it.each([
    [10_000, { type: 'PERCENTAGE', value: 399, fixedPart: 39 }, 438],
    [1_000, { type: 'PERCENTAGE', value: 99, fixedPart: 5, minimum: 50 }, 50],
    [10_000, { type: 'PERCENTAGE', value: 99, fixedPart: 5, minimum: 50 }, 104],
    [1_000, { type: 'FIXED', value: 10, fixedPart: 5 }, 15],
    [100, { type: 'PERCENTAGE', value: 100, fixedPart: 98 }, 99],
    [100, { type: 'PERCENTAGE', value: 100, fixedPart: 99 }, undefined],
    [100, { type: 'PERCENTAGE', value: 0, minimum: 100 }, undefined],
  ] as const)('adds the fixed part and applies the minimum: %i cents, %o', (amount, fee, cents) => {
    expect(calculateFee(amount, fee)).toBe(cents);
  });

  it('returns undefined exactly when the fee leaves nothing of the amount', () => {
    expect(calculateFee(100, { type: 'FIXED', value: 99 })).toBe(99);
    expect(calculateFee(100, { type: 'FIXED', value: 100 })).toBeUndefined();
    expect(calculateFee(100, { type: 'FIXED', value: 101 })).toBeUndefined();
    expect(calculateFee(100, { type: 'PERCENTAGE', value: 9_949 })).toBe(99);
    expect(calculateFee(100, { type: 'PERCENTAGE', value: 9_950 })).toBeUndefined();
    expect(calculateFee(100, { type: 'PERCENTAGE', value: 10_000 })).toBeUndefined();
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 20_000 }), (amount, value) => {
        const fee = calculateFee(amount, { type: 'PERCENTAGE', value });
        const rounded = (BigInt(amount) * BigInt(value) + 5_000n) / 10_000n;
        expect(fee).toBe(rounded < BigInt(amount) ? Number(rounded) : undefined);
      }),
    );
  });
});

describe('the default fee schedule', () => {
  it('has the values of the contract', () => {
    expect(DEFAULT_FEES.pixIn).toEqual({ type: 'PERCENTAGE', value: 99 });
    expect(DEFAULT_FEES.pixOut).toEqual({ type: 'FIXED', value: 0 });
    expect(DEFAULT_FEES.boleto).toEqual({ type: 'FIXED', value: 99 });
    expect(DEFAULT_FEES.creditCard.type).toBe('PERCENTAGE');
  });

  it('rises from 3.99% for one installment to 15.99% for twelve', () => {
    const { values } = DEFAULT_FEES.creditCard;
    expect(values).toHaveLength(12);
    expect([values[0], values[11]]).toEqual([399, 1599]);
    expect(values.every((value, i) => i === 0 || value > (values[i - 1] ?? value))).toBe(true);
  });
});
