import type { Action } from '#audit/actions.ts';
import { cancelPendingReset } from '#identity/second-factor-resets/service.ts';
import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { UsersDeps } from './deps.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { notifiedUserOf } from './profile.ts';
import { deletePasswordResets } from './store-links.ts';
import { deleteSecondFactor } from './store-second-factors.ts';
import { deleteOtherSessions } from './store-sessions.ts';
import { findUser, lockUser, updateUser, type User } from './store.ts';
import {
  beginSetup,
  confirmSetup,
  consumeCredential,
  endRecoveryCodes,
  findSecondFactors,
  hasSecondFactor,
  type TwoFactorSetup,
} from './two-factor.ts';

/** The session that a user acts in. */
export interface CurrentSession {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Changes the password, revokes all other sessions and voids the links that would reset it. Returns
 * undefined if the current password is wrong.
 */
export async function changePassword(
  deps: UsersDeps,
  { userId, sessionId }: CurrentSession,
  passwords: { readonly current: string; readonly next: string },
  actor: AuditActor,
): Promise<true | undefined> {
  const { db, clock, userCache } = deps;
  const verified = await verifyUserPassword(deps, userId, passwords.current);
  if (verified === undefined) return undefined;
  const passwordHash = await hashPassword(passwords.next);
  const changed = await db.transaction().execute(async (trx) => {
    const user = await lockUnchangedUser(trx, verified);
    if (user === undefined) return undefined;
    await updateUser(trx, userId, { password_hash: passwordHash }, clock.now());
    await deletePasswordResets(trx, userId);
    await deleteOtherSessions(trx, userId, sessionId);
    await recordChange(trx, user, 'user.password-changed', { actor, at: clock.now() });
    await notifyOfChange(deps, trx, user, 'password-changed');
    return true as const;
  });
  userCache.invalidate(new Set([userId]));
  return changed;
}

/** Begins the setup of a second factor. Returns undefined if the password is wrong. */
export async function beginTwoFactor(
  deps: UsersDeps,
  userId: string,
  password: string,
  actor: AuditActor,
): Promise<TwoFactorSetup | 'ACTIVE' | undefined> {
  const user = await verifyUserPassword(deps, userId, password);
  if (user === undefined) return undefined;
  return deps.db.transaction().execute(async (trx) => {
    const setup = await beginSetup(deps, trx, user);
    if (setup === undefined) return 'ACTIVE';
    await recordChange(trx, user, 'user.two-factor-begun', { actor, at: deps.clock.now() });
    return setup;
  });
}

/**
 * Activates the second factor and revokes all other sessions. Returns the recovery codes, undefined
 * if the code is wrong.
 */
export async function confirmTwoFactor(
  deps: UsersDeps,
  { userId, sessionId }: CurrentSession,
  code: string,
  actor: AuditActor,
): Promise<readonly string[] | undefined> {
  const { db, clock, userCache } = deps;
  const recoveryCodes = await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId);
    if (user === undefined) return undefined;
    const codes = await confirmSetup(deps, trx, userId, code);
    if (codes === undefined) return undefined;
    await deleteOtherSessions(trx, userId, sessionId);
    await recordChange(trx, user, 'user.two-factor-enabled', { actor, at: clock.now() });
    await notifyOfChange(deps, trx, user, 'two-factor-enabled');
    return codes;
  });
  if (recoveryCodes !== undefined) failPoint('second-factors.confirmed');
  userCache.invalidate(new Set([userId]));
  return recoveryCodes;
}

/**
 * Removes the authenticator. Returns undefined if the password or the code is wrong. The result
 * does not reveal which.
 */
export async function disableTwoFactor(
  deps: UsersDeps,
  userId: string,
  { password, code }: { readonly password: string; readonly code: string },
  actor: AuditActor,
): Promise<true | undefined> {
  const { db, clock, userCache } = deps;
  const verified = await verifyUserPassword(deps, userId, password);
  if (verified === undefined) return undefined;
  const removed = await db.transaction().execute(async (trx) => {
    const user = await lockUnchangedUser(trx, verified);
    if (user === undefined || !(await findSecondFactors(trx, userId)).authenticator) return undefined;
    const kind = /^\d{6}$/.test(code) ? 'code' : 'recovery';
    if (!(await consumeCredential(deps, trx, userId, { kind, code }))) return undefined;
    await deleteSecondFactor(trx, userId);
    if (!(await hasSecondFactor(trx, userId))) {
      await endRecoveryCodes(trx, userId);
      await cancelPendingReset(deps, trx, user, actor);
    }
    await recordChange(trx, user, 'user.two-factor-disabled', { actor, at: clock.now() });
    await notifyOfChange(deps, trx, user, 'two-factor-disabled');
    return true as const;
  });
  if (removed === true) failPoint('second-factors.removed');
  userCache.invalidate(new Set([userId]));
  return removed;
}

/**
 * Returns the user as it was when the password was verified, undefined if the password is wrong.
 */
export async function verifyUserPassword(
  { db }: UsersDeps,
  userId: string,
  password: string,
): Promise<User | undefined> {
  const user = await findUser(db, userId);
  return user !== undefined && (await verifyPassword(user.password_hash, password)) ? user : undefined;
}

/** Locks the user. Returns undefined if it was deleted or its password was changed since. */
export async function lockUnchangedUser(trx: DatabaseTransaction, expected: User): Promise<User | undefined> {
  const user = await lockUser(trx, expected.id);
  return user?.password_hash === expected.password_hash ? user : undefined;
}

/** Records that a credential was changed, without its values. */
function recordChange(
  trx: DatabaseTransaction,
  { id, seller_id: sellerId }: User,
  action: Action,
  { actor, at }: ChangeOrigin,
): Promise<void> {
  const target = { recordType: 'user', recordId: id, sellerId } as const;
  return recordAudit(trx, actor, { action, ...target, before: null, after: null, at });
}

/** Notifies a user that a credential was changed. */
export function notifyOfChange(
  { clock, notifier }: Pick<UsersDeps, 'clock' | 'notifier'>,
  trx: DatabaseTransaction,
  user: User,
  kind: 'password-changed' | 'two-factor-enabled' | 'two-factor-disabled',
): Promise<void> {
  const at = clock.now();
  return notifier.notifyUser(trx, notifiedUserOf(user), { kind, params: { at: at.toISOString() }, at });
}
