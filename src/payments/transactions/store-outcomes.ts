import { sql } from 'kysely';

import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import type { TransactionKey } from './transaction.ts';

/** A transaction of a subscription whose status has changed. */
export interface ChangedTransaction extends TransactionKey {
  readonly changedAt: Date;
}

/** Whether changes wait for their subscription. */
export const OUTCOMES_DUE: DueCondition = () =>
  sql`(SELECT 1 FROM subscription_outcomes ORDER BY changed_at LIMIT 1)`;

/** The transactions of subscriptions that have changed, the longest ago first. */
export async function findChangedOfSubscriptions(
  db: Db,
  limit: number,
): Promise<readonly ChangedTransaction[]> {
  const { rows } = await sql<ChangedTransaction>`
    SELECT seller_id AS "sellerId", transaction_id AS id, changed_at AS "changedAt" FROM subscription_outcomes
    ORDER BY changed_at LIMIT ${limit}`.execute(db);
  return rows;
}

/** Moves a change behind all others, unless the transaction has changed again. */
export async function postponeChange(
  db: Db,
  { sellerId, id, changedAt }: ChangedTransaction,
  now: Date,
): Promise<void> {
  await db
    .updateTable('subscription_outcomes')
    .set({ changed_at: new Date(Math.max(now.getTime(), changedAt.getTime() + 1)) })
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .where('changed_at', '<=', changedAt)
    .execute();
}

/** Marks that a subscription knows of a change, unless the transaction has changed again. */
export async function acknowledgeChange(
  trx: DatabaseTransaction,
  { sellerId, id, changedAt }: ChangedTransaction,
): Promise<void> {
  await trx
    .deleteFrom('subscription_outcomes')
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .where('changed_at', '<=', changedAt)
    .execute();
}
