import { sql } from 'kysely';

import { toColumns } from '#platform/database/column-names.ts';
import type { Db } from '#platform/database/connect.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

/** A dispute whose amount is refunded. It opens if the refund fails. */
export interface WaitingDispute {
  readonly sellerId: string;
  readonly provider: string;
  /** The provider's id of the dispute. */
  readonly providerReference: string;
  readonly transactionId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  readonly appealUntil: Date | null;
  /** The outcome that the provider has reported since; null if none. */
  readonly outcome: 'RESOLVED' | 'REJECTED' | null;
}

/** Stores a waiting dispute. A later outcome replaces an earlier one. */
export async function saveWaitingDispute(db: Db, dispute: WaitingDispute, now: Date): Promise<void> {
  await db
    .insertInto('waiting_disputes')
    .values({ ...toColumns(dispute), created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['seller_id', 'provider', 'provider_reference']).doUpdateSet((expression) => ({
        outcome: expression.fn.coalesce('excluded.outcome', 'waiting_disputes.outcome'),
      })),
    )
    .execute();
}

/** Whether disputes wait. */
export const WAITING_DISPUTES_DUE: DueCondition = () => sql`(SELECT 1 FROM waiting_disputes LIMIT 1)`;

/** Finds waiting disputes whose amount is free again, or that can no longer open, oldest first. */
export async function findDueWaitingDisputes(db: Db, limit: number): Promise<readonly WaitingDispute[]> {
  const { rows } = await sql<WaitingDispute>`
    SELECT w.seller_id AS "sellerId", w.provider, w.provider_reference AS "providerReference",
      w.transaction_id AS "transactionId", w.amount, w.reason, w.appeal_until AS "appealUntil", w.outcome
    FROM waiting_disputes w JOIN transactions t ON t.seller_id = w.seller_id AND t.id = w.transaction_id
    WHERE t.status NOT IN ('PAID', 'DISPUTE')
      OR (t.status = 'PAID' AND w.amount <= t.amount - t.refunded_amount - t.refunding_amount)
    ORDER BY w.created_at LIMIT ${limit}`.execute(db);
  return rows;
}

/**
 * Deletes a waiting dispute, unless its provider has reported another outcome since it was read.
 */
export async function deleteWaitingDispute(db: Db, dispute: WaitingDispute): Promise<void> {
  const { sellerId, provider, providerReference, outcome } = dispute;
  await db
    .deleteFrom('waiting_disputes')
    .where((eb) => eb.and({ seller_id: sellerId, provider, provider_reference: providerReference }))
    .where('outcome', 'is not distinct from', outcome)
    .execute();
}
