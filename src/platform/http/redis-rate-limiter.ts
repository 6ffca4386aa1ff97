import { Redis, type Command } from 'ioredis';
import type { Registry } from 'prom-client';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { errorMessage } from '#platform/kit/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';
import { createRateLimiter, LIMITER_OPTIONS, type RateLimiter } from './rate-limiter.ts';

/** A command without a response for this long closes the connection. No request waits longer. */
const RESPONSE_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_DELAY_MS = { step: 100, max: 2_000 };

/**
 * Counts in Redis or Valkey, so that all nodes share each limit. One script per request counts
 * atomically on the server. Without a connection, each process counts in its own memory: a payment is
 * worth more than an exact rate limit. Each outage is logged once, with its cause.
 */
export async function createRedisRateLimiter(
  url: string,
  log: Logger,
  registry?: Registry,
): Promise<RateLimiter> {
  const redis = openRedis(url);
  logOutages(redis, log);
  // On failure, the client keeps trying to connect.
  await redis.connect().catch(() => undefined);
  if (registry !== undefined) registerRedisMetric(registry, redis);
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

/**
 * The library's own `socketTimeout` starts again with each byte that arrives, and its
 * `commandTimeout` keeps the connection, and the command until its response.
 */
class RedisWithDeadline extends Redis {
  override sendCommand(command: Command, stream?: Parameters<Redis['sendCommand']>[1]): unknown {
    const response = super.sendCommand(command, stream);
    const timer = setTimeout(() => {
      this.stream.destroy(new Error(`no response within ${RESPONSE_TIMEOUT_MS} ms`));
    }, RESPONSE_TIMEOUT_MS);
    const clear = (): void => clearTimeout(timer);
    command.promise.then(clear, clear);
    return response;
  }
}

const openRedis = (url: string): Redis =>
  new RedisWithDeadline(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    connectionName: 'gateway',
    // A request that Redis cannot count now is counted in memory. Retries would count it twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_DELAY_MS.step, RECONNECT_DELAY_MS.max),
  });

/**
 * Returns why rate limits cannot be counted in this Redis, such as a wrong password, or undefined.
 * A server that accepts no writes does not suffice.
 */
export async function findRedisProblem(url: string): Promise<string | undefined> {
  const redis = openRedis(url);
  // Commands reject with the closed connection, not with its cause.
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    cause = error;
  });
  try {
    await redis.connect();
    await writeProbe(redis);
    return undefined;
  } catch (error) {
    return errorMessage(cause ?? error);
  } finally {
    redis.disconnect();
  }
}

const writeProbe = (redis: Redis): Promise<unknown> =>
  redis.set(`${LIMITER_OPTIONS.keyPrefix}:probe`, '1', 'EX', 60);

function registerRedisMetric(registry: Registry, redis: Redis): void {
  registerGauge({
    name: 'redis_up',
    help: 'Whether rate limits are counted in Redis: 1, or 0 while this process counts alone',
    registers: [registry],
    async collect() {
      this.set(
        await writeProbe(redis).then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
}

/**
 * A connection that was open closes without a cause, or is reset: the first failed reconnection has
 * the cause.
 */
function logOutages(redis: Redis, log: Logger): void {
  let isDown = false;
  let cause: Error | undefined;
  redis.on('error', (error: Error) => {
    if (redis.status === 'ready') return;
    if (isDown && cause === undefined) log.warn({ err: error }, 'Redis cannot be reached');
    cause = error;
  });
  redis.on('close', () => {
    if (!isDown) log.warn({ err: cause }, 'Redis is unavailable: each process counts rate limits for itself');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('Redis is available: rate limits are shared again');
    isDown = false;
    cause = undefined;
  });
}
