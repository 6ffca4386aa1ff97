import { cannotServe } from '#platform/database/errors.ts';
import { countedAddress, decisive, type RateCounter, type RateState } from '#platform/http/rates.ts';
import { credentialHash } from '#platform/kit/ids.ts';

const FAILURES = 10;
/** A challenge is one sign-in: who mistypes oftener begins anew. */
const FAILURES_OF_A_CHALLENGE = 5;
const WINDOW_SECONDS = 15 * 60;
/**
 * A code of six digits is one of a million, and three count at any moment: ten tries in 15 minutes, all day long, would
 * find one in months. So many in a day would take years.
 */
const FAILURES_A_DAY = 30;
const DAY_SECONDS = 24 * 3_600;

export type Attempt<T> =
  | { readonly kind: 'done'; readonly result: T | undefined }
  /** Too many failures; nothing was tried. */
  | { readonly kind: 'refused'; readonly rate: RateState };

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/** Failures that are counted together. */
interface Counted {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** A success shows that whoever tries is the right one, and what they failed before is forgotten. */
  readonly forgotten: boolean;
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
export function createLoginThrottle(rates: RateCounter) {
  const turns = new Turns();
  const giveBack = ({ key, windowSeconds }: Counted): Promise<void> => rates.giveBack(key, windowSeconds);

  async function attempt<T>(
    counted: readonly Counted[],
    tryIt: () => Promise<T | undefined>,
  ): Promise<Attempt<T>> {
    const states = await Promise.all(
      counted.map(async (one) => ({
        one,
        state: await rates.count(one.key, one.limit, one.windowSeconds),
      })),
    );
    const refusals = states.filter(({ state }) => state.refused).map(({ state }) => state);
    const [first, ...others] = refusals;
    if (first !== undefined) {
      // What was not tried is no failure: it must not use up the other allowances too.
      await Promise.all(states.filter(({ state }) => !state.refused).map(({ one }) => giveBack(one)));
      return { kind: 'refused', rate: others.reduce(decisive, first) };
    }
    try {
      const result = await tryIt();
      // Who knows the password of one e-mail clears that e-mail's failures, not the address's.
      if (result !== undefined)
        await Promise.all(counted.map((one) => (one.forgotten ? rates.forget(one.key) : giveBack(one))));
      return { kind: 'done', result };
    } catch (error) {
      // Nobody learned whether it was right.
      await Promise.all(counted.map(giveBack));
      throw error;
    }
  }

  /**
   * One after the other, so that an attempt that will succeed does not count against those beside it. Always in the
   * same order: two that wait for each other's second turn would wait for ever.
   */
  function inTurn<T>(
    counted: readonly Counted[],
    tryIt: () => Promise<T | undefined>,
    waiting: readonly Counted[] = counted,
  ): Promise<Attempt<T>> {
    const [next, ...rest] = waiting;
    return next === undefined
      ? attempt(counted, tryIt)
      : turns.take(next.key, () => inTurn(counted, tryIt, rest));
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
      tryIt: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      // Hashed, so that no e-mail stands in the memory of a shared server.
      const emailKey = `login-email:${credentialHash(email.toLowerCase()).toString('base64url')}`;
      return device === undefined
        ? inTurn([own(emailKey), ofAddress(address)], tryIt)
        : inTurn([own(`login-device:${device}`)], tryIt);
    },

    /** Tries a second factor. A right password does not clear its failures: who tries codes knows the password. */
    async attemptCode<T>(
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
      tryIt: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      const known = device !== undefined;
      const key = known ? `second-factor-device:${device}` : `second-factor:${userId}`;
      const counted = [own(key), ofDay(key), ofChallenge(challengeId)];
      return inTurn(known ? counted : [...counted, ofAddress(address)], tryIt);
    },

    /**
     * Tries the password or a code of somebody who is signed in: whoever took their token must not find them by trying.
     * By the session and not by the user, whom a thief would otherwise keep from changing the password.
     */
    async attemptAgain<T>(sessionId: string, tryIt: () => Promise<T | undefined>): Promise<Attempt<T>> {
      const key = `again:${sessionId}`;
      return inTurn([own(key), ofDay(key)], tryIt);
    },
  };
}

const ofAddress = (address: string): Counted => ({
  key: `login-address:${countedAddress(address)}`,
  limit: FAILURES,
  windowSeconds: WINDOW_SECONDS,
  forgotten: false,
});
const own = (key: string): Counted => ({
  key,
  limit: FAILURES,
  windowSeconds: WINDOW_SECONDS,
  forgotten: true,
});
const ofDay = (key: string): Counted => ({
  key: `day:${key}`,
  limit: FAILURES_A_DAY,
  windowSeconds: DAY_SECONDS,
  forgotten: true,
});
const ofChallenge = (id: string): Counted => ({
  key: `challenge:${id}`,
  limit: FAILURES_OF_A_CHALLENGE,
  windowSeconds: WINDOW_SECONDS,
  forgotten: false,
});

/** Lets tasks of the same key run one after the other. */
class Turns {
  readonly #last = new Map<string, Promise<Error | undefined>>();

  async take<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: ended, resolve } = Promise.withResolvers<Error | undefined>();
    this.#last.set(key, ended);
    let failure: Error | undefined;
    try {
      // A database that kept the one before waiting in vain would do so with each of those behind it, one after the other.
      failure = await before;
      if (failure !== undefined) throw failure;
      return await task();
    } catch (error) {
      if (error instanceof Error && cannotServe(error)) failure = error;
      throw error;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
      resolve(failure);
    }
  }
}
