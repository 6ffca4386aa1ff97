import { RateLimiterMemory } from 'rate-limiter-flexible';

/** How much of an allowance is used. Seconds are whole and rounded up, so that waiting that long is enough. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly refused: boolean;
}

/** Counts requests in windows of a minute. The limit is the caller's, so it is compared here and not by the limiter. */
export interface RateCounter {
  count(key: string, limit: number): Promise<RateState>;
}

const WINDOW_SECONDS = 60;

export function memoryRates(): RateCounter {
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  return {
    async count(key, limit) {
      const used = await limiter.consume(key);
      return {
        limit,
        remaining: Math.max(0, limit - used.consumedPoints),
        resetSeconds: Math.max(1, Math.ceil(used.msBeforeNext / 1000)),
        refused: used.consumedPoints > limit,
      };
    },
  };
}
