import { countedAddress, decisive, type RateCounter, type RateState } from '#http/rates.ts';
import { credentialHash } from '#ids.ts';

const FAILURES = 10;
const WINDOW_SECONDS = 15 * 60;

export type Attempt<T> =
  | { readonly kind: 'done'; readonly result: T | undefined }
  /** Too many failures; nothing was tried. */
  | { readonly kind: 'refused'; readonly rate: RateState };

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Bounds how many passwords can be tried: ten failures in 15 minutes for one e-mail, whoever tries, and for one
 * address, whatever it tries. An attempt is counted before the password is looked at, and given back if it was right,
 * so that a flood, over several nodes too, never gets more tries than that. E-mails that nobody has count alike.
 */
export function createLoginThrottle(rates: RateCounter) {
  const turns = new Turns();
  const giveBack = (key: string): Promise<void> => rates.giveBack(key, WINDOW_SECONDS);

  async function attempt<T>(
    emailKey: string,
    addressKey: string,
    tryIt: () => Promise<T | undefined>,
  ): Promise<Attempt<T>> {
    const [byEmail, byAddress] = await Promise.all([
      rates.count(emailKey, FAILURES, WINDOW_SECONDS),
      rates.count(addressKey, FAILURES, WINDOW_SECONDS),
    ]);
    if (byEmail.refused && byAddress.refused) return refused(decisive(byEmail, byAddress));
    // What was not tried is no failure: it must not use up the other allowance too.
    if (byEmail.refused) {
      await giveBack(addressKey);
      return refused(byEmail);
    }
    if (byAddress.refused) {
      await giveBack(emailKey);
      return refused(byAddress);
    }
    try {
      const result = await tryIt();
      // Who knows the password of one e-mail clears that e-mail's failures, not the address's.
      if (result !== undefined) await Promise.all([rates.forget(emailKey), giveBack(addressKey)]);
      return { kind: 'done', result };
    } catch (error) {
      // Nobody learned whether the password was right.
      await Promise.all([giveBack(emailKey), giveBack(addressKey)]);
      throw error;
    }
  }

  return {
    /** Tries to sign in, unless it was tried in vain too often. `tryIt` answers undefined for wrong credentials. */
    async attempt<T>(
      { email, address }: { readonly email: string; readonly address: string },
      tryIt: () => Promise<T | undefined>,
    ): Promise<Attempt<T>> {
      // Hashed, so that no e-mail stands in the memory of a shared server.
      const emailKey = `login-email:${credentialHash(email.toLowerCase()).toString('base64url')}`;
      const addressKey = `login-address:${countedAddress(address)}`;
      // One after the other, so that an attempt that will succeed does not count against those beside it. Always the
      // e-mail's turn first: two that wait for each other's second turn would wait for ever.
      return turns.take(emailKey, () => turns.take(addressKey, () => attempt(emailKey, addressKey, tryIt)));
    },
  };
}

const refused = (rate: RateState) => ({ kind: 'refused' as const, rate });

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
