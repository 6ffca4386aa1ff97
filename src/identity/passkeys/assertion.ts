import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';

import { PASSKEY_CHALLENGE_TTL_SECONDS, type SignedTokens } from '#identity/users/signed-tokens.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { issueChallenge, openChallenge, type PasskeyContext } from './challenges.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  findPasskeyByCredential,
  findPasskeys,
  lockPasskey,
  recordChallengeUse,
  updatePasskey,
  type Passkey,
} from './store.ts';
import {
  challengeOf,
  isPasskeyOf,
  requestOptions,
  verifyAssertion,
  type PasskeyAssertion,
  type PasskeyCreation,
} from './webauthn.ts';

export interface PasskeyDeps {
  readonly clock: Clock;
  readonly signedTokens: SignedTokens;
  readonly relyingParty: RelyingParty;
}

/** A response of an authenticator, and the context that its challenge must have been issued for. */
export interface PasskeyProof extends PasskeyContext {
  readonly assertion: PasskeyAssertion;
}

/**
 * Issues the options of a signature by a passkey: one of the user's, or of any user who signs in
 * (null).
 */
export async function issueRequestOptions(
  { signedTokens, relyingParty }: PasskeyDeps,
  db: Db,
  userId: string | null,
  context: PasskeyContext,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const known = userId === null ? [] : await findPasskeys(db, userId);
  return requestOptions(relyingParty, await issueChallenge(signedTokens, context), known);
}

/** Returns the id of the user whose passkey the response names. Verifies nothing. */
export async function findPasskeyOwner(
  db: Db,
  { id }: PasskeyAssertion,
): Promise<Pick<Passkey, 'id' | 'user_id'> | undefined> {
  return findPasskeyByCredential(db, Buffer.from(id, 'base64url'));
}

/** Whether the user, who is locked, has signed an unused challenge with one of their passkeys. */
export async function consumePasskey(
  deps: PasskeyDeps,
  trx: DatabaseTransaction,
  userId: string,
  { assertion, ...context }: PasskeyProof,
): Promise<boolean> {
  const named = await findPasskeyOwner(trx, assertion);
  if (named?.user_id !== userId || !isPasskeyOf(assertion, userId)) return false;
  const passkey = await lockPasskey(trx, userId, named.id);
  if (passkey === undefined) return false;
  const verified = await verifyAssertion(deps.relyingParty, assertion, passkey);
  if (verified === undefined || !(await consumeChallenge(deps, trx, assertion, context))) return false;
  const { signCount, backedUp } = verified;
  const use = { sign_count: signCount, backed_up: backedUp, last_used_at: deps.clock.now() };
  await updatePasskey(trx, passkey.id, use);
  return true;
}

/** Whether the response answers a challenge of this context that was not used before. */
export async function consumeChallenge(
  { signedTokens, clock }: PasskeyDeps,
  trx: DatabaseTransaction,
  response: PasskeyAssertion | PasskeyCreation,
  context: PasskeyContext,
): Promise<boolean> {
  const challenge = challengeOf(response);
  const id = challenge === undefined ? undefined : await openChallenge(signedTokens, challenge, context);
  if (id === undefined) return false;
  // The challenge itself has expired by then.
  const expiresAt = new Date(clock.nowMs() + PASSKEY_CHALLENGE_TTL_SECONDS * 1_000);
  return recordChallengeUse(trx, id, expiresAt);
}
