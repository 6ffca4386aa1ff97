/** Without activity for this long, loops poll less often. */
const ACTIVE_MS = 5_000;
/** Only jobs that poll at least this often are slowed down. */
const MAX_STRETCHED_INTERVAL_MS = 1_000;
const STRETCH = 4;

/**
 * How often the loops of a process look for work. An idle process polls a quarter as often, so that
 * it costs little; the first activity ends the pauses of its loops. What another process writes is
 * then found up to four intervals later.
 */
export class PollingPace {
  #activeUntilMs = performance.now() + ACTIVE_MS;
  readonly #pauses = new Set<() => void>();

  /** Something was written that may be work for a loop. */
  notice(): void {
    const wasIdle = this.#isIdle();
    this.#activeUntilMs = performance.now() + ACTIVE_MS;
    if (!wasIdle) return;
    for (const end of this.#pauses) end();
  }

  /** The pause of a loop that has found no work. */
  pauseMs(intervalMs: number): number {
    return this.#isIdle() && intervalMs <= MAX_STRETCHED_INTERVAL_MS ? STRETCH * intervalMs : intervalMs;
  }

  /** Calls `end` when an idle process becomes active. Returns what removes it. */
  onActivity(end: () => void): () => void {
    this.#pauses.add(end);
    return () => this.#pauses.delete(end);
  }

  #isIdle(): boolean {
    return performance.now() >= this.#activeUntilMs;
  }
}
