import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DEFAULT_FEES, calculateFee } from './schedule.ts';

const amounts = fc.integer({ min: 100, max: 9_999_999_999 });

describe('feeOn', () => {
  it('a FIXED fee is its cents, whatever the amount (C8)', () => {
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
  ])('a PERCENTAGE on %i cents of %i hundredths of a percent is %i cents (C8)', (amount, value, fee) => {
    expect(calculateFee(amount, { type: 'PERCENTAGE', value })).toBe(fee);
  });

  it('is undefined where nothing of the amount would be left, and only there (C8)', () => {
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

describe('the default plan', () => {
  it('is the contract’s (C8)', () => {
    expect(DEFAULT_FEES.pixIn).toEqual({ type: 'PERCENTAGE', value: 99 });
    expect(DEFAULT_FEES.pixOut).toEqual({ type: 'FIXED', value: 0 });
    expect(DEFAULT_FEES.boleto).toEqual({ type: 'FIXED', value: 99 });
    expect(DEFAULT_FEES.creditCard.type).toBe('PERCENTAGE');
  });

  it('rises from 3.99% at once to 15.99% in twelve instalments (C8)', () => {
    const { values } = DEFAULT_FEES.creditCard;
    expect(values).toHaveLength(12);
    expect([values[0], values[11]]).toEqual([399, 1599]);
    expect(values.every((value, i) => i === 0 || value > (values[i - 1] ?? value))).toBe(true);
  });
});
