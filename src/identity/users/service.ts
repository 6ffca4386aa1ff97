import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { Role, SellerRole } from '#platform/kit/permissions.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { JwtSecrets } from './access-tokens.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { profileOf, type Profile } from './profile.ts';
import { createSessions } from './sessions.ts';
import { createSignedTokens } from './signed-tokens.ts';
import {
  countUsers,
  deleteOperatorUser,
  deleteSellerUser,
  findUser,
  findUsers,
  hasOperatorUser,
  insertUser,
  lockOwners,
  lockUser,
  updateUser,
  type User,
} from './store.ts';
import {
  deleteOtherSessions,
  deleteRefreshTokensExpiredBefore,
  deleteSessionsExpiredBefore,
} from './store-sessions.ts';
import { createTwoFactor, type TwoFactorSetup } from './two-factor.ts';

export type { Profile } from './profile.ts';
export type { Session, SignInResult, AuthenticatedUser } from './sessions.ts';

/** Deletes expired refresh tokens and sessions, at most `limit` of each. Returns the larger of the two counts. */
export async function deleteExpiredSessions(db: Db, now: Date, limit: number): Promise<number> {
  const refreshTokens = await deleteRefreshTokensExpiredBefore(db, now, limit);
  const sessions = await deleteSessionsExpiredBefore(db, now, limit);
  return Math.max(refreshTokens, sessions);
}

