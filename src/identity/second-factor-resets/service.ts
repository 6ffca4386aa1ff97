import type { Action } from '#audit/actions.ts';
import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import type { UsersDeps } from '#identity/users/deps.ts';
import { notifiedUserOf } from '#identity/users/profile.ts';
import { revokeAllTokens } from '#identity/users/store-sessions.ts';
import { findUsersWithDueReset, lockUser, updateUser, type User } from '#identity/users/store.ts';
import { endSecondFactors, hasSecondFactor } from '#identity/users/two-factor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import { GATEWAY_ACTOR, type AuditActor } from '#platform/http/audit-actor.ts';
import { isUuid } from '#platform/kit/ids.ts';

/** A user of one seller, or of the operator (null). */
export interface TeamMember {
  readonly sellerId: string | null;
  readonly userId: string;
}

export interface SecondFactorReset {
  readonly userId: string;
  /** When the second factors are removed. */
  readonly dueAt: Date;
}

export type CancelFailure = 'UNKNOWN' | 'NOT_PENDING';
export type ResetFailure = 'UNKNOWN' | 'NO_SECOND_FACTOR' | 'PENDING';

/**
 * Requests that the second factors of a user who lost them are removed. That happens after a
 * waiting time, in which the user can cancel it.
 */
export function requestReset(
  { db, clock, resetDelayMs, notifier }: UsersDeps,
  member: TeamMember,
  actor: AuditActor,
): Promise<SecondFactorReset | ResetFailure> {
  return inTransaction(db, async (trx) => {
    const user = await lockMember(trx, member);
    if (user === undefined) return 'UNKNOWN';
    if (user.second_factor_reset_due_at !== null) return 'PENDING';
    if (!(await hasSecondFactor(trx, user.id))) return 'NO_SECOND_FACTOR';
    const at = clock.now();
    const dueAt = new Date(at.getTime() + resetDelayMs);
    await updateUser(trx, user.id, { second_factor_reset_due_at: dueAt }, at);
    const after = { dueAt: dueAt.toISOString() };
    await recordReset(trx, user, 'user.second-factor-reset-requested', { actor, at, before: null, after });
    const params = { user: user.name, author: actor.name ?? '', ...after };
    const notification = { kind: 'second-factor-reset-requested', params, at } as const;
    await notifier.notifyUserAndManagers(trx, notifiedUserOf(user), notification);
    return { userId: user.id, dueAt };
  });
}

/** Cancels a pending reset. */
export function cancelReset(
  deps: UsersDeps,
  member: TeamMember,
  actor: AuditActor,
): Promise<'CANCELED' | CancelFailure> {
  return deps.db.transaction().execute(async (trx) => {
    const user = await lockMember(trx, member);
    if (user === undefined) return 'UNKNOWN';
    return (await cancelPendingReset(deps, trx, user, actor)) ? 'CANCELED' : 'NOT_PENDING';
  });
}

/**
 * Cancels the reset of a locked user, also when the user removes the last second factor: it would
 * remove those that the user sets up afterward. Returns false if none is pending.
 */
export async function cancelPendingReset(
  { clock, notifier }: Pick<UsersDeps, 'clock' | 'notifier'>,
  trx: DatabaseTransaction,
  user: User,
  actor: AuditActor,
): Promise<boolean> {
  const dueAt = user.second_factor_reset_due_at;
  if (dueAt === null) return false;
  const at = clock.now();
  await updateUser(trx, user.id, { second_factor_reset_due_at: null }, at);
  const before = { dueAt: dueAt.toISOString() };
  await recordReset(trx, user, 'user.second-factor-reset-canceled', { actor, at, before, after: null });
  const params = { user: user.name, at: at.toISOString() };
  const notification = { kind: 'second-factor-reset-canceled', params, at } as const;
  await notifier.notifyUserAndManagers(trx, notifiedUserOf(user), notification);
  return true;
}

/**
 * Removes the second factors whose waiting time is over, and revokes the tokens of their users, at
 * most `limit`. Returns their number.
 */
export async function executeDueResets(deps: UsersDeps, limit: number): Promise<number> {
  const due = await findUsersWithDueReset(deps.db, deps.clock.now(), limit);
  for (const { id } of due) await deps.db.transaction().execute((trx) => executeReset(deps, trx, id));
  deps.userCache.invalidate(new Set(due.map(({ id }) => id)));
  return due.length;
}

async function executeReset(
  { clock, notifier }: UsersDeps,
  trx: DatabaseTransaction,
  userId: string,
): Promise<void> {
  const user = await lockUser(trx, userId);
  const dueAt = user?.second_factor_reset_due_at ?? null;
  const at = clock.now();
  // It may have been canceled, or executed by another worker.
  if (user === undefined || dueAt === null || dueAt > at) return;
  await updateUser(trx, userId, { second_factor_reset_due_at: null }, at);
  await endSecondFactors(trx, userId);
  await revokeAllTokens(trx, userId, at);
  const origin = { actor: GATEWAY_ACTOR, at, before: { dueAt: dueAt.toISOString() }, after: null };
  await recordReset(trx, user, 'user.second-factor-reset', origin);
  const params = { user: user.name, at: at.toISOString() };
  await notifier.notifyUserAndManagers(trx, notifiedUserOf(user), {
    kind: 'second-factor-reset',
    params,
    at,
  });
}

async function lockMember(
  trx: DatabaseTransaction,
  { sellerId, userId }: TeamMember,
): Promise<User | undefined> {
  const user = isUuid(userId) ? await lockUser(trx, userId.toLowerCase()) : undefined;
  return user?.seller_id === sellerId ? user : undefined;
}

interface ResetChange extends ChangeOrigin {
  readonly before: { readonly dueAt: string } | null;
  readonly after: { readonly dueAt: string } | null;
}

function recordReset(
  trx: DatabaseTransaction,
  { id, seller_id: sellerId }: User,
  action: Action,
  { actor, ...change }: ResetChange,
): Promise<void> {
  return recordAudit(trx, actor, { action, recordType: 'user', recordId: id, sellerId, ...change });
}
