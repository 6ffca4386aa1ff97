import { KeyedMutex } from '#platform/database/keyed-mutex.ts';
import {
  rateLimitAddress,
  stricterLimit,
  type RateLimiter,
  type RateLimitState,
} from '#platform/http/rate-limiter.ts';
import { subjectKey } from './subject-key.ts';

const MAX_FAILURES = 10;
/** A challenge belongs to one sign-in. After more failures the user signs in anew. */
const MAX_FAILURES_PER_CHALLENGE = 5;
const WINDOW_SECONDS = 15 * 60;
/**
 * A six-digit code is one of a million, and three are valid at a time: ten attempts in 15 minutes
 * would find one in months. With this limit it takes years.
 */
const MAX_FAILURES_PER_DAY = 30;
const DAY_SECONDS = 24 * 3_600;
/** Addresses with an account elsewhere that the OWNERs of a seller can find in an hour. */
const MAX_TAKEN_EMAILS = 10;

export type Attempt<T> =
  /** The credential was verified; undefined if it is wrong. */
  | { readonly kind: 'done'; readonly result: T | undefined }
  /** Too many failures. The credential was not verified. */
  | { readonly kind: 'refused'; readonly rate: RateLimitState };

/** Verifies a credential. Returns undefined if it is wrong. */
type Verify<T> = () => Promise<T | undefined>;

export interface LoginTarget {
  readonly email: string;
  readonly address: string;
  /** The id of a browser that has signed in with this email before. */
  readonly device?: string | undefined;
}

export interface SecondFactorTarget {
  readonly userId: string;
  readonly challengeId: string;
  readonly address: string;
  readonly device?: string | undefined;
}

/** Failures that are counted together. */
interface FailureCounter {
  readonly key: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whether a success clears earlier failures. */
  readonly resetOnSuccess: boolean;
}

