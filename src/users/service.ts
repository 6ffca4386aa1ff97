import { randomUUID } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import type { Page } from '#http/pages.ts';
import { credentialHash, isUuid, newId } from '#ids.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#permissions.ts';
import { ShortCache } from '#short-cache.ts';
import { createTokenSigner } from './access-tokens.ts';
import {
  countOperators,
  deleteOperator,
  findOperators,
  findUser,
  findUserByEmail,
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

/** Passwords are kept as argon2id with the library's defaults (19 MiB, two passes), as OWASP advises. */
export async function createUser(
  db: Db,
  wanted: NewUser,
  now: Date,
): Promise<{ ok: true; user: Profile } | { ok: false; failure: NewUserFailure }> {
  const user: User = {
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
  const inserted = await insertUser(db, user);
  return inserted ? { ok: true, user: profileOf(user) } : { ok: false, failure: 'EMAIL_TAKEN' };
}

/** Makes the operator's first user, unless there is one. True where it was made. */
export async function createFirstOperator(
  db: Db,
  credentials: { readonly email: string; readonly password: string },
  now: Date,
): Promise<boolean> {
  if (await hasOperator(db)) return false;
  const wanted = { sellerId: null, name: 'Operator', role: 'ADMIN', ...credentials } as const;
  return (await createUser(db, wanted, now)).ok;
}

export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
}

export interface TokenHolder {
  readonly userId: string;
  readonly sellerId: string | null;
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
    create: (wanted: NewUser) => createUser(db, wanted, clock.now()),

    /** The operator's users, newest first. */
    async listOperators(page: Page): Promise<{ readonly found: readonly Profile[]; readonly count: number }> {
      const [found, count] = await Promise.all([findOperators(db, page), countOperators(db)]);
      return { found: found.map(profileOf), count };
    },

    /** Deletes a user of the operator; their tokens end here at once, and on other nodes within a second. */
    async removeOperator(id: string): Promise<'DELETED' | 'UNKNOWN' | 'LAST_ADMIN'> {
      if (!isUuid(id)) return 'UNKNOWN';
      const outcome = await deleteOperator(db, id.toLowerCase());
      users.forget(id.toLowerCase());
      return outcome;
    },

    /** Whose access token this is; undefined for one that is forged, expired or revoked. */
    async holderOf(accessToken: string): Promise<TokenHolder | undefined> {
      const claims = await signer.verify(accessToken);
      if (claims === undefined) return undefined;
      const user = await users.get(claims.userId);
      if (user === undefined || user.token_generation !== claims.generation) return undefined;
      return { userId: user.id, sellerId: user.seller_id, role: roleOf(user) };
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
