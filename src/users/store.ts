import { sql, type Selectable } from 'kysely';

import type { Db } from '#database/connect.ts';
import type { Users } from '#database/types.gen.ts';

export type User = Selectable<Users>;

/** False where the e-mail is taken; decided by what came back, not by the name of a constraint. */
export async function insertUser(db: Db, user: User): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function hasOperator(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('seller_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface RefreshToken {
  readonly hash: Buffer;
  readonly familyId: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export async function insertRefreshToken(db: Db, token: RefreshToken): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.hash,
      family_id: token.familyId,
      user_id: token.userId,
      expires_at: token.expiresAt,
      used_at: null,
      created_at: token.createdAt,
    })
    .execute();
}

/** Marks a live token used; undefined where it is unknown, expired or was used before. Of two racing callers one gets it. */
export function useRefreshToken(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<{ family_id: string; user_id: string } | undefined> {
  return db
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['family_id', 'user_id'])
    .executeTakeFirst();
}

/** Ends the family of a token that is used a second time: one of its two holders has stolen it. */
export async function revokeFamilyOfUsed(db: Db, hash: Buffer): Promise<void> {
  await db
    .deleteFrom('refresh_tokens')
    .where('family_id', 'in', (inner) =>
      inner
        .selectFrom('refresh_tokens')
        .select('family_id')
        .where('token_hash', '=', hash)
        .where('used_at', 'is not', null),
    )
    .execute();
}

/** Ends every token of a user: refresh tokens are gone, access tokens are of an older generation. */
export async function revokeAllTokens(db: Db, userId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('users')
      .set({ token_generation: sql`token_generation + 1`, updated_at: now })
      .where('id', '=', userId)
      .execute();
    await transaction.deleteFrom('refresh_tokens').where('user_id', '=', userId).execute();
  });
}
