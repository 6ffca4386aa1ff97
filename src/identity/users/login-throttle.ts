import { isDatabaseFailure } from '#platform/database/errors.ts';
import {
  rateLimitAddress,
  stricterLimit,
  type RateLimiter,
  type RateLimitState,
} from '#platform/http/rate-limiter.ts';
import { hashCredential } from '#platform/kit/ids.ts';

const MAX_FAILURES = 10;
/** A challenge is one sign-in: who mistypes oftener begins anew. */
const MAX_FAILURES_PER_CHALLENGE = 5;
const WINDOW_SECONDS = 15 * 60;
/**
 * A code of six digits is one of a million, and three count at any moment: ten tries in 15 minutes, all day long, would
 * find one in months. So many in a day would take years.
 */
const MAX_FAILURES_PER_DAY = 30;
const DAY_SECONDS = 24 * 3_600;

export type Attempt<T> =
  | { readonly kind: 'done'; readonly result: T | undefined }
  /** Too many failures; nothing was tried. */
  | { readonly kind: 'refused'; readonly rate: RateLimitState };

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/** Failures that are counted together. */
interface FailureCounter {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** A success shows that whoever tries is the right one, and what they failed before is forgotten. */
  readonly resetOnSuccess: boolean;
}

/**
 * Bounds how many secrets can be tried: ten failures in 15 minutes for one e-mail, whoever tries, and for one
 * address, whatever it tries. An attempt is counted before the secret is looked at, and given back if it was right,
 * so that a flood, over several nodes too, never gets more tries than that. E-mails that nobody has count alike.
 *
 * A browser that has signed in with the e-mail before has tries of its own instead of those of the e-mail and of the
 * address, so that a stranger who fails on purpose, from everywhere or from the same network, shuts out strangers alone
 * (OWASP, "Device cookies"). Nobody gets such a browser without the password, so it gives nobody more tries.
 */
export function createLoginThrottle(rates: RateLimiter) {
  const mutex = new KeyedMutex();
  const releaseAttempt = ({ key, windowSeconds }: FailureCounter): Promise<void> =>
    rates.release(key, windowSeconds);

  async function attempt<T>(
    counters: readonly FailureCounter[],
    verify: () => Promise<T | undefined>,
  ): Promise<Attempt<T>> {
    const states = await Promise.all(
      counters.map(async (counter) => ({
        one: counter,
        state: await rates.consume(counter.key, counter.limit, counter.windowSeconds),
      })),
    );
    const refusals = states.filter(({ state }) => state.exceeded).map(({ state }) => state);
    const [first, ...others] = refusals;
    if (first !== undefined) {
      // What was not tried is no failure: it must not use up the other allowances too.
      await Promise.all(states.filter(({ state }) => !state.exceeded).map(({ one }) => releaseAttempt(one)));
      return { kind: 'refused', rate: others.reduce(stricterLimit, first) };
    }
    try {
      const result = await verify();
      // Who knows the password of one e-mail clears that e-mail's failures, not the address's.
      if (result !== undefined)
        await Promise.all(
          counters.map((one) => (one.resetOnSuccess ? rates.reset(one.key) : releaseAttempt(one))),
        );
      return { kind: 'done', result };
    } catch (error) {
      // Nobody learned whether it was right.
      await Promise.all(counters.map(releaseAttempt));
      throw error;
    }
  }

  /**
   * One after the other, so that an attempt that will succeed does not count against those beside it. Always in the
   * same order: two that wait for each other's second turn would wait for ever.
   */
  function attemptExclusively<T>(
    counters: readonly FailureCounter[],
    verify: () => Promise<T | undefined>,
    remaining: readonly FailureCounter[] = counters,
  ): Promise<Attempt<T>> {
    const [next, ...rest] = remaining;
    return next === undefined
      ? attempt(counters, verify)
      : mutex.runExclusive(next.key, () => attemptExclusively(counters, verify, rest));
  }

  return {
    /**
     * Tries to sign in, unless it was tried in vain too often. `tryIt` answers undefined for wrong credentials.
     * `device` is the id of a browser that has signed in with this e-mail before.
     */
    async attempt<T>(
      {
        email,
        address,
        device,
      }: { readonly email: string; readonly address: string; readonly device?: string | undefined },
      verify: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      // Hashed, so that no e-mail stands in the memory of a shared server.
      const emailKey = `login-email:${hashCredential(email.toLowerCase()).toString('base64url')}`;
      return device === undefined
        ? attemptExclusively([subjectCounter(emailKey), addressCounter(address)], verify)
        : attemptExclusively([subjectCounter(`login-device:${device}`)], verify);
    },

    /** Tries a second factor. A right password does not clear its failures: who tries codes knows the password. */
    async attemptSecondFactor<T>(
      {
        userId,
        challengeId,
        address,
        device,
      }: {
        readonly userId: string;
        readonly challengeId: string;
        readonly address: string;
        readonly device?: string | undefined;
      },
      verify: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      const isKnownDevice = device !== undefined;
      const key = isKnownDevice ? `second-factor-device:${device}` : `second-factor:${userId}`;
      const counters = [subjectCounter(key), dailyCounter(key), challengeCounter(challengeId)];
      return attemptExclusively(isKnownDevice ? counters : [...counters, addressCounter(address)], verify);
    },

    /**
     * Tries the password or a code of somebody who is signed in: whoever took their token must not find them by trying.
     * By the session and not by the user, whom a thief would otherwise keep from changing the password.
     */
    async attemptReauthentication<T>(
      sessionId: string,
      verify: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      const key = `again:${sessionId}`;
      return attemptExclusively([subjectCounter(key), dailyCounter(key)], verify);
    },
  };
}

const addressCounter = (address: string): FailureCounter => ({
  key: `login-address:${rateLimitAddress(address)}`,
  limit: MAX_FAILURES,
  windowSeconds: WINDOW_SECONDS,
  resetOnSuccess: false,
});
const subjectCounter = (key: string): FailureCounter => ({
  key,
  limit: MAX_FAILURES,
  windowSeconds: WINDOW_SECONDS,
  resetOnSuccess: true,
});
const dailyCounter = (key: string): FailureCounter => ({
  key: `day:${key}`,
  limit: MAX_FAILURES_PER_DAY,
  windowSeconds: DAY_SECONDS,
  resetOnSuccess: true,
});
const challengeCounter = (id: string): FailureCounter => ({
  key: `challenge:${id}`,
  limit: MAX_FAILURES_PER_CHALLENGE,
  windowSeconds: WINDOW_SECONDS,
  resetOnSuccess: false,
});

/** Lets tasks of the same key run one after the other. */
class KeyedMutex {
  readonly #tails = new Map<string, Promise<Error | undefined>>();

  async runExclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key);
    const { promise: ended, resolve } = Promise.withResolvers<Error | undefined>();
    this.#tails.set(key, ended);
    let failure: Error | undefined;
    try {
      // A database that kept the one before waiting in vain would do so with each of those behind it, one after the other.
      failure = await previous;
      if (failure !== undefined) throw failure;
      return await task();
    } catch (error) {
      if (error instanceof Error && isDatabaseFailure(error)) failure = error;
      throw error;
    } finally {
      if (this.#tails.get(key) === ended) this.#tails.delete(key);
      resolve(failure);
    }
  }
}
