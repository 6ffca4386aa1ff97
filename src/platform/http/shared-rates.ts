import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

import { countWith, UNLIMITED, type RateCounter } from './rates.ts';
import type { Logger } from '#platform/kit/log.ts';

/** No request waits longer than this for one count. */
const COUNT_DEADLINE_MS = 250;
/** When the library itself gives a command up: those that make a connection, and counts that nobody waits for any more. */
const COMMAND_DEADLINE_MS = 1_000;
const CONNECT_DEADLINE_MS = 1_000;
/** A connection that stays silent this long after a command is given up and made anew. */
const SILENCE_MS = 2_000;
const RECONNECT_MS = { step: 100, most: 2_000 };
/** While Redis is away, one request in this time asks it again; the others do not wait for it. */
const ASK_AGAIN_MS = 1_000;

/**
 * Counts in Redis or Valkey, so that several nodes share each allowance: one script a count, run by the server, so
 * that callers of all nodes at the same moment are counted exactly. While the server is away every node counts for
 * itself: a payment is worth more than an exact rate. One warning tells of each absence.
 */
export async function sharedRates(url: string, log: Logger): Promise<RateCounter> {
  const redis = connect(url);
  const shared = new RateLimiterRedis({
    ...UNLIMITED,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  const alone = new RateLimiterMemory(UNLIMITED);
  let away = false;
  let askAgainAt = 0;
  let broken: Error | undefined;

  const noteAway = (error: unknown): void => {
    askAgainAt = performance.now() + ASK_AGAIN_MS;
    if (away) return;
    away = true;
    // Why the connection broke says more than that a count could not be made on it.
    log.warn({ err: broken ?? error }, 'Redis is away: each node counts rates for itself until it is back');
  };
  const noteBack = (): void => {
    if (!away) return;
    away = false;
    log.info('Redis is back: rates are shared again');
  };
  // What a broken connection means for requests is noticed by the next count; the library keeps trying to connect.
  redis.on('error', (error: Error) => {
    broken = error;
  });
  redis.on('ready', () => {
    broken = undefined;
  });
  await redis.connect().catch(noteAway);

  return countWith(
    async (run) => {
      const now = performance.now();
      if (away && now < askAgainAt) return run(alone);
      // Whoever comes while this one is asking does not wait too.
      if (away) askAgainAt = now + ASK_AGAIN_MS;
      try {
        const result = await inTime(run(shared));
        noteBack();
        return result;
      } catch (error) {
        noteAway(error);
        return run(alone);
      }
    },
    async () => {
      redis.disconnect();
    },
  );
}

async function inTime<T>(task: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Where it was this process that stood still, the answer is there and only not read yet; it is before immediates run.
    const giveUp = () => setImmediate(() => reject(new Error('Redis did not answer in time')));
    timer = setTimeout(giveUp, COUNT_DEADLINE_MS);
  });
  try {
    return await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}

function connect(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_DEADLINE_MS,
    commandTimeout: COMMAND_DEADLINE_MS,
    socketTimeout: SILENCE_MS,
    connectionName: 'gateway',
    // A count that cannot be made now is made in memory; made later, it would count twice.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_MS.step, RECONNECT_MS.most),
  });
}
