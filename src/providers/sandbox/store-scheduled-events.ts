import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { DueQuery } from '#platform/jobs/due-query.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';

const KINDS = ['PAYMENT', 'AUTHORIZATION', 'CHARGEBACK', 'DEBIT'] as const;

/** An event that the sandbox reports at a later time. */
export interface ScheduledEvent {
  readonly sellerId: string;
  readonly transactionId: string;
  /** DEBIT: the payer's bank pays, or cannot pay, a charge by Pix Automático. */
  readonly kind: (typeof KINDS)[number];
  readonly dueAt: Date;
}

export async function insertScheduledEvent(trx: Db, scheduled: ScheduledEvent): Promise<void> {
  await trx
    .insertInto('sandbox_scheduled_events')
    .values({
      seller_id: scheduled.sellerId,
      transaction_id: scheduled.transactionId,
      kind: scheduled.kind,
      due_at: scheduled.dueAt,
    })
    .execute();
}

/** Whether events are due. */
export const SCHEDULED_EVENTS_DUE: DueCondition = (now) => sql`(
  SELECT 1 FROM sandbox_scheduled_events WHERE due_at <= ${now} ORDER BY due_at LIMIT 1)`;

export async function findDueScheduledEvents(
  db: Db,
  { now, limit, exceptSellers }: DueQuery,
): Promise<readonly ScheduledEvent[]> {
  const rows = await db
    .selectFrom('sandbox_scheduled_events')
    .selectAll()
    .where('due_at', '<=', now)
    .$if(exceptSellers.length > 0, (query) => query.where('seller_id', 'not in', exceptSellers))
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    sellerId: row.seller_id,
    transactionId: row.transaction_id,
    kind: KINDS.find((kind) => kind === row.kind) ?? 'PAYMENT',
    dueAt: row.due_at,
  }));
}

export async function deleteScheduledEvent(db: Db, scheduled: ScheduledEvent): Promise<void> {
  await db
    .deleteFrom('sandbox_scheduled_events')
    .where((eb) =>
      eb.and({
        seller_id: scheduled.sellerId,
        transaction_id: scheduled.transactionId,
        kind: scheduled.kind,
      }),
    )
    // A retry may have been planned since.
    .where('due_at', '=', scheduled.dueAt)
    .execute();
}

/** Plans the debit of a charge, in place of one that was planned before. */
export async function planDebit(
  db: Db,
  { sellerId, transactionId, dueAt }: Omit<ScheduledEvent, 'kind'>,
): Promise<void> {
  await db
    .insertInto('sandbox_scheduled_events')
    .values({ seller_id: sellerId, transaction_id: transactionId, kind: 'DEBIT', due_at: dueAt })
    .onConflict((conflict) =>
      conflict.columns(['seller_id', 'transaction_id', 'kind']).doUpdateSet({ due_at: dueAt }),
    )
    .execute();
}

export async function deleteDebit(db: Db, sellerId: string, transactionId: string): Promise<void> {
  await db
    .deleteFrom('sandbox_scheduled_events')
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: transactionId, kind: 'DEBIT' }))
    .execute();
}
