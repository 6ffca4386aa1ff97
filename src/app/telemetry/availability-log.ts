import type { Availability } from '#platform/database/health-monitor.ts';
import type { Logger } from '#platform/kit/log.ts';

/** How often a state that an outage had before is logged again. */
const REPEAT_MS = 60_000;

/**
 * Logs the outages of a database. With several servers, the state of an outage changes with each
 * probe, between that of one server and that of the next.
 */
export function createAvailabilityLog(log: Pick<Logger, 'info' | 'error'>, nowMs = () => performance.now()) {
  /** The states of the outage, by when each was logged. */
  const loggedAtMs = new Map<Availability, number>();
  return (availability: Availability, err: Error | undefined): void => {
    if (availability === 'ok') {
      loggedAtMs.clear();
      log.info('database available');
      return;
    }
    const atMs = nowMs();
    if (atMs - (loggedAtMs.get(availability) ?? -Infinity) < REPEAT_MS) return;
    loggedAtMs.set(availability, atMs);
    log.error({ database: availability, ...(err && { err }) }, 'database unavailable');
  };
}
