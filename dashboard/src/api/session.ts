import type { Role } from '../../../src/platform/kit/permissions.ts';
import { setServerTime } from './clock.ts';
import { ApiError, SignedOutError } from './errors.ts';
import { rememberPasskey, signByAutofill, signWithPasskey } from './passkeys.ts';
import {
  claimsOf,
  forgetSession,
  logIn,
  logOut,
  mayHaveSession,
  passkeyOptions,
  renew,
  verifyPasskey,
  verifySecondFactor,
  whoAmI,
  type SecondFactorChallenge,
  type SignedIn,
} from './tokens.ts';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Of a restored session. A sign-in does not return it. */
  readonly seller?: { readonly status: string } | null;
}

/**
 * `starting`: checking whether the cookie holds a session, repeatedly after an `error`. `expired`:
 * the user must enter the password again; the screen keeps its state and continues afterwards.
 */
export type Session =
  | { readonly state: 'starting'; readonly error?: unknown }
  | { readonly state: 'out' }
  | { readonly state: 'in'; readonly user: User; readonly accessToken: string }
  | { readonly state: 'expired'; readonly user: User };

let session: Session = { state: mayHaveSession() ? 'starting' : 'out' };
const listeners = new Set<() => void>();
/** Requests that wait for a new sign-in. */
let waiting: { readonly go: (token: string) => void; readonly stop: (error: Error) => void }[] = [];

export const readSession = (): Session => session;

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

function startSession(user: User, accessToken: string): void {
  const claims = claimsOf(accessToken);
  // The tabs of a browser share the cookie of the session, and a passkey may be another user's. What
  // the page shows and has not sent yet is of the user before.
  if ('user' in session && session.user.id !== claims['sub']) return location.reload();
  setServerTime(claims);
  set({ state: 'in', user, accessToken });
  const released = waiting;
  waiting = [];
  for (const { go } of released) go(accessToken);
}

const userOf = ({ user }: SignedIn): User => ({ ...user, role: asRole(user.role) });

const ROLES: readonly Role[] = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER', 'ADMIN', 'SUPPORT'];
/** An unknown role gets the fewest permissions. */
const asRole = (role: string): Role => ROLES.find((known) => known === role) ?? 'VIEWER';

/**
 * Returns the challenge if the user has a second factor, undefined if signed in. Throws ApiError if
 * rejected, ConnectionError if the gateway is unreachable.
 */
export async function signIn(email: string, password: string): Promise<SecondFactorChallenge | undefined> {
  const response = await logIn(email, password);
  if ('challenge' in response) return response;
  startSession(userOf(response), response.accessToken);
  return undefined;
}

/** Completes the sign-in with an authenticator code or a recovery code. Throws as `signIn` does. */
export async function confirmSignIn(challenge: string, code: string): Promise<void> {
  const response = await verifySecondFactor(challenge, code);
  startSession(userOf(response), response.accessToken);
}

/**
 * Signs in with a passkey: instead of the password, or after it with its challenge. Throws as
 * `signIn` does, and PasskeyNotUsedError.
 */
export async function signInWithPasskey(challenge?: string): Promise<void> {
  const passkey = await signWithPasskey(await passkeyOptions(challenge));
  await startWithPasskey(challenge, passkey);
}

/** Signs in with the passkey that the user picks from the suggestions of the email field. */
export async function signInByAutofill(stop: AbortController): Promise<void> {
  const passkey = await signByAutofill(await passkeyOptions(undefined), stop);
  await startWithPasskey(undefined, passkey);
}

async function startWithPasskey(
  challenge: string | undefined,
  passkey: Awaited<ReturnType<typeof signWithPasskey>>,
): Promise<void> {
  const response = await verifyPasskey(challenge, passkey);
  rememberPasskey();
  startSession(userOf(response), response.accessToken);
}

/**
 * Restores the session of the cookie, if any. Only a 401 signs the user out; others are retried.
 */
export async function restoreSession(): Promise<void> {
  if (session.state !== 'starting') return;
  try {
    const token = await renew();
    if (token === undefined) set({ state: 'out' });
    else startSession(await whoAmI(token), token);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return set({ state: 'out' });
    set({ state: 'starting', error });
    const after = error instanceof ApiError ? error.retryAfter : undefined;
    setTimeout(() => void restoreSession(), after === undefined ? RETRY_DELAY_MS : after * 1_000);
  }
}

const RETRY_DELAY_MS = 3_000;

/** Whether the user signed out on this page, and should not be signed in again by a suggestion. */
export const hasSignedOut = (): boolean => signedOut;
let signedOut = false;

/** Prefix of the payer that the point of sale of a user keeps in the browser until the sign-out. */
export const COUNTER_KEY = 'vereda-counter-';

export async function signOut(): Promise<void> {
  signedOut = true;
  for (const key of Object.keys(localStorage)) if (key.startsWith(COUNTER_KEY)) localStorage.removeItem(key);
  const token = session.state === 'in' ? session.accessToken : undefined;
  forgetSession();
  set({ state: 'out' });
  const stopped = waiting;
  waiting = [];
  for (const { stop } of stopped) stop(new SignedOutError());
  // The user is signed out locally in any case; tokens that could not be revoked expire.
  if (token !== undefined) await logOut(token).catch(() => undefined);
}

/** Returns the access token. Waits for a new sign-in if the session has expired. */
export function currentToken(): Promise<string> {
  if (session.state === 'in') return Promise.resolve(session.accessToken);
  if (session.state === 'out' || session.state === 'starting') return Promise.reject(new SignedOutError());
  return new Promise((go, stop) => waiting.push({ go, stop }));
}

let renewing: Promise<void> | undefined;

/** Renews the token after `refused` got a 401. Concurrent requests share one renewal. */
export function renewAfter(refused: string): Promise<void> {
  if (session.state !== 'in' || session.accessToken !== refused) return Promise.resolve();
  const { user } = session;
  renewing ??= renew()
    .then((token) => {
      if (session.state !== 'in') return undefined;
      if (token === undefined) set({ state: 'expired', user });
      else startSession(user, token);
      return undefined;
    })
    .finally(() => (renewing = undefined));
  return renewing;
}
