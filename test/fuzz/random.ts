/** Random numbers from a seed: the same seed results in the same requests. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  fraction(): number;
  /** An integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** One of the entries, with the given weights. */
  weighted<T>(from: readonly (readonly [number, T])[]): T;
  hex(length: number): string;
  uuid(): string;
}

/** Source: `splitmix32`, which is uniform enough for choices. */
export function randomOf(seed: number, index = 0): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1));
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[between(0, from.length - 1)];
    if (picked === undefined && from.length === 0) throw new Error('nothing to pick from');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an element, which may be undefined
    return picked as T;
  };
  const hex = (length: number): string => Array.from({ length }, () => between(0, 15).toString(16)).join('');
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick,
    weighted(from) {
      let left = fraction() * from.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of from) {
        left -= weight;
        if (left < 0) return value;
      }
      return pick(from)[1];
    },
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`,
  };
}
