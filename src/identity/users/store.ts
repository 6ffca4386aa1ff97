import type { Selectable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Users } from '#platform/database/types.gen.ts';

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
  return db
    .selectFrom('users')
    .selectAll()
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .$call(paginateNewestFirst(page))
    .execute();
}

export function countUsers(db: Db, sellerId: string | null): Promise<number> {
  return countRows(db.selectFrom('users').where('seller_id', sellerId === null ? 'is' : '=', sellerId));
}

/**
 * Deletes a user of the operator, with their refresh tokens, unless they are the last ADMIN. All ADMINs are locked,
 * always in the same order and until the end of the caller's transaction, so that of two who delete each other one stays.
 */
export async function deleteOperatorUser(trx: Db, id: string): Promise<User | 'UNKNOWN' | 'LAST_ADMIN'> {
  const admins = await trx
    .selectFrom('users')
    .select('id')
    .where('seller_id', 'is', null)
    .where('role', '=', 'ADMIN')
    .orderBy('id')
    .forUpdate()
    .execute();
  if (admins.length === 1 && admins[0]?.id === id) return 'LAST_ADMIN';
  const deleted = await trx
    .deleteFrom('users')
    .where('seller_id', 'is', null)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return deleted ?? 'UNKNOWN';
}

/** Deletes a user of the seller, with their refresh tokens. */
export async function deleteSellerUser(trx: Db, sellerId: string, id: string): Promise<User | 'UNKNOWN'> {
  const deleted = await trx
    .deleteFrom('users')
    .where('seller_id', '=', sellerId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return deleted ?? 'UNKNOWN';
}

export async function hasOperatorUser(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('seller_id', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Another hash of the same password. False where it is no longer the one that was read. */
export async function replacePasswordHash(
  db: Db,
  user: Pick<User, 'id' | 'password_hash'>,
  passwordHash: string,
): Promise<boolean> {
  const replaced = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

/** The user's row, locked until the end of the caller's transaction: whatever changes a user's credentials holds it. */
export function lockUser(trx: Db, id: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** The ids of a seller's OWNERs, locked in one order, so that of two who take the role from each other one stays. */
export function lockOwners(trx: Db, sellerId: string): Promise<readonly Pick<User, 'id'>[]> {
  return trx
    .selectFrom('users')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('role', '=', 'OWNER')
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function updateUser(
  trx: Db,
  id: string,
  changes: { readonly name?: string; readonly role?: string; readonly password_hash?: string },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...changes, updated_at: at })
    .where('id', '=', id)
    .execute();
}
