import { recordAudit } from '#audit/service.ts';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';

import { issueRequestOptions } from '#identity/passkeys/assertion.ts';
import type { PasskeyContext } from '#identity/passkeys/challenges.ts';
import { lockUnchangedUser, verifyUserPassword, type CurrentSession } from '#identity/users/credentials.ts';
import type { UsersDeps } from '#identity/users/deps.ts';
import { findVerification, updateVerification } from '#identity/users/store-sessions.ts';
import { lockUser, type User } from '#identity/users/store.ts';
import { consumeCredential, type SecondFactorCredential } from '#identity/users/two-factor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';

/** How long a sign-in or step-up counts. */
const VALID_MS = 5 * 60_000;

/** What a user presents to step up. */
export type StepUpProof =
  | { readonly kind: 'password'; readonly password: string }
  | Exclude<SecondFactorCredential, { readonly kind: 'recovery' }>;

/** A session and when its user was last verified, which may be outdated. */
export interface VerifiedSession {
  readonly sessionId: string;
  readonly verifiedAt: Date;
}

/**
 * Verifies the user of a session again. Returns until when it counts, undefined if the proof is
 * wrong.
 */
export async function stepUp(
  deps: UsersDeps,
  { userId, sessionId }: CurrentSession,
  proof: StepUpProof,
  actor: AuditActor,
): Promise<Date | undefined> {
  const { db, clock, userCache } = deps;
  const verified = proof.kind === 'password' ? await verifyUserPassword(deps, userId, proof.password) : null;
  if (verified === undefined) return undefined;
  const at = clock.now();
  const done = await db.transaction().execute(async (trx) => {
    const user = await (verified === null ? lockUser(trx, userId) : lockUnchangedUser(trx, verified));
    if (user === undefined || !(await isProven(deps, trx, user, proof))) return false;
    await updateVerification(trx, sessionId, at);
    await recordAudit(trx, actor, {
      action: 'user.verified',
      recordType: 'user',
      recordId: userId,
      sellerId: user.seller_id,
      before: null,
      after: {
        sessionId,
        method: proof.kind,
      },
      at,
    });
    return true;
  });
  userCache.invalidate(new Set([sessionId]));
  return done ? endOf(at) : undefined;
}

/** The password was verified before the transaction, which it would keep open for long. */
const isProven = async (
  deps: UsersDeps,
  trx: DatabaseTransaction,
  { id }: User,
  proof: StepUpProof,
): Promise<boolean> => proof.kind === 'password' || consumeCredential(deps, trx, id, proof);

/** Issues the options of a passkey of the user, to step up. */
export const issueStepUpOptions = (
  deps: UsersDeps,
  session: CurrentSession,
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  issueRequestOptions(deps, deps.db, session.userId, stepUpIn(session));

/** The context of a challenge that steps up. */
export const stepUpIn = ({ sessionId }: CurrentSession): PasskeyContext => ({
  purpose: 'step-up',
  binding: sessionId,
});

/**
 * Whether the user was verified within the last five minutes. A cached time that is too long ago is
 * read again: another process may have verified the user a moment ago.
 */
export async function isRecentlyVerified(
  { db, clock }: UsersDeps,
  { sessionId, verifiedAt }: VerifiedSession,
): Promise<boolean> {
  const now = clock.now();
  if (endOf(verifiedAt) > now) return true;
  const current = await findVerification(db, sessionId);
  return current !== undefined && endOf(current) > now;
}

const endOf = (verifiedAt: Date): Date => new Date(verifiedAt.getTime() + VALID_MS);
