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

/** The users of one seller, or the operator's (null), newest first; one more than asked for where there is a next page. */
export function findUsers(
  db: Db,
  sellerId: string | null,
  page: { readonly take: number; readonly skip: number; readonly after: string | undefined },
): Promise<readonly User[]> {
  let query = db
    .selectFrom('users')
    .selectAll()
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .orderBy('id', 'desc')
    .limit(page.take + 1)
    .offset(page.skip);
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  return query.execute();
}

export async function countUsers(db: Db, sellerId: string | null): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/**
 * Deletes a user of the operator, with their refresh tokens, unless they are the last ADMIN. All ADMINs are locked,
 * always in the same order and until the end of the caller's transaction, so that of two who delete each other one stays.
 */
export async function deleteOperator(within: Db, id: string): Promise<User | 'UNKNOWN' | 'LAST_ADMIN'> {
  const admins = await within
    .selectFrom('users')
    .select('id')
    .where('seller_id', 'is', null)
    .where('role', '=', 'ADMIN')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (admins.length === 1 && admins[0]?.id === id) return 'LAST_ADMIN';
  const deleted = await within
    .deleteFrom('users')
    .where('seller_id', 'is', null)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return deleted ?? 'UNKNOWN';
}

/** Deletes a user of the seller, with their refresh tokens. */
export async function deleteSellerUser(within: Db, sellerId: string, id: string): Promise<User | 'UNKNOWN'> {
  const deleted = await within
    .deleteFrom('users')
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return deleted ?? 'UNKNOWN';
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
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

/** Begins a family of refresh tokens. Answers the user as they are now; undefined where they are gone. */
export async function insertFirstToken(
  db: Db,
  userId: string,
  familyId: string,
  token: RefreshToken,
): Promise<User | undefined> {
  return db.transaction().execute(async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user !== undefined) await insertRefreshToken(transaction, userId, familyId, token);
    return user;
  });
}

/**
 * Replaces a live refresh token by the next of its family, and answers whose it is. Undefined where it is unknown or
 * expired, and where it was used before: one of its two holders has stolen it, so its family ends. What changes a
 * user's tokens holds the lock of the user's row, so that nothing comes between the old token's end and the new
 * one's beginning.
 */
export async function rotateRefreshToken(
  db: Db,
  hash: Buffer,
  next: RefreshToken,
  now: Date,
): Promise<User | undefined> {
  return db.transaction().execute(async (transaction) => {
    const known = await transaction
      .selectFrom('refresh_tokens')
      .select('user_id')
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    const user = known === undefined ? undefined : await lockUser(transaction, known.user_id);
    if (user === undefined) return undefined;
    const used = await transaction
      .updateTable('refresh_tokens')
      .set({ used_at: now })
      .where('token_hash', '=', hash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('family_id')
      .executeTakeFirst();
    if (used === undefined) {
      await deleteFamilyOfUsed(transaction, hash);
      return undefined;
    }
    await insertRefreshToken(transaction, user.id, used.family_id, next);
    return user;
  });
}

function lockUser(transaction: Db, id: string): Promise<User | undefined> {
  return transaction.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

async function insertRefreshToken(
  db: Db,
  userId: string,
  familyId: string,
  token: RefreshToken,
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      token_hash: token.hash,
      family_id: familyId,
      user_id: userId,
      expires_at: token.expiresAt,
      used_at: null,
      created_at: token.createdAt,
    })
    .execute();
}

async function deleteFamilyOfUsed(db: Db, hash: Buffer): Promise<void> {
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
