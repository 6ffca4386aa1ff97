/**
 * Keeps what was just read for a moment, so that a busy caller does not ask the database at every request.
 * The life is short enough that a change made by another process counts within a second; a change made by this
 * process is told by `forget`. It runs on the machine's clock: it is about load, not about promises.
 */
export class ShortCache<Key, Value> {
  readonly #load: (key: Key) => Promise<Value>;
  readonly #lifeMs: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<Key, { readonly value: Promise<Value>; readonly until: number }>();

  constructor(load: (key: Key) => Promise<Value>, lifeMs = 500, maxEntries = 10_000) {
    this.#load = load;
    this.#lifeMs = lifeMs;
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Promise<Value> {
    const now = performance.now();
    const kept = this.#entries.get(key);
    if (kept !== undefined && kept.until > now) return kept.value;
    // Callers that arrive during the load share it.
    const value = this.#load(key);
    const entry = { value, until: now + this.#lifeMs };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    if (this.#entries.size > this.#maxEntries) this.#dropOldest();
    return value;
  }

  forget(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** A Map keeps the order of insertion, so the first key is the oldest. */
  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
