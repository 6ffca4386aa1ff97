import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { applyBasisPoints, MAX_AMOUNT_CENTS } from './money.ts';

const amount = fc.integer({ min: 0, max: MAX_AMOUNT_CENTS });
const points = fc.integer({ min: 0, max: 10_000 });

describe('applyBasisPoints', () => {
  it.each([
    [1_500, 99, 15],
    [100, 50, 1],
    [100, 49, 0],
    [150, 100, 2],
    [149, 100, 1],
    [250, 100, 3],
    [10_050, 100, 101],
    [105, 99, 1],
    [152, 99, 2],
    [12_345, 399, 493],
    [1, 10_000, 1],
    [100, 0, 0],
    [MAX_AMOUNT_CENTS, 99, 99_000_000],
    [MAX_AMOUNT_CENTS, 1_599, 1_599_000_000],
  ])('for %i cents and %i basis points returns %i cents', (cents, basisPoints, expected) => {
    expect(applyBasisPoints(cents, basisPoints)).toBe(expected);
  });

  it('rounds to the nearest cent, half up', () => {
    fc.assert(
      fc.property(amount, points, (cents, basisPoints) => {
        const exact = BigInt(cents) * BigInt(basisPoints);
        const twiceOff = (BigInt(applyBasisPoints(cents, basisPoints)) * 10_000n - exact) * 2n;
        expect(twiceOff > -10_000n && twiceOff <= 10_000n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is monotonic', () => {
    fc.assert(
      fc.property(amount, amount, points, (a, b, basisPoints) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(applyBasisPoints(less, basisPoints)).toBeLessThanOrEqual(applyBasisPoints(more, basisPoints));
      }),
    );
  });
});

describe('the maximum amount', () => {
  it('is R$ 99.999.999,99', () => {
    expect(MAX_AMOUNT_CENTS).toBe(9_999_999_999);
  });
});
