/** How long a recorded failure counts: more are to be expected. */
const WRITE_FAILURE_WINDOW_MS = 5_000;

/**
 * Observes the server's responses, which show whether it responds at all and whether it can write.
 */
export class ResponseTracker {
  #count = 0;
  /** When each writer failed last, for those that have not succeeded since. */
  readonly #writeFailedAt = new Map<string, number>();

  /** The number of responses to any statement. */
  get count(): number {
    return this.#count;
  }

  /** Records a response. `writer` names the connection whose statement wrote something. */
  record(writer?: string): void {
    this.#count += 1;
    if (writer !== undefined && this.#writeFailedAt.size > 0) this.#writeFailedAt.delete(writer);
  }

  /**
   * Records that the server could not execute a valid write, for example because its disk is full.
   */
  recordWriteFailure(writer: string): void {
    this.#writeFailedAt.set(writer, performance.now());
  }

  isWriteFailing(): boolean {
    const failedAt = Math.max(-Infinity, ...this.#writeFailedAt.values());
    return performance.now() - failedAt < WRITE_FAILURE_WINDOW_MS;
  }
}
