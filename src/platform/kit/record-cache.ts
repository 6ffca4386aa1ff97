/** A value that was not confirmed for this long is read again. */
export const MAX_UNCONFIRMED_MS = 700;

/**
 * A value is read again at this age even if it was confirmed, in case a change was not recorded.
 */
const MAX_AGE_MS = 60_000;

const MAX_ENTRIES = 100_000;

/**
 * The absence of a value is cached too. Callers choose these keys, so they never displace values.
 */
const MAX_ABSENT = 10_000;

export interface RecordCacheOptions<Key, Value> {
  /** Resolves with undefined if there is no value. */
  readonly load: (key: Key) => Promise<Value | undefined>;
  /** The ids of the records that a value consists of. */
  readonly idsOf: (value: Value) => readonly string[];
  /** Whether every change until a moment ago is known of what was read at `readAt`. */
  readonly isConfirmed: (readAt: number, now: number) => boolean;
  readonly maxEntries?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly readAt: number;
  /** Whether it was requested since it was last considered for eviction. */
  requested: boolean;
}

interface Reading<Value> {
  readonly value: Promise<Value | undefined>;
  readonly readAt: number;
}

/**
 * Caches what requests need of records until these change. What is cached is used while
 * `isConfirmed`, and without it for `MAX_UNCONFIRMED_MS` after it was read, so that a change by another
 * process takes effect within a second either way. Uses the machine's clock.
 */
export class RecordCache<Key, Value> {
  readonly #options: Required<RecordCacheOptions<Key, Value>>;
  /** A Map keeps the order of insertion: candidates for eviction come first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  /** When the absence was read. */
  readonly #absent = new Map<Key, number>();
  readonly #readings = new Map<Key, Reading<Value>>();

  constructor(options: RecordCacheOptions<Key, Value>) {
    this.#options = { maxEntries: MAX_ENTRIES, ...options };
  }

  get(key: Key): Promise<Value | undefined> {
    const now = performance.now();
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#isCurrent(entry, now)) {
      entry.requested = true;
      return Promise.resolve(entry.value);
    }
    const absentAt = this.#absent.get(key);
    if (absentAt !== undefined && now - absentAt < MAX_UNCONFIRMED_MS) return Promise.resolve(undefined);
    const reading = this.#readings.get(key);
    if (reading !== undefined && now - reading.readAt < MAX_UNCONFIRMED_MS) return reading.value;
    return this.#read(key, now);
  }

  /** Forgets the values that consist of one of these records. */
  invalidate(ids: ReadonlySet<string>): void {
    // What is being read may be older than the change.
    this.#readings.clear();
    for (const [key, { value }] of this.#entries) {
      if (this.#options.idsOf(value).some((id) => ids.has(id))) this.#entries.delete(key);
    }
  }

  #isCurrent({ readAt }: Entry<Value>, now: number): boolean {
    const age = now - readAt;
    return age < MAX_UNCONFIRMED_MS || (age < MAX_AGE_MS && this.#options.isConfirmed(readAt, now));
  }

  #read(key: Key, readAt: number): Promise<Value | undefined> {
    const reading: Reading<Value> = { value: this.#options.load(key), readAt };
    this.#readings.set(key, reading);
    void this.#complete(key, reading);
    return reading.value;
  }

  /** Stores what was read, unless it was invalidated or read again meanwhile. */
  async #complete(key: Key, reading: Reading<Value>): Promise<void> {
    const isCurrent = () => this.#readings.get(key) === reading && this.#readings.delete(key);
    try {
      const value = await reading.value;
      if (isCurrent()) this.#store(key, value, reading.readAt);
    } catch {
      // The callers of `get` receive the error.
      isCurrent();
    }
  }

  #store(key: Key, value: Value | undefined, readAt: number): void {
    this.#entries.delete(key);
    this.#absent.delete(key);
    if (value === undefined) {
      this.#absent.set(key, readAt);
      const [oldest] = this.#absent.keys();
      if (this.#absent.size > MAX_ABSENT && oldest !== undefined) this.#absent.delete(oldest);
      return;
    }
    if (this.#entries.size >= this.#options.maxEntries) this.#evict();
    this.#entries.set(key, { value, readAt, requested: false });
  }

  /** Evicts the first entry that was not requested. Those that were move to the end. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (!entry.requested) return;
      entry.requested = false;
      this.#entries.set(key, entry);
    }
  }
}
