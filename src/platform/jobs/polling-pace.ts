import { alignedPauseMs } from '#platform/kit/aligned-pause.ts';

/** Without activity for this long, loops poll less often. */
const ACTIVE_MS = 5_000;
/** Without activity for this long, they poll even less often if the process sees all activity. */
const QUIET_MS = 30_000;

/** Jobs that poll at least this often are slowed down in an idle process. */
const SHORT_INTERVAL_MS = 1_000;
const IDLE_STRETCH = 4;
const QUIET_PAUSE_MS = 4_000;

/** Less urgent jobs that poll at least this often are slowed down in a quiet process. */
const MEDIUM_INTERVAL_MS = 30_000;
const QUIET_MEDIUM_PAUSE_MS = 60_000;

/**
 * How often the loops of a process poll for work. An idle process polls a quarter as often. After
 * half a minute, a process that also serves requests polls every four seconds, and every minute for
 * what is not urgent, so that it costs little. The first activity ends the pauses of its loops.
 * What becomes due by itself, or what another process writes, is then found up to four seconds
 * later.
 *
 * The short pauses of an idle process end at the same moments, so that its loops share what they
 * read, and wake the process and the database less often.
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
    if (intervalMs <= SHORT_INTERVAL_MS) this.notice();
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
    if (idleMs < ACTIVE_MS || intervalMs > MEDIUM_INTERVAL_MS) return intervalMs;
    const isQuiet = this.#servesRequests && idleMs >= QUIET_MS;
    if (intervalMs <= SHORT_INTERVAL_MS)
      return alignedPauseMs(isQuiet ? QUIET_PAUSE_MS : IDLE_STRETCH * intervalMs);
    // Not at the same moment, which would open more connections than are used in between.
    return isQuiet ? QUIET_MEDIUM_PAUSE_MS : intervalMs;
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
