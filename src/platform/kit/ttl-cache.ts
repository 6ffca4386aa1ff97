interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  readonly readAt: number;
  /** Whether somebody asked again since it was read. */
  accessed: boolean;
  /** Whether it is being read again while it still counts. */
  refreshing: boolean;
}

/** How many are read again along with one that somebody waits for. */
const MAX_REFRESHED = 255;

/**
 * Keeps what was just read for a moment, so that a busy caller does not ask the database at every
 * request. The life is short enough that a change made by another process counts within a second; a
 * change made by this process is told by `forget`. It runs on the machine's clock: it is about
 * load, not about promises.
 *
 * Whoever has to be read takes along those that are wanted and past half of their life, so that the
 * number of questions does not grow with that of callers, and most of them never wait.
 */
export class TtlCache<Key, Value> {
  readonly #load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>;
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  /** In the order in which they were read. */
  readonly #entries = new Map<Key, Entry<Value>>();

  /** `load` answers what there is of the keys; that there is nothing is kept too. */
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

  /**
   * Those in the second half of their life that are wanted; the others there are dropped, so that
   * nobody comes by them again.
   */
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

  /** Those that were forgotten or read by somebody meanwhile stay as they are. */
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
