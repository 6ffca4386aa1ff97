/** Amounts are integer cents everywhere: in JSON, in the database (`bigint`) and here. */

export const MAX_AMOUNT_CENTS = 9_999_999_999;

const BASIS_POINTS = 10_000n;

/**
 * Returns a percentage of an amount in basis points, rounded half up to the cent. Computed in
 * integers, since 0.99% has no exact binary fraction.
 */
export function applyBasisPoints(amountCents: number, basisPoints: number): number {
  const product = BigInt(amountCents) * BigInt(basisPoints);
  return Number((product * 2n + BASIS_POINTS) / (BASIS_POINTS * 2n));
}

export const sumAmounts = (records: readonly { readonly amount: number }[]): number =>
  records.reduce((sum, { amount }) => sum + amount, 0);
