/**
 * Keeps what was just worked out, for callers who ask for the same again and again. What has not been asked for since the
 * last turn is forgotten at the next; a turn comes when as many as `maxEntries` were asked for since, or `turnMs` have passed.
 * It runs on the machine's clock and holds at most twice `maxEntries`.
 */
export class RecentCache<Key, Value> {
  readonly #maxEntries: number;
  readonly #turnMs: number;
  #turnedAt = performance.now();
  #recent = new Map<Key, Value>();
  #before = new Map<Key, Value>();

  constructor(maxEntries: number, turnMs: number) {
    this.#maxEntries = maxEntries;
    this.#turnMs = turnMs;
  }

  /** What is kept under the key, or else what `make` makes of it. What throws is not kept. */
  get(key: Key, make: (key: Key) => Value): Value {
    const now = performance.now();
    if (this.#recent.size >= this.#maxEntries || now - this.#turnedAt >= this.#turnMs) this.#turn(now);
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const value = this.#before.get(key) ?? make(key);
    this.#recent.set(key, value);
    return value;
  }

  #turn(now: number): void {
    // Where nobody has asked for two turns, all of it is older than one.
    this.#before = now - this.#turnedAt >= 2 * this.#turnMs ? new Map<Key, Value>() : this.#recent;
    this.#recent = new Map<Key, Value>();
    this.#turnedAt = now;
  }
}
