import { toColumns, toFields } from '#platform/database/column-names.ts';
import type { Db } from '#platform/database/connect.ts';

type MedKind = 'NOTICE' | 'RETURN';
export type MedOutcome = 'ACCEPTED' | 'DENIED';

export interface MedEvent {
  readonly sellerId: string;
  readonly provider: string;
  readonly kind: MedKind;
  /** The provider's id of the event. */
  readonly eventId: string;
  readonly transactionId: string;
  readonly disputeId: string | null;
  /** Cents. */
  readonly amount: number;
  readonly outcome: MedOutcome | null;
}

/** Finds all MED events of a transaction; there are few. */
export async function findMedEvents(
  db: Db,
  { sellerId, id }: { readonly sellerId: string; readonly id: string },
): Promise<readonly MedEvent[]> {
  const rows = await db
    .selectFrom('med_events')
    .selectAll()
    .where((eb) => eb.and({ seller_id: sellerId, transaction_id: id }))
    .orderBy('created_at')
    .execute();
  return rows.map(({ provider_event_id: eventId, ...row }) => ({
    ...toFields(row),
    eventId,
    kind: row.kind === 'RETURN' ? 'RETURN' : 'NOTICE',
    outcome: row.outcome === 'ACCEPTED' || row.outcome === 'DENIED' ? row.outcome : null,
  }));
}

/** Inserts an event; false if its id exists already. */
export async function insertMedEvent(
  db: Db,
  { eventId: providerEventId, ...event }: MedEvent,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('med_events')
    .values(toColumns({ ...event, providerEventId, createdAt: now, updatedAt: now }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('provider_event_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets the outcome of a notice; false if it has one. */
export async function saveNoticeOutcome(
  db: Db,
  notice: MedEvent,
  {
    outcome,
    disputeId,
    now,
  }: { readonly outcome: MedOutcome; readonly disputeId: string; readonly now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('med_events')
    .set({ outcome, dispute_id: disputeId, updated_at: now })
    .where((eb) =>
      eb.and({
        seller_id: notice.sellerId,
        provider: notice.provider,
        kind: 'NOTICE',
        provider_event_id: notice.eventId,
      }),
    )
    .where('outcome', 'is', null)
    .returning('provider_event_id')
    .executeTakeFirst();
  return row !== undefined;
}
