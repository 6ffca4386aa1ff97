import { randomUUID } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import { credentialHash, newId } from '#ids.ts';
import { OPERATOR_ROLES, SELLER_ROLES, type Role } from '#permissions.ts';
import { ShortCache } from '#short-cache.ts';
import { createTokenSigner } from './access-tokens.ts';
import {
  findUser,
  findUserByEmail,
  hasOperator,
  insertRefreshToken,
  insertUser,
  revokeAllTokens,
  revokeFamilyOfUsed,
  useRefreshToken,
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

/** Passwords are kept as argon2id with the library's defaults (19 MiB, two passes), as OWASP advises. */
export async function createUser(
  db: Db,
  wanted: NewUser,
  now: Date,
): Promise<{ ok: true; id: string } | { ok: false; failure: NewUserFailure }> {
  const id = newId(now.getTime());
  const inserted = await insertUser(db, {
    id,
    seller_id: wanted.sellerId,
    name: wanted.name,
    email: wanted.email.toLowerCase(),
    role: wanted.role,
    password_hash: await hash(wanted.password),
    token_generation: 0,
    created_at: now,
    updated_at: now,
  });
  return inserted ? { ok: true, id } : { ok: false, failure: 'EMAIL_TAKEN' };
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

  async function issue(user: User, familyId: string): Promise<SignedIn> {
    const refreshToken = randomUUID();
    const now = clock.now();
    await insertRefreshToken(db, {
      hash: credentialHash(refreshToken),
      familyId,
      userId: user.id,
      expiresAt: new Date(now.getTime() + REFRESH_LIFE_MS),
      createdAt: now,
    });
    return {
      accessToken: await signer.sign({ userId: user.id, generation: user.token_generation }),
      refreshToken,
      user: { id: user.id, name: user.name, email: user.email, role: roleOf(user) },
    };
  }

  return {
    /** Undefined for a wrong e-mail or password; neither the answer nor its time tells which. */
    async signIn(email: string, password: string): Promise<SignedIn | undefined> {
      const user = await findUserByEmail(db, email.toLowerCase());
      const matches = await verify(user?.password_hash ?? (await nobodysHash), password);
      return user !== undefined && matches ? issue(user, randomUUID()) : undefined;
    },

    /** Exchanges a refresh token for the next of its family. A token used twice ends the family. */
    async refresh(refreshToken: string): Promise<SignedIn | undefined> {
      const tokenHash = credentialHash(refreshToken);
      const used = await useRefreshToken(db, tokenHash, clock.now());
      if (used === undefined) {
        await revokeFamilyOfUsed(db, tokenHash);
        return undefined;
      }
      const user = await findUser(db, used.user_id);
      return user === undefined ? undefined : issue(user, used.family_id);
    },

    async signOut(userId: string): Promise<void> {
      await revokeAllTokens(db, userId, clock.now());
      users.forget(userId);
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

/** The table's CHECK admits no other text. */
function roleOf(user: User): Role {
  const role = [...SELLER_ROLES, ...OPERATOR_ROLES].find((known) => known === user.role);
  if (role === undefined) throw new Error('a user has an unknown role');
  return role;
}
