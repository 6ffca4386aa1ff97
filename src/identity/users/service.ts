import { randomUUID } from 'node:crypto';

import type { Members } from '#audit/members.ts';
import { recordAudit, type ChangeOrigin } from '#audit/service.ts';
import { endKeysOfUser } from '#identity/api-keys/service.ts';
import type { Locale } from '#notifications/templates/template.ts';
import type { Notifier } from '#notifications/notifier.ts';
import {
  beginPasskey,
  listPasskeys,
  registerPasskey,
  removePasskey,
  renamePasskey,
} from '#identity/passkeys/service.ts';
import { createRelyingParty } from '#identity/passkeys/relying-party.ts';
import { deleteChallengesExpiredBefore } from '#identity/passkeys/store.ts';
import { cancelReset, executeDueResets, requestReset } from '#identity/second-factor-resets/service.ts';
import { askForStepUp, isRecentlyVerified, stepUp } from '#identity/step-up/service.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { inTransaction } from '#platform/database/in-transaction.ts';
import type { RecordCaches } from '#platform/database/record-caches.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { Role, SellerRole } from '#platform/kit/permissions.ts';
import type { JwtSecrets } from './access-tokens.ts';
import { beginTwoFactor, changePassword, confirmTwoFactor, disableTwoFactor } from './credentials.ts';
import type { UsersDeps } from './deps.ts';
import { findKnownDevice, issueDeviceToken } from './known-devices.ts';
import {
  acceptInvitation,
  invite,
  listInvitations,
  mayInvite,
  withdrawInvitation,
  withdrawInvitationsOf,
} from './invitations.ts';
import { processResetRequest, requestPasswordReset, resetPassword } from './password-reset.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { profileOf, type Profile } from './profile.ts';
import { findTokenUser, listSessions, readAccessToken, refresh, revokeSession, signOut } from './sessions.ts';
import {
  askForSecondFactor,
  askForSignIn,
  signIn,
  signInWithPasskey,
  signInWithSecondFactor,
} from './sign-in.ts';
import { createSignedTokens } from './signed-tokens.ts';
import { deleteInvitationsExpiredBefore, deleteResetsExpiredBefore } from './store-links.ts';
import { countRecoveryCodes } from './store-second-factors.ts';
import {
  deleteDevicesUnusedSince,
  deleteRefreshTokensExpiredBefore,
  deleteSessionsExpiredBefore,
  findDevices,
  findSessionUsers,
  type SessionUser,
} from './store-sessions.ts';
import {
  countUsers,
  deleteOperatorUser,
  deleteSellerUser,
  deleteSellerUsers,
  findUser,
  findUserByEmail,
  findUsers,
  hasOperatorUser,
  hasOtherAdmin,
  insertUser,
  lockOwners,
  lockUser,
  updateUser,
  type User,
} from './store.ts';
import { findSecondFactors, isAnyActive, type SecondFactors } from './two-factor.ts';

export { SECOND_FACTOR_RESETS_DUE } from './store.ts';
export { RESET_REQUESTS_DUE } from './store-links.ts';

const NEW_ADMIN_MS = 86_400_000;

export interface NewUser {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  /** Created by the start of the sandbox: cannot sign in outside it. */
  readonly demo?: boolean | undefined;
}

export type NewUserFailure = 'EMAIL_TAKEN';

/** A new user whose password is hashed already. */
export type HashedUser = Omit<NewUser, 'password'> & {
  readonly passwordHash: string;
  /** The language of mails. Portuguese by default. */
  readonly locale?: Locale | undefined;
};

type CreateUserResult =
  | { readonly ok: true; readonly user: Profile }
  | { readonly ok: false; readonly failure: NewUserFailure };

/** A seller always has an OWNER. */
export type TeamChangeFailure = 'UNKNOWN' | 'LAST_OWNER';

/** The changes of a team member that are set. */
interface TeamMemberChanges {
  readonly name?: string | undefined;
  readonly role?: SellerRole | undefined;
}