interface ThrottleDeps {
  readonly rates: RateLimiter;
  readonly mutex: KeyedMutex;
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;

/**
 * Limits how many credentials can be guessed: ten failures in 15 minutes for one email and for one
 * IP address. An attempt is counted before the credential is verified and released if it was right,
 * so that concurrent attempts, also on several nodes, cannot exceed the limit. Unknown emails
 * count alike.
 *
 * A browser that has signed in with the email before has its own counter instead, so that failures
 * of others do not lock it out (OWASP, "Device cookies"). Only the password makes a browser known,
 * so an attacker gains no attempts by it.
 */
export function createLoginThrottle(rates: RateLimiter) {
  const deps: ThrottleDeps = { rates, mutex: new KeyedMutex() };
  return {
    attempt: <T>(target: LoginTarget, verify: Verify<T>) => attemptLogin(deps, target, verify),
    attemptSecondFactor: <T>(target: SecondFactorTarget, verify: Verify<T>) =>
      attemptSecondFactor(deps, target, verify),
    attemptPasskey: <T>(address: string, verify: Verify<T>) =>
      attemptExclusively(deps, [addressCounter(address)], verify),
    attemptReauthentication: <T>(sessionId: string, verify: Verify<T>) =>
      attemptReauthentication(deps, sessionId, verify),
    /** Creates a user. `create` returns undefined if the email is taken, which is a failure. */
    attemptCreation: <T>(sellerId: string, create: Verify<T>) =>
      attemptExclusively(deps, [creationCounter(sellerId)], create),
  };
}

function attemptLogin<T>(
  deps: ThrottleDeps,
  { email, address, device }: LoginTarget,
  verify: Verify<T>,
): Promise<Attempt<T>> {
  const emailKey = `login-email:${subjectKey(email)}`;
  const counters =
    device === undefined
      ? [subjectCounter(emailKey), addressCounter(address)]
      : [subjectCounter(`login-device:${device}`)];
  return attemptExclusively(deps, counters, verify);
}

/** A right password does not clear the failures of the second factor. */
function attemptSecondFactor<T>(
  deps: ThrottleDeps,
  { userId, challengeId, address, device }: SecondFactorTarget,
  verify: Verify<T>,
): Promise<Attempt<T>> {
  const isKnownDevice = device !== undefined;
  const key = isKnownDevice ? `second-factor-device:${device}` : `second-factor:${userId}`;
  const counters = [subjectCounter(key), dailyCounter(key), challengeCounter(challengeId)];
  if (!isKnownDevice) counters.push(addressCounter(address));
  return attemptExclusively(deps, counters, verify);
}

/**
 * Verifies the password or a code of a signed-in user, so that a stolen token cannot be used to
 * guess them. Counted by session: counted by user, an attacker could lock the user out of changing
 * the password.
 */
function attemptReauthentication<T>(
  deps: ThrottleDeps,
  sessionId: string,
  verify: Verify<T>,
): Promise<Attempt<T>> {
  const key = `again:${sessionId}`;
  return attemptExclusively(deps, [subjectCounter(key), dailyCounter(key)], verify);
}

/**
 * Runs attempts of the same counters one after the other, so that an attempt that will succeed does
 * not count against concurrent ones. Counters are locked in a fixed order, which prevents
 * deadlocks.
 */
function attemptExclusively<T>(
  deps: ThrottleDeps,
  counters: readonly FailureCounter[],
  verify: Verify<T>,
  unlocked: readonly FailureCounter[] = counters,
): Promise<Attempt<T>> {
  const [next, ...rest] = unlocked;
  if (next === undefined) return attempt(deps.rates, counters, verify);
  return deps.mutex.runExclusive(next.key, () => attemptExclusively(deps, counters, verify, rest));
}

async function attempt<T>(
  rates: RateLimiter,
  counters: readonly FailureCounter[],
  verify: Verify<T>,
): Promise<Attempt<T>> {
  const refusal = await consumeAll(rates, counters);
  if (refusal !== undefined) return { kind: 'refused', rate: refusal };
  try {
    const result = await verify();
    if (result !== undefined) await recordSuccess(rates, counters);
    return { kind: 'done', result };
  } catch (error) {
    // The credential was not verified, so this is no failure.
    await releaseAll(rates, counters);
    throw error;
  }
}

/**
 * Counts one attempt in each counter, or in none if one is exceeded. Returns the state that refuses
 * the attempt.
 */
async function consumeAll(
  rates: RateLimiter,
  counters: readonly FailureCounter[],
): Promise<RateLimitState | undefined> {
  const consumed = await Promise.all(
    counters.map(async (counter) => ({
      counter,
      state: await rates.consume(counter.key, counter.limit, counter.windowSeconds),
    })),
  );
  const [first, ...others] = consumed.filter(({ state }) => state.exceeded).map(({ state }) => state);
  if (first === undefined) return undefined;
  const counted = consumed.filter(({ state }) => !state.exceeded).map(({ counter }) => counter);
  await releaseAll(rates, counted);
  return others.reduce(stricterLimit, first);
}

async function recordSuccess(rates: RateLimiter, counters: readonly FailureCounter[]): Promise<void> {
  await Promise.all(
    counters.map(({ key, windowSeconds, resetOnSuccess }) =>
      resetOnSuccess ? rates.reset(key) : rates.release(key, windowSeconds),
    ),
  );
}

async function releaseAll(rates: RateLimiter, counters: readonly FailureCounter[]): Promise<void> {
  await Promise.all(counters.map(({ key, windowSeconds }) => rates.release(key, windowSeconds)));
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
const creationCounter = (sellerId: string): FailureCounter => ({
  key: `user-creation:${sellerId}`,
  limit: MAX_TAKEN_EMAILS,
  windowSeconds: 3_600,
  resetOnSuccess: false,
});
const challengeCounter = (id: string): FailureCounter => ({
  key: `challenge:${id}`,
  limit: MAX_FAILURES_PER_CHALLENGE,
  windowSeconds: WINDOW_SECONDS,
  resetOnSuccess: false,
});
