import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { createRateLimiter, LIMITER_OPTIONS, type RateLimiter } from './rate-limiter.ts';
import type { Logger } from '#platform/kit/log.ts';

/** No request waits longer than this for one count. */
const CONSUME_TIMEOUT_MS = 250;
/** When the library itself gives a command up: those that make a connection, and counts that nobody waits for any more. */
const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** A connection that stays silent this long after a command is given up and made anew. */
const SOCKET_TIMEOUT_MS = 2_000;
const RECONNECT_DELAY_MS = { step: 100, max: 2_000 };
/** While Redis is away, one request in this time asks it again; the others do not wait for it. */
const RETRY_INTERVAL_MS = 1_000;

/**
 * Counts in Redis or Valkey, so that several nodes share each allowance: one script a count, run by the server, so
 * that callers of all nodes at the same moment are counted exactly. While the server is away every node counts for
 * itself: a payment is worth more than an exact rate. One warning tells of each absence.
 */
export async function createRedisRateLimiter(url: string, log: Logger): Promise<RateLimiter> {
  const redis = connect(url);
  const shared = new RateLimiterRedis({
    ...LIMITER_OPTIONS,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  const local = new RateLimiterMemory(LIMITER_OPTIONS);
  let isDown = false;
  let retryAt = 0;
  let connectionError: Error | undefined;

  const markDown = (error: unknown): void => {
    retryAt = performance.now() + RETRY_INTERVAL_MS;
    if (isDown) return;
    isDown = true;
    // Why the connection broke says more than that a count could not be made on it.
    log.warn(
      { err: connectionError ?? error },
      'Redis is away: each node counts rates for itself until it is back',
    );
  };
  const markUp = (): void => {
    if (!isDown) return;
    isDown = false;
    log.info('Redis is back: rates are shared again');
  };
  // What a broken connection means for requests is noticed by the next count; the library keeps trying to connect.
  redis.on('error', (error: Error) => {
    connectionError = error;
  });
  redis.on('ready', () => {
    connectionError = undefined;
  });
  await redis.connect().catch(markDown);

  return createRateLimiter(
    async (run) => {
      const now = performance.now();
      if (isDown && now < retryAt) return run(local);
      // Whoever comes while this one is asking does not wait too.
      if (isDown) retryAt = now + RETRY_INTERVAL_MS;
      try {
        const result = await withTimeout(run(shared));
        markUp();
        return result;
      } catch (error) {
        markDown(error);
        return run(local);
      }
    },
    async () => {
      redis.disconnect();
    },
  );
}

async function withTimeout<T>(task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Where it was this process that stood still, the answer is there and only not read yet; it is before immediates run.
    const onTimeout = () => setImmediate(() => reject(new Error('Redis did not answer in time')));
    timer = setTimeout(onTimeout, CONSUME_TIMEOUT_MS);
  });
  try {
    return await Promise.race([task, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function connect(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    connectionName: 'gateway',
    // A count that cannot be made now is made in memory; made later, it would count twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_DELAY_MS.step, RECONNECT_DELAY_MS.max),
  });
}
