import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import { deleteKeysOfUser } from '#identity/api-keys/service.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { SellerRole } from '#platform/kit/permissions.ts';
import { auditFields, auditTarget } from './audit.ts';
import type { UsersDeps } from './deps.ts';
import { mayInvite, withdrawInvitationsOf } from './invitations.ts';
import { profileOf, roleOf, type Profile } from './profile.ts';
import {
  deleteOperatorUser,
  deleteSellerUser,
  deleteSellerUsers,
  lockOwners,
  lockUser,
  updateUser,
  type User,
} from './store.ts';

/** A seller always has an OWNER. */
export type TeamChangeFailure = 'UNKNOWN' | 'LAST_OWNER';

/** The changes of a team member that are set. */
interface TeamMemberChanges {
  readonly name?: string | undefined;
  readonly role?: SellerRole | undefined;
  /** Whether the API keys that the user created and the role could not create are deleted. */
  readonly endKeys?: boolean | undefined;
}

/** The deletion of a seller's user. */
interface SellerUserRemoval {
  readonly sellerId: string;
  readonly id: string;
  /** Whether the API keys that the user created are deleted too. */
  readonly endKeys: boolean;
}

export async function rename(
  { db, clock, userCache }: UsersDeps,
  userId: string,
  name: string,
  actor: AuditActor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockUser(trx, userId);
    if (before === undefined) return;
    await updateAuditedUser(trx, before, { name, role: before.role }, { actor, at: clock.now() });
  });
  userCache.invalidate(new Set([userId]));
}

/**
 * Deletes a user of the operator. Their tokens are revoked immediately, in other processes within a
 * second.
 */
export function removeOperatorUser(
  deps: UsersDeps,
  id: string,
  actor: AuditActor,
): Promise<'DELETED' | 'UNKNOWN' | 'LAST_ADMIN'> {
  return removeUser(deps, id, actor, deleteOperatorUser);
}

/** Deletes a user of a seller, even its last OWNER. Returns false if there is no such user. */
export async function removeSellerUser(
  deps: UsersDeps,
  removal: SellerUserRemoval,
  actor: AuditActor,
): Promise<boolean> {
  const outcome = await removeUser(deps, removal.id, actor, (trx) =>
    deleteWithKeys(deps, trx, removal, actor),
  );
  return outcome === 'DELETED';
}

/** Deletes a member of the seller's team, unless they are its last OWNER. */
export function removeTeamMember(
  deps: UsersDeps,
  removal: SellerUserRemoval,
  actor: AuditActor,
): Promise<TeamChangeFailure | 'DELETED'> {
  return removeUser<TeamChangeFailure>(deps, removal.id, actor, async (trx, userId) =>
    isOnlyOwner(await lockOwners(trx, removal.sellerId), userId)
      ? 'LAST_OWNER'
      : deleteWithKeys(deps, trx, removal, actor),
  );
}

async function deleteWithKeys(
  { clock }: UsersDeps,
  trx: DatabaseTransaction,
  { sellerId, id, endKeys }: SellerUserRemoval,
  actor: AuditActor,
): Promise<User | 'UNKNOWN'> {
  const userId = id.toLowerCase();
  const deleted = await deleteSellerUser(trx, sellerId, userId);
  if (endKeys && deleted !== 'UNKNOWN')
    await deleteKeysOfUser(trx, { sellerId, userId }, { actor, at: clock.now() });
  return deleted;
}

/** Changes name and role of a member of the seller's team. The last OWNER keeps the role. */
export async function updateTeamMember(
  { db, clock, userCache }: UsersDeps,
  { sellerId, userId: id }: { readonly sellerId: string; readonly userId: string },
  changes: TeamMemberChanges,
  actor: AuditActor,
): Promise<Profile | TeamChangeFailure> {
  if (!isUuid(id)) return 'UNKNOWN';
  const userId = id.toLowerCase();
  const outcome = await db.transaction().execute(async (trx) => {
    const owners = changes.role === undefined ? [] : await lockOwners(trx, sellerId);
    const before = await lockUser(trx, userId);
    if (before === undefined || before.seller_id !== sellerId) return 'UNKNOWN';
    const { name = before.name, role = roleOf(before), endKeys = false } = changes;
    if (role !== 'OWNER' && isOnlyOwner(owners, userId)) return 'LAST_OWNER';
    const origin = { actor, at: clock.now() };
    const updated = await updateAuditedUser(trx, before, { name, role }, origin);
    if (endKeys) await deleteKeysOfUser(trx, { sellerId, userId, role }, origin);
    if (!mayInvite({ ...before, role })) await withdrawInvitationsOf(trx, userId, origin);
    return updated;
  });
  userCache.invalidate(new Set([userId]));
  return outcome;
}

async function removeUser<Failure extends string>(
  { db, clock, userCache }: UsersDeps,
  id: string,
  actor: AuditActor,
  deleteUser: (trx: DatabaseTransaction, id: string) => Promise<User | Failure>,
): Promise<Failure | 'DELETED' | 'UNKNOWN'> {
  if (!isUuid(id)) return 'UNKNOWN';
  const userId = id.toLowerCase();
  const outcome = await inTransaction(db, async (trx) => {
    const user = await deleteUser(trx, userId);
    if (typeof user === 'string') return user;
    const at = clock.now();
    const change = { action: 'user.deleted', before: auditFields(user), after: null, at } as const;
    await recordAudit(trx, actor, { ...change, ...auditTarget(user) });
    await withdrawInvitationsOf(trx, userId, { actor, at });
    return 'DELETED';
  });
  userCache.invalidate(new Set([userId]));
  return outcome;
}

/** Deletes all users of a seller, with their sessions, as part of a larger change. */
export async function deleteUsersOfSeller(
  trx: DatabaseTransaction,
  sellerId: string,
  { actor, at }: ChangeOrigin,
): Promise<void> {
  for (const user of await deleteSellerUsers(trx, sellerId)) {
    const change = { action: 'user.deleted', before: auditFields(user), after: null, at } as const;
    await recordAudit(trx, actor, { ...change, ...auditTarget(user) });
    await withdrawInvitationsOf(trx, user.id, { actor, at });
  }
}

/** Changes name and role of a locked user. */
async function updateAuditedUser(
  trx: DatabaseTransaction,
  before: User,
  { name, role }: Pick<User, 'name' | 'role'>,
  { actor, at }: ChangeOrigin,
): Promise<Profile> {
  if (name !== before.name || role !== before.role) await updateUser(trx, before.id, { name, role }, at);
  await recordAudit(trx, actor, {
    action: 'user.updated',
    ...auditTarget(before),
    before: { name: before.name, role: before.role },
    after: { name, role },
    at,
  });
  return profileOf({ ...before, name, role });
}

const isOnlyOwner = (owners: readonly { readonly id: string }[], id: string): boolean =>
  owners.length === 1 && owners[0]?.id === id;
