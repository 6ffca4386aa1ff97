/** Money is an integer number of cents everywhere: in JSON, in the database (`bigint`) and here. */

export const MAX_AMOUNT_CENTS = 9_999_999_999;

const BASIS_POINTS = 10_000n;

/**
 * `basisPoints` hundredths of a percent of an amount, rounded half up to the cent.
 * Computed in integers: 0.99% of 1,05 is not left to a binary fraction.
 */
export function applyBasisPoints(amountCents: number, basisPoints: number): number {
  const product = BigInt(amountCents) * BigInt(basisPoints);
  return Number((product * 2n + BASIS_POINTS) / (BASIS_POINTS * 2n));
}
