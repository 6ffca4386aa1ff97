import { RateLimiterMemory } from 'rate-limiter-flexible';

import { countWith, UNLIMITED, type Limiter, type RateCounter } from '#platform/http/rates.ts';
import type { FromChild, RateAnswer, RateCall } from './messages.ts';

/** No request waits longer than this for one count; it is counted by this process alone then. */
const COUNT_DEADLINE_MS = 1_000;

interface Asked {
  readonly call: RateCall;
  readonly resolve: (answer: RateAnswer | null) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Counts in the primary process, so that each allowance is one for all processes. What is asked in the same turn of the event
 * loop goes in one message: under load a message serves many requests.
 */
export function rateLink(send: (message: FromChild) => void) {
  const alone = new RateLimiterMemory(UNLIMITED);
  const underWay = new Map<number, { readonly asked: readonly Asked[]; readonly timer: NodeJS.Timeout }>();
  let waiting: Asked[] = [];
  let last = 0;

  function flush(): void {
    const asked = waiting;
    waiting = [];
    last += 1;
    const id = last;
    const timer = setTimeout(() => {
      underWay.delete(id);
      for (const { reject } of asked) reject(new Error('the primary process did not count in time'));
    }, COUNT_DEADLINE_MS);
    underWay.set(id, { asked, timer });
    send({ kind: 'rates', id, calls: asked.map(({ call }) => call) });
  }

  const ask = (call: RateCall): Promise<RateAnswer | null> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ call, resolve, reject });
    });

  const counted = async (call: RateCall) => used(await ask(call)) ?? { consumedPoints: 0, msBeforeNext: 0 };
  const shared: Limiter = {
    consume: (key, _points, options) => counted({ op: 'consume', key, windowSeconds: windowOf(options) }),
    reward: (key, _points, options) => counted({ op: 'reward', key, windowSeconds: windowOf(options) }),
    get: async (key) => used(await ask({ op: 'get', key, windowSeconds: 0 })),
    delete: (key) => ask({ op: 'delete', key, windowSeconds: 0 }),
  };

  const rates: RateCounter = countWith(
    // A payment is worth more than an exact rate.
    (run) => run(shared).catch(() => run(alone)),
    async () => undefined,
  );
  return {
    rates,
    answered(id: number, answers: readonly (RateAnswer | null)[]): void {
      const found = underWay.get(id);
      if (found === undefined) return;
      underWay.delete(id);
      clearTimeout(found.timer);
      for (const [index, { resolve }] of found.asked.entries()) resolve(answers[index] ?? null);
    },
  };
}

const used = (answer: RateAnswer | null) =>
  answer === null ? null : { consumedPoints: answer.used, msBeforeNext: answer.msLeft };

const windowOf = (options: { customDuration?: number }): number =>
  options.customDuration ?? UNLIMITED.duration;

/** The limiter that all processes share, in the primary. */
export function rateServer(): (calls: readonly RateCall[]) => Promise<readonly (RateAnswer | null)[]> {
  const limiter = new RateLimiterMemory(UNLIMITED);
  async function answer({ op, key, windowSeconds }: RateCall): Promise<RateAnswer | null> {
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
