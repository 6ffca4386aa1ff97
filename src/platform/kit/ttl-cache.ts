interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  readonly readAt: number;
  /** Whether it was requested again since it was read. */
  accessed: boolean;
  /** Whether it is being read again before it expires. */
  refreshing: boolean;
}

/** How many entries are refreshed by one read. */
const MAX_REFRESHED = 255;

/**
 * Caches values for a short time, so that a busy caller does not read the database for each
 * request. The TTL is short enough that a change by another process takes effect within a second; a
 * change by this process calls `invalidate`. It uses the machine's clock. A read also refreshes
 * requested entries in the second half of their TTL, so that the number of reads does not grow with
 * that of callers.
 */
export class TtlCache<Key, Value> {
  readonly #load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  /** In the order in which they were read. */
  readonly #entries = new Map<Key, Entry<Value>>();

  /** `load` returns the values that exist. The absence of a value is cached too. */
  constructor(
    load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
    ttlMs = 500,
    maxEntries = 10_000,
  ) {
    this.#load = load;
    this.#ttlMs = ttlMs;
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Promise<Value | undefined> {
    const now = performance.now();
    const cached = this.#entries.get(key);
    if (cached === undefined || now - cached.readAt >= this.#ttlMs) return this.#read(key, now);
    cached.accessed = true;
    return cached.value;
  }

  invalidate(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #read(key: Key, now: number): Promise<Value | undefined> {
    this.#entries.delete(key);
    const refreshed = this.#collectRefreshable(now);
    const loading = this.#load([key, ...refreshed.keys()]);
    // Callers that arrive during the load share it.
    const value = loading.then((values) => values.get(key));
    const entry: Entry<Value> = { value, readAt: now, accessed: false, refreshing: false };
    this.#store(key, entry);
    loading.then(
      (values) => this.#refresh(refreshed, values, now),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        for (const old of refreshed.values()) old.refreshing = false;
      },
    );
    return value;
  }

  /** Entries in the second half of their TTL that were requested again. Drops the others. */
  #collectRefreshable(now: number): Map<Key, Entry<Value>> {
    const refreshable = new Map<Key, Entry<Value>>();
    for (const [key, entry] of this.#entries) {
      if (refreshable.size === MAX_REFRESHED || now - entry.readAt < this.#ttlMs / 2) break;
      if (entry.refreshing) continue;
      if (entry.accessed) {
        entry.refreshing = true;
        refreshable.set(key, entry);
      } else {
        this.#entries.delete(key);
      }
    }
    return refreshable;
  }

  /** Skips entries that were invalidated or read meanwhile. */
  #refresh(old: ReadonlyMap<Key, Entry<Value>>, values: ReadonlyMap<Key, Value>, readAt: number): void {
    for (const [key, entry] of old) {
      if (this.#entries.get(key) !== entry) continue;
      this.#entries.delete(key);
      this.#store(key, {
        value: Promise.resolve(values.get(key)),
        readAt,
        accessed: false,
        refreshing: false,
      });
    }
  }

  #store(key: Key, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#maxEntries) this.#dropOldest();
  }

  /** A Map keeps the order of insertion, so the first key is the oldest. */
  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
