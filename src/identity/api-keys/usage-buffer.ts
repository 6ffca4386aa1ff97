import type { KeyUsage } from './store.ts';

/** Rows of one statement. */
const CHUNK_SIZE = 1_000;

/**
 * When keys were last used, in memory: a request only notes the time, and what is noted is written in portions by
 * whoever calls `flush`, once a minute. A crash loses at most that minute, of a time that only informs.
 */
export class KeyUsageBuffer {
  readonly #write: (uses: readonly KeyUsage[]) => Promise<void>;
  /** By the key's id. What is being written stays in `#writing` until it is kept. */
  #pending = new Map<string, { readonly sellerId: string; atMs: number }>();
  #writing = new Map<string, { readonly sellerId: string; atMs: number }>();

  constructor(write: (uses: readonly KeyUsage[]) => Promise<void>) {
    this.#write = write;
  }

  record(sellerId: string, id: string, nowMs: number): void {
    const known = this.#pending.get(id);
    if (known === undefined) this.#pending.set(id, { sellerId, atMs: nowMs });
    else known.atMs = nowMs;
  }

  /** The last use that this process knows and the table may not know yet. */
  lastUsedAt(id: string): Date | undefined {
    const known = this.#pending.get(id) ?? this.#writing.get(id);
    return known === undefined ? undefined : new Date(known.atMs);
  }

  discard(id: string): void {
    this.#pending.delete(id);
  }

  /** Not to be called again before it has ended. What could not be written stays noted for the next time. */
  async flush(): Promise<void> {
    this.#writing = this.#pending;
    this.#pending = new Map();
    try {
      // Always in the same order, so that nodes that write at once wait for each other instead of deadlocking.
      const uses = [...this.#writing].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (let at = 0; at < uses.length; at += CHUNK_SIZE) {
        const chunk = uses.slice(at, at + CHUNK_SIZE);
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
