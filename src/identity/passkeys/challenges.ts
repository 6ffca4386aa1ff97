import type { SignedTokens } from '#identity/users/signed-tokens.ts';
import { hashCredential } from '#platform/kit/ids.ts';

/** What a response to a challenge may be used for. */
type PasskeyPurpose = 'register' | 'sign-in' | 'second-factor' | 'step-up';

/** What a challenge was issued for. A response to it is accepted for the same only. */
export interface PasskeyContext {
  readonly purpose: PasskeyPurpose;
  /**
   * The session, the password step of a sign-in, or the cookie of the browser that requested it.
   */
  readonly binding: string;
}

/**
 * A challenge is a signed token, so that issuing one writes nothing. It is valid for five minutes.
 * Its id is recorded when it is used.
 */
export function issueChallenge(
  signedTokens: SignedTokens,
  { purpose, binding }: PasskeyContext,
): Promise<string> {
  return signedTokens.sign('passkey', { subject: purpose, bound: fingerprint(binding) });
}

/** Returns the id of a challenge in base64url. Undefined if it is forged, expired or another's. */
export async function openChallenge(
  signedTokens: SignedTokens,
  challenge: string,
  { purpose, binding }: PasskeyContext,
): Promise<string | undefined> {
  const token = await signedTokens.verify('passkey', Buffer.from(challenge, 'base64url').toString());
  return token?.subject === purpose && token.bound === fingerprint(binding) ? token.id : undefined;
}

const fingerprint = (binding: string): string => hashCredential(binding).toString('base64url');
