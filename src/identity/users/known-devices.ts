import { hashCredential } from '#platform/kit/ids.ts';
import type { UsersDeps } from './deps.ts';
import { findUser, findUserByEmail, type User } from './store.ts';

/**
 * A token of a browser that the user has signed in with. It is bound to the password: after a
 * change no browser is known.
 */
export async function issueDeviceToken(
  { db, signedTokens }: UsersDeps,
  userId: string,
): Promise<string | undefined> {
  const user = await findUser(db, userId);
  if (user === undefined) return undefined;
  return signedTokens.sign('device', { subject: deviceSubject(user.email), bound: passwordVersion(user) });
}

/** Returns the id of the browser if it has signed in with this email and the current password. */
export async function findKnownDevice(
  { db, signedTokens }: UsersDeps,
  email: string,
  deviceToken: string,
): Promise<string | undefined> {
  const token = await signedTokens.verify('device', deviceToken);
  if (token?.subject !== deviceSubject(email)) return undefined;
  const user = await findUserByEmail(db, email.toLowerCase());
  return user !== undefined && token.bound === passwordVersion(user) ? token.id : undefined;
}

/** Hashed, so that the cookie does not reveal the email. */
const deviceSubject = (email: string): string =>
  hashCredential(`device ${email.toLowerCase()}`).toString('base64url');

/** The password hash is salted, so this reveals nothing of the password. */
const passwordVersion = (user: User): string =>
  hashCredential(user.password_hash).toString('base64url').slice(0, 22);
