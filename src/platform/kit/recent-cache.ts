/**
 * Caches computed values that are requested repeatedly. A rotation drops the values that were not
 * requested since the one before; it happens after `maxEntries` values or `rotationMs`. Holds at
 * most twice `maxEntries`.
 */
export class RecentCache<Key, Value> {
  readonly #maxEntries: number;
  readonly #rotationMs: number;
  #rotatedAt = performance.now();
  #current = new Map<Key, Value>();
  #previous = new Map<Key, Value>();

  constructor(maxEntries: number, rotationMs: number) {
    this.#maxEntries = maxEntries;
    this.#rotationMs = rotationMs;
  }

  /** Returns the cached value or computes it. Errors are not cached. */
  get(key: Key, compute: (key: Key) => Value): Value {
    const now = performance.now();
    if (this.#current.size >= this.#maxEntries || now - this.#rotatedAt >= this.#rotationMs)
      this.#rotate(now);
    const recent = this.#current.get(key);
    if (recent !== undefined) return recent;
    const value = this.#previous.get(key) ?? compute(key);
    this.#current.set(key, value);
    return value;
  }

  #rotate(now: number): void {
    // After two rotations without a call, all entries have expired.
    this.#previous = now - this.#rotatedAt >= 2 * this.#rotationMs ? new Map<Key, Value>() : this.#current;
    this.#current = new Map<Key, Value>();
    this.#rotatedAt = now;
  }
}
