import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import type { Logger } from '#platform/kit/log.ts';
import { createRateLimiter, LIMITER_OPTIONS, type RateLimiter } from './rate-limiter.ts';

/** A connection without a response for this long is closed. No request waits longer for Redis. */
const SOCKET_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_DELAY_MS = { step: 100, max: 2_000 };

/**
 * Counts in Redis or Valkey, so that all nodes share each limit. One script per request counts
 * atomically on the server. Without a connection, each node counts in its own memory: a payment is
 * worth more than an exact rate limit. Each outage is logged once.
 */
export async function createRedisRateLimiter(url: string, log: Logger): Promise<RateLimiter> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    connectionName: 'gateway',
    // A request that Redis cannot count now is counted in memory. Retries would count it twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_DELAY_MS.step, RECONNECT_DELAY_MS.max),
  });
  logOutages(redis, log);
  // On failure, the client keeps trying to connect.
  await redis.connect().catch(() => undefined);
  const limiter = new RateLimiterRedis({
    ...LIMITER_OPTIONS,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(LIMITER_OPTIONS),
  });
  return createRateLimiter(limiter, async () => {
    redis.removeAllListeners('close');
    redis.disconnect();
  });
}

function logOutages(redis: Redis, log: Logger): void {
  let isDown = false;
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    cause = error;
  });
  redis.on('close', () => {
    if (!isDown) log.warn({ err: cause }, 'Redis is unavailable: each node counts rate limits for itself');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('Redis is available: rate limits are shared again');
    isDown = false;
    cause = undefined;
  });
}
