import { randomUUID } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import { audit } from '#audit/service.ts';
import type { Author } from '#author.ts';
import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import type { Page } from '#http/pages.ts';
import { credentialHash, isUuid, newId } from '#ids.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#permissions.ts';
import { ShortCache } from '#short-cache.ts';
import { createTokenSigner } from './access-tokens.ts';
import {
  countUsers,
  deleteOperator,
  deleteSellerUser,
  findUser,
  findUserByEmail,
  findUsers,
  hasOperator,
  insertFirstToken,
  insertUser,
  revokeAllTokens,
  rotateRefreshToken,
  type RefreshToken,
  type User,
} from './store.ts';

const REFRESH_LIFE_MS = 7 * 24 * 3_600_000;

export interface NewUser {
  /** Null for a user of the operator. */
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly role: Role;
}

export type NewUserFailure = 'EMAIL_TAKEN';

/** What may be told of a user. */
export interface Profile {
  readonly id: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

type Created = { ok: true; user: Profile } | { ok: false; failure: NewUserFailure };

/** Makes a user as a part of something larger, which the caller writes down. */
export async function createUser(within: Db, wanted: NewUser, now: Date): Promise<Created> {
  return keepUser(within, await newUser(wanted, now));
}

/** Passwords are kept as argon2id with the library's defaults (19 MiB, two passes), as OWASP advises. */
async function newUser(wanted: NewUser, now: Date): Promise<User> {
  return {
    id: newId(now.getTime()),
    seller_id: wanted.sellerId,
    name: wanted.name,
    email: wanted.email.toLowerCase(),
    role: wanted.role,
    password_hash: await hash(wanted.password),
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

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
}

export interface TokenHolder {
  readonly userId: string;
  readonly sellerId: string | null;
  readonly name: string;
  readonly role: Role;
}

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService(db: Db, clock: Clock, jwtSecret: Uint8Array) {
  const signer = createTokenSigner(jwtSecret, clock);
  const users = new ShortCache((id: string) => findUser(db, id));
  // Checked where no user has the e-mail, so that the answer takes the same time.
  const nobodysHash = hash(randomUUID());

  function newRefreshToken(): { readonly text: string; readonly token: RefreshToken } {
    const text = randomUUID();
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + REFRESH_LIFE_MS);
    return { text, token: { hash: credentialHash(text), expiresAt, createdAt } };
  }

  async function signedIn(user: User, refreshToken: string): Promise<SignedIn> {
    return {
      accessToken: await signer.sign({ userId: user.id, generation: user.token_generation }),
      refreshToken,
      user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
    };
  }

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
    users.forget(userId);
    return outcome;
  }

  return {
    /** Undefined for a wrong e-mail or password; neither the answer nor its time tells which. */
    async signIn(email: string, password: string): Promise<SignedIn | undefined> {
      const found = await findUserByEmail(db, email.toLowerCase());
      const matches = await verify(found?.password_hash ?? (await nobodysHash), password);
      if (found === undefined || !matches) return undefined;
      const { text, token } = newRefreshToken();
      // Read again: whatever ended the user or their tokens meanwhile counts.
      const user = await insertFirstToken(db, found.id, randomUUID(), token);
      return user === undefined ? undefined : signedIn(user, text);
    },

    /** Exchanges a refresh token for the next of its family. A token used twice ends the family. */
    async refresh(refreshToken: string): Promise<SignedIn | undefined> {
      const { text, token } = newRefreshToken();
      const user = await rotateRefreshToken(db, credentialHash(refreshToken), token, clock.now());
      return user === undefined ? undefined : signedIn(user, text);
    },

    async signOut(userId: string): Promise<void> {
      await revokeAllTokens(db, userId, clock.now());
      users.forget(userId);
    },

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

    /** Whose access token this is; undefined for one that is forged, expired or revoked. */
    async holderOf(accessToken: string): Promise<TokenHolder | undefined> {
      const claims = await signer.verify(accessToken);
      if (claims === undefined) return undefined;
      const user = await users.get(claims.userId);
      if (user === undefined || user.token_generation !== claims.generation) return undefined;
      return { userId: user.id, sellerId: user.seller_id, name: user.name, role: roleOf(user) };
    },
  };
}

const profileOf = (user: User): Profile => ({
  id: user.id,
  sellerId: user.seller_id,
  name: user.name,
  email: user.email,
  role: roleOf(user),
  createdAt: user.created_at,
});

/** The table's CHECK admits no other text. */
function roleOf(user: User): Role {
  const role = [...SELLER_ROLES, ...OPERATOR_ROLES].find((known) => known === user.role);
  if (role === undefined) throw new Error('a user has an unknown role');
  return role;
}
