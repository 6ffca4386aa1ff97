import { audit } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pages.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { Role, SellerRole } from '#platform/http/permissions.ts';
import type { SecretBox } from '#platform/crypto/secrets.ts';
import type { JwtSecrets } from './access-tokens.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { profileOf, type Profile } from './profile.ts';
import { createSessions } from './sessions.ts';
import { createSlips } from './signed-tokens.ts';
import {
  countUsers,
  deleteOperator,
  deleteSellerUser,
  findUser,
  findUsers,
  hasOperator,
  insertUser,
  lockOwners,
  lockUser,
  updateUser,
  type User,
} from './store.ts';
import { deleteOtherSessions } from './store-sessions.ts';
import { createTwoFactor, type Begun } from './two-factor.ts';

export type { Profile } from './profile.ts';
export type { Session, SignedIn, TokenHolder } from './sessions.ts';

export interface NewUser {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

export type NewUserFailure = 'EMAIL_TAKEN';

type Created = { ok: true; user: Profile } | { ok: false; failure: NewUserFailure };

/** Makes a user as a part of something larger, which the caller writes down. */
export async function createUser(within: Db, wanted: NewUser, now: Date): Promise<Created> {
  return keepUser(within, await newUser(wanted, now));
}

async function newUser(wanted: NewUser, now: Date): Promise<User> {
  return {
    id: newId(now.getTime()),
    seller_id: wanted.sellerId,
    name: wanted.name,
    email: wanted.email.toLowerCase(),
    role: wanted.role,
    password_hash: await hashPassword(wanted.password),
    token_generation: 0,
    created_at: now,
    updated_at: now,
  };
}

async function keepUser(within: Db, user: User): Promise<Created> {
  const inserted = await insertUser(within, user);
  return inserted ? { ok: true, user: profileOf(user) } : { ok: false, failure: 'EMAIL_TAKEN' };
}

/** Makes a user and writes that down, both or neither. The password is hashed before the transaction begins. */
async function createAuditedUser(db: Db, wanted: NewUser, now: Date, author: Author): Promise<Created> {
  const user = await newUser(wanted, now);
  return db.transaction().execute(async (within) => {
    const created = await keepUser(within, user);
    if (created.ok) await told(within, author, 'user.created', user, now);
    return created;
  });
}

function told(
  within: Db,
  author: Author,
  action: 'user.created' | 'user.deleted',
  { id: recordId, seller_id: sellerId, name, email, role }: User,
  at: Date,
): Promise<void> {
  const made = action === 'user.created';
  const members = { name, email, role };
  const change = { action, recordType: 'user', recordId, sellerId, at } as const;
  return audit(within, author, { ...change, before: made ? null : members, after: made ? members : null });
}

/** Makes the operator's first user, unless there is one. True where it was made. */
export async function createFirstOperator(
  db: Db,
  credentials: { readonly email: string; readonly password: string },
  now: Date,
  author: Author,
): Promise<boolean> {
  if (await hasOperator(db)) return false;
  const wanted = { sellerId: null, name: 'Operator', role: 'ADMIN', ...credentials } as const;
  return (await createAuditedUser(db, wanted, now, author)).ok;
}

/** A member of a seller's team is changed or deleted only so that an OWNER stays. */
export type TeamRefusal = 'UNKNOWN' | 'LAST_OWNER';

export type UsersService = ReturnType<typeof createUsersService>;

export interface UserSecrets {
  /** What tokens may be signed with; the first one signs. */
  readonly jwtSecrets: JwtSecrets;
  readonly secrets: SecretBox;
}

export function createUsersService(db: Db, clock: Clock, { jwtSecrets, secrets }: UserSecrets) {
  const slips = createSlips(jwtSecrets, clock);
  const twoFactor = createTwoFactor(db, clock, secrets);
  const sessions = createSessions({ db, clock, jwtSecrets, slips, twoFactor });

  async function remove<Refusal extends string>(
    id: string,
    author: Author,
    deleted: (within: Db, id: string) => Promise<User | Refusal>,
  ): Promise<Refusal | 'DELETED' | 'UNKNOWN'> {
    if (!isUuid(id)) return 'UNKNOWN';
    const userId = id.toLowerCase();
    const outcome = await db.transaction().execute(async (within) => {
      const user = await deleted(within, userId);
      if (typeof user === 'string') return user;
      await told(within, author, 'user.deleted', user, clock.now());
      return 'DELETED';
    });
    sessions.forgetHolders();
    return outcome;
  }

  /** Writes down what somebody changed of their own credentials: that it happened, and nothing of them. */
  async function toldOfSelf(
    within: Db,
    author: Author,
    action: 'user.password-changed' | 'user.two-factor-enabled' | 'user.two-factor-disabled',
    { id, seller_id: sellerId }: User,
  ): Promise<void> {
    const change = { action, recordType: 'user', recordId: id, sellerId, at: clock.now() } as const;
    await audit(within, author, { ...change, before: null, after: null });
  }

  /** The user if the password is theirs, as they were when it was looked at. */
  async function withPassword(userId: string, password: string): Promise<User | undefined> {
    const user = await findUser(db, userId);
    return user !== undefined && (await isPassword(user.password_hash, password)) ? user : undefined;
  }

  return {
    ...sessions,
    slips,

    /** Makes a user of a seller or of the operator. */
    create: (wanted: NewUser, author: Author): Promise<Created> =>
      createAuditedUser(db, wanted, clock.now(), author),

    /** The users of one seller, or the operator's (null), newest first. */
    async list(
      sellerId: string | null,
      page: Page,
    ): Promise<{ readonly found: readonly Profile[]; readonly count: number }> {
      const [found, count] = await Promise.all([findUsers(db, sellerId, page), countUsers(db, sellerId)]);
      return { found: found.map(profileOf), count };
    },

    /** Deletes a user of the operator; their tokens end here at once, and on other nodes within a second. */
    async removeOperator(id: string, author: Author): Promise<'DELETED' | 'UNKNOWN' | 'LAST_ADMIN'> {
      return remove(id, author, (within, userId) => deleteOperator(within, userId));
    },

    /** Deletes a user of a seller, in the same way. */
    async removeOfSeller(sellerId: string, id: string, author: Author): Promise<boolean> {
      const outcome = await remove(id, author, (within, userId) =>
        deleteSellerUser(within, sellerId, userId),
      );
      return outcome === 'DELETED';
    },

    /** Deletes a member of the seller's team, in the same way, unless they are its last OWNER. */
    async removeMember(sellerId: string, id: string, author: Author): Promise<TeamRefusal | 'DELETED'> {
      return remove(id, author, async (within, userId) =>
        isLast(await lockOwners(within, sellerId), userId)
          ? 'LAST_OWNER'
          : deleteSellerUser(within, sellerId, userId),
      );
    },

    /** Changes name and role of a member of the seller's team. The last OWNER stays one. */
    async changeMember(
      sellerId: string,
      id: string,
      changes: { readonly name?: string | undefined; readonly role?: SellerRole | undefined },
      author: Author,
    ): Promise<Profile | TeamRefusal> {
      if (!isUuid(id)) return 'UNKNOWN';
      const userId = id.toLowerCase();
      const outcome = await db.transaction().execute(async (within) => {
        const owners = changes.role === undefined ? [] : await lockOwners(within, sellerId);
        const before = await lockUser(within, userId);
        if (before === undefined || before.seller_id !== sellerId) return 'UNKNOWN';
        const { name = before.name, role = before.role } = changes;
        if (role !== 'OWNER' && isLast(owners, userId)) return 'LAST_OWNER';
        return changeUser(within, before, { name, role }, author, clock.now());
      });
      sessions.forgetHolders();
      return outcome;
    },

    /** What a user is told of themself; undefined where they are gone. */
    async find(
      userId: string,
    ): Promise<{ readonly profile: Profile; readonly recoveryCodesLeft: number | null } | undefined> {
      const user = await findUser(db, userId);
      if (user === undefined) return undefined;
      const active = await twoFactor.isActive(db, userId);
      return {
        profile: profileOf(user),
        recoveryCodesLeft: active ? await twoFactor.codesLeft(db, userId) : null,
      };
    },

    /** Undefined where there is no such user. */
    emailOf: async (userId: string): Promise<string | undefined> => (await findUser(db, userId))?.email,

    /** Gives a user another name. */
    async rename(userId: string, name: string, author: Author): Promise<void> {
      await db.transaction().execute(async (within) => {
        const before = await lockUser(within, userId);
        if (before !== undefined)
          await changeUser(within, before, { name, role: before.role }, author, clock.now());
      });
      sessions.forgetHolders();
    },

    /** Sets another password and ends all sessions but this one. Undefined where the current password is wrong. */
    async changePassword(
      { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
      { current, next }: { readonly current: string; readonly next: string },
      author: Author,
    ): Promise<true | undefined> {
      const seen = await withPassword(userId, current);
      if (seen === undefined) return undefined;
      const passwordHash = await hashPassword(next);
      const changed = await db.transaction().execute(async (within) => {
        const user = await lockSame(within, seen);
        if (user === undefined) return undefined;
        await updateUser(within, userId, { password_hash: passwordHash }, clock.now());
        await deleteOtherSessions(within, userId, sessionId);
        await toldOfSelf(within, author, 'user.password-changed', user);
        return true as const;
      });
      sessions.forgetHolders();
      return changed;
    },

    /** Begins a second factor. Undefined where the password is wrong. */
    async beginTwoFactor(userId: string, password: string): Promise<Begun | 'ACTIVE' | undefined> {
      const user = await withPassword(userId, password);
      return user === undefined ? undefined : ((await twoFactor.begin(userId, user.email)) ?? 'ACTIVE');
    },

    /** Makes it active, answers its recovery codes and ends all sessions but this one. Undefined where the code is wrong. */
    async confirmTwoFactor(
      { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
      code: string,
      author: Author,
    ): Promise<readonly string[] | undefined> {
      const codes = await db.transaction().execute(async (within) => {
        const user = await lockUser(within, userId);
        const made = user === undefined ? undefined : await twoFactor.confirm(within, userId, code);
        if (user === undefined || made === undefined) return undefined;
        await deleteOtherSessions(within, userId, sessionId);
        await toldOfSelf(within, author, 'user.two-factor-enabled', user);
        return made;
      });
      if (codes !== undefined) failPoint('second-factors.confirmed');
      sessions.forgetHolders();
      return codes;
    },

    /** Ends the second factor. Undefined where password or code is wrong; neither tells of the other. */
    async removeTwoFactor(
      userId: string,
      { password, code }: { readonly password: string; readonly code: string },
      author: Author,
    ): Promise<true | undefined> {
      const seen = await withPassword(userId, password);
      if (seen === undefined) return undefined;
      const removed = await db.transaction().execute(async (within) => {
        const user = await lockSame(within, seen);
        if (user === undefined) return undefined;
        const kind = /^\d{6}$/.test(code) ? 'code' : 'recovery';
        if (!(await twoFactor.prove(within, userId, { kind, code }))) return undefined;
        await twoFactor.remove(within, userId);
        await toldOfSelf(within, author, 'user.two-factor-disabled', user);
        return true as const;
      });
      if (removed === true) failPoint('second-factors.removed');
      return removed;
    },
  };
}

/** Locks the user; undefined where they are gone or their password has been changed since. */
async function lockSame(within: Db, seen: User): Promise<User | undefined> {
  const user = await lockUser(within, seen.id);
  return user?.password_hash === seen.password_hash ? user : undefined;
}

const isLast = (owners: readonly { readonly id: string }[], id: string): boolean =>
  owners.length === 1 && owners[0]?.id === id;

/** Gives a locked user another name or role, and writes that down. */
async function changeUser(
  within: Db,
  before: User,
  { name, role }: { readonly name: string; readonly role: string },
  author: Author,
  at: Date,
): Promise<Profile> {
  if (name !== before.name || role !== before.role) await updateUser(within, before.id, { name, role }, at);
  await audit(within, author, {
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
