import type { DatabaseTransaction, Db } from './connect.ts';

/** The pause of payouts after the database was restored. A person ends it. */
export interface PayoutPause {
  /** The time to which the database was restored. */
  readonly restoredTo: Date;
  readonly pausedAt: Date;
}

/** Returns undefined if payouts and shipments are not paused. */
export async function findPayoutPause(db: Db): Promise<PayoutPause | undefined> {
  const row = await db.selectFrom('payout_pause').select(['restored_to', 'paused_at']).executeTakeFirst();
  return row === undefined ? undefined : { restoredTo: row.restored_to, pausedAt: row.paused_at };
}

/** Returns false if they are paused already. */
export async function pausePayouts(trx: DatabaseTransaction, pause: PayoutPause): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payout_pause')
    .values({ restored_to: pause.restoredTo, paused_at: pause.pausedAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns false if they are not paused. */
export async function resumePayouts(trx: DatabaseTransaction): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('payout_pause').executeTakeFirst();
  return numDeletedRows > 0n;
}
