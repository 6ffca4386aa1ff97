import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { ProviderEventRecord } from './store-change.ts';
import type { TransactionKey } from './store.ts';

/** Why a report changed nothing; all but REJECTED are money that goes back to the payer. */
export type UnappliedOutcome = 'LATE' | 'DUPLICATE' | 'WRONG_AMOUNT' | 'REJECTED';

/** Keeps a report that changed nothing, so that it is not lost and an operator sees it; false where its id is known. */
export async function insertUnappliedEvent(
  db: Db,
  key: TransactionKey,
  providerEvent: ProviderEventRecord,
  outcome: UnappliedOutcome,
  detail: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('provider_events')
    .values({
      seller_id: key.sellerId,
      id: newId(now.getTime()),
      provider: providerEvent.provider,
      provider_event_id: providerEvent.eventId,
      kind: providerEvent.kind,
      record_id: key.id,
      amount: providerEvent.amount,
      occurred_at: providerEvent.occurredAt,
      received_at: now,
      outcome,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface StoredProviderEvent {
  readonly outcome: string;
  readonly kind: string;
  readonly recordId: string;
  readonly amount: number | null;
}

export async function findProviderEvent(
  db: Db,
  sellerId: string,
  { provider, eventId }: ProviderEventRecord,
): Promise<StoredProviderEvent | undefined> {
  const row = await db
    .selectFrom('provider_events')
    .select(['outcome', 'kind', 'record_id', 'amount'])
    .where('seller_id', '=', sellerId)
    .where('provider', '=', provider)
    .where('provider_event_id', '=', eventId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { outcome: row.outcome, kind: row.kind, recordId: row.record_id, amount: row.amount };
}

/** Keeps a report that fits no record, as it came; false where it is known, which stays as it was. */
export async function insertUnmatchedEvent(
  db: Db,
  claimed: TransactionKey,
  providerEvent: ProviderEventRecord,
  detail: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto('unmatched_provider_events')
    .values({
      provider: providerEvent.provider,
      provider_event_id: providerEvent.eventId,
      kind: providerEvent.kind,
      claimed_seller: claimed.sellerId,
      claimed_record: claimed.id,
      id: newId(now.getTime()),
      amount: providerEvent.amount,
      occurred_at: providerEvent.occurredAt,
      received_at: now,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
