/**
 * Keeps what was just worked out, for callers who ask for the same again and again. What has not
 * been asked for since the last turn is forgotten at the next; a turn comes when as many as
 * `maxEntries` were asked for since, or `turnMs` have passed. It runs on the machine's clock and
 * holds at most twice `maxEntries`.
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

  /** What is kept under the key, or else what `make` makes of it. What throws is not kept. */
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
    // Where nobody has asked for two turns, all of it is older than one.
    this.#previous = now - this.#rotatedAt >= 2 * this.#rotationMs ? new Map<Key, Value>() : this.#current;
    this.#current = new Map<Key, Value>();
    this.#rotatedAt = now;
  }
}
