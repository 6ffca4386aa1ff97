/** Whoever takes a slot; told when it has one. */
export interface SlotTaker {
  readonly endpoint: string;
  begin(): void;
}

/**
 * Limits the posts to each endpoint. The client's own queue would do it too, but it heeds no deadline: posts long
 * given up would each open a connection later, and to a server that hangs they would pile up faster than they
 * fail.
 */
export class Slots {
  readonly #limit: number;
  readonly #endpoints = new Map<string, { taken: number; readonly waiting: SlotTaker[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Lets it begin, at once or when a slot is free. */
  take(taker: SlotTaker): void {
    const slots = this.#endpoints.get(taker.endpoint);
    if (slots === undefined) {
      this.#endpoints.set(taker.endpoint, { taken: 1, waiting: [] });
    } else if (slots.taken >= this.#limit) {
      slots.waiting.push(taker);
      return;
    } else {
      slots.taken += 1;
    }
    taker.begin();
  }

  /** Takes back one that still waits. */
  leave(taker: SlotTaker): void {
    const waiting = this.#endpoints.get(taker.endpoint)?.waiting;
    const index = waiting?.indexOf(taker) ?? -1;
    if (index !== -1) waiting?.splice(index, 1);
  }

  free(endpoint: string): void {
    const slots = this.#endpoints.get(endpoint);
    if (slots === undefined) return;
    const next = slots.waiting.shift();
    if (next !== undefined) {
      next.begin();
      return;
    }
    slots.taken -= 1;
    if (slots.taken === 0) this.#endpoints.delete(endpoint);
  }
}
