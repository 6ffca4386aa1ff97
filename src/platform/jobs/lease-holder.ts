import { randomUUID } from 'node:crypto';

/**
 * A process that has not written a heartbeat for this long claims nothing. Less than the time after
 * which others end its leases.
 */
const REGISTRATION_TTL_MS = 8_000;

/** The name under which a process holds leases. */
export interface LeaseHolder {
  /** Undefined while others may regard this process as ended. It must then claim nothing. */
  readonly id: string | undefined;
  /** The process waits for this work, which its jobs do not wait for, before it stops. */
  track(work: Promise<void>): void;
}

/** The registration of this process, which its heartbeat renews. */
export class Registration implements LeaseHolder {
  #id: string = randomUUID();
  /** In milliseconds of `performance.now()`. */
  #renewedAt = -Infinity;
  readonly #work = new Set<Promise<void>>();

  get id(): string | undefined {
    return performance.now() - this.#renewedAt < REGISTRATION_TTL_MS ? this.#id : undefined;
  }

  /**
   * Renews the registration. `write` writes the heartbeat of an id, and returns false if others
   * have ended its leases. The process then continues under another id.
   */
  async renew(write: (id: string) => Promise<boolean>): Promise<void> {
    const startedAt = performance.now();
    if (!(await write(this.#id))) {
      this.#id = randomUUID();
      if (!(await write(this.#id))) throw new Error('a new registration was refused');
    }
    this.#renewedAt = startedAt;
  }

  track(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Waits until what is tracked has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#work);
  }
}