/** The deletion of a seller's user. */
interface SellerUserRemoval {
  readonly sellerId: string;
  readonly id: string;
  /** Whether the API keys that the user created are deleted too. */
  readonly endKeys: boolean;
}

export interface UsersOptions {
  readonly jwtSecrets: JwtSecrets;
  readonly secrets: SecretBox;
  readonly sandbox: boolean;
  readonly publicUrl: string;
  readonly resetDelayMs: number;
  readonly caches: RecordCaches;
  readonly notifier: Notifier;
}

export type UsersService = ReturnType<typeof createUsersService>;

/** Passkeys, step-up, and resets of lost second factors. */
const SECOND_FACTOR_USE_CASES = {
  signInWithPasskey,
  askForSecondFactor,
  askForSignIn,
  beginPasskey,
  registerPasskey,
  listPasskeys,
  renamePasskey,
  removePasskey,
  stepUp,
  askForStepUp,
  isRecentlyVerified,
  requestReset,
  cancelReset,
  executeDueResets,
};

export function createUsersService(db: Db, clock: Clock, options: UsersOptions) {
  const { jwtSecrets, secrets, sandbox, publicUrl, resetDelayMs, caches, notifier } = options;
  const signedTokens = createSignedTokens(jwtSecrets, clock);
  const deps: UsersDeps = {
    db,
    clock,
    sandbox,
    secrets,
    notifier,
    jwtSecrets,
    signedTokens,
    relyingParty: createRelyingParty(publicUrl, sandbox),
    resetDelayMs,
    userCache: caches.create<SessionUser>({
      name: 'users',
      tables: [{ table: 'users', idColumn: 'id' }],
      load: findSessionUsers,
      idsOf: ({ id, session_id: sessionId }) => [id, sessionId],
    }),
    dummyHash: hashPassword(randomUUID()),
  };
  const useCases = bindDeps(deps, {
    create,
    createHashed,
    hash,
    within,
    isAdmin,
    hasSecondAdmin,
    isNewAdmin,
    list,
    findProfile,
    findEmail,
    findByEmail: async ({ db }, email: string) => {
      const user = await findUserByEmail(db, email.toLowerCase());
      return user && { id: user.id, sellerId: user.seller_id };
    },
    rename,
    removeOperatorUser,
    removeSellerUser,
    removeTeamMember,
    updateTeamMember,
    changePassword,
    beginTwoFactor,
    confirmTwoFactor,
    disableTwoFactor,
    signIn,
    signInWithSecondFactor,
    ...SECOND_FACTOR_USE_CASES,
    refresh,
    signOut,
    listSessions,
    listDevices: ({ db }, userId: string) => findDevices(db, userId),
    revokeSession,
    readAccessToken,
    findTokenUser,
    issueDeviceToken,
    findKnownDevice,
    invite,
    listInvitations,
    withdrawInvitation,
    acceptInvitation,
    requestPasswordReset,
    processResetRequest,
    resetPassword,
  });
  return { ...useCases, signedTokens };
}

/** Creates a user as part of a larger change, which the caller records in the audit log. */
export async function createUser(
  trx: DatabaseTransaction,
  input: NewUser,
  now: Date,
): Promise<CreateUserResult> {
  return saveUser(trx, await buildNewUser(input, now, null));
}

