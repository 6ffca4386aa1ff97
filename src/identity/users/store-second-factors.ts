import type { Selectable } from 'kysely';

import { invalidateCaches } from '#platform/database/cache-invalidations.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { SecondFactors } from '#platform/database/types.gen.ts';

export type SecondFactor = Selectable<SecondFactors>;

export function findSecondFactor(db: Db, userId: string): Promise<SecondFactor | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/**
 * Locks the row, so that neither the factor nor its encryption key changes before the transaction
 * ends.
 */
export function lockSecondFactor(
  trx: DatabaseTransaction,
  userId: string,
): Promise<SecondFactor | undefined> {
  return trx
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export interface NewSecondFactor {
  readonly userId: string;
  readonly encryptedSecret: string;
  readonly at: Date;
}

/**
 * Inserts an unconfirmed second factor, or replaces one. Returns false if a confirmed one exists.
 */
export async function beginSecondFactor(
  db: Db,
  { userId, encryptedSecret, at }: NewSecondFactor,
): Promise<boolean> {
  const begun = await db
    .insertInto('second_factors')
    .values({
      user_id: userId,
      encrypted_secret: encryptedSecret,
      confirmed_at: null,
      last_step: null,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ encrypted_secret: encryptedSecret, created_at: at })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return begun !== undefined;
}

/**
 * Confirms the factor with this seed. Returns false if its seed was replaced or it is confirmed
 * already.
 */
export async function confirmSecondFactor(
  trx: DatabaseTransaction,
  factor: SecondFactor,
  step: number,
  at: Date,
): Promise<boolean> {
  const confirmed = await trx
    .updateTable('second_factors')
    .set({ confirmed_at: at, last_step: step })
    .where((eb) => eb.and({ user_id: factor.user_id, encrypted_secret: factor.encrypted_secret }))
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  await invalidateCaches(trx, [factor.user_id]);
  return confirmed !== undefined;
}

/**
 * Consumes a time step and all before it. Returns false if it or a later one was consumed before.
 */
export async function consumeStep(
  trx: DatabaseTransaction,
  factor: SecondFactor,
  step: number,
): Promise<boolean> {
  const consumed = await trx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where((eb) => eb.and({ user_id: factor.user_id, encrypted_secret: factor.encrypted_secret }))
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return consumed !== undefined;
}

export async function deleteRecoveryCodes(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

export async function deleteSecondFactor(trx: DatabaseTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await invalidateCaches(trx, [userId]);
}

export async function replaceRecoveryCodes(
  trx: DatabaseTransaction,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(trx, userId);
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, used_at: null })))
    .execute();
}

/** Returns false if the code is unknown or used. */
export async function consumeRecoveryCode(
  trx: DatabaseTransaction,
  userId: string,
  hash: Buffer,
  at: Date,
): Promise<boolean> {
  const consumed = await trx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where((eb) => eb.and({ user_id: userId, code_hash: hash }))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return consumed !== undefined;
}

/** Counts the recovery codes that are not used. */
export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countRows(
    db.selectFrom('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null),
  );
}
