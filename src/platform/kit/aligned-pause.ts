/** A pause that would be shorter than this part of its interval is longer by the interval. */
const MIN_PART = 0.05;

/**
 * Returns how long to wait, in milliseconds, so that timers with this interval or a multiple of it
 * end at the same moments. They wake an idle process once, which costs more than what they do.
 */
export function alignedPauseMs(intervalMs: number): number {
  const restMs = intervalMs - (performance.now() % intervalMs);
  return restMs < MIN_PART * intervalMs ? restMs + intervalMs : restMs;
}
