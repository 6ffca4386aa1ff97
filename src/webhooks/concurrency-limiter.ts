/** Whoever takes a slot; told when it has one. */
export interface PendingDelivery {
  readonly endpoint: string;
  dispatch(): void;
}

/**
 * Limits the posts to each endpoint. The client's own queue would do it too, but it heeds no deadline: posts long
 * given up would each open a connection later, and to a server that hangs they would pile up faster than they
 * fail.
 */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #endpoints = new Map<string, { active: number; readonly waiting: PendingDelivery[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Lets it begin, at once or when a slot is free. */
  acquire(delivery: PendingDelivery): void {
    const slots = this.#endpoints.get(delivery.endpoint);
    if (slots === undefined) {
      this.#endpoints.set(delivery.endpoint, { active: 1, waiting: [] });
    } else if (slots.active >= this.#limit) {
      slots.waiting.push(delivery);
      return;
    } else {
      slots.active += 1;
    }
    delivery.dispatch();
  }

  /** Takes back one that still waits. */
  cancel(delivery: PendingDelivery): void {
    const waiting = this.#endpoints.get(delivery.endpoint)?.waiting;
    const index = waiting?.indexOf(delivery) ?? -1;
    if (index !== -1) waiting?.splice(index, 1);
  }

  release(endpoint: string): void {
    const slots = this.#endpoints.get(endpoint);
    if (slots === undefined) return;
    const next = slots.waiting.shift();
    if (next !== undefined) {
      next.dispatch();
      return;
    }
    slots.active -= 1;
    if (slots.active === 0) this.#endpoints.delete(endpoint);
  }
}
