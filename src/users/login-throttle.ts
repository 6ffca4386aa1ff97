import { countedAddress, decisive, type RateCounter, type RateState } from '#http/rates.ts';
import { credentialHash } from '#ids.ts';

const FAILURES = 10;
/** A challenge is one sign-in: who mistypes oftener begins anew. */
const FAILURES_OF_A_CHALLENGE = 5;
const WINDOW_SECONDS = 15 * 60;

export type Attempt<T> =
  | { readonly kind: 'done'; readonly result: T | undefined }
  /** Too many failures; nothing was tried. */
  | { readonly kind: 'refused'; readonly rate: RateState };

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/** Failures that are counted together. */
interface Counted {
  readonly key: string;
  readonly limit: number;
  /** A success shows that whoever tries is the right one, and what they failed before is forgotten. */
  readonly forgotten: boolean;
}

/**
 * Bounds how many secrets can be tried: ten failures in 15 minutes for one e-mail, whoever tries, and for one
 * address, whatever it tries. An attempt is counted before the secret is looked at, and given back if it was right,
 * so that a flood, over several nodes too, never gets more tries than that. E-mails that nobody has count alike.
 *
 * A browser that has signed in with the e-mail before has tries of its own instead of those of the e-mail, so that a
 * stranger who fails on purpose shuts out strangers alone (OWASP, "Device cookies").
 */
export function createLoginThrottle(rates: RateCounter) {
  const turns = new Turns();
  const giveBack = (key: string): Promise<void> => rates.giveBack(key, WINDOW_SECONDS);

  async function attempt<T>(
    counted: readonly Counted[],
    tryIt: () => Promise<T | undefined>,
  ): Promise<Attempt<T>> {
    const states = await Promise.all(
      counted.map(async (one) => ({ one, state: await rates.count(one.key, one.limit, WINDOW_SECONDS) })),
    );
    const refusals = states.filter(({ state }) => state.refused).map(({ state }) => state);
    const [first, ...others] = refusals;
    if (first !== undefined) {
      // What was not tried is no failure: it must not use up the other allowances too.
      await Promise.all(states.filter(({ state }) => !state.refused).map(({ one }) => giveBack(one.key)));
      return { kind: 'refused', rate: others.reduce(decisive, first) };
    }
    try {
      const result = await tryIt();
      // Who knows the password of one e-mail clears that e-mail's failures, not the address's.
      if (result !== undefined)
        await Promise.all(
          counted.map(({ key, forgotten }) => (forgotten ? rates.forget(key) : giveBack(key))),
        );
      return { kind: 'done', result };
    } catch (error) {
      // Nobody learned whether it was right.
      await Promise.all(counted.map(({ key }) => giveBack(key)));
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
      const key = device === undefined ? emailKey : `login-device:${device}`;
      return inTurn([own(key), ofAddress(address)], tryIt);
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
      const key = device === undefined ? `second-factor:${userId}` : `second-factor-device:${device}`;
      const challenge = `challenge:${challengeId}`;
      return inTurn(
        [own(key), { key: challenge, limit: FAILURES_OF_A_CHALLENGE, forgotten: false }, ofAddress(address)],
        tryIt,
      );
    },

    /** Tries the password or a code of somebody who is signed in: whoever took their token must not find them by trying. */
    async attemptAgain<T>(
      { userId, address }: { readonly userId: string; readonly address: string },
      tryIt: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      return inTurn([own(`again:${userId}`), ofAddress(address)], tryIt);
    },
  };
}

const ofAddress = (address: string): Counted => ({
  key: `login-address:${countedAddress(address)}`,
  limit: FAILURES,
  forgotten: false,
});
const own = (key: string): Counted => ({ key, limit: FAILURES, forgotten: true });

/** Lets tasks of the same key run one after the other. */
class Turns {
  readonly #last = new Map<string, Promise<void>>();

  async take<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, ended);
    try {
      await before;
      return await task();
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
      resolve();
    }
  }
}
