import { sql, type Selectable } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Passkeys } from '#platform/database/types.gen.ts';

export type Passkey = Selectable<Passkeys>;

/** Returns false if the credential is registered already. */
export async function insertPasskey(trx: DatabaseTransaction, passkey: Passkey): Promise<boolean> {
  const inserted = await trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  await invalidateCaches(trx, [passkey.user_id]);
  return inserted !== undefined;
}

/** The passkeys of a user, oldest first. Their number is limited. */
export function findPasskeys(db: Db, userId: string): Promise<readonly Passkey[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

export function findPasskeyByCredential(db: Db, credentialId: Buffer): Promise<Passkey | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Locks a passkey of the user, so that its counter does not change before the transaction ends. */
export function lockPasskey(
  trx: DatabaseTransaction,
  userId: string,
  id: string,
): Promise<Passkey | undefined> {
  return trx
    .selectFrom('passkeys')
    .selectAll()
    .where((eb) => eb.and({ user_id: userId, id }))
    .forUpdate()
    .executeTakeFirst();
}

export async function updatePasskey(
  trx: DatabaseTransaction,
  id: string,
  changes: Partial<Pick<Passkey, 'name' | 'sign_count' | 'backed_up' | 'last_used_at'>>,
): Promise<void> {
  await trx.updateTable('passkeys').set(changes).where('id', '=', id).execute();
}

export async function deletePasskey(
  trx: DatabaseTransaction,
  { id, user_id: userId }: Passkey,
): Promise<void> {
  await trx.deleteFrom('passkeys').where('id', '=', id).execute();
  await invalidateCaches(trx, [userId]);
}

export async function deletePasskeysOf(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await invalidateCaches(trx, [userId]);
}

/** Records that a challenge was used. Returns false if it was used before. */
export async function recordChallengeUse(
  trx: DatabaseTransaction,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  const used = await trx
    .insertInto('used_passkey_challenges')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** An expired challenge is refused by its signature. */
export async function deleteChallengesExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM used_passkey_challenges WHERE id IN (
      SELECT id FROM used_passkey_challenges WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
