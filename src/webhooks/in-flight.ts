import type { ClaimedDelivery } from './store-deliveries.ts';

/** The deliveries leased by this process: queued, being called, or being recorded. */
export class InFlightDeliveries {
  readonly #leased = new Map<string, ClaimedDelivery>();
  readonly #queue: ClaimedDelivery[] = [];
  /** Deliveries queued or being called. */
  readonly perEndpoint = new Map<string, number>();
  readonly perSeller = new Map<string, number>();

  get size(): number {
    return this.#leased.size;
  }

  get queued(): number {
    return this.#queue.length;
  }

  /** All leased deliveries. */
  all(): readonly ClaimedDelivery[] {
    return [...this.#leased.values()];
  }

  /**
   * Adds a claimed delivery to the queue. Ignores one that is already in flight: the sandbox clock
   * can move past its lease during the call.
   */
  enqueue(delivery: ClaimedDelivery): void {
    if (this.#leased.has(delivery.id)) return;
    this.#leased.set(delivery.id, delivery);
    increment(this.perEndpoint, delivery.endpoint, 1);
    increment(this.perSeller, delivery.sellerId, 1);
    this.#queue.push(delivery);
  }

  /** Takes up to `count` deliveries from the queue, in the order of their claims. */
  dequeue(count: number): readonly ClaimedDelivery[] {
    return this.#queue.splice(0, Math.max(0, count));
  }

  /** Frees the slots of a delivery whose call has ended. */
  endCall(delivery: ClaimedDelivery): void {
    increment(this.perEndpoint, delivery.endpoint, -1);
    increment(this.perSeller, delivery.sellerId, -1);
  }

  /** Removes a delivery whose attempt is recorded, or whose lease is left to expire. */
  remove(delivery: ClaimedDelivery): void {
    this.#leased.delete(delivery.id);
  }
}

function increment(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
