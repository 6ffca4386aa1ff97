/** Without activity for this long, loops poll less often. */
const ACTIVE_MS = 5_000;
/** Without activity for this long, they poll even less often if the process sees all activity. */
const QUIET_MS = 30_000;
/** Only jobs that poll at least this often are slowed down. */
const MAX_STRETCHED_INTERVAL_MS = 1_000;
const STRETCH = 4;
const QUIET_STRETCH = 16;
const MAX_PAUSE_MS = STRETCH * MAX_STRETCHED_INTERVAL_MS;

/**
 * How often the loops of a process look for work. An idle process polls a quarter as often, and
 * after half a minute a sixteenth as often if it also serves requests, so that it costs little. The
 * first activity ends the pauses of its loops. What becomes due by itself, or what another process
 * writes, is then found up to four seconds later.
 */
export class PollingPace {
  readonly #servesRequests: boolean;
  #lastActivityMs = performance.now();
  readonly #pauses = new Set<() => void>();

  constructor({ servesRequests }: { readonly servesRequests: boolean }) {
    this.#servesRequests = servesRequests;
  }

  /**
   * A job with this interval has found work, which may be work for others. Cleanup jobs make none.
   */
  noticeWork(intervalMs: number): void {
    if (intervalMs <= MAX_STRETCHED_INTERVAL_MS) this.notice();
  }

  /** Something was written that may be work for a loop. */
  notice(): void {
    const wasIdle = this.#idleMs() >= ACTIVE_MS;
    this.#lastActivityMs = performance.now();
    if (!wasIdle) return;
    for (const end of this.#pauses) end();
  }

  /** The pause of a loop that has found no work. */
  pauseMs(intervalMs: number): number {
    const idleMs = this.#idleMs();
    if (idleMs < ACTIVE_MS || intervalMs > MAX_STRETCHED_INTERVAL_MS) return intervalMs;
    const isQuiet = this.#servesRequests && idleMs >= QUIET_MS;
    return Math.min(MAX_PAUSE_MS, (isQuiet ? QUIET_STRETCH : STRETCH) * intervalMs);
  }

  /** Calls `end` when an idle process becomes active. Returns what removes it. */
  onActivity(end: () => void): () => void {
    this.#pauses.add(end);
    return () => this.#pauses.delete(end);
  }

  #idleMs(): number {
    return performance.now() - this.#lastActivityMs;
  }
}