export interface NewUser {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

export type NewUserFailure = 'EMAIL_TAKEN';

type CreateUserResult = { ok: true; user: Profile } | { ok: false; failure: NewUserFailure };

/** Makes a user as a part of something larger, which the caller writes down. */
export async function createUser(trx: Db, input: NewUser, now: Date): Promise<CreateUserResult> {
  return saveUser(trx, await buildUser(input, now));
}

async function buildUser(input: NewUser, now: Date): Promise<User> {
  return {
    id: newId(now.getTime()),
    seller_id: input.sellerId,
    name: input.name,
    email: input.email.toLowerCase(),
    role: input.role,
    password_hash: await hashPassword(input.password),
    token_generation: 0,
    created_at: now,
    updated_at: now,
  };
}

async function saveUser(trx: Db, user: User): Promise<CreateUserResult> {
  const inserted = await insertUser(trx, user);
  return inserted ? { ok: true, user: profileOf(user) } : { ok: false, failure: 'EMAIL_TAKEN' };
}

/** Makes a user and writes that down, both or neither. The password is hashed before the transaction begins. */
async function createAuditedUser(
  db: Db,
  input: NewUser,
  now: Date,
  author: AuditActor,
): Promise<CreateUserResult> {
  const user = await buildUser(input, now);
  return db.transaction().execute(async (trx) => {
    const created = await saveUser(trx, user);
    if (created.ok) await recordUserAudit(trx, author, 'user.created', user, now);
    return created;
  });
}

function recordUserAudit(
  trx: Db,
  author: AuditActor,
  action: 'user.created' | 'user.deleted',
  { id: recordId, seller_id: sellerId, name, email, role }: User,
  at: Date,
): Promise<void> {
  const isCreation = action === 'user.created';
  const fields = { name, email, role };
  const change = { action, recordType: 'user', recordId, sellerId, at } as const;
  return recordAudit(trx, author, {
    ...change,
    before: isCreation ? null : fields,
    after: isCreation ? fields : null,
  });
}

/** Makes the operator's first user, unless there is one. True where it was made. */
export async function createFirstOperator(
  db: Db,
  credentials: { readonly email: string; readonly password: string },
  now: Date,
  author: AuditActor,
): Promise<boolean> {
  if (await hasOperatorUser(db)) return false;
  const input = { sellerId: null, name: 'Operator', role: 'ADMIN', ...credentials } as const;
  return (await createAuditedUser(db, input, now, author)).ok;
}

/** A member of a seller's team is changed or deleted only so that an OWNER stays. */
export type TeamChangeFailure = 'UNKNOWN' | 'LAST_OWNER';

export type UsersService = ReturnType<typeof createUsersService>;

export interface UserSecrets {
  /** What tokens may be signed with; the first one signs. */
  readonly jwtSecrets: JwtSecrets;
  readonly secrets: SecretBox;
}

export function createUsersService(db: Db, clock: Clock, { jwtSecrets, secrets }: UserSecrets) {
  const signedTokens = createSignedTokens(jwtSecrets, clock);
  const twoFactor = createTwoFactor(db, clock, secrets);
  const sessions = createSessions({ db, clock, jwtSecrets, signedTokens, twoFactor });

  async function remove<Failure extends string>(
    id: string,
    author: AuditActor,
    deleteUser: (trx: Db, id: string) => Promise<User | Failure>,
  ): Promise<Failure | 'DELETED' | 'UNKNOWN'> {
    if (!isUuid(id)) return 'UNKNOWN';
    const userId = id.toLowerCase();
    const outcome = await db.transaction().execute(async (trx) => {
      const user = await deleteUser(trx, userId);
      if (typeof user === 'string') return user;
      await recordUserAudit(trx, author, 'user.deleted', user, clock.now());
      return 'DELETED';
    });
    sessions.clearUserCache();
    return outcome;
  }

  /** Writes down what somebody changed of their own credentials: that it happened, and nothing of them. */
  async function recordCredentialAudit(
    trx: Db,
    author: AuditActor,
    action: 'user.password-changed' | 'user.two-factor-enabled' | 'user.two-factor-disabled',
    { id, seller_id: sellerId }: User,
  ): Promise<void> {
    const change = { action, recordType: 'user', recordId: id, sellerId, at: clock.now() } as const;
    await recordAudit(trx, author, { ...change, before: null, after: null });
  }

  /** The user if the password is theirs, as they were when it was looked at. */
  async function verifyUserPassword(userId: string, password: string): Promise<User | undefined> {
    const user = await findUser(db, userId);
    return user !== undefined && (await verifyPassword(user.password_hash, password)) ? user : undefined;
  }

  return {
    ...sessions,
    signedTokens,

    /** Makes a user of a seller or of the operator. */
    create: (input: NewUser, author: AuditActor): Promise<CreateUserResult> =>
      createAuditedUser(db, input, clock.now(), author),

    /** The users of one seller, or the operator's (null), newest first. */
    async list(
      sellerId: string | null,
      page: Page,
    ): Promise<{ readonly items: readonly Profile[]; readonly count: number }> {
      const [users, count] = await Promise.all([findUsers(db, sellerId, page), countUsers(db, sellerId)]);
      return { items: users.map(profileOf), count };
    },

    /** Deletes a user of the operator; their tokens end here at once, and on other nodes within a second. */
    async removeOperatorUser(id: string, author: AuditActor): Promise<'DELETED' | 'UNKNOWN' | 'LAST_ADMIN'> {
      return remove(id, author, (trx, userId) => deleteOperatorUser(trx, userId));
    },

    /** Deletes a user of a seller, in the same way. */
    async removeSellerUser(sellerId: string, id: string, author: AuditActor): Promise<boolean> {
      const outcome = await remove(id, author, (trx, userId) => deleteSellerUser(trx, sellerId, userId));
      return outcome === 'DELETED';
    },

    /** Deletes a member of the seller's team, in the same way, unless they are its last OWNER. */
    async removeTeamMember(
      sellerId: string,
      id: string,
      author: AuditActor,
    ): Promise<TeamChangeFailure | 'DELETED'> {
      return remove(id, author, async (trx, userId) =>
        isOnlyOwner(await lockOwners(trx, sellerId), userId)
          ? 'LAST_OWNER'
          : deleteSellerUser(trx, sellerId, userId),
      );
    },

    /** Changes name and role of a member of the seller's team. The last OWNER stays one. */
    async updateTeamMember(
      sellerId: string,
      id: string,
      changes: { readonly name?: string | undefined; readonly role?: SellerRole | undefined },
      author: AuditActor,
    ): Promise<Profile | TeamChangeFailure> {
      if (!isUuid(id)) return 'UNKNOWN';
      const userId = id.toLowerCase();
      const outcome = await db.transaction().execute(async (trx) => {
        const owners = changes.role === undefined ? [] : await lockOwners(trx, sellerId);
        const before = await lockUser(trx, userId);
        if (before === undefined || before.seller_id !== sellerId) return 'UNKNOWN';
        const { name = before.name, role = before.role } = changes;
        if (role !== 'OWNER' && isOnlyOwner(owners, userId)) return 'LAST_OWNER';
        return updateAuditedUser(trx, before, { name, role }, author, clock.now());
      });
      sessions.clearUserCache();
      return outcome;
    },

    /** What a user is told of themself; undefined where they are gone. */
    async findProfile(
      userId: string,
    ): Promise<{ readonly profile: Profile; readonly recoveryCodesLeft: number | null } | undefined> {
      const user = await findUser(db, userId);
      if (user === undefined) return undefined;
      const active = await twoFactor.isActive(db, userId);
      return {
        profile: profileOf(user),
        recoveryCodesLeft: active ? await twoFactor.countRemainingCodes(db, userId) : null,
      };
    },

    /** Undefined where there is no such user. */
    findEmail: async (userId: string): Promise<string | undefined> => (await findUser(db, userId))?.email,

    /** Gives a user another name. */
    async rename(userId: string, name: string, author: AuditActor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const before = await lockUser(trx, userId);
        if (before !== undefined)
          await updateAuditedUser(trx, before, { name, role: before.role }, author, clock.now());
      });
      sessions.clearUserCache();
    },

