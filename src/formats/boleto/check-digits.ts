/** Check digits of boletos (Carta-Circular nº 2.926/2000, and the banks' manuals). */

/**
 * Modulo 10: weights 2 and 1 from the right, the digits of each product summed, filled up to the
 * next ten.
 */
export function modulo10(digits: string): string {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const product = (i % 2 === 0 ? 2 : 1) * digitFromRight(digits, i);
    sum += product > 9 ? product - 9 : product;
  }
  return String((10 - (sum % 10)) % 10);
}

/**
 * The sum of the digits, weighted 2, 3, … to `highest` and again from 2, from the right. Check
 * digits modulo 11 are computed from it, and differ in how they map the remainders 0 and 1.
 */
export function weightedSum(digits: string, highest: number): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) sum += (2 + (i % (highest - 1))) * digitFromRight(digits, i);
  return sum;
}

function digitFromRight(digits: string, i: number): number {
  return digits.charCodeAt(digits.length - 1 - i) - 48;
}
