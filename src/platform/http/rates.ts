import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** How much of an allowance is used. Seconds are whole and rounded up, so that waiting that long is enough. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** What was counted is more than the allowance. */
  readonly refused: boolean;
}

/**
 * Counts in windows that begin with the first count and are not made longer by later ones. A key is always counted in
 * windows of the same length. The limit is the caller's, so it is compared here and not by the limiter.
 */
export interface RateCounter {
  /** Counts one. Of callers at the same moment exactly as many are not refused as the limit says. */
  count(key: string, limit: number, windowSeconds?: number): Promise<RateState>;
  /** What counting would be based on, without counting. */
  look(key: string, limit: number, windowSeconds?: number): Promise<RateState>;
  /** Takes back one that was counted. */
  giveBack(key: string, windowSeconds?: number): Promise<void>;
  forget(key: string): Promise<void>;
  close(): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** The library's limiters refuse nothing by themselves: limits differ by seller and may change within a window. */
export const UNLIMITED = {
  points: Number.MAX_SAFE_INTEGER,
  duration: WINDOW_SECONDS,
  keyPrefix: 'gateway:rate',
} as const;

interface Used {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** What of the library's limiters is used. */
export interface Limiter {
  consume(key: string, points: number, options: { customDuration?: number }): Promise<Used>;
  reward(key: string, points: number, options: { customDuration?: number }): Promise<unknown>;
  get(key: string): Promise<Used | null>;
  delete(key: string): Promise<unknown>;
}

/** Does something with the limiter that counts at this moment. */
export type WithLimiter = <T>(run: (limiter: Limiter) => Promise<T>) => Promise<T>;

/** Counts on this process alone. */
export function memoryRates(): RateCounter {
  const limiter = new RateLimiterMemory(UNLIMITED);
  return countWith(
    (run) => run(limiter),
    async () => undefined,
  );
}

export function countWith(withLimiter: WithLimiter, close: () => Promise<void>): RateCounter {
  return {
    async count(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await withLimiter((limiter) => limiter.consume(key, 1, { customDuration: windowSeconds }));
      return stateOf(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async look(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await withLimiter((limiter) => limiter.get(key));
      if (used === null) return stateOf(limit, 0, 0, windowSeconds);
      return stateOf(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async giveBack(key, windowSeconds = WINDOW_SECONDS) {
      await withLimiter((limiter) => limiter.reward(key, 1, { customDuration: windowSeconds }));
    },

    async forget(key) {
      await withLimiter((limiter) => limiter.delete(key));
    },

    close,
  };
}

/** The limiter tells by the machine's clock when a window ends; where that was set back, the window ends no later for it. */
function stateOf(limit: number, used: number, msUntilReset: number, windowSeconds: number): RateState {
  return {
    limit,
    remaining: Math.min(limit, Math.max(0, limit - used)),
    resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msUntilReset / 1000))),
    refused: used > limit,
  };
}

/**
 * What of two allowances the caller has to know: where one is used up, the one that is the last to be free again, so
 * that after that time a request succeeds; otherwise the one that will stop them first.
 */
export function decisive(one: RateState, other: RateState): RateState {
  if (one.remaining === 0 && other.remaining === 0)
    return one.resetSeconds >= other.resetSeconds ? one : other;
  return one.remaining <= other.remaining ? one : other;
}

/**
 * What an address is counted as. A household or a server has a whole /64 of IPv6 addresses, so those count as one;
 * otherwise whoever has one would have as many allowances as they like.
 */
export function countedAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
