import type { Role } from '../../../src/permissions.ts';
import { setServerTime } from './clock.ts';
import { SignedOutError } from './errors.ts';
import { logIn, logOut, renew, type SignedIn } from './tokens.ts';

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * `expired`: the user was signed in and must give the password again; what they were doing stays on the screen and goes on
 * afterwards.
 */
export type Session =
  | { readonly state: 'out' }
  | { readonly state: 'in'; readonly user: User; readonly accessToken: string }
  | { readonly state: 'expired'; readonly user: User };

let session: Session = { state: 'out' };
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

function takeIn(user: User, accessToken: string): void {
  setServerTime(accessToken);
  set({ state: 'in', user, accessToken });
  const released = waiting;
  waiting = [];
  for (const { go } of released) go(accessToken);
}

const userOf = ({ user }: SignedIn): User => ({ ...user, role: asRole(user.role) });

const ROLES: readonly Role[] = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER', 'ADMIN', 'SUPPORT'];
/** A role that this version does not know sees least. */
const asRole = (role: string): Role => ROLES.find((known) => known === role) ?? 'VIEWER';

/** Throws an ApiError where the gateway refuses, and ConnectionError where it is not reached. */
export async function signIn(email: string, password: string): Promise<void> {
  const signedIn = await logIn(email, password);
  takeIn(userOf(signedIn), signedIn.accessToken);
}

export async function signOut(): Promise<void> {
  const token = session.state === 'in' ? session.accessToken : undefined;
  set({ state: 'out' });
  const stopped = waiting;
  waiting = [];
  for (const { stop } of stopped) stop(new SignedOutError());
  // Signed out here in any case; tokens that could not be ended end by themselves.
  if (token !== undefined) await logOut(token).catch(() => undefined);
}

/** The access token to send; waits for a new sign-in where the session has expired. */
export function currentToken(): Promise<string> {
  if (session.state === 'in') return Promise.resolve(session.accessToken);
  if (session.state === 'out') return Promise.reject(new SignedOutError());
  return new Promise((go, stop) => waiting.push({ go, stop }));
}

let renewing: Promise<void> | undefined;

/** After `refused` was answered 401. Requests that are refused together renew once. */
export function renewAfter(refused: string): Promise<void> {
  if (session.state !== 'in' || session.accessToken !== refused) return Promise.resolve();
  const { user } = session;
  renewing ??= renew()
    .then((token) => {
      if (session.state !== 'in') return undefined;
      if (token === undefined) set({ state: 'expired', user });
      else takeIn(user, token);
      return undefined;
    })
    .finally(() => (renewing = undefined));
  return renewing;
}