/** The same with a password that is hashed already. */
export function createHashedUser(
  trx: DatabaseTransaction,
  input: HashedUser,
  now: Date,
): Promise<CreateUserResult> {
  return saveUser(trx, buildUser(input, now, null));
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

/** Creates the operator's first user. Returns false if the operator has one. */
export async function createFirstOperator(
  db: Db,
  { email, password, demo }: Pick<NewUser, 'email' | 'password' | 'demo'>,
  now: Date,
  actor: AuditActor,
): Promise<boolean> {
  if (await hasOperatorUser(db)) return false;
  const input = { sellerId: null, name: 'Admin', role: 'ADMIN', email, password, demo } as const;
  return (await createAuditedUser(db, input, { actor, at: now })).ok;
}

/**
 * Returns why the settings of the first operator have no effect, or that nobody can sign in for the
 * lack of them; undefined if all is well.
 */
export async function findFirstOperatorProblem(
  db: Db,
  settings: Pick<NewUser, 'email' | 'password'> | undefined,
): Promise<'missing' | 'other-user' | 'other-password' | undefined> {
  if (settings === undefined) return (await hasOperatorUser(db)) ? undefined : 'missing';
  const user = await findUserByEmail(db, settings.email.toLowerCase());
  if (user === undefined || user.seller_id !== null) return 'other-user';
  return (await verifyPassword(user.password_hash, settings.password)) ? undefined : 'other-password';
}

/** Clients that a user has not signed in with for this long are forgotten. */
const DEVICE_TTL_MS = 180 * 86_400_000;

export async function deleteUnusedDevices(db: Db, now: Date, limit: number): Promise<number> {
  return deleteDevicesUnusedSince(db, new Date(now.getTime() - DEVICE_TTL_MS), limit);
}

/**
 * Deletes expired invitations and password resets, at most `limit` of each. Returns the larger
 * count.
 */
export async function deleteExpiredLinks(db: Db, now: Date, limit: number): Promise<number> {
  const invitations = await deleteInvitationsExpiredBefore(db, now, limit);
  return Math.max(invitations, await deleteResetsExpiredBefore(db, now, limit));
}

/**
 * Deletes expired refresh tokens, sessions and used challenges, at most `limit` of each. Returns
 * the largest of the counts.
 */
export async function deleteExpiredSessions(db: Db, now: Date, limit: number): Promise<number> {
  const refreshTokens = await deleteRefreshTokensExpiredBefore(db, now, limit);
  const sessions = await deleteSessionsExpiredBefore(db, now, limit);
  const challenges = await deleteChallengesExpiredBefore(db, now, limit);
  return Math.max(refreshTokens, sessions, challenges);
}

/** Creates a user of a seller or of the operator. */
function create({ db, clock }: UsersDeps, input: NewUser, actor: AuditActor): Promise<CreateUserResult> {
  return createAuditedUser(db, input, { actor, at: clock.now() });
}

async function hash(_deps: UsersDeps, { password, ...user }: NewUser): Promise<HashedUser> {
  return { ...user, passwordHash: await hashPassword(password) };
}

/** The changes in a transaction of the caller. */
const within = (deps: UsersDeps, trx: DatabaseTransaction) =>
  bindDeps({ ...deps, db: trx }, { createHashed, invite, removeOperatorUser, isAdmin, requestReset });

function createHashed(
  { db, clock }: UsersDeps,
  input: HashedUser,
  actor: AuditActor,
): Promise<CreateUserResult> {
  return insertAuditedUser(db, buildUser(input, clock.now(), creatorOf(actor)), actor);
}

/** Whether the user is an ADMIN of the operator. */
async function isAdmin({ db }: UsersDeps, id: string): Promise<boolean> {
  return isUuid(id) && (await findUser(db, id.toLowerCase()))?.role === 'ADMIN';
}

/** Whether another ADMIN than the given one exists. */
function hasSecondAdmin({ db }: UsersDeps, id: string): Promise<boolean> {
  return hasOtherAdmin(db, id);
}

/** Whether another user made this ADMIN less than 24 hours ago. Such an ADMIN cannot approve. */
async function isNewAdmin({ db, clock }: UsersDeps, id: string): Promise<boolean> {
  const user = await findUser(db, id);
  if (user === undefined) return true;
  return user.created_by !== null && clock.nowMs() - user.created_at.getTime() < NEW_ADMIN_MS;
}

/** A page of the users of one seller, or of the operator (null), newest first, and their number. */
async function list({ db }: UsersDeps, sellerId: string | null, page: Page) {
  const [users, count] = await Promise.all([findUsers(db, sellerId, page), countUsers(db, sellerId)]);
  return { items: users.map(profileOf), count };
}

interface OwnProfile {
  readonly profile: Profile;
  readonly secondFactors: SecondFactors;
  /** Null if no second factor is active. */
  readonly recoveryCodesLeft: number | null;
}

/** A user's own profile. */
async function findProfile({ db }: UsersDeps, userId: string): Promise<OwnProfile | undefined> {
  const user = await findUser(db, userId);
  if (user === undefined) return undefined;
  const secondFactors = await findSecondFactors(db, userId);
  const recoveryCodesLeft = isAnyActive(secondFactors) ? await countRecoveryCodes(db, userId) : null;
  return { profile: profileOf(user), secondFactors, recoveryCodesLeft };
}

async function findEmail({ db }: UsersDeps, userId: string): Promise<string | undefined> {
  return (await findUser(db, userId))?.email;
}

async function rename(
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
function removeOperatorUser(
  deps: UsersDeps,
  id: string,
  actor: AuditActor,
): Promise<'DELETED' | 'UNKNOWN' | 'LAST_ADMIN'> {
  return removeUser(deps, id, actor, deleteOperatorUser);
}

/** Deletes a user of a seller, even its last OWNER. Returns false if there is no such user. */
async function removeSellerUser(
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
function removeTeamMember(
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
  if (endKeys && deleted !== 'UNKNOWN') await endKeysOfUser(trx, { sellerId, userId }, actor, clock.now());
  return deleted;
}

/** Changes name and role of a member of the seller's team. The last OWNER keeps the role. */
async function updateTeamMember(
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
    const { name = before.name, role = before.role } = changes;
    if (role !== 'OWNER' && isOnlyOwner(owners, userId)) return 'LAST_OWNER';
    const origin = { actor, at: clock.now() };
    const updated = await updateAuditedUser(trx, before, { name, role }, origin);
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

/** Hashes the password before the transaction begins, which keeps the transaction short. */
async function createAuditedUser(
  db: Db,
  input: NewUser,
  { actor, at }: ChangeOrigin,
): Promise<CreateUserResult> {
  return insertAuditedUser(db, await buildNewUser(input, at, creatorOf(actor)), actor);
}

/** The user of the operator who makes another one. */
const creatorOf = ({ kind, id }: AuditActor): string | null => (kind === 'OPERATOR_USER' ? id : null);

function insertAuditedUser(db: Db, user: User, actor: AuditActor): Promise<CreateUserResult> {
  return inTransaction(db, async (trx) => {
    const created = await saveUser(trx, user);
    if (!created.ok) return created;
    const at = user.created_at;
    const change = { action: 'user.created', before: null, after: auditFields(user), at } as const;
    await recordAudit(trx, actor, { ...change, ...auditTarget(user) });
    return created;
  });
}

async function buildNewUser(
  { password, ...input }: NewUser,
  now: Date,
  createdBy: string | null,
): Promise<User> {
  return buildUser({ ...input, passwordHash: await hashPassword(password) }, now, createdBy);
}

function buildUser(input: HashedUser, now: Date, createdBy: string | null): User {
  return {
    id: newId(now.getTime()),
    seller_id: input.sellerId,
    name: input.name,
    email: input.email.toLowerCase(),
    role: input.role,
    password_hash: input.passwordHash,
    token_generation: 0,
    locale: input.locale ?? 'pt-BR',
    demo: input.demo ?? false,
    created_by: createdBy,
    second_factor_reset_due_at: null,
    created_at: now,
    updated_at: now,
  };
}

async function saveUser(trx: DatabaseTransaction, user: User): Promise<CreateUserResult> {
  const inserted = await insertUser(trx, user);
  return inserted ? { ok: true, user: profileOf(user) } : { ok: false, failure: 'EMAIL_TAKEN' };
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

const auditTarget = ({ id, seller_id: sellerId }: User) =>
  ({ recordType: 'user', recordId: id, sellerId }) as const;

const auditFields = ({ name, email, role }: User): Members => ({ name, email, role });

const isOnlyOwner = (owners: readonly { readonly id: string }[], id: string): boolean =>
  owners.length === 1 && owners[0]?.id === id;