    /** Sets another password and ends all sessions but this one. Undefined where the current password is wrong. */
    async changePassword(
      { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
      { current, next }: { readonly current: string; readonly next: string },
      author: AuditActor,
    ): Promise<true | undefined> {
      const verified = await verifyUserPassword(userId, current);
      if (verified === undefined) return undefined;
      const passwordHash = await hashPassword(next);
      const changed = await db.transaction().execute(async (trx) => {
        const user = await lockUnchangedUser(trx, verified);
        if (user === undefined) return undefined;
        await updateUser(trx, userId, { password_hash: passwordHash }, clock.now());
        await deleteOtherSessions(trx, userId, sessionId);
        await recordCredentialAudit(trx, author, 'user.password-changed', user);
        return true as const;
      });
      sessions.clearUserCache();
      return changed;
    },

    /** Begins a second factor. Undefined where the password is wrong. */
    async beginTwoFactor(userId: string, password: string): Promise<TwoFactorSetup | 'ACTIVE' | undefined> {
      const user = await verifyUserPassword(userId, password);
      return user === undefined ? undefined : ((await twoFactor.begin(userId, user.email)) ?? 'ACTIVE');
    },

    /** Makes it active, answers its recovery codes and ends all sessions but this one. Undefined where the code is wrong. */
    async confirmTwoFactor(
      { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
      code: string,
      author: AuditActor,
    ): Promise<readonly string[] | undefined> {
      const codes = await db.transaction().execute(async (trx) => {
        const user = await lockUser(trx, userId);
        const recoveryCodes = user === undefined ? undefined : await twoFactor.confirm(trx, userId, code);
        if (user === undefined || recoveryCodes === undefined) return undefined;
        await deleteOtherSessions(trx, userId, sessionId);
        await recordCredentialAudit(trx, author, 'user.two-factor-enabled', user);
        return recoveryCodes;
      });
      if (codes !== undefined) failPoint('second-factors.confirmed');
      sessions.clearUserCache();
      return codes;
    },

    /** Ends the second factor. Undefined where password or code is wrong; neither tells of the other. */
    async disableTwoFactor(
      userId: string,
      { password, code }: { readonly password: string; readonly code: string },
      author: AuditActor,
    ): Promise<true | undefined> {
      const verified = await verifyUserPassword(userId, password);
      if (verified === undefined) return undefined;
      const removed = await db.transaction().execute(async (trx) => {
        const user = await lockUnchangedUser(trx, verified);
        if (user === undefined) return undefined;
        const kind = /^\d{6}$/.test(code) ? 'code' : 'recovery';
        if (!(await twoFactor.verify(trx, userId, { kind, code }))) return undefined;
        await twoFactor.remove(trx, userId);
        await recordCredentialAudit(trx, author, 'user.two-factor-disabled', user);
        return true as const;
      });
      if (removed === true) failPoint('second-factors.removed');
      return removed;
    },
  };
}

/** Locks the user; undefined where they are gone or their password has been changed since. */
async function lockUnchangedUser(trx: Db, expected: User): Promise<User | undefined> {
  const user = await lockUser(trx, expected.id);
  return user?.password_hash === expected.password_hash ? user : undefined;
}

const isOnlyOwner = (owners: readonly { readonly id: string }[], id: string): boolean =>
  owners.length === 1 && owners[0]?.id === id;

/** Gives a locked user another name or role, and writes that down. */
async function updateAuditedUser(
  trx: Db,
  before: User,
  { name, role }: { readonly name: string; readonly role: string },
  author: AuditActor,
  at: Date,
): Promise<Profile> {
  if (name !== before.name || role !== before.role) await updateUser(trx, before.id, { name, role }, at);
  await recordAudit(trx, author, {
    action: 'user.updated',
    recordType: 'user',
    recordId: before.id,
    sellerId: before.seller_id,
    before: { name: before.name, role: before.role },
    after: { name, role },
    at,
  });
  return profileOf({ ...before, name, role });
}
