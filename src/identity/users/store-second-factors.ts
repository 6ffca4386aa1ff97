import type { Selectable } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { countRows } from '#platform/database/pagination.ts';
import type { SecondFactors } from '#platform/database/types.gen.ts';

export type SecondFactor = Selectable<SecondFactors>;

export function findSecondFactor(db: Db, userId: string): Promise<SecondFactor | undefined> {
  return db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Nobody changes it, nor the key that its seed is sealed with, before the caller's transaction ends. */
export function lockSecondFactor(trx: Db, userId: string): Promise<SecondFactor | undefined> {
  return trx
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Begins a second factor, in place of one that was begun before. False where one is active. */
export async function beginSecondFactor(
  db: Db,
  {
    userId,
    sealedSecret: encryptedSecret,
    at,
  }: { readonly userId: string; readonly sealedSecret: string; readonly at: Date },
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

/** Makes the factor active that was begun with this seed; false where another one has taken its place, or it is active. */
export async function confirmSecondFactor(
  trx: Db,
  factor: Pick<SecondFactor, 'user_id' | 'encrypted_secret'>,
  step: number,
  at: Date,
): Promise<boolean> {
  const confirmed = await trx
    .updateTable('second_factors')
    .set({ confirmed_at: at, last_step: step })
    .where('user_id', '=', factor.user_id)
    .where('encrypted_secret', '=', factor.encrypted_secret)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return confirmed !== undefined;
}

/** Uses up a step of the active factor, and all before it; false where a code of it or of a later one has been used. */
export async function consumeStep(
  trx: Db,
  factor: Pick<SecondFactor, 'user_id' | 'encrypted_secret'>,
  step: number,
): Promise<boolean> {
  const used = await trx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', factor.user_id)
    .where('encrypted_secret', '=', factor.encrypted_secret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteSecondFactor(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute();
}

export async function replaceRecoveryCodes(
  trx: Db,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, used_at: null })))
    .execute();
}

/** False where the code is unknown or was used. */
export async function consumeRecoveryCode(trx: Db, userId: string, hash: Buffer, at: Date): Promise<boolean> {
  const used = await trx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countRows(
    db.selectFrom('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null),
  );
}
