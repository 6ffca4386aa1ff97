import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';

import type { Action } from '#audit/actions.ts';
import { cancelPendingReset } from '#identity/second-factor-resets/service.ts';
import { recordAudit } from '#audit/service.ts';
import type { CurrentSession } from '#identity/users/credentials.ts';
import type { UsersDeps } from '#identity/users/deps.ts';
import { notifiedUserOf } from '#identity/users/profile.ts';
import { deleteOtherSessions } from '#identity/users/store-sessions.ts';
import { findUser, lockUser, type User } from '#identity/users/store.ts';
import { endRecoveryCodes, hasSecondFactor, issueRecoveryCodes } from '#identity/users/two-factor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { consumeChallenge } from './assertion.ts';
import { issueChallenge, type PasskeyContext } from './challenges.ts';
import {
  deletePasskey,
  findPasskeys,
  insertPasskey,
  lockPasskey,
  updatePasskey,
  type Passkey,
} from './store.ts';
import { creationOptions, verifyCreation, type PasskeyCreation } from './webauthn.ts';

const MAX_PASSKEYS = 20;

export interface NewPasskey {
  readonly name: string;
  readonly creation: PasskeyCreation;
}

export interface RegisteredPasskey {
  readonly passkey: Passkey;
  /** Set if the passkey is the first second factor of the user. */
  readonly recoveryCodes: readonly string[] | null;
}

interface PasskeyKey {
  readonly userId: string;
  readonly id: string;
}

/** Issues the options with which the browser creates a passkey. */
export async function beginPasskey(
  { db, signedTokens, relyingParty }: UsersDeps,
  session: CurrentSession,
): Promise<PublicKeyCredentialCreationOptionsJSON | 'TOO_MANY' | undefined> {
  const user = await findUser(db, session.userId);
  if (user === undefined) return undefined;
  const existing = await findPasskeys(db, user.id);
  if (existing.length >= MAX_PASSKEYS) return 'TOO_MANY';
  const challenge = await issueChallenge(signedTokens, registrationIn(session));
  return creationOptions(relyingParty, { user, challenge, existing });
}

/**
 * Stores the passkey that the browser created. The first second factor of a user yields recovery
 * codes and revokes all other sessions. Returns undefined if the response is not valid.
 */
export async function registerPasskey(
  deps: UsersDeps,
  session: CurrentSession,
  { name, creation }: NewPasskey,
  actor: AuditActor,
): Promise<RegisteredPasskey | 'TOO_MANY' | undefined> {
  const { db, clock, userCache, relyingParty, notifier } = deps;
  const { userId, sessionId } = session;
  const verified = await verifyCreation(relyingParty, creation);
  if (verified === undefined) return undefined;
  const registered = await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId);
    if (user === undefined) return undefined;
    if (!(await consumeChallenge(deps, trx, creation, registrationIn(session)))) return undefined;
    if ((await findPasskeys(trx, userId)).length >= MAX_PASSKEYS) return 'TOO_MANY';
    const isFirst = !(await hasSecondFactor(trx, userId));
    const at = clock.now();
    const passkey = {
      id: newId(at.getTime()),
      user_id: userId,
      name,
      last_used_at: null,
      created_at: at,
      credential_id: verified.credentialId,
      public_key: verified.publicKey,
      sign_count: verified.signCount,
      transports: [...verified.transports],
      backup_eligible: verified.backupEligible,
      backed_up: verified.backedUp,
    };
    if (!(await insertPasskey(trx, passkey))) return undefined;
    const recoveryCodes = isFirst ? await issueRecoveryCodes(trx, userId) : null;
    if (isFirst) await deleteOtherSessions(trx, userId, sessionId);
    const change = { before: null, after: { passkey: name }, at };
    await recordPasskeyChange(trx, actor, user, { action: 'user.passkey-added', ...change });
    const params = { name, at: at.toISOString() };
    await notifier.notifyUser(trx, notifiedUserOf(user), { kind: 'passkey-added', params, at });
    return { passkey, recoveryCodes };
  });
  userCache.invalidate(new Set([userId]));
  return registered;
}

/** The passkeys of a user, oldest first. */
export const listPasskeys = ({ db }: UsersDeps, userId: string): Promise<readonly Passkey[]> =>
  findPasskeys(db, userId);

/** Returns undefined if the user has no such passkey. */
export function renamePasskey(
  { db, clock }: UsersDeps,
  key: PasskeyKey,
  name: string,
  actor: AuditActor,
): Promise<Passkey | undefined> {
  return db.transaction().execute(async (trx) => {
    const found = await lockOwnPasskey(trx, key);
    if (found === undefined) return undefined;
    const { user, passkey } = found;
    await updatePasskey(trx, passkey.id, { name });
    const [before, after] = [{ passkey: passkey.name }, { passkey: name }];
    const change = { action: 'user.passkey-renamed', before, after, at: clock.now() } as const;
    await recordPasskeyChange(trx, actor, user, change);
    return { ...passkey, name };
  });
}

/** Returns false if the user has no such passkey. */
export async function removePasskey(deps: UsersDeps, key: PasskeyKey, actor: AuditActor): Promise<boolean> {
  const { db, clock, userCache, notifier } = deps;
  const removed = await db.transaction().execute(async (trx) => {
    const found = await lockOwnPasskey(trx, key);
    if (found === undefined) return false;
    const { user, passkey } = found;
    await deletePasskey(trx, passkey);
    if (!(await hasSecondFactor(trx, user.id))) {
      await endRecoveryCodes(trx, user.id);
      await cancelPendingReset(deps, trx, user, actor);
    }
    const before = { passkey: passkey.name };
    const at = clock.now();
    await recordPasskeyChange(trx, actor, user, { action: 'user.passkey-deleted', before, after: null, at });
    const params = { name: passkey.name, at: at.toISOString() };
    await notifier.notifyUser(trx, notifiedUserOf(user), { kind: 'passkey-deleted', params, at });
    return true;
  });
  userCache.invalidate(new Set([key.userId]));
  return removed;
}

const registrationIn = ({ sessionId }: CurrentSession): PasskeyContext => ({
  purpose: 'register',
  binding: sessionId,
});

async function lockOwnPasskey(
  trx: DatabaseTransaction,
  { userId, id }: PasskeyKey,
): Promise<{ readonly user: User; readonly passkey: Passkey } | undefined> {
  if (!isUuid(id)) return undefined;
  const user = await lockUser(trx, userId);
  const passkey = await lockPasskey(trx, userId, id.toLowerCase());
  return user === undefined || passkey === undefined ? undefined : { user, passkey };
}

interface PasskeyChange {
  readonly action: Action;
  readonly before: { readonly passkey: string } | null;
  readonly after: { readonly passkey: string } | null;
  readonly at: Date;
}

function recordPasskeyChange(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { id, seller_id: sellerId }: User,
  change: PasskeyChange,
): Promise<void> {
  return recordAudit(trx, actor, { recordType: 'user', recordId: id, sellerId, ...change });
}
