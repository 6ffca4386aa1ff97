import type { KeyUse } from './store.ts';

/** Rows of one statement. */
const PORTION = 1_000;

/**
 * When keys were last used, in memory: a request only notes the time, and what is noted is written in portions by
 * whoever calls `flush`, once a minute. A crash loses at most that minute, of a time that only informs.
 */
export class KeyUses {
  readonly #write: (uses: readonly KeyUse[]) => Promise<void>;
  /** By the key's id. What is being written stays in `#writing` until it is kept. */
  #noted = new Map<string, { readonly sellerId: string; atMs: number }>();
  #writing = new Map<string, { readonly sellerId: string; atMs: number }>();

  constructor(write: (uses: readonly KeyUse[]) => Promise<void>) {
    this.#write = write;
  }

  note(sellerId: string, id: string, nowMs: number): void {
    const known = this.#noted.get(id);
    if (known === undefined) this.#noted.set(id, { sellerId, atMs: nowMs });
    else known.atMs = nowMs;
  }

  /** The last use that this process knows and the table may not know yet. */
  lastOf(id: string): Date | undefined {
    const known = this.#noted.get(id) ?? this.#writing.get(id);
    return known === undefined ? undefined : new Date(known.atMs);
  }

  forget(id: string): void {
    this.#noted.delete(id);
  }

  /** Not to be called again before it has ended. What could not be written stays noted for the next time. */
  async flush(): Promise<void> {
    this.#writing = this.#noted;
    this.#noted = new Map();
    try {
      // Always in the same order, so that nodes that write at once wait for each other instead of deadlocking.
      const uses = [...this.#writing].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (let at = 0; at < uses.length; at += PORTION) {
        const portion = uses.slice(at, at + PORTION);
        await this.#write(portion.map(([id, { sellerId, atMs }]) => ({ sellerId, id, at: new Date(atMs) })));
        for (const [id] of portion) this.#writing.delete(id);
      }
    } finally {
      for (const [id, { sellerId, atMs }] of this.#writing) {
        if (!this.#noted.has(id)) this.#noted.set(id, { sellerId, atMs });
      }
      this.#writing = new Map();
    }
  }
}
