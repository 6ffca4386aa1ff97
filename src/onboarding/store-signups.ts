import { sql, type Selectable } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { Signups } from '#platform/database/types.gen.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

/** A sign-up whose email is not confirmed. */
export type SignupRow = Selectable<Signups>;

export async function insertSignup(db: Db, row: SignupRow): Promise<void> {
  await db.insertInto('signups').values(row).execute();
}

/** Whether sign-ups wait for their link. */
export const SIGNUP_MAILS_DUE: DueCondition = () =>
  sql`(SELECT 1 FROM signups WHERE token_hash IS NULL ORDER BY id LIMIT 1)`;

/** Locks the oldest sign-up without a link. Of concurrent transactions, each locks another one. */
export const lockUnmailed = (trx: DatabaseTransaction): Promise<SignupRow | undefined> =>
  trx
    .selectFrom('signups')
    .selectAll()
    .where('token_hash', 'is', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

export async function setToken(trx: DatabaseTransaction, id: string, tokenHash: Buffer): Promise<void> {
  await trx.updateTable('signups').set({ token_hash: tokenHash }).where('id', '=', id).execute();
}

export async function deleteSignup(trx: DatabaseTransaction, id: string): Promise<void> {
  await trx.deleteFrom('signups').where('id', '=', id).execute();
}

/** Takes the sign-up of a mailed link. Of concurrent transactions, one gets it. */
export const takeSignup = (
  trx: DatabaseTransaction,
  tokenHash: Buffer,
  now: Date,
): Promise<SignupRow | undefined> =>
  trx
    .deleteFrom('signups')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();

export async function deleteSignupsExpiredBefore(db: Db, now: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM signups WHERE id IN (
      SELECT id FROM signups WHERE expires_at < ${now} LIMIT ${limit})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
