import type { KeyUsage } from './store.ts';

/** Rows of one statement. */
const CHUNK_SIZE = 1_000;

/**
 * Buffers when API keys were last used, so that a request does not write. `flush` writes the buffer
 * once a minute. A crash loses at most one minute of a time that is informational only.
 */
export class KeyUsageBuffer {
  readonly #write: (uses: readonly KeyUsage[]) => Promise<void>;
  /** By key id. */
  #pending = new Map<string, { readonly sellerId: string; atMs: number }>();
  /** Taken from `#pending` by a flush and not written yet. */
  #writing = new Map<string, { readonly sellerId: string; atMs: number }>();

  constructor(write: (uses: readonly KeyUsage[]) => Promise<void>) {
    this.#write = write;
  }

  record(sellerId: string, id: string, nowMs: number): void {
    const known = this.#pending.get(id);
    if (known === undefined) this.#pending.set(id, { sellerId, atMs: nowMs });
    else known.atMs = nowMs;
  }

  /** The last use that is not known to be written. */
  lastUsedAt(id: string): Date | undefined {
    const known = this.#pending.get(id) ?? this.#writing.get(id);
    return known === undefined ? undefined : new Date(known.atMs);
  }

  discard(id: string): void {
    this.#pending.delete(id);
  }

  /**
   * Must not be called while a flush is running. Uses that cannot be written stay in the buffer.
   */
  async flush(): Promise<void> {
    this.#writing = this.#pending;
    this.#pending = new Map();
    try {
      // Rows are locked in id order, so that processes that write the same keys cannot deadlock.
      const uses = [...this.#writing].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (let start = 0; start < uses.length; start += CHUNK_SIZE) {
        const chunk = uses.slice(start, start + CHUNK_SIZE);
        await this.#write(chunk.map(([id, { sellerId, atMs }]) => ({ sellerId, id, at: new Date(atMs) })));
        for (const [id] of chunk) this.#writing.delete(id);
      }
    } finally {
      for (const [id, { sellerId, atMs }] of this.#writing) {
        if (!this.#pending.has(id)) this.#pending.set(id, { sellerId, atMs });
      }
      this.#writing = new Map();
    }
  }
}
