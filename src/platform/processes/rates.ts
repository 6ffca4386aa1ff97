import { RateLimiterMemory } from 'rate-limiter-flexible';

import {
  createRateLimiter,
  LIMITER_OPTIONS,
  type LimiterBackend,
  type RateLimiter,
} from '#platform/http/rate-limiter.ts';
import type { ChildMessage, RateResult, RateCall } from './messages.ts';

/** No request waits longer than this for one count; it is counted by this process alone then. */
const COUNT_DEADLINE_MS = 1_000;

interface PendingCall {
  readonly call: RateCall;
  readonly resolve: (answer: RateResult | null) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Counts in the primary process, so that each allowance is one for all processes. What is asked in the same turn of the event
 * loop goes in one message: under load a message serves many requests.
 */
export function createRateClient(send: (message: ChildMessage) => void) {
  const localLimiter = new RateLimiterMemory(LIMITER_OPTIONS);
  const inFlight = new Map<
    number,
    { readonly pending: readonly PendingCall[]; readonly timer: NodeJS.Timeout }
  >();
  let queued: PendingCall[] = [];
  let last = 0;

  function flush(): void {
    const pending = queued;
    queued = [];
    last += 1;
    const id = last;
    const timer = setTimeout(() => {
      inFlight.delete(id);
      for (const { reject } of pending) reject(new Error('the primary process did not count in time'));
    }, COUNT_DEADLINE_MS);
    inFlight.set(id, { pending, timer });
    send({ kind: 'rates', id, calls: pending.map(({ call }) => call) });
  }

  const enqueue = (call: RateCall): Promise<RateResult | null> =>
    new Promise((resolve, reject) => {
      if (queued.length === 0) setImmediate(flush);
      queued.push({ call, resolve, reject });
    });

  const count = async (call: RateCall) =>
    toLimiterResult(await enqueue(call)) ?? { consumedPoints: 0, msBeforeNext: 0 };
  const sharedLimiter: LimiterBackend = {
    consume: (key, _points, options) => count({ op: 'consume', key, windowSeconds: windowOf(options) }),
    reward: (key, _points, options) => count({ op: 'reward', key, windowSeconds: windowOf(options) }),
    get: async (key) => toLimiterResult(await enqueue({ op: 'get', key, windowSeconds: 0 })),
    delete: (key) => enqueue({ op: 'delete', key, windowSeconds: 0 }),
  };

  const rates: RateLimiter = createRateLimiter(
    // A payment is worth more than an exact rate.
    (run) => run(sharedLimiter).catch(() => run(localLimiter)),
    async () => undefined,
  );
  return {
    rates,
    resolveCalls(id: number, results: readonly (RateResult | null)[]): void {
      const batch = inFlight.get(id);
      if (batch === undefined) return;
      inFlight.delete(id);
      clearTimeout(batch.timer);
      for (const [index, { resolve }] of batch.pending.entries()) resolve(results[index] ?? null);
    },
  };
}

const toLimiterResult = (answer: RateResult | null) =>
  answer === null ? null : { consumedPoints: answer.used, msBeforeNext: answer.msLeft };

const windowOf = (options: { customDuration?: number }): number =>
  options.customDuration ?? LIMITER_OPTIONS.duration;

/** The limiter that all processes share, in the primary. */
export function createRateServer(): (calls: readonly RateCall[]) => Promise<readonly (RateResult | null)[]> {
  const limiter = new RateLimiterMemory(LIMITER_OPTIONS);
  async function answer({ op, key, windowSeconds }: RateCall): Promise<RateResult | null> {
    const options = { customDuration: windowSeconds };
    switch (op) {
      case 'consume': {
        const { consumedPoints, msBeforeNext } = await limiter.consume(key, 1, options);
        return { used: consumedPoints, msLeft: msBeforeNext };
      }
      case 'reward': {
        const { consumedPoints, msBeforeNext } = await limiter.reward(key, 1, options);
        return { used: consumedPoints, msLeft: msBeforeNext };
      }
      case 'get': {
        const found = await limiter.get(key);
        return found === null ? null : { used: found.consumedPoints, msLeft: found.msBeforeNext };
      }
      case 'delete':
        await limiter.delete(key);
        return null;
    }
  }
  return (calls) => Promise.all(calls.map(answer));
}
