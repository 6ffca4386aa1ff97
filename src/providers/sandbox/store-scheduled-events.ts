import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { DueQuery } from '#platform/jobs/due-query.ts';

/** An event that the sandbox reports at a later time. */
export interface ScheduledEvent {
  readonly sellerId: string;
  readonly transactionId: string;
  readonly kind: 'PAYMENT' | 'CHARGEBACK';
  readonly dueAt: Date;
}

export async function insertScheduledEvent(
  trx: DatabaseTransaction,
  scheduled: ScheduledEvent,
): Promise<void> {
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
    kind: row.kind === 'CHARGEBACK' ? 'CHARGEBACK' : 'PAYMENT',
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
    .execute();
}
