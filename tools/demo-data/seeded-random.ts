/**
 * Numbers that look random and are the same for the same seed, so that a history can be made again.
 * Source: Mulberry32 by Tommy Ettinger, public domain.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  integerBetween(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  isTrueWithProbability(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.integerBetween(0, 9)).join('');
  }
}
