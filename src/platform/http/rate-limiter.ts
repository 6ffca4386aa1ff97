import ipaddr from 'ipaddr.js';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** How much of an allowance is used. Seconds are whole and rounded up, so that waiting that long is enough. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** What was counted is more than the allowance. */
  readonly exceeded: boolean;
}

/**
 * Counts in windows that begin with the first count and are not made longer by later ones. A key is always counted in
 * windows of the same length. The limit is the caller's, so it is compared here and not by the limiter.
 */
export interface RateLimiter {
  /** Counts one. Of callers at the same moment exactly as many are not refused as the limit says. */
  consume(key: string, limit: number, windowSeconds?: number): Promise<RateLimitState>;
  /** What counting would be based on, without counting. */
  peek(key: string, limit: number, windowSeconds?: number): Promise<RateLimitState>;
  /** Takes back one that was counted. */
  release(key: string, windowSeconds?: number): Promise<void>;
  reset(key: string): Promise<void>;
  close(): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** The library's limiters refuse nothing by themselves: limits differ by seller and may change within a window. */
export const LIMITER_OPTIONS = {
  points: Number.MAX_SAFE_INTEGER,
  duration: WINDOW_SECONDS,
  keyPrefix: 'gateway:rate',
} as const;

interface Consumption {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** What of the library's limiters is used. */
export interface LimiterBackend {
  consume(key: string, points: number, options: { customDuration?: number }): Promise<Consumption>;
  reward(key: string, points: number, options: { customDuration?: number }): Promise<unknown>;
  get(key: string): Promise<Consumption | null>;
  delete(key: string): Promise<unknown>;
}

/** Does something with the limiter that counts at this moment. */
export type WithLimiter = <T>(run: (limiter: LimiterBackend) => Promise<T>) => Promise<T>;

/** Counts on this process alone. */
export function createMemoryRateLimiter(): RateLimiter {
  const limiter = new RateLimiterMemory(LIMITER_OPTIONS);
  return createRateLimiter(
    (run) => run(limiter),
    async () => undefined,
  );
}

export function createRateLimiter(withLimiter: WithLimiter, close: () => Promise<void>): RateLimiter {
  return {
    async consume(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await withLimiter((limiter) => limiter.consume(key, 1, { customDuration: windowSeconds }));
      return toRateLimitState(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async peek(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await withLimiter((limiter) => limiter.get(key));
      if (used === null) return toRateLimitState(limit, 0, 0, windowSeconds);
      return toRateLimitState(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async release(key, windowSeconds = WINDOW_SECONDS) {
      await withLimiter((limiter) => limiter.reward(key, 1, { customDuration: windowSeconds }));
    },

    async reset(key) {
      await withLimiter((limiter) => limiter.delete(key));
    },

    close,
  };
}

/** The limiter tells by the machine's clock when a window ends; where that was set back, the window ends no later for it. */
function toRateLimitState(
  limit: number,
  used: number,
  msUntilReset: number,
  windowSeconds: number,
): RateLimitState {
  return {
    limit,
    remaining: Math.min(limit, Math.max(0, limit - used)),
    resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(msUntilReset / 1000))),
    exceeded: used > limit,
  };
}

/**
 * What of two allowances the caller has to know: where one is used up, the one that is the last to be free again, so
 * that after that time a request succeeds; otherwise the one that will stop them first.
 */
export function stricterLimit(one: RateLimitState, other: RateLimitState): RateLimitState {
  if (one.remaining === 0 && other.remaining === 0)
    return one.resetSeconds >= other.resetSeconds ? one : other;
  return one.remaining <= other.remaining ? one : other;
}

/**
 * What an address is counted as. A household or a server has a whole /64 of IPv6 addresses, so those count as one;
 * otherwise whoever has one would have as many allowances as they like.
 */
export function rateLimitAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
