/**
 * The domain's clock. Expiry, retries, retention and the lifetimes of tokens and keys use it and
 * pass the time on as a parameter; no SQL statement calls `now()`. So the sandbox can advance the
 * time without changing the machine's clock.
 */
export class Clock {
  #offsetMs = 0;

  nowMs(): number {
    return this.wallClockMs() + this.#offsetMs;
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** The time of the machine's clock, which external providers use. */
  wallClockMs(): number {
    return Date.now();
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** The offset only grows: a domain clock that ran backwards would reorder ids and statements. */
  advanceTo(offsetMs: number): void {
    if (offsetMs > this.#offsetMs) this.#offsetMs = offsetMs;
  }
}
