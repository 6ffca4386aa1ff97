import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** The state of a rate limit after a request. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, rounded up so that waiting that long suffices. */
  readonly resetSeconds: number;
  /** The request is above the limit. */
  readonly exceeded: boolean;
}

/**
 * Counts requests in fixed windows that begin with the first request of a key. Each key must always
 * be used with the same window length; its limit may change at any time.
 */
export interface RateLimiter {
  /** Counts one request. Of concurrent calls, exactly `limit` are not exceeded. */
  consume(key: string, limit: number, windowSeconds?: number): Promise<RateLimitState>;
  /** The current state, without counting a request. */
  peek(key: string, limit: number, windowSeconds?: number): Promise<RateLimitState>;
  /** Undoes one `consume`. */
  release(key: string, windowSeconds?: number): Promise<void>;
  reset(key: string): Promise<void>;
  close(): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** Without a limit of the library's own: limits differ by seller and may change within a window. */
export const LIMITER_OPTIONS = {
  points: Number.MAX_SAFE_INTEGER,
  duration: WINDOW_SECONDS,
  keyPrefix: 'gateway:rate',
} as const;

/** Counts in the memory of this process. */
export function createMemoryRateLimiter(): RateLimiter {
  return createRateLimiter(new RateLimiterMemory(LIMITER_OPTIONS), async () => undefined);
}

export function createRateLimiter(limiter: RateLimiterAbstract, close: () => Promise<void>): RateLimiter {
  return {
    async consume(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await limiter.consume(key, 1, { customDuration: windowSeconds });
      return toRateLimitState(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async peek(key, limit, windowSeconds = WINDOW_SECONDS) {
      const used = await limiter.get(key);
      if (used === null) return toRateLimitState(limit, 0, 0, windowSeconds);
      return toRateLimitState(limit, used.consumedPoints, used.msBeforeNext, windowSeconds);
    },

    async release(key, windowSeconds = WINDOW_SECONDS) {
      await limiter.reward(key, 1, { customDuration: windowSeconds });
    },

    async reset(key) {
      await limiter.delete(key);
    },

    close,
  };
}

/**
 * Bounds the reset by the window length, because the library measures it by a clock that can be set
 * back.
 */
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
 * The state to report of two limits that apply to a request: if both are used up, the one that
 * resets last, so that a request succeeds after that time; otherwise the one with the fewest
 * remaining.
 */
export function stricterLimit(one: RateLimitState, other: RateLimitState): RateLimitState {
  if (one.remaining === 0 && other.remaining === 0)
    return one.resetSeconds >= other.resetSeconds ? one : other;
  return one.remaining <= other.remaining ? one : other;
}

/**
 * The key that an address is counted under. IPv6 addresses are counted by their /64 prefix, because
 * a single customer usually has all addresses of one.
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
