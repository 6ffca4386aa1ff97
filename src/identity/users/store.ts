import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { Users } from '#platform/database/types.gen.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

export type User = Selectable<Users>;

/** Returns false if the email is taken. */
export async function insertUser(trx: DatabaseTransaction, user: User): Promise<boolean> {
  const inserted = await trx
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

/** Sets the language of a user's mails. It is read with the user, so that no cache has it. */
export async function updateLocale(trx: DatabaseTransaction, id: string, locale: string): Promise<void> {
  await trx.updateTable('users').set({ locale }).where('id', '=', id).execute();
}

/** The name of a user's seller; undefined for the operator. */
export async function findTeamName(db: Db, sellerId: string | null): Promise<string | undefined> {
  if (sellerId === null) return undefined;
  const row = await db.selectFrom('sellers').select('name').where('id', '=', sellerId).executeTakeFirst();
  return row?.name;
}

/**
 * The users of one seller or of the operator (null), newest first; one extra if there is a next
 * page.
 */
export function findUsers(db: Db, sellerId: string | null, page: Page): Promise<readonly User[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('seller_id', sellerId === null ? 'is' : '=', sellerId)
    .$call(paginateNewestFirst(page))
    .execute();
}

export function countUsers(db: Db, sellerId: string | null): Promise<ListCount> {
  const users = db.selectFrom('users').where('seller_id', sellerId === null ? 'is' : '=', sellerId);
  return countList(db, users, { isExact: true });
}

/**
 * Deletes a user of the operator with their sessions, unless they are the last ADMIN. Locks all
 * ADMINs in id order, so that of two ADMINs who delete each other concurrently one stays.
 */
export async function deleteOperatorUser(
  trx: DatabaseTransaction,
  id: string,
): Promise<User | 'UNKNOWN' | 'LAST_ADMIN'> {
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
  await invalidateCaches(trx, [id]);
  return deleted ?? 'UNKNOWN';
}

/** Deletes a user of the seller with their sessions. */
export async function deleteSellerUser(
  trx: DatabaseTransaction,
  sellerId: string,
  id: string,
): Promise<User | 'UNKNOWN'> {
  const deleted = await trx
    .deleteFrom('users')
    .where((eb) => eb.and({ seller_id: sellerId, id }))
    .returningAll()
    .executeTakeFirst();
  await invalidateCaches(trx, [id]);
  return deleted ?? 'UNKNOWN';
}

/** Deletes all users of a seller. Returns them. */
export async function deleteSellerUsers(
  trx: DatabaseTransaction,
  sellerId: string,
): Promise<readonly User[]> {
  const deleted = await trx.deleteFrom('users').where('seller_id', '=', sellerId).returningAll().execute();
  await invalidateCaches(
    trx,
    deleted.map(({ id }) => id),
  );
  return deleted;
}

export async function hasOtherAdmin(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('seller_id', 'is', null)
    .where('role', '=', 'ADMIN')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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

/**
 * Replaces the hash of an unchanged password. Returns false if the hash is not the expected one.
 */
export async function replacePasswordHash(
  db: Db,
  expected: Pick<User, 'id' | 'password_hash'>,
  passwordHash: string,
): Promise<boolean> {
  const replaced = await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where((eb) => eb.and({ id: expected.id, password_hash: expected.password_hash }))
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

const isResetDue = (now: RawBuilder<unknown>) => sql<SqlBool>`second_factor_reset_due_at <= ${now}`;

/** Whether a reset of a second factor is due. */
export const SECOND_FACTOR_RESETS_DUE: DueCondition = (now) => sql`(
  SELECT 1 FROM users WHERE ${isResetDue(now)} ORDER BY second_factor_reset_due_at LIMIT 1)`;

/** Users whose second factors are to be removed by now. */
export function findUsersWithDueReset(
  db: Db,
  now: Date,
  limit: number,
): Promise<readonly Pick<User, 'id'>[]> {
  return db
    .selectFrom('users')
    .select('id')
    .where(isResetDue(sql`${now}`))
    .orderBy('second_factor_reset_due_at')
    .limit(limit)
    .execute();
}

/** Makes a user of the operator an ADMIN with a new password. */
export async function recoverUser(
  trx: DatabaseTransaction,
  id: string,
  passwordHash: string,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      role: 'ADMIN',
      password_hash: passwordHash,
      created_by: null,
      demo: false,
      second_factor_reset_due_at: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
  await invalidateCaches(trx, [id]);
}

/**
 * Locks the user's row until the end of the transaction. Every change of a user's credentials does.
 */
export function lockUser(trx: DatabaseTransaction, id: string): Promise<User | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Locks a seller's OWNERs in id order, so that of two OWNERs who demote each other concurrently one
 * stays.
 */
export function lockOwners(trx: DatabaseTransaction, sellerId: string): Promise<readonly Pick<User, 'id'>[]> {
  return trx
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and({ seller_id: sellerId, role: 'OWNER' }))
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function updateUser(
  trx: DatabaseTransaction,
  id: string,
  changes: Partial<Pick<User, 'name' | 'role' | 'password_hash' | 'locale' | 'second_factor_reset_due_at'>>,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...changes, updated_at: at })
    .where('id', '=', id)
    .execute();
  await invalidateCaches(trx, [id]);
}
